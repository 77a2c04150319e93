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
from typing import Any

import msgspec

from chance import keys_by_chance
from foretell.client import Player, RefusedByTable, Remote
from foretell.deals import Dealing, seeded
from foretell.engine import View
from foretell.server.network.app import App
from foretell.server.network.limits import Limits
from foretell.server.network.serve import listening_socket, uvicorn_server
from foretell.server.store.sqlite import SqliteStore
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


class Room:
    """A running server, with functions that create tables and players."""

    def __init__(self, app: App, port: int) -> None:
        self.app, self.port = app, port
        self.address = f"http://127.0.0.1:{port}"
        self.remote = Remote(self.address)

    @property
    def services(self) -> Services:
        return self.app.services

    async def table(self, people: int = 1, **options: Any) -> "list[p.Seated]":
        """A table with this many people.  The options say what happens to the other seats."""
        ask = p.NewTable(name="Ada", options=made(**options))
        first = await self.remote.make(ask)
        names = ("Bo", "Cy", "Di", "Ed", "Flo")[: people - 1]
        return [first, *[await self.remote.join(first.code, p.Join(name=name)) for name in names]]

    def elsewhere(self, number: int = 1) -> Remote:
        """The server as someone at another network address reaches it."""
        return Remote(self.address, {"x-forwarded-for": f"198.51.100.{number}"})

    def player(self, seat: p.Seated, **more: Any) -> Player:
        """A player without a word, so that the deals are the same in every run.  `test_fair` is about the words."""
        more.setdefault("make_word", None)
        return Player(self.remote, seat.table, seat.token, **more)


def made(**options: Any) -> p.TableOptions:
    """The options of a table.  Bots act without a pause, since nobody watches."""
    return msgspec.convert({"bot_pause_ms": 0, **options}, p.TableOptions)


@contextlib.asynccontextmanager
async def open_room(
    path: Path,
    *,
    limits: Limits = OPEN,
    timeouts: Timeouts | None = None,
    seconds: float = 30,
    proxies: str = "127.0.0.1",
    host: str = "127.0.0.1",
    **services: Any,
) -> AsyncIterator[Room]:
    """Runs a server on a free port, and stops it normally at the end."""
    store = SqliteStore(path)
    services.setdefault("keys", keys_by_chance())
    found = Services(store=store, timeouts=timeouts or Timeouts(), **services)
    app = App(found, limits=limits)
    listening = listening_socket(host, 0, is_fixed=True)
    server = uvicorn_server(app, proxies=proxies)
    server.install_signal_handlers = lambda: None  # type: ignore[attr-defined]
    serving = asyncio.ensure_future(_served(server, listening))
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
        listening.close()


async def _served(server: Any, listening: socket.socket) -> None:
    """Serves without uvicorn's signal handlers: the process belongs to the test."""
    await server._serve([listening])


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
