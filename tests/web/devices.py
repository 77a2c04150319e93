"""Tables on a device, for the tests of the page: made on CPython, put into the browser's storage, read from there again."""

import asyncio
import functools
import re
import threading
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from itertools import count
from random import Random
from typing import Any

from playwright.sync_api import Page, Route

from browser.alone import Alone, PlainHost
from foretell.bots import bot
from foretell.browser import store as browser_store
from foretell.engine import action, view
from foretell.server.game.live_game import begun, fair_dealing
from foretell.server.page_files import page_files
from foretell.server.store.interface import GameRow, LoggedAction
from web.conftest import BUILT
from web.playing import Player

__all__ = [
    "Replayed",
    "Stored",
    "all_replayed",
    "before_the_tables",
    "dump",
    "new_table",
    "put",
    "replayed",
    "same_cards",
    "static_host",
]

Stored = dict[str, dict[str, str]]
"""All that a device has stored: kind, key, value."""

# As web/src/device/storage.ts has it.
_OPEN = """(version) => new Promise((done, fail) => {
    const asked = indexedDB.open('foretell', version)
    asked.onupgradeneeded = () => ['tables', 'games', 'actions'].forEach((kind) => asked.result.createObjectStore(kind))
    asked.onsuccess = () => done(asked.result)
    asked.onerror = () => fail(asked.error)
})"""
_PUT = f"""async (stored) => {{
    const database = await ({_OPEN})(1)
    const writing = database.transaction(['tables', 'games', 'actions'], 'readwrite')
    for (const [kind, rows] of Object.entries(stored))
        for (const [key, value] of Object.entries(rows)) writing.objectStore(kind).put(value, key)
    await new Promise((done) => (writing.oncomplete = done))
    database.close()
}}"""
_DUMP = f"""async () => {{
    const database = await ({_OPEN})()
    const reading = database.transaction(['tables', 'games', 'actions'])
    const all = (asked) => new Promise((done) => (asked.onsuccess = () => done(asked.result)))
    const stored = {{}}
    for (const kind of ['tables', 'games', 'actions']) {{
        const kept = reading.objectStore(kind)
        const [keys, values] = await Promise.all([all(kept.getAllKeys()), all(kept.getAll())])
        stored[kind] = Object.fromEntries(keys.map((key, place) => [key, values[place]]))
    }}
    database.close()
    return stored
}}"""


class _Quiet(SimpleHTTPRequestHandler):
    extensions_map = SimpleHTTPRequestHandler.extensions_map | {
        ".wasm": "application/wasm",
        ".mjs": "text/javascript",
    }

    def __init__(self, weights_sent: threading.Event, *arguments: Any) -> None:
        self.weights_sent = weights_sent
        super().__init__(*arguments, directory=str(BUILT.parent))

    def translate_path(self, path: str) -> str:
        """As `foretell site` writes them: the weights of the nets too."""
        file = page_files().get(path.lstrip("/"))
        return super().translate_path(path) if file is None else str(file)

    def do_GET(self) -> None:
        super().do_GET()
        if "weights." in self.path:
            self.weights_sent.set()

    def log_message(self, format: str, *args: Any) -> None:
        pass


@contextmanager
def static_host() -> Iterator[tuple[str, threading.Event]]:
    """A host that knows nothing of the page but its files: its address, and whether it has sent the net's weights."""
    weights_sent = threading.Event()
    with ThreadingHTTPServer(("127.0.0.1", 0), functools.partial(_Quiet, weights_sent)) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}/", weights_sent
        server.shutdown()


def before_the_tables(page: Page, script: str) -> None:
    """Lets this script run in the worker with the tables, before the worker's own; `STARTS` is how often it has started."""
    starts = count()

    def served(route: Route) -> None:
        answer = route.fetch()
        lines = f"const STARTS = {next(starts)}; {{ {script} }}\n"
        route.fulfill(response=answer, body=lines + answer.text())

    page.context.route(re.compile(r"/assets/table-worker-[^/]*\.js$"), served)


def same_cards(page: Page, seed: int) -> None:
    """The device deals the same cards in every run: its random numbers follow from the seed."""
    before_the_tables(
        page,
        f"""let drawn = {seed} * 1000 + STARTS
        crypto.getRandomValues = (numbers) => {{
            const bytes = new Uint8Array(numbers.buffer, numbers.byteOffset, numbers.byteLength)
            for (let at = 0; at < bytes.length; at++) {{
                drawn = (Math.imul(drawn, 1664525) + 1013904223) >>> 0
                bytes[at] = drawn >>> 24
            }}
            return numbers
        }}""",
    )


def new_table(options: dict[str, Any], name: str = "Ada") -> tuple[Stored, dict[str, Any]]:
    """A table on a device, made on CPython: what is stored, and the key to its first seat."""

    async def make() -> tuple[Stored, dict[str, Any]]:
        host = PlainHost()
        alone = await Alone.at(host)
        seated = await alone.ask("POST", "/api/tables", {"name": name, "options": options})
        return dict(host.stored), seated

    with ThreadPoolExecutor(1) as thread:  # Playwright's loop runs in this one
        return thread.submit(lambda: asyncio.run(make())).result()


def put(player: Player, address: str, stored: Stored) -> None:
    """Puts this into the storage of the page's browser, while the page itself is not open."""
    player.page.goto(f"{address}icon.svg")
    player.page.evaluate(_PUT, stored)


def dump(page: Page) -> Stored:
    """All that is stored."""
    found: Stored = page.evaluate(_DUMP)
    return found


def replayed(stored: Stored, *, is_over: bool = True) -> tuple[str, str]:
    """The record that the browser stored, and the one that CPython writes from the same log.

    Every choice of a bot is made again on CPython, and must be the same.
    """
    (one,) = all_replayed(stored)
    assert (one.row.record is not None) == is_over
    return one.row.record or "", one.record


@dataclass(frozen=True)
class Replayed:
    """A game that a browser stored, and the record that CPython writes from its log."""

    row: GameRow
    log: Sequence[LoggedAction]
    record: str


def all_replayed(stored: Stored) -> list[Replayed]:
    """Every game that is stored, and as for `replayed`: every choice of a bot made again."""
    rows = [browser_store._GAME.decode(value) for value in stored["games"].values()]
    logs: dict[str, list[LoggedAction]] = {row.id: [] for row in rows}
    for key, value in sorted(stored["actions"].items()):
        logs[key.partition("/")[0]].append(browser_store._ACTION.decode(value))
    return [Replayed(row, logs[row.id], _record(row, logs[row.id])) for row in rows]


def _record(row: GameRow, log: Sequence[LoggedAction]) -> str:
    live = begun(row.id, row.setup, fair_dealing).live
    for number, one in enumerate(log):
        if one.by_bot:
            level, seen = row.setup.bots[one.seat] or "counting", view(live.game, one.seat)
            random = Random(f"{row.setup.secret}/{live.decision}/{one.seat}")
            assert bot(level).choose(seen, random) == action(one.action), (level, number)
        assert live.decision is not None
        live = live.after(one.seat, live.decision, one.action)[-1].live
    return live.record()
