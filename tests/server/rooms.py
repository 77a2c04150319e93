"""Servers for tests: the real application, real sockets and a real database file, in the event loop of the test."""

import asyncio
import contextlib
import json
import socket
import urllib.error
import urllib.request
from collections.abc import AsyncIterator, Callable
from pathlib import Path
from random import Random
from typing import Any, NamedTuple

import msgspec

from chance import keys_by_chance
from foretell.client import Player, RefusedByTable, Remote
from foretell.deals import Dealing, seeded
from foretell.engine import View
from foretell.server.keys import random_keys
from foretell.server.network.app import App
from foretell.server.network.inner import Inner
from foretell.server.network.limits import Limits
from foretell.server.network.prometheus import PrometheusMetrics
from foretell.server.network.serve import listening_socket, uvicorn_server
from foretell.server.store.interface import Store
from foretell.server.store.postgresql import PostgresqlStore
from foretell.server.store.processes import Process
from foretell.server.store.sqlite import SqliteStore
from foretell.server.store.valkey_bus import ValkeyBus
from foretell.server.table.services import Services, Timeouts
from foretell.server.wire import protocol as p

OPEN = Limits(
    messages=1e6,
    message_burst=1e6,
    chats=1e6,
    chat_burst=1e6,
    requests=1e6,
    request_burst=1e6,
    tables=1e6,
    table_burst=1e6,
    queue=10_000,
    per_address=1e6,
    spectators=5000,
)
"""For tests that are not about the limits."""

SHORT: dict[str, Any] = {"rules": {"rounds": [1, 2]}}


def settled(_setup: object) -> Dealing:
    """Deals that first turn up a number card, so that bidding begins at once: after a Wizard the dealer names the trump (T3)."""
    return seeded(1)


class Pair(NamedTuple):
    """Two processes on this PostgreSQL database: one has the tables, and everyone is connected to the other."""

    url: str


class Piped(Remote):
    """A transport to a process that has no tables, since they are made at another one."""

    def __init__(self, address: str, owner: str, headers: dict[str, str] | None = None) -> None:
        super().__init__(address, headers)
        self._owner = Remote(owner, headers)

    async def make(self, ask: p.NewTable) -> p.Seated:
        seat = await self._owner.make(ask)
        await self.bring(seat.table)
        return seat

    async def bring(self, table: str) -> None:
        """Whoever comes first to a table that nobody has brings it to a process: here to the one with the tables."""
        await self._owner.ask("GET", f"/api/tables/{table}", None, p.Table)


class Room:
    """A running server, with functions that create tables and players."""

    def __init__(self, app: App, port: int, through: int | None = None) -> None:
        self.app, self.port = app, port if through is None else through
        self.address = f"http://127.0.0.1:{self.port}"
        self._owner = None if through is None else f"http://127.0.0.1:{port}"
        self.remote = self._reached_with(None)

    def _reached_with(self, headers: dict[str, str] | None) -> Remote:
        if self._owner is None:
            return Remote(self.address, headers)
        return Piped(self.address, self._owner, headers)

    @property
    def services(self) -> Services:
        return self.app.services

    async def table(self, people: int = 1, **options: Any) -> "list[p.Seated]":
        """A table with this many people.  The options say what happens to the other seats."""
        ask = p.NewTable(name="Ada", options=made(**options))
        first = await self.remote.make(ask)
        names = ("Bo", "Cy", "Di", "Ed", "Flo")[: people - 1]
        return [first, *[await self.remote.join(first.code, p.Join(name=name)) for name in names]]

    async def bring(self, table: str) -> None:
        if isinstance(self.remote, Piped):
            await self.remote.bring(table)

    def elsewhere(self, number: int = 1) -> Remote:
        """The server as someone at another network address reaches it."""
        return self._reached_with({"x-forwarded-for": f"198.51.100.{number}"})

    def player(self, seat: p.Seated, **more: Any) -> Player:
        """A player without a word, so that the deals are the same in every run.  `test_fair` is about the words."""
        more.setdefault("make_word", None)
        return Player(self.remote, seat.table, seat.token, **more)


def made(**options: Any) -> p.TableOptions:
    """The options of a table.  Bots act without a pause, since nobody watches."""
    return msgspec.convert({"bot_pause_ms": 0, **options}, p.TableOptions)


