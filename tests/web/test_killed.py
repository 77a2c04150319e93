"""Tables on a device whose browser is killed: the processes get SIGKILL, as when the system takes the memory back."""

import asyncio
import json
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page

from browser.alone import Alone, PlainHost
from proofs import TIMES
from web.browsers import kill, with_profile
from web.conftest import BUILT, SHOTS
from web.devices import Stored, dump, static_host
from web.playing import Player, waited

LOADED = 60_000  # milliseconds, for the engine on a busy machine
KILLS = 3 if TIMES == 1 else 50

# Keeps the last snapshot that the table worker has sent, before the page has read it.
LISTEN = """self.Worker = class extends Worker {
    constructor(...how) {
        super(...how)
        this.addEventListener('message', ({ data }) => {
            if (data.type !== 'message') return
            const message = JSON.parse(data.text)
            const snapshot = message.type === 'welcome' ? message.snapshot : message
            if (snapshot?.view) self.lastShown = { game: snapshot.game, number: snapshot.number, view: snapshot.view }
        })
    }
}"""
SHOWN = "() => self.lastShown"

pytestmark = pytest.mark.skipif(
    not (BUILT.parent / "engine/engine.json").exists(), reason="the engine is not built"
)


@pytest.fixture
def address() -> Iterator[str]:
    with static_host() as (found, _):
        yield found


def seen_again(stored: Stored, token: str, shown: dict[str, Any]) -> dict[str, Any]:
    """What CPython shows this player after as many actions of the stored log."""

    async def look() -> dict[str, Any]:
        kept = {kind: dict(rows) for kind, rows in stored.items()}
        keys = sorted(key for key in kept["actions"] if key.startswith(shown["game"]))
        for key in keys[shown["number"] :]:
            del kept["actions"][key]
        host = PlainHost(kept)
        host.is_stuck = True  # the bots wait
        alone = await Alone.at(host)
        await alone.hello(json.loads(kept["games"][shown["game"]])["table"], token)
        found: dict[str, Any] = (await alone.until("welcome"))["snapshot"]
        return found

    with ThreadPoolExecutor(1) as thread:  # Playwright's loop runs in this one
        return thread.submit(lambda: asyncio.run(look())).result()


class _Killed:
    """A player whose browser is killed again and again."""

    def __init__(self, address: str, profile: Path) -> None:
        self.address, self.profile = address, profile
        self.last: dict[str, Any] | None = None  # that was shown before the browser was killed
        self.compared = 0  # views that were shown before and could be worked out again

    def opened(self, page: Page) -> Player:
        settings = {"name": "Ada", "motion": "none", "pace": "at_once"}
        player = Player(page, settings, SHOTS)
        page.set_default_timeout(LOADED)
        page.add_init_script(LISTEN)
        page.goto(self.address)
        going_on = page.locator("section li > a")
        if self.last is None:
            page.get_by_role("button", name="Play now").click()
        else:
            going_on.first.click()  # the list on the start page has the game
        page.locator(".stage, .podium").first.wait_for()
        self._check(page)
        return player

    def _check(self, page: Page) -> None:
        """Everything that was shown is there, and nothing has changed."""
        now = waited(page, SHOWN)
        last = self.last
        if last is None:
            return
        assert now["game"] == last["game"]
        assert now["number"] >= last["number"]
        seats = page.evaluate("() => JSON.parse(localStorage['foretell.seats'])")
        if last["view"]["phase"] == "deal":
            return  # the scored round: after it the log has the next deal
        again = seen_again(dump(page), seats[0]["token"], last)
        assert again["number"] == last["number"]
        assert again["view"] == last["view"]
        self.compared += 1

    def play_until_killed(self, player: Player) -> None:
        chance, page = player.random, player.page
        for asked in player.turns(lambda: False):
            player.act(asked)
            if chance.random() < 0.3:
                page.wait_for_timeout(chance.randrange(120))
                break
        self.last = page.evaluate(SHOWN)
        if self.last and self.last["view"]["phase"] == "over":
            self.last = None  # the next game
        kill(self.profile)


@pytest.mark.prove
def test_nothing_that_was_shown_is_lost_when_the_browser_is_killed(
    chromium: Browser, address: str, tmp_path: Path
) -> None:
    """`-s` shows how much was played and compared."""
    profile = tmp_path / "profile"
    killed = _Killed(address, profile)
    for number in range(KILLS):
        with with_profile(chromium, profile) as context:
            player = killed.opened(context.pages[0])
            player.random.seed(number)
            killed.play_until_killed(player)
    with with_profile(chromium, profile) as context:
        player = killed.opened(context.pages[0])
        stored = dump(context.pages[0])
        print(
            f"{KILLS} kills in {len(stored['games'])} games of {len(stored['actions'])} actions;"
            f" {killed.compared} views compared with CPython's"
        )
        # a static host has no /api
        assert not [one for one in player.problems if one.startswith("error") and "404" not in one]
