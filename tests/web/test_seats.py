"""Coming to a running game: waiting for the next deal, asking the host, being removed, and those who do not play."""

import os
from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Locator, Page, expect

from web.playing import Player
from web.serving import Served

Serve = Callable[..., Served]
Browse = Callable[..., Player]

SIZES = [(360, 640), (1440, 900)] if os.environ.get("FORETELL_PROVE") else [(360, 640)]


def _options(**more: Any) -> dict[str, Any]:
    rules = {"rulebook": "es", "rounds": [1, 2]}
    return {"seats": 3, "bots": ["counting"] * 2, "bot_pause_ms": 0, "rules": rules, **more}


def _button(page: Page | Locator, name: str) -> Locator:
    return page.get_by_role("button", name=name, exact=True)


def _to_second_round(player: Player) -> None:
    for what in player.turns(lambda: False):
        player.act(what)
        if what == "round":
            return


@pytest.mark.prove
@pytest.mark.parametrize(("width", "height"), SIZES)
def test_a_friend_asks_waits_for_the_deal_and_plays(
    serve: Serve, browse: Browse, width: int, height: int
) -> None:
    served = serve()
    ada, zoe = browse(width, height), browse(width, height, settings={"name": "Zoe"})
    seated = served.table(_options())
    ada.sit(served.address, seated, "?start")
    ada.stage.wait_for()
    zoe.page.goto(f"{served.address}#/t/{seated['code']}")
    _button(zoe.page, "Sit down").click()
    _button(zoe.page, "Sit here: Morgana").click()
    # Both are at one address, and in a running game the host has to say that they are two people.
    expect(zoe.page.get_by_text("Ada decides whether you can sit down.")).to_be_visible()
    expect(ada.page.get_by_text("Zoe would like to sit down.")).to_be_visible()
    ada.look("asks")
    _button(ada.page, "Yes, Zoe may sit down").click()
    waits = "You take over Morgana's seat with the next deal."
    expect(zoe.page.get_by_text(waits)).to_be_visible()
    zoe.look("waits")
    expect(
        ada.page.get_by_text("Zoe takes over Morgana's seat with the next deal.").first
    ).to_be_visible()
    _button(ada.page, "Menu").click()
    _button(ada.page, "Who is here").click()
    expect(ada.page.get_by_text("Zoe from the next deal")).to_be_visible()
    ada.page.keyboard.press("Escape")
    zoe.page.reload()
    expect(zoe.page.get_by_text(waits)).to_be_visible()
    _to_second_round(ada)
    expect(zoe.page.get_by_text(waits)).to_have_count(0)
    expect(ada.page.locator(".seat .name", has_text="Zoe")).to_be_visible()
    expect(zoe.page.locator(".seat .name", has_text="Ada")).to_be_visible()


@pytest.mark.prove
@pytest.mark.parametrize(("width", "height"), SIZES)
def test_at_a_table_with_approval_the_host_decides(
    serve: Serve, browse: Browse, width: int, height: int
) -> None:
    served = serve()
    ada, zoe = browse(width, height), browse(width, height, settings={"name": "Zoe"})
    ada.page.goto(f"{served.address}#/new")
    ada.page.get_by_text("who may join").click()
    ada.page.get_by_text("Ask me first").click()
    _button(ada.page, "Set up the table").click()
    ada.page.get_by_role("heading", name="The table is set").wait_for()
    zoe.page.goto(ada.page.url)
    _button(zoe.page, "Ask Ada for a seat").click()
    expect(zoe.page.get_by_text("Ada decides whether you can sit down.")).to_be_visible()
    zoe.look("gathering asked")
    _button(ada.page, "No, Zoe may not sit down").click()
    expect(zoe.page.get_by_text("The host has not let you sit down.")).to_be_visible()
    _button(zoe.page, "Ask Ada for a seat").click()
    expect(_button(ada.page, "Yes, Zoe may sit down")).to_be_visible()
    ada.is_line_down = zoe.is_line_down = True
    served.stop()
    served.start()  # the server forgets the request, and the page asks again
    _button(ada.page, "Yes, Zoe may sit down").click(timeout=30_000)
    _button(zoe.page, "I am ready").wait_for()


