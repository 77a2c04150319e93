"""The page without a server: Python runs the tables in a worker, from static files, and the network is off."""

from collections.abc import Callable, Iterator
from threading import Event

import pytest
from playwright.sync_api import expect

from foretell.bots import LEVELS
from foretell.bots.levels import STRONGEST
from web.conftest import BUILT
from web.devices import dump, new_table, put, replayed, static_host
from web.playing import NO_API, Player, waited

Browse = Callable[..., Player]

LOADED = 60_000  # milliseconds, for the engine on a busy machine


pytestmark = pytest.mark.skipif(
    not (BUILT.parent / "engine/engine.json").exists(), reason="the engine is not built"
)


@pytest.fixture
def host() -> Iterator[tuple[str, Event]]:
    with static_host() as found:
        yield found


@pytest.fixture
def address(host: tuple[str, Event]) -> str:
    return host[0]


@pytest.fixture
def ada(browse: Browse) -> Player:
    """A player whose browser may say that a static host has no /api, and that it has no network."""
    player = browse()
    player.may_report = f"{NO_API}|ERR_INTERNET_DISCONNECTED"
    return player


def ready(player: Player) -> None:
    """Waits until the device's tables are there."""
    player.page.locator(".stage, .podium, .screen .title").first.wait_for(timeout=LOADED)


def test_whole_game_with_five_levels_and_the_network_off(
    host: tuple[str, Event], ada: Player
) -> None:
    """Every level chooses as on CPython, and the record is the same byte for byte."""
    address, weights_sent = host
    levels = [level for level in LEVELS if level != STRONGEST]
    rules = {"rulebook": "pt-BR", "specials": ["JUGGLER", "CLOUD"], "rounds": [1, 3]}
    options = {"seats": 1 + len(levels), "bots": levels, "bot_pause_ms": 0, "rules": rules}
    stored, seated = new_table(options)
    put(ada, address, stored)
    ada.sit(address, seated, "?start")
    ready(ada)
    for asked in ada.turns(weights_sent.is_set):  # the large net comes when `master` has to choose
        ada.act(asked)
    ada.page.wait_for_timeout(500)  # the last bytes are on their way
    ada.page.context.set_offline(True)
    ada.play_to_the_end()
    # The deals are checked, and the review is made, without a network too.
    expect(ada.page.get_by_text("Checked in this browser.")).to_be_visible()
    here, there = replayed(dump(ada.page))
    assert here == there


def test_play_now_on_a_static_host(address: str, ada: Player) -> None:
    ada.page.goto(address)
    ada.page.get_by_role("button", name="Play now").click()
    ready(ada)
    for asked in ada.turns(lambda: False):
        ada.act(asked)
        if asked == "round":
            break
    shown = waited(ada.page, "() => document.querySelector('h1')?.innerText")
    ada.page.reload()
    ready(ada)
    assert waited(ada.page, "() => document.querySelector('h1')?.innerText") == shown
