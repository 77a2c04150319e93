"""What people do with a page: click twice, open two tabs, go back, turn the phone, wait for a slow connection."""

from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Page, WebSocketRoute, expect

from web.playing import SOCKETS, Player
from web.serving import Served, Stack
from web.test_page import seated

Serve = Callable[..., Served]
Browse = Callable[..., Player]
EDGE: Any = {"x": 15, "y": 28}


def up_to(player: Player, wanted: str) -> None:
    """Plays until this is asked."""
    for what in player.turns(lambda: False):
        if what == wanted:
            return
        player.act(what)
    pytest.fail(f"{wanted} was never asked")


def hand(page: Page) -> list[str]:
    found: list[str] = page.evaluate(
        "[...document.querySelectorAll('.piece.hand')].map((one) => one.dataset.card)"
    )
    return found


def test_clicking_twice_does_nothing_twice(serve: Serve, browse: Browse) -> None:
    served = serve(stack=Stack(own="ZB ZR ZG ZY NB"))
    ada = browse(settings={"taps": "one"})
    ada.sit(served.address, seated(served, rounds=[5]), "?start")
    up_to(ada, "bid")
    ada.page.locator("[data-action='bid 1']").dblclick(force=True)
    up_to(ada, "play")
    before = hand(ada.page)
    ada.page.locator(".piece.hand.bright").first.dblclick(position=EDGE)
    expect(ada.page.locator(".piece.hand")).to_have_count(len(before) - 1)
    ada.page.wait_for_timeout(400)
    assert len(hand(ada.page)) == len(before) - 1
    assert ada.page.get_by_role("alert").count() == 0


def test_two_tabs_show_one_game_and_either_may_act(serve: Serve, browse: Browse) -> None:
    served, ada = serve(), browse()
    made = seated(served, rounds=[3, 4])
    ada.sit(served.address, made, "?start")
    up_to(ada, "bid")
    other = ada.page.context.new_page()
    other.goto(f"{served.address}#/t/{made['code']}")
    other.locator(".prompt [data-action]").first.wait_for()
    assert hand(other) == hand(ada.page)
    other.locator("[data-action='bid 0']").click()
    ada.page.locator(".prompt [data-action^=bid]").first.wait_for(state="detached")
    up_to(ada, "play")
    # the other tab sees the card leave the hand too
    before = len(hand(other))
    ada.act("play")
    expect(other.locator(".piece.hand")).to_have_count(before - 1)


def test_back_and_forward_lead_away_and_back_to_the_same_hand(serve: Serve, browse: Browse) -> None:
    served, ada = serve(), browse()
    ada.page.goto(served.address)
    ada.page.get_by_role("button", name="Play now").wait_for()
    made = seated(served, rounds=[4, 5])
    ada.sit(served.address, made, "?start")
    up_to(ada, "bid")
    before = hand(ada.page)
    ada.page.evaluate("location.hash = '#/'")
    ada.page.get_by_role("heading", name="My games").wait_for()
    ada.page.go_back()
    ada.page.locator(".prompt [data-action]").first.wait_for()
    assert hand(ada.page) == before
    ada.page.go_forward()
    ada.page.get_by_text("your turn").click()
    ada.page.locator(".prompt [data-action]").first.wait_for()
    assert hand(ada.page) == before


def test_back_closes_what_is_open_before_it_leaves_the_table(serve: Serve, browse: Browse) -> None:
    served, ada = serve(), browse()
    ada.sit(served.address, seated(served, rounds=[3]), "?start")
    up_to(ada, "bid")
    ada.page.get_by_role("button", name="Menu").click()
    ada.page.get_by_role("dialog").wait_for()
    ada.page.go_back()
    expect(ada.page.get_by_role("dialog")).to_have_count(0)
    assert ada.page.locator(".prompt [data-action]").count() > 0
    ada.page.get_by_role("button", name="Chat").click()
    ada.page.get_by_role("button", name="Close").click()
    expect(ada.page.get_by_role("dialog")).to_have_count(0)
    assert ada.page.locator(".prompt [data-action]").count() > 0


def test_the_phone_is_turned_in_the_middle_of_a_choice(serve: Serve, browse: Browse) -> None:
    served, ada = serve(stack=Stack(own="ZB ZR ZG B2 B3 R4 R5 G6")), browse()
    ada.sit(served.address, seated(served, rounds=[8]), "?start")
    up_to(ada, "play")
    card = ada.page.locator(".piece.hand.bright").first
    name = card.get_attribute("data-card")
    card.click(position=EDGE)
    for width, height in ((844, 390), (390, 844), (844, 390)):
        ada.page.set_viewport_size({"width": width, "height": height})
        ada.page.wait_for_timeout(100)
        for box in ada.page.locator(".piece.hand").all():
            found = box.bounding_box()
            assert found is not None
            assert found["x"] >= -1
            assert found["x"] + found["width"] <= width + 1
            assert found["y"] + 24 <= height
    # the lifted card is still lifted, and one more tap plays it
    lifted = ada.page.locator(f"[data-card={name}].lifted")
    lifted.click(position=EDGE)
    ada.page.locator(f"[data-card={name}][data-zone=hand]").wait_for(state="detached")


def test_on_a_slow_line_a_card_is_seen_to_be_on_its_way(serve: Serve, browse: Browse) -> None:
    served, ada = serve(stack=Stack(own="ZB ZR ZG")), browse()
    held: list[str | bytes] = []
    lines: list[WebSocketRoute] = []
    is_slow = False

    def between(line: WebSocketRoute) -> None:
        """Holds back what the page sends while the line is slow."""
        server = line.connect_to_server()
        lines.append(server)
        line.on_message(lambda text: held.append(text) if is_slow else server.send(text))

    ada.page.route_web_socket(SOCKETS, between)
    ada.sit(served.address, seated(served, rounds=[3]), "?start")
    up_to(ada, "play")
    is_slow = True
    card = ada.page.locator(".piece.hand.bright").first
    name = card.get_attribute("data-card")
    card.dblclick(position=EDGE)
    expect(ada.page.locator(f".piece.sending[data-card={name}]")).to_have_count(1)
    ada.look("on-its-way")
    # more taps meanwhile do no harm
    ada.page.locator(".piece.hand:not(.sending)").first.click(position=EDGE)
    expect(ada.page.locator(f"[data-card={name}][data-zone=hand]")).to_have_count(1)
    is_slow = False
    assert len(held) == 1
    lines[-1].send(held[0])
    ada.page.locator(f"[data-card={name}][data-zone=hand]").wait_for(state="detached")
    assert len(hand(ada.page)) == 2
    assert ada.page.get_by_role("alert").count() == 0
