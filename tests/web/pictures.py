"""Makes the pictures that the README shows: `make pictures`.  The same cards in every run."""

import sys
import tempfile
from pathlib import Path
from random import Random
from typing import Any

from playwright.sync_api import sync_playwright

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
        served = Served(data=Path(data), stack=STACK)
        served.start()
        browser = playwright.chromium.launch(executable_path=chromium_path(), args=FLAGS)
        try:
            for name, width, height, seats in (("phone", 390, 844, 4), ("laptop", 1280, 800, 5)):
                context = browser.new_context(
                    viewport={"width": width, "height": height},
                    device_scale_factor=1.5 if name == "phone" else 1,
                    color_scheme="dark",
                )
                _picture(
                    Player(
                        context.new_page(),
                        {"name": "Ada", "motion": "none", "pace": "at_once"},
                        FOLDER,
                    ),
                    served,
                    name,
                    seats,
                )
                context.close()
        finally:
            browser.close()
            served.stop()


def _picture(ada: Player, served: Served, name: str, seats: int) -> None:
    """In the third round, in the middle of a trick."""
    ada.random = Random(3)
    options: dict[str, Any] = {
        "seats": seats,
        "bots": ["counting"] * (seats - 1),
        "bot_pause_ms": 0,
        "rules": {"rulebook": "pt-BR", "rounds": [5, 6, 7]},
    }
    ada.sit(
        served.address,
        served.post("/api/tables", {"name": "Ada", "options": options, "word": "w"}),
        "?start",
    )
    for what in ada.turns(lambda: False):
        is_third = ada.page.locator("h1").inner_text().split()[-1].startswith("3/")
        if what == "play" and is_third and ada.page.locator(".piece.trick").count() >= 2:
            ada.page.wait_for_timeout(400)
            ada.page.screenshot(path=FOLDER / f"{name}.jpg", type="jpeg", quality=86)
            return
        ada.act(what)


if __name__ == "__main__":
    main()
