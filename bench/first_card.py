"""Measures how soon a newcomer holds a card on a static host, where everything runs in the browser.

    python bench/first_card.py [--times 5] [--level champion]

A host on this machine sends the folder that `foretell site` writes, compressed by gzip.  A real browser opens it and
presses "Play now" as soon as it can: with a cold cache, and again in a browser that has visited it and kept it.  The
rows are medians of several visits, with the slowest in brackets.  `make site` must have built the page and its engine.
"""

import argparse
import gzip
import itertools
import json
import shutil
import statistics
import tempfile
import threading
from functools import cache, partial
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

from playwright.sync_api import Browser, Page, sync_playwright

from foretell.commands.site import write_site
from foretell.server.page_files import is_for_good, page_files

PATIENCE = 120_000  # milliseconds
TYPES = {
    ".html": "text/html",
    ".js": "text/javascript",
    ".mjs": "text/javascript",
    ".css": "text/css",
    ".json": "application/json",
    ".svg": "image/svg+xml",
    ".wasm": "application/wasm",
    ".woff2": "font/woff2",
}
PLAIN = {".woff2", ".png", ".zip", ".whl"}  # compressed already
# The time since the page was asked for when something is on it for the first time, in milliseconds.
SEEN = """(wanted) => new Promise((done) => {
    const look = () => (document.querySelector(wanted) ? done(performance.now()) : requestAnimationFrame(look))
    look()
})"""
USABLE, CARD = ".huge.primary:enabled", ".piece.hand"
NEXT = ".prompt [data-action]:enabled:not([aria-disabled=true]), .piece.hand.bright"
# What the worker with the tables tells the page: each View, with its time.
WATCH = """
window.views = []
const Plain = Worker
window.Worker = class extends Plain {
    constructor(...all) {
        super(...all)
        this.addEventListener('message', ({ data }) => {
            const said = data.type === 'message' ? JSON.parse(data.text) : null
            const found = said?.type === 'snapshot' ? said : said?.snapshot
            const pause = said?.table?.options?.bot_pause_ms
            if (pause !== undefined) window.pause = pause
            if (found) views.push([performance.now(), found.view.seat, found.view.awaited])
        })
    }
}
"""
KEPT = """async () => {
    const count = async (name) => (await (await caches.open(name)).keys()).length
    return Math.max(0, ...(await Promise.all((await caches.keys()).map(count))))
}"""
ROWS = {
    "usable": '"Play now" can be pressed',
    "card": "the first card is in the hand",
    "choice": "the first choice of a bot, besides its pause",
}


@cache
def compressed(path: Path) -> bytes:
    content = path.read_bytes()
    return content if path.suffix in PLAIN else gzip.compress(content, 6)


class Handler(BaseHTTPRequestHandler):
    """A static host as they are: gzip, and a long life for names with a hash."""

    protocol_version = "HTTP/1.1"

    def __init__(self, folder: Path, *arguments: Any) -> None:
        self.folder = folder
        super().__init__(*arguments)

    def do_GET(self) -> None:
        name = self.path.split("?")[0].lstrip("/") or "index.html"
        path = self.folder / name
        if not path.is_file():
            self.send_error(404)
            return
        content = compressed(path)
        self.send_response(200)
        self.send_header("Content-Type", TYPES.get(path.suffix, "application/octet-stream"))
        self.send_header("Content-Length", str(len(content)))
        if path.suffix not in PLAIN:
            self.send_header("Content-Encoding", "gzip")
        life = "public, max-age=31536000, immutable" if is_for_good(name) else "no-cache"
        self.send_header("Cache-Control", life)
        self.end_headers()
        self.wfile.write(content)

    def log_message(self, format: str, *args: Any) -> None:
        pass


def first_choice(views: list[tuple[float, int, list[int]]], pause: float) -> float | None:
    """How long the first choice of a bot took besides its pause, in milliseconds; None if there was none yet."""
    for (before, seat, awaited), (now, _, _) in itertools.pairwise(views):
        if awaited and seat not in awaited:
            return max(0.0, now - before - pause)
    return None


def visit(page: Page, address: str) -> dict[str, float]:
    """Opens the page, presses "Play now", and plays until a bot has chosen: seconds by name."""
    page.goto(address, wait_until="commit")
    usable = page.evaluate(SEEN, USABLE)
    page.locator(USABLE).click()
    card = page.evaluate(SEEN, CARD)
    while (choice := first_choice(*page.evaluate("[views, window.pause ?? 0]"))) is None:
        offered = page.locator(NEXT)
        if offered.count():
            offered.first.click()
        page.wait_for_timeout(50)
    return {"usable": usable / 1000, "card": card / 1000, "choice": choice / 1000}


def visits(browser: Browser, address: str, level: str | None, files: int) -> list[dict[str, float]]:
    """A visit with nothing in the cache, and one after all of it has been kept."""
    context = browser.new_context()
    context.set_default_timeout(PATIENCE)
    context.add_init_script(WATCH)
    if level:
        kept = json.dumps(json.dumps({"level": level}))
        context.add_init_script(f"localStorage['foretell.game'] ??= {kept}")
    found = []
    for is_first in (True, False):
        page = context.new_page()
        found.append(visit(page, address))
        while is_first and page.evaluate(KEPT) < files:
            page.wait_for_timeout(100)
        page.close()
    context.close()
    return found


def show(what: str, values: list[float]) -> None:
    print(f"{what:60} {statistics.median(values):6.2f} s  (slowest {max(values):.2f})")


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--times", type=int, default=5)
    options.add_argument("--level", help="the level of the bots; otherwise the page's own choice")
    given = options.parse_args()
    files = page_files()
    if "engine/engine.json" not in files:
        print("bench/first_card.py needs the page and its engine: make site")
        return
    chromium = next(filter(None, map(shutil.which, ("chromium", "google-chrome"))), None)
    with tempfile.TemporaryDirectory() as temporary, sync_playwright() as playwright:
        folder = Path(temporary)
        write_site(files, folder)
        for path in files:
            compressed(folder / path)
        with ThreadingHTTPServer(("127.0.0.1", 0), partial(Handler, folder)) as server:
            threading.Thread(target=server.serve_forever, daemon=True).start()
            address = f"http://127.0.0.1:{server.server_port}/"
            browser = playwright.chromium.launch(executable_path=chromium, args=["--no-sandbox"])
            # The service worker itself is not kept.
            found = [
                visits(browser, address, given.level, len(files) - 1) for _ in range(given.times)
            ]
            browser.close()
            server.shutdown()
    for place, when in enumerate(("with a cold cache", "on a second visit")):
        for name, what in ROWS.items():
            show(f"{what}, {when}", [one[place][name] for one in found])


if __name__ == "__main__":
    main()
