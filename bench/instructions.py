"""How many instructions the server needs for a move, counted by valgrind: the whole server, without its sockets.

    python bench/instructions.py [--tables 12] [--moves FILE]

The speed of a shared machine changes from minute to minute; this number does not.  Everyone at some tables makes the
moves of a recorded game.  They reach the application as uvicorn hands them over, and are stored by SQLite on the disk.
The program plays a short and a long part of the games, and divides the difference by the moves between them.

To compare two versions, give both the same file of moves: the first one writes it.
"""

import argparse
import asyncio
import itertools
import json
import os
import re
import subprocess
import sys
import tempfile
from collections.abc import Iterable
from pathlib import Path
from random import Random
from typing import Any

import msgspec
import uvloop

from foretell.server.keys import Keys
from foretell.server.network.app import App
from foretell.server.network.limits import Limits
from foretell.server.network.prometheus import PrometheusMetrics
from foretell.server.network.websocket_protocol import SEND_NOW
from foretell.server.store.sqlite import SqliteStore
from foretell.server.table.services import Services, Timeouts
from foretell.server.wire import protocol as p

SEATS = 4
NAMES = ("Ada", "Bo", "Cy", "Di")
SHORT, LONG = 130, 530  # moves of a game

Said = list[tuple[int, str]]
"""The moves of a game: the seat, and what it says."""


def app_in(folder: str) -> App:
    numbers = itertools.count()
    keys = Keys(
        id=lambda: f"id-{next(numbers):08d}",
        code=lambda: f"CODE{next(numbers):06d}",
        token=lambda: f"token-{next(numbers):016d}",
        secret=lambda: "5e" * 32,  # all tables play the same deals
    )
    limits = Limits(
        messages=1e9,
        message_burst=1e9,
        queue=10_000,
        inbox=10_000,
        sockets=100_000,
        per_address=1e6,
    )
    timeouts = Timeouts(grace=1e6, sleep=1e6, hello=1e6)
    metrics = PrometheusMetrics()
    store = SqliteStore(Path(folder) / "games.sqlite3", on_commit=metrics.committed)
    return App(Services(store=store, keys=keys, timeouts=timeouts, metrics=metrics), limits=limits)


class Socket:
    """A player's socket, without a network.  The application is given what uvicorn would give it."""

    def __init__(self, app: App, table: "Table") -> None:
        self._app, self._table = app, table
        self._incoming: asyncio.Queue[dict[str, Any]] = asyncio.Queue()
        self._incoming.put_nowait({"type": "websocket.connect"})
        self.welcome: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._task: asyncio.Task[None] | None = None

    def open(self, hello: p.Hello) -> None:
        scope: dict[str, Any] = {
            "type": "websocket",
            "path": "/ws",
            "headers": [(b"host", b"localhost")],
            "client": ("10.0.0.1", 5000),
            "server": ("127.0.0.1", 8000),
            "extensions": {SEND_NOW: {"send": self._send_now, "is_lost": lambda: False}},
        }
        running: Any = self._app(scope, self._incoming.get, self._send)
        self._task = asyncio.ensure_future(running)
        self.say(p.write(hello).decode())

    def say(self, text: str) -> None:
        self._incoming.put_nowait({"type": "websocket.receive", "text": text})

    async def _send(self, event: Any) -> None:
        if "text" in event:
            self._hear(event["text"].encode())

    def _send_now(self, texts: Iterable[bytes]) -> bool:
        for text in texts:
            self._hear(text)
        return True

    def _hear(self, text: bytes) -> None:
        if text.startswith(b'{"type":"snapshot"'):
            self._table.shown(self, text)
        elif text.startswith(b'{"type":"welcome"'):
            self.welcome.set_result(None)
        elif text.startswith(b'{"type":"refused"'):
            raise RuntimeError(text)


class Seen(msgspec.Struct):
    """The part of a View that a player needs to act."""

    decision: str | None
    legal: tuple[str, ...]


class Shown(msgspec.Struct):
    view: Seen


