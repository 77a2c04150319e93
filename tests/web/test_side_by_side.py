"""A page with two places: the tables of its server, and those of this device."""

from collections.abc import Callable

import pytest
from playwright.sync_api import expect

from web.conftest import BUILT
from web.playing import Player
from web.serving import Served

Serve = Callable[..., Served]
Browse = Callable[..., Player]

LOADED = 60_000  # milliseconds, for the engine on a busy machine
HERE = "These tables are on this device"
TO_DEVICE, TO_SERVER = "Play on this device", "Play at the server’s tables"

pytestmark = pytest.mark.skipif(
    not (BUILT.parent / "engine/engine.json").exists(), reason="the engine is not built"
)


def played_round(player: Player) -> str:
    """Plays a round of a new game; returns the address of its table."""
    player.page.get_by_role("button", name="Play now").click()
    player.page.locator(".stage").wait_for(timeout=LOADED)
    for asked in player.turns(lambda: False):
        player.act(asked)
        if asked == "round":
            break
    return player.page.url


def test_both_places_are_offered_and_a_player_whose_server_is_gone_goes_on_alone(
    serve: Serve, browse: Browse
) -> None:
    served, ada = serve(), browse()
    page = ada.page
    page.clock.install()
    page.goto(served.address)
    expect(page.get_by_text(HERE)).to_have_count(0)
    page.get_by_role("button", name=TO_DEVICE).click()
    expect(page.get_by_text(HERE)).to_be_visible()
    here = played_round(ada)
    assert "/~" in here

    page.evaluate("location.hash = '#/'")
    page.get_by_role("button", name=TO_SERVER).click()
    expect(page.get_by_text(HERE)).to_have_count(0)
    there = played_round(ada)
    assert "/~" not in there

    # The server is gone. Only after a while the page offers to play alone: most are back in seconds.
    ada.is_line_down = True
    served.stop()
    page.get_by_text("The connection is lost").wait_for()
    offer = page.get_by_role("button", name=TO_DEVICE)
    page.clock.fast_forward(10_000)
    expect(offer).to_have_count(0)
    page.clock.fast_forward(10_000)
    offer.click()
    expect(page.get_by_text(HERE)).to_be_visible()
    alone = played_round(ada)
    assert "/~" in alone
    assert alone != here

    # When it is back, the seat at its table has waited.
    served.start()
    page.evaluate("(address) => { location.href = address }", there)
    page.locator(".stage").wait_for(timeout=LOADED)
    page.evaluate("location.hash = '#/'")
    expect(page.get_by_role("button", name=TO_SERVER)).to_be_visible()
