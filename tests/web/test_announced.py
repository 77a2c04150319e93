"""What happens at the table is announced there; the last trick can be looked at again."""

import re
from collections.abc import Callable
from typing import Any

from playwright.sync_api import expect

from web.boxes import covered
from web.playing import Player
from web.serving import Served, Stack
from web.test_hands import EDGE, up_to
from web.test_page import seated

Serve = Callable[..., Served]
Browse = Callable[..., Player]


def test_the_bomb_is_announced_and_its_trick_can_be_seen_in_the_next_round(
    serve: Serve, browse: Browse
) -> None:
    served = serve(stack=Stack(own="BOMB", others="R9 R8", turned_up="B5"))
    ada = browse(settings={"pace": "normal"})
    made = seated(served, rulebook="pt-BR", specials=["BOMB"], rounds=[1, 2])
    ada.sit(served.address, made, "?start")
    up_to(ada, "play")
    expect(ada.page.locator(".last")).to_have_count(0)  # no trick yet
    for _ in range(2):
        ada.page.locator("[data-card=BOMB]").click(position=EDGE)
    bomb = ada.page.locator(".piece.trick[data-card=BOMB]")
    bomb.wait_for()
    expect(ada.page.locator(".own")).to_contain_text("The Bomb: nobody takes this trick")
    while bomb.count():
        assert ada.page.locator(".piece.winning").count() == 0
    ada.look("bomb")
    assert covered(ada.page, ".own", ".piece.trick, .piece.hand") == []
    up_to(ada, "bid")  # in the next round
    ada.page.get_by_role("button", name="Show the last trick").click()
    dialog = ada.page.get_by_role("dialog")
    expect(dialog).to_contain_text("The Bomb: nobody took it")
    expect(dialog.get_by_role("listitem")).to_have_count(3)
    ada.look("last-trick")


def test_a_card_that_was_passed_is_named_and_marked_until_the_next_play(
    serve: Serve, browse: Browse
) -> None:
    served = serve(stack=Stack(own="JUGGLER R2 R3 R4 R5", turned_up="B7"))
    ada = browse(360, 640)
    made = seated(served, rulebook="pt-BR", specials=["JUGGLER"], rounds=[5])
    ada.sit(served.address, made, "?start")
    for asked in ada.turns(lambda: False):
        juggler = ada.page.locator(".piece.hand.bright[data-card=JUGGLER]")
        if asked == "play" and juggler.count():
            juggler.click(position=EDGE)
            juggler.click(position=EDGE)
            ada.page.locator(".prompt [data-action]").first.click()
            continue
        ada.act(asked)
        if asked == "pass":
            break
    new = ada.page.locator(".piece.hand.new")
    expect(new).to_have_count(1)
    expect(ada.page.locator(".own")).to_contain_text("You received")
    expect(ada.page.locator(".own")).to_contain_text("from Morgana")  # on the right
    expect(new).to_have_accessible_name(re.compile("just received|not now"))
    ada.look("received")
    ada.page.locator("[data-asked=play]").wait_for()
    ada.act("play")
    expect(new).to_have_count(0)


def test_a_player_who_drops_out_is_counted_down_and_a_host_who_leaves_is_replaced(
    serve: Serve, browse: Browse
) -> None:
    served, bo, ada = serve(), browse(settings={"name": "Bo"}), browse()
    options: dict[str, Any] = {
        "seats": 3, "bots": ["counting"], "bot_pause_ms": 0, "rules": {"rounds": [3, 4]},
    }  # fmt: skip
    made = served.table(options, "Bo")
    bo.sit(served.address, made)
    ada.page.goto(f"{served.address}#/t/{made['code']}")
    ada.page.get_by_role("button", name="Sit down").click()
    ada.page.get_by_role("button", name="I am ready").click()
    bo.page.get_by_role("button", name="Start the game").click()
    for asked in ada.turns(lambda: bo.asked() is not None):
        ada.act(asked)
    address = bo.page.url
    bo.page.goto("about:blank")
    status = ada.page.locator(".own .status")
    expect(status).to_have_text(re.compile(r"Bo is offline; a bot plays in 1\d s"))
    expect(ada.page.locator(".place.turn .seconds")).to_have_text(re.compile(r"1\d"))
    ada.look("offline")
    bo.page.goto(address)
    bo.page.locator("[data-asked]").wait_for()
    expect(status).not_to_contain_text("offline")

    bo.page.get_by_role("button", name="Menu").click()
    bo.page.get_by_role("button", name="Give up your seat").click()
    bo.page.get_by_role("button", name="Give it up for good").click()
    expect(ada.page.locator(".own")).to_contain_text("Bo left; you are the host now")
    ada.look("new-host")