class Table:
    """A table whose players make `most` of the recorded moves.  If nothing is recorded they do anything, to the end."""

    def __init__(self, moves: Said, most: int) -> None:
        self.sockets: list[Socket] = []
        self.moves, self._most, self._made = moves, most, 0
        self._is_recording, self._random = not moves, Random(5)
        self.finished: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._heard = 0

    def shown(self, socket: Socket, text: bytes) -> None:
        if self._is_recording:
            self._record(socket, text)
            return
        if b'"phase":"deal"' in text and b'"awaited":[]' in text:
            return  # the round with its points: the next deal follows
        self._heard += 1
        if self._heard == SEATS:
            self._heard = 0
            self._say_next()

    def _say_next(self) -> None:
        if self._made == self._most:
            self.finished.set_result(None)
            return
        seat, said = self.moves[self._made]
        self._made += 1
        self.sockets[seat].say(said)

    def _record(self, socket: Socket, text: bytes) -> None:
        seen = msgspec.json.decode(text, type=Shown).view
        if seen.decision is not None:
            action = self._random.choice(seen.legal)
            said = f'{{"type":"act","decision":"{seen.decision}","action":"{action}"}}'
            self.moves.append((self.sockets.index(socket), said))
            asyncio.get_running_loop().call_soon(socket.say, said)
        if b'"phase":"over"' in text and not self.finished.done():
            self.finished.set_result(None)


async def play(folder: str, tables: int, moves: Said, most: int) -> None:
    """Plays at so many tables at once.  Without moves, it records them."""
    app = app_in(folder)
    await app.start()
    everyone = [await opened(app, Table(moves, most)) for _ in range(tables)]
    for table in everyone:
        for socket in table.sockets[1:]:
            socket.say('{"type":"ready"}')
    await asyncio.sleep(0.3)
    for table in everyone:
        table.sockets[0].say('{"type":"start"}')
    await asyncio.gather(*(table.finished for table in everyone))


async def opened(app: App, table: Table) -> Table:
    seats = [await app.lobby.make(p.NewTable(name="Ada", options=p.TableOptions(seats=SEATS)))]
    for name in NAMES[1:]:
        seats.append(await app.lobby.join(seats[0].table, p.Join(name=name)))
    for one in seats:
        socket = Socket(app, table)
        table.sockets.append(socket)
        socket.open(p.Hello(version=p.VERSION, table=one.table, token=one.token))
        await socket.welcome
    return table


def run(tables: int, path: Path, most: int) -> None:
    """Plays in this process, and ends it."""
    moves: Said = json.loads(path.read_text(encoding="utf-8")) if path.exists() else []
    with tempfile.TemporaryDirectory() as folder:
        asyncio.Runner(loop_factory=uvloop.new_event_loop).run(play(folder, tables, moves, most))
    if not path.exists():
        path.write_text(json.dumps(moves), encoding="utf-8")
    os._exit(0)  # what is done at the end of a process is no part of a move


def started(tables: int, path: Path, most: int, *before: str) -> str:
    """What another process says that plays."""
    own = [
        sys.executable,
        __file__,
        "--run",
        str(most),
        "--tables",
        str(tables),
        "--moves",
        str(path),
    ]
    fixed = {**os.environ, "PYTHONHASHSEED": "0"}
    return subprocess.run(
        [*before, *own], check=True, stderr=subprocess.PIPE, text=True, env=fixed
    ).stderr


def instructions(tables: int, path: Path, most: int) -> int:
    counting = (
        "valgrind",
        "--tool=cachegrind",
        "--cache-sim=no",
        "--cachegrind-out-file=/dev/null",
    )
    said = started(tables, path, most, *counting)
    found = re.search(r"I\s+refs:\s+([\d,]+)", said)
    if found is None:
        raise RuntimeError(said)
    return int(found[1].replace(",", ""))


def main(tables: int, path: Path) -> None:
    if not path.exists():
        started(1, path, LONG)
    started(tables, path, SHORT)  # once before, so that Python has compiled every module
    short, long = (instructions(tables, path, most) for most in (SHORT, LONG))
    print(f"{(long - short) / (LONG - SHORT) / tables / 1000:.1f} thousand instructions a move")


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--tables", type=int, default=12)
    parser.add_argument("--moves", type=Path)
    parser.add_argument("--run", type=int, help=argparse.SUPPRESS)
    asked = parser.parse_args()
    if asked.run is not None:
        run(asked.tables, asked.moves, asked.run)
    with tempfile.TemporaryDirectory() as own:
        main(asked.tables, asked.moves or Path(own) / "moves.json")
