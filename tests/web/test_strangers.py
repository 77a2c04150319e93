"""Names, taps and addresses that nobody thought of: the page copes with all of them."""

from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from web.playing import Player
from web.serving import Served

Serve = Callable[..., Served]
Browse = Callable[..., Player]

LONG = "W" * 24
ONE_BOT = {"seats": 3, "bots": ["counting"], "bot_pause_ms": 0, "rules": {"rounds": [1, 2]}}


def _table(served: Served, name: str = "Ada") -> dict[str, Any]:
    return served.table(ONE_BOT, name)


def _right_edges(page: Page, what: str) -> list[float]:
    edges: list[float] = page.locator(what).evaluate_all(
        "all => all.map((one) => one.getBoundingClientRect().right)"
    )
    return edges


def test_the_longest_name_pushes_nothing_off_a_small_phone(serve: Serve, browse: Browse) -> None:
    served = serve()
    ada, bo = browse(360, 640), browse(360, 640, settings={"name": LONG})
    seated = _table(served, LONG)
    ada.sit(served.address, seated)
    bo.page.goto(f"{served.address}#/t/{seated['code']}")
    bo.page.get_by_role("button", name="Sit down").click()
    bo.page.get_by_role("button", name="I am ready").wait_for()
    ada.page.get_by_role("button", name="Host actions").click()
    ada.page.get_by_role("button", name="Remove").click()
    for player in (ada, bo):
        assert max(_right_edges(player.page, ".page *:not(svg *)")) <= 360

    bo.page.get_by_role("button", name="I am ready").click()
    ada.page.get_by_title("Ready").wait_for()
    ada.page.locator(".start").click()
    for player in (ada, bo):
        player.page.locator(".stage .own").wait_for()
        box, total = _right_edges(player.page, ".own, .own .total")
        assert total <= box


def test_a_second_tap_on_sit_down_is_no_mistake(serve: Serve, browse: Browse) -> None:
    served, bo = serve(), browse()
    bo.page.goto(f"{served.address}#/t/{_table(served)['code']}")
    bo.page.get_by_role("button", name="Sit down").dblclick()
    bo.page.get_by_role("button", name="I am ready").wait_for()
    bo.page.wait_for_timeout(300)
    expect(bo.page.get_by_role("alert")).to_have_count(0)


def test_a_second_tap_on_play_again_is_no_mistake(serve: Serve, browse: Browse) -> None:
    served, ada = serve(), browse()
    options = {**ONE_BOT, "bots": ["counting", "counting"], "rules": {"rounds": [1]}}
    seated = served.table(options)
    ada.sit(served.address, seated, "?start")
    ada.play_to_the_end()
    ada.page.get_by_role("button", name="Play again").dblclick()
    ada.page.locator(".stage").wait_for()
    ada.page.wait_for_timeout(300)
    expect(ada.page.get_by_role("alert")).to_have_count(0)


@pytest.mark.parametrize("address", ["#/t/%", "#/t/%E0%A4%A", "#/t/QQQQQQ", "#/t/ABC"])
def test_a_broken_link_is_told_as_such(serve: Serve, browse: Browse, address: str) -> None:
    served, ada = serve(), browse()
    ada.page.goto(f"{served.address}{address}")
    ada.page.get_by_text("Table not found").wait_for()


def test_giving_up_a_seat_takes_two_taps(serve: Serve, browse: Browse) -> None:
    served, ada = serve(), browse()
    ada.sit(served.address, _table(served))
    ada.page.get_by_role("button", name="Start").click()
    ada.page.locator(".stage").wait_for()
    ada.page.get_by_role("button", name="Menu").click()
    ada.page.get_by_role("button", name="Give up your seat").click()
    sure = ada.page.get_by_role("button", name="Give it up for good")
    sure.wait_for()
    ada.axe("giving up")
    sure.click()
    ada.page.get_by_role("button", name="Play now").wait_for()


def test_the_link_is_copied_without_a_clipboard_too(serve: Serve, browse: Browse) -> None:
    """On plain HTTP, as in a local network, a page has no clipboard."""
    served, ada = serve(), browse()
    ada.page.add_init_script("Object.defineProperty(navigator, 'clipboard', { value: undefined })")
    ada.sit(served.address, _table(served))
    ada.page.get_by_role("button", name="Copy link").click()
    ada.page.get_by_role("button", name="Copied").wait_for()
    ada.page.get_by_role("button", name="Copy link").wait_for()  # after some seconds


def test_a_link_that_works_only_here_says_so_and_has_no_qr_code(
    serve: Serve, browse: Browse
) -> None:
    served, ada = serve(), browse()
    code = ada.page.get_by_role("img", name="QR code")
    note = ada.page.get_by_text("works on this machine only")
    table = _table(served)
    # another name for the same machine, which the page does not know as such
    ada.sit(served.address.replace("127.0.0.1", "elsewhere.localhost"), table)
    expect(code).to_be_visible()
    expect(note).to_have_count(0)
    ada.sit(served.address, table)
    expect(note).to_contain_text("foretell serve --lan (or make play ARGS=--lan)")
    ada.look("only-here")
    expect(code).to_have_count(0)


def test_text_of_twice_the_size_stays_in_its_place(serve: Serve, browse: Browse) -> None:
    served, ada = serve(), browse(360, 640)
    options = {**ONE_BOT, "bots": ["counting", "counting"]}
    seated = served.table(options)
    ada.sit(served.address, seated, "?start")
    for asked in ada.turns(lambda: ada.asked() == ("round", "Round 1 is over")):
        ada.page.evaluate("document.documentElement.style.fontSize = '200%'")
        ada.act(asked)
        assert max(_right_edges(ada.page, ".bar .button")) <= 360
        for seat in ada.page.locator(".place:has(.seat)").all():
            box, lines = seat.bounding_box(), seat.locator(".line").last.bounding_box()
            assert box is not None
            assert lines is not None
            assert lines["y"] + lines["height"] <= box["y"] + box["height"]
    assert max(_right_edges(ada.page, ".over .end td")) <= 352
    # one tap goes on, however long the panel has grown
    panel, go = (
        ada.page.locator(one).bounding_box() for one in (".over .end", ".over .button.primary")
    )
    assert panel is not None
    assert go is not None
    assert go["y"] + go["height"] <= panel["y"] + panel["height"]
    for chip in ada.page.locator(".bar .chip").all():
        assert chip.evaluate("(one) => one.scrollWidth <= one.clientWidth")
