"""Makes the pictures that the README shows: `make pictures`.  The same cards in every run."""

import sys
import tempfile
from pathlib import Path
from random import Random
from typing import Any

from playwright.sync_api import Browser, sync_playwright

ROOT = Path(__file__).parents[2]
sys.path.insert(0, str(ROOT / "tests"))

from web.conftest import FLAGS, chromium_path  # noqa: E402
from web.playing import Player  # noqa: E402
from web.serving import Served, Stack  # noqa: E402

FOLDER = ROOT / "docs/pictures"
STACK = Stack(own="R12 B3 ZG Y9 NB G11 B13", turned_up="B7")


def main() -> None:
    FOLDER.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as data, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium_path(), args=FLAGS)
        try:
            for name, width, height, seats in (
                ("phone", 390, 844, 4),
                ("laptop", 1440, 900, 5),
                ("end", 390, 844, 4),
            ):
                # At the end the page checks the deals, so these cards must not be chosen.
                stack = None if name == "end" else STACK
                served = Served(data=Path(data) / name, stack=stack, has_coach=True)
                served.data.mkdir()
                served.start()
                try:
                    _picture(_player(browser, name, width, height), served, name, seats)
                finally:
                    served.stop()
        finally:
            browser.close()


def _player(browser: Browser, name: str, width: int, height: int) -> Player:
    context = browser.new_context(
        viewport={"width": width, "height": height},
        device_scale_factor=1 if name == "laptop" else 1.5,
        color_scheme="dark",
    )
    page = context.new_page()
    page.add_init_script(
        "if (location.protocol === 'http:') localStorage['foretell.tips'] = '{\"areOff\": true}'"
    )
    return Player(page, {"name": "Ada", "motion": "none", "pace": "at_once"}, FOLDER)


def _picture(ada: Player, served: Served, name: str, seats: int) -> None:
    """In the third round, in the middle of a trick; or the end, with the coach's review."""
    ada.random = Random(3)
    while not _played(ada, served, name, seats):
        pass  # nobody played before Ada in that round: try another game


def _played(ada: Player, served: Served, name: str, seats: int) -> bool:
    options: dict[str, Any] = {
        "seats": seats,
        "bots": ["counting"] * (seats - 1),
        "bot_pause_ms": 0,
        "rules": {"rulebook": "pt-BR", "rounds": [5, 6, 7]},
    }
    ada.sit(
        served.address,
        served.table(options),
        "?start",
    )
    for what in ada.turns(lambda: False):
        is_third = ada.page.locator("h1").inner_text().split()[-1].startswith("3/")
        is_there = is_third and ada.page.locator(".piece.trick").count() >= 2
        if what == "play" and is_there and name != "end":
            _taken(ada, name)
            return True
        ada.act(what)
    if name == "end":
        ada.page.get_by_role("button", name="Review the game").click()
        ada.page.locator(".review .who").wait_for(timeout=120_000)
        ada.page.evaluate("document.querySelector('.scroll').scrollTop = 0")
        _taken(ada, name)
    return name == "end"


def _taken(ada: Player, name: str) -> None:
    ada.page.wait_for_timeout(400)
    ada.page.screenshot(path=FOLDER / f"{name}.jpg", type="jpeg", quality=86)


if __name__ == "__main__":
    main()
