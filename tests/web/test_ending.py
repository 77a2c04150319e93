"""The end of a game, and small things at the table that are easily missed."""

from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import expect

from foretell.rules import Rules
from foretell.scorepad import Awaits, Bid, Tricks, enter, new_pad, to_json
from web.boxes import covered, is_in_view, least_letters
from web.playing import Player
from web.serving import Served
from web.test_hands import EDGE, up_to
from web.test_page import seated

Serve = Callable[..., Served]
Browse = Callable[..., Player]

LEAST = 10.99  # pixels: smaller text cannot be read
NAMES = ("Ada", "Bo", "Merlin", "Morgana", "Nimue", "Viviane")


@pytest.mark.parametrize(("width", "height"), [(1440, 900), (844, 390), (360, 640)])
def test_at_the_end_what_to_do_next_is_in_view_and_the_keyboard_is_there(
    serve: Serve, browse: Browse, width: int, height: int
) -> None:
    served, ada = serve(), browse(width, height)
    ada.sit(served.address, seated(served, 3, rounds=[1, 2]), "?start")
    for asked in ada.turns(lambda: False):
        if asked == "play":
            # by keyboard: the focus is on a card, which goes away with the table
            ada.page.locator(".piece.hand.bright").first.focus()
            ada.page.keyboard.press("Enter")
            ada.page.keyboard.press("Enter")
        else:
            ada.act(asked)
    title = ada.page.get_by_role("heading", level=1)
    expect(title).to_be_focused()
    ada.look("end")
    assert is_in_view(ada.page, ".actions .primary")
    if width >= 1000:
        assert is_in_view(ada.page, ".sheet")
        assert is_in_view(ada.page, ".chart")
    ada.page.keyboard.press("Tab")
    expect(ada.page.get_by_role("button", name="Play again")).to_be_focused()
    assert least_letters(ada.page) >= LEAST


def test_the_letters_of_the_chart_beside_the_table_can_be_read(
    serve: Serve, browse: Browse
) -> None:
    served, ada = serve(), browse(1440, 900)
    ada.sit(served.address, seated(served, 5, rounds=[1, 2, 3]), "?start")
    for asked in ada.turns(lambda: ada.page.locator(".chart").count() > 0):
        ada.act(asked)
    assert least_letters(ada.page) >= LEAST


@pytest.mark.parametrize(("width", "height"), [(1440, 900), (360, 640)])
def test_the_letters_of_a_pads_chart_and_its_marks_can_be_read(
    serve: Serve, browse: Browse, width: int, height: int
) -> None:
    served, ada = serve(), browse(width, height)
    pad = new_pad(NAMES, Rules(rounds=(1, 2, 3)))
    while pad.now is not None and pad.now.number < 3:
        now = pad.now
        if now.awaits is Awaits.BIDS:
            pad = enter(pad, Bid(now.bidders[0], 0))
        else:
            pad = enter(
                pad, Tricks(now.counters[0], now.hand_size if len(now.counters) == 1 else 0)
            )
    ada.page.goto(served.address)
    keep = "(text) => localStorage.setItem('foretell.pad.2026-01-01-120000', text)"
    ada.page.evaluate(keep, to_json(pad))
    ada.page.goto("about:blank")
    ada.page.goto(f"{served.address}#/pad/2026-01-01-120000")
    ada.page.locator("section.asked").wait_for()
    ada.look("pad")
    stars = ada.page.locator("td .dealer").evaluate_all(
        "all => all.map((one) => parseFloat(getComputedStyle(one).fontSize))"
    )
    assert min(stars) >= LEAST
    if width < 1000:
        ada.page.locator(".chart-button").click()
        ada.page.locator("dialog .chart").wait_for()
        ada.look("chart")
    assert least_letters(ada.page) >= LEAST


def test_against_bots_the_chat_is_a_field_until_it_is_asked_for(
    serve: Serve, browse: Browse
) -> None:
    served, ada = serve(), browse(1440, 900)
    ada.sit(served.address, seated(served, rounds=[3]), "?start")
    up_to(ada, "bid")
    field, hello = ada.page.locator(".talk .field"), ada.page.get_by_role("button", name="Hello")
    expect(field).to_be_visible()
    expect(hello).to_have_count(0)
    box = ada.page.locator(".talk").bounding_box()
    assert box is not None
    assert box["height"] <= 80  # of 852
    ada.page.get_by_role("button", name="Chat").click()
    expect(field).to_be_focused()
    expect(hello).to_be_visible()


def test_in_unicolor_everyone_wears_the_colour_of_their_own_people(
    serve: Serve, browse: Browse
) -> None:
    served, ada = serve(), browse()
    ada.sit(served.address, seated(served, 3, rulebook="hu", unicolor=True, rounds=[1]), "?start")
    up_to(ada, "bid")
    pairs: list[list[str]] = (
        ada.page.evaluate("""() => [...document.querySelectorAll('.place')].map((seat) => [
        getComputedStyle(seat.querySelector('.disc .ring')).stroke,
        getComputedStyle(seat.querySelector('.people')).color,
    ])""")
    )
    assert len({worn for worn, _ in pairs}) == 4
    assert all(worn == people for worn, people in pairs)
    # at the next table everyone has the usual colours again
    ada.page.goto(served.address)
    ada.page.get_by_role("button", name="Play now").wait_for()
    assert ada.page.evaluate("document.documentElement.style.getPropertyValue('--p0')") == ""


def test_the_digits_of_a_clock_are_clear_of_the_points(serve: Serve, browse: Browse) -> None:
    served, ada = serve(), browse(360, 640)
    options: dict[str, Any] = {
        "seats": 6, "bots": ["counting"] * 5, "bot_pause_ms": 0, "clock_s": 15,
        "rules": {"rounds": [4]},
    }  # fmt: skip
    ada.sit(served.address, served.table(options), "?start")
    up_to(ada, "play")
    ada.page.locator(".piece.hand.bright").first.click(position=EDGE)
    digits = ada.page.locator(".place:has(.own) .seconds")
    expect(digits).to_have_count(1)
    ada.look("clock")
    assert covered(ada.page, ".seconds", ".total, .status, .stones, .piece") == []