@contextlib.asynccontextmanager
async def open_room(path: Path | str | Pair, **more: Any) -> AsyncIterator[Room]:
    """Runs a server on a free port, and stops it normally at the end.

    With the address of a PostgreSQL database, it is one of the processes that share this database.  With a `Pair`, the
    tables are at one process, and the room is reached through another.
    """
    if not isinstance(path, Pair):
        async with _one_room(path, **more) as room:
            yield room
        return
    common = {name: one for name, one in more.items() if name in _COMMON}
    async with _one_room(path.url, **more) as owner, _one_room(path.url, **common) as front:
        yield Room(owner.app, owner.port, through=front.port)


_COMMON = ("lease", "bus", "limits", "timeouts", "seconds", "proxies", "host", "now", "coach")


@contextlib.asynccontextmanager
async def _one_room(
    path: Path | str,
    *,
    lease: float = 30.0,
    bus: str | None = None,
    limits: Limits = OPEN,
    timeouts: Timeouts | None = None,
    seconds: float = 30,
    proxies: str = "127.0.0.1",
    host: str = "127.0.0.1",
    port: int = 0,
    **services: Any,
) -> AsyncIterator[Room]:
    store: Store
    inner, key = None, random_keys.secret()
    if isinstance(path, Path):
        store = SqliteStore(path)
    else:
        inner = listening_socket("127.0.0.1", 0, is_fixed=True)
        address = f"127.0.0.1:{inner.getsockname()[1]}"
        process = Process(random_keys.id(), address, key, lease)
        store = PostgresqlStore(path, process, bus=None if bus is None else ValkeyBus(bus))
    services.setdefault("keys", keys_by_chance())
    services.setdefault("metrics", PrometheusMetrics())
    # Many tests play with bots and strangers: only those about pauses wait for more than the table has chosen.
    services.setdefault("pause_of", lambda state: state.options.bot_pause_ms / 1000)
    found = Services(store=store, timeouts=timeouts or Timeouts(), **services)
    ours = None if inner is None else Inner(inner.getsockname()[1], key)
    app = App(found, limits=limits, inner=ours)
    listening = listening_socket(host, port, is_fixed=True)
    server = uvicorn_server(app, proxies=proxies)
    server.install_signal_handlers = lambda: None  # type: ignore[attr-defined]
    sockets = [listening] if inner is None else [listening, inner]
    serving = asyncio.ensure_future(_served(server, sockets))
    while not server.started:
        await asyncio.sleep(0.002)
        if serving.done():
            serving.result()
    try:
        async with asyncio.timeout(
            seconds
        ):  # a stuck table must fail the test, not block it for ever
            yield Room(app, listening.getsockname()[1])
    finally:
        server.should_exit = True
        await serving
        for one in sockets:
            one.close()


async def _served(server: Any, sockets: list[socket.socket]) -> None:
    """Serves without uvicorn's signal handlers: the process belongs to the test."""
    await server._serve(sockets)


async def played(player: Player, choose: "Callable[[View], Any] | None" = None) -> View:
    """Plays the game to its end.  Without `choose`, it plays like a simple bot."""
    random = Random(str(player.seat))
    while (seen := await player.turn()) is not None:
        chosen = choose(seen) if choose is not None else random.choice(seen.legal)
        with contextlib.suppress(RefusedByTable):  # a bot, or another tab, was faster
            await player.act(chosen, seen.decision)
    await player.until(lambda me: me.table is not None and me.table.phase == "over")
    assert player.view is not None
    return player.view


async def ready_and_start(players: "list[Player]", level: str | None = None) -> None:
    for one in players[1:]:
        await one.ask(p.Ready())
    await players[0].start(level)


@contextlib.asynccontextmanager
async def all_in(players: "list[Player]") -> "AsyncIterator[list[Player]]":
    """Connects all of them to the table."""
    async with contextlib.AsyncExitStack() as stack:
        for one in players:
            await stack.enter_async_context(one)
        yield players


async def eventually(is_so: Callable[[], bool], seconds: float = 20) -> None:
    """Waits until a condition holds that another task brings about."""
    async with asyncio.timeout(seconds):
        while not is_so():
            await asyncio.sleep(0.005)


async def fetched(address: str, body: Any = None, **headers: str) -> tuple[int, Any, Any]:
    """Status, body and headers of an HTTP response.  With a body, the request is a POST."""

    def ask() -> tuple[int, Any, Any]:
        data = None if body is None else json.dumps(body).encode()
        request = urllib.request.Request(
            address, data, {"content-type": "application/json", **headers}
        )
        try:
            with urllib.request.urlopen(request, timeout=10) as answer:
                return answer.status, answer.read(), answer.headers
        except urllib.error.HTTPError as error:
            with error:
                return error.code, json.loads(error.read()), error.headers

    return await asyncio.to_thread(ask)
