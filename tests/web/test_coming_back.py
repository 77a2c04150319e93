"""Coming back, and coming late: nothing that the browser or the server knows gets lost."""

import json
import re
from collections.abc import Callable

import pytest
from playwright.sync_api import WebSocketRoute, expect

from web.playing import Player
from web.serving import Served, Stack
from web.test_page import seated

Serve = Callable[..., Served]
Browse = Callable[..., Player]


def test_a_code_in_small_letters_opens_the_same_seat(serve: Serve, browse: Browse) -> None:
    served, ada, bo = serve(), browse(), browse(settings={"name": "Bo"})
    table = served.table({"seats": 3})
    ada.sit(served.address, table)
    bo.page.goto(served.address)
    bo.page.get_by_label("Join a table").fill(table["code"].lower())
    bo.page.get_by_role("button", name="Go", exact=True).click()
    bo.page.get_by_role("button", name="Sit down").first.click()
    bo.page.get_by_role("button", name="I am ready").wait_for()
    bo.page.reload()
    bo.page.get_by_role("button", name="I am ready").wait_for()
    # The host too, in another way than before.
    ada.page.goto("about:blank")
    ada.page.goto(f"{served.address}#/table/{table['code'].lower()}")
    ada.page.locator(".start").wait_for()


def test_what_was_not_sent_is_not_lost(serve: Serve, browse: Browse) -> None:
    served, ada = serve(), browse(1440, 900)
    ada.sit(served.address, seated(served, rounds=[3]), "?start")
    field = ada.page.get_by_label("Write something")
    field.fill("wait for me")
    ada.is_line_down = True
    ada.page.context.set_offline(True)
    ada.page.get_by_role("button", name="Send").click()
    expect(field).to_have_value("wait for me")
    ada.page.context.set_offline(False)
    expect(ada.page.locator(".stage .own")).not_to_contain_text("The connection is lost")
    ada.page.get_by_role("button", name="Send").click()
    ada.page.get_by_role("log", name="Chat").get_by_text("wait for me").wait_for()
    expect(field).to_have_value("")


@pytest.mark.parametrize("arrives", [False, True], ids=["lost", "arrived"])
def test_a_card_on_its_way_when_the_line_breaks_is_played_once(
    serve: Serve, browse: Browse, arrives: bool
) -> None:
    """The connection breaks while a card is sent, or before it is answered: the player need not do anything."""
    served, ada = serve(stack=Stack(turned_up="B7")), browse()
    cut: list[str] = []

    def between(page: WebSocketRoute) -> None:
        server = page.connect_to_server()

        def say(message: str | bytes) -> None:
            is_card = '"action":"play ' in str(message)
            if arrives or not is_card or cut:
                server.send(message)
            if is_card and not cut:
                cut.append(str(message))
                server.close()
                page.close()

        page.on_message(say)

    ada.page.route_web_socket(re.compile("/ws(/|$)"), between)
    ada.sit(served.address, seated(served, rounds=[2]), "?start")
    ada.play_to_the_end()  # a decision that is asked is answered once, and not again
    assert len(cut) == 1
    (played,) = ada.finished_game().rounds
    card = json.loads(cut[0])["action"].removeprefix("play ")
    assert [face.code for face in played.tricks[0].faces].count(card) == 1


def test_who_looks_on_may_talk(serve: Serve, browse: Browse) -> None:
    served, ada = serve(), browse(1440, 900)
    bo = browse(1440, 900, settings={"name": "Bo"})
    table = seated(served, rounds=[3])
    ada.sit(served.address, table, "?start")
    ada.page.locator(".stage").wait_for()
    bo.page.goto(f"{served.address}#/t/{table['code']}")
    bo.page.get_by_label("Write something").fill("good luck")
    bo.page.get_by_role("button", name="Send").click()
    ada.page.get_by_role("log", name="Chat").get_by_text("Bo good luck").wait_for()


def test_what_happened_in_this_round_is_still_told_after_a_reload(
    serve: Serve, browse: Browse
) -> None:
    served, ada = serve(stack=Stack(turned_up="B7")), browse(1440, 900)
    ada.sit(served.address, seated(served, rounds=[5]), "?start")
    for asked in ada.turns(lambda: ada.page.locator(".piece.hand").count() == 3):
        ada.act(asked)
    shown = ada.page.locator(".happened")
    expect(shown).to_contain_text(re.compile("Trick:.*Trick:", re.DOTALL))
    before = [line for line in shown.inner_text().splitlines() if "bid" not in line]
    ada.page.reload()
    expect(shown).to_contain_text("Trick:")
    after = [line for line in shown.inner_text().splitlines() if "bid" not in line]
    assert after == before


def test_a_clock_that_runs_while_a_round_is_read_is_not_started_anew(
    serve: Serve, browse: Browse
) -> None:
    served, ada = serve(stack=Stack(turned_up="B7")), browse()
    options = {
        "seats": 3,
        "bots": ["counting"] * 2,
        "bot_pause_ms": 0,
        "clock_s": 20,
        "rules": {"rounds": [1, 2]},
    }
    table = served.table(options)
    ada.sit(served.address, table, "?start")
    for asked in ada.turns(lambda: False):
        if asked == "round":
            break
        ada.act(asked)
    # nobody presses "Continue"
    expect(ada.page.locator(".over .end")).to_have_count(0)
    told = ada.page.get_by_role("timer").get_attribute("aria-label")
    assert told is not None
    seconds = int(re.findall(r"\d+", told)[0])
    assert 0 < seconds <= 17


def test_home_says_when_the_line_is_down_and_lists_my_games_when_it_is_back(
    serve: Serve, browse: Browse
) -> None:
    served, ada = serve(), browse()
    table = seated(served, rounds=[3])
    ada.sit(served.address, table, "?start")
    ada.page.locator(".stage").wait_for()
    ada.page.goto(served.address)
    mine = ada.page.locator("a", has_text=table["code"])
    expect(mine).to_contain_text("Merlin and Morgana")
    ada.look("home-with-games")
    ada.is_line_down = True
    served.stop()
    ada.page.get_by_text("The connection is lost").first.wait_for()
    served.start()
    ada.page.get_by_text("no public table is open").wait_for()
    expect(mine).to_be_visible()