@pytest.mark.prove
@pytest.mark.parametrize(("width", "height"), SIZES)
def test_the_host_removes_a_player_during_the_game(
    serve: Serve, browse: Browse, width: int, height: int
) -> None:
    served = serve()
    ada, eve = browse(width, height), browse(width, height, settings={"name": "Eve"})
    seated = served.table(_options(bots=["counting"]))
    ada.sit(served.address, seated)
    eve.page.goto(f"{served.address}#/t/{seated['code']}")
    _button(eve.page, "Sit down").click()
    _button(eve.page, "I am ready").click()
    ada.page.get_by_title("Ready").wait_for()
    _button(ada.page, "Start the game").click()
    eve.stage.wait_for()
    _button(ada.page, "Menu").click()
    _button(ada.page, "Who is here").click()
    _button(ada.page, "Host actions for Eve").click()
    _button(ada.page, "Remove").click()
    ada.look("remove")
    _button(ada.page, "Really? A bot takes the seat").click()
    expect(eve.page.get_by_text("The host has removed you from the table.")).to_be_visible()
    expect(_button(eve.page, "Menu")).to_have_count(0)
    eve.look("removed")
    expect(ada.page.get_by_text("Removed: Eve")).to_be_visible()
    eve.page.goto("about:blank")
    eve.page.goto(f"{served.address}#/t/{seated['code']}")
    expect(eve.page.get_by_text("The host has removed you from this table.")).to_be_visible()
    _button(ada.page, "Let back in").click()
    expect(ada.page.get_by_text("Removed: Eve")).to_have_count(0)
    eve.page.reload()
    expect(_button(eve.page, "Sit down")).to_be_visible()


@pytest.mark.prove
@pytest.mark.parametrize(("width", "height"), SIZES)
def test_any_player_lets_a_bot_play_for_someone_who_does_not(
    serve: Serve, browse: Browse, width: int, height: int
) -> None:
    served = serve(patience=2)
    anna, bo = browse(width, height, settings={"name": "Anna"}), browse(width, height)
    rules = {"rulebook": "es", "rounds": [3], "bids": "hidden"}
    seated = served.table(_options(bots=["counting"], rules=rules), "Anna")
    anna.sit(served.address, seated)
    bo.page.goto(f"{served.address}#/t/{seated['code']}")
    _button(bo.page, "Sit down").click()
    _button(bo.page, "I am ready").click()
    anna.page.get_by_title("Ready").wait_for()
    _button(anna.page, "Start the game").click()
    bo.stage.wait_for()
    expect(bo.page.get_by_text("Anna has kept the table waiting for two minutes.")).to_be_visible()
    bo.look("late")
    _button(bo.page, "Let a bot play").click()
    expect(anna.page.get_by_text("You are away: a bot is playing for you.")).to_be_visible()
    expect(bo.page.get_by_text("Anna has kept the table waiting")).to_have_count(0)
    _button(anna.page, "I am back").click()


@pytest.mark.prove
@pytest.mark.parametrize(("width", "height"), SIZES)
def test_a_player_becomes_the_host_if_the_host_never_starts(
    serve: Serve, browse: Browse, width: int, height: int
) -> None:
    served = serve(patience=2)
    anna, bo = browse(width, height, settings={"name": "Anna"}), browse(width, height)
    rules = {"rulebook": "es", "rounds": [3]}
    seated = served.table(_options(bots=["counting"], rules=rules), "Anna")
    anna.sit(served.address, seated)
    bo.page.goto(f"{served.address}#/t/{seated['code']}")
    _button(bo.page, "Sit down").click()
    expect(anna.page.get_by_text("kept the table waiting")).to_have_count(0)  # she is the host
    _button(bo.page, "I am ready").click()
    expect(bo.page.get_by_text("Anna has kept the table waiting for two minutes.")).to_be_visible()
    bo.look("late host")
    _button(bo.page, "Become the host").click()
    expect(bo.page.get_by_text("kept the table waiting")).to_have_count(0)
    expect(_button(anna.page, "I am back")).to_be_visible()
    anna.look("away before the game")
    _button(bo.page, "Start the game").click()  # without waiting for Anna
    bo.stage.wait_for()
    expect(anna.page.get_by_text("You are away: a bot is playing for you.")).to_be_visible()


def test_a_second_tab_of_one_browser_gets_the_same_seat(serve: Serve, browse: Browse) -> None:
    served, ada = serve(), browse()
    ada.page.goto(f"{served.address}#/new")
    _button(ada.page, "Set up the table").click()
    ada.page.get_by_role("heading", name="The table is set").wait_for()
    ada.page.evaluate("delete localStorage['foretell.seats']")
    second = ada.page.context.new_page()
    second.goto(ada.page.url)
    _button(second, "Sit down").click()
    second.get_by_role("heading", name="The table is set").wait_for()
    expect(second.locator("li.own")).to_have_attribute("data-seat", "0")
    expect(second.locator("li.open")).to_have_count(2)
