"""nginx and Caddy, with the files of `deploy/`, in front of two servers on one database: a whole game through each."""

import asyncio
import contextlib
import ssl
import urllib.error
import urllib.request
from collections.abc import AsyncIterator, Callable
from pathlib import Path
from typing import Any

import pytest
from websockets.asyncio.client import connect
from websockets.exceptions import ConnectionClosed

from foretell.client import ConnectionLost, Player, RefusedByTable, Remote
from foretell.engine import View
from foretell.errors import NotAllowed
from foretell.server.network.limits import Limits
from foretell.server.wire import protocol as p
from hosting.balancers import caddy, certificate, compose_caddy, nginx
from ports import lasting_port
from server.postgresql import Postgresql
from server.rooms import (
    OPEN,
    Room,
    all_in,
    eventually,
    made,
    open_room,
    ready_and_start,
)

pytestmark = pytest.mark.anyio

Balancer = Callable[..., Any]
BALANCERS = [
    pytest.param(nginx, id="nginx.conf"),
    pytest.param(caddy, id="Caddyfile"),
    pytest.param(compose_caddy, id="compose.Caddyfile"),
]


class Site:
    """Two servers behind a balancer, reached by its address."""

    def __init__(
        self, rooms: list[Room], stop: list[contextlib.AsyncExitStack], address: str
    ) -> None:
        self.rooms, self.address, self._stop = rooms, address, stop
        self.remote = Remote(address)

    def room_of(self, table: str) -> Room:
        (found,) = (room for room in self.rooms if table in room.app.lobby.tables)
        return found

    async def stop(self, room: Room) -> None:
        """Stops a server in order, as a deploy does."""
        await self._stop[self.rooms.index(room)].aclose()

    @property
    def piped(self) -> float:
        """How many sockets came to a server that does not have their table."""
        return sum(metric(room, "foretell_sockets_piped") for room in self.rooms)


def metric(room: Room, name: str) -> float:
    lines = room.services.metrics.text().decode().splitlines()
    return float(next(line for line in lines if line.startswith(f"{name} ")).split()[1])


@contextlib.asynccontextmanager
async def site(
    server: Postgresql,
    balancer: Balancer,
    folder: Path,
    monkeypatch: pytest.MonkeyPatch,
    limits: Limits = OPEN,
) -> AsyncIterator[Site]:
    tls = certificate(folder)
    monkeypatch.setenv("SSL_CERT_FILE", str(tls[0]))  # what clients here trust
    url = server.new_database()
    port = lasting_port()
    async with contextlib.AsyncExitStack() as stack:
        rooms, stop = [], []
        for host in ("127.0.0.1", "127.0.0.2"):
            own = await stack.enter_async_context(contextlib.AsyncExitStack())
            options: dict[str, Any] = {"limits": limits, "host": host, "port": port, "seconds": 60}
            rooms.append(await own.enter_async_context(open_room(url, **options)))
            stop.append(own)
        addresses = [f"{host}:{port}" for host in ("127.0.0.1", "127.0.0.2")]
        address = await stack.enter_async_context(balancer(folder, addresses, tls))
        yield Site(rooms, stop, address)


@pytest.mark.parametrize("balancer", BALANCERS)
async def test_a_game_goes_on_when_the_server_that_has_it_is_stopped(
    balancer: Balancer,
    database_server: Postgresql,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    async with site(database_server, balancer, tmp_path, monkeypatch) as found:
        options = made(seats=3, rules={"rounds": [1, 2, 3, 4, 5]})
        first = await found.remote.make(p.NewTable(name="Ada", options=options))
        more = [await found.remote.join(first.code, p.Join(name=name)) for name in ("Bo", "Cy")]
        players = [
            Player(found.remote, first.code, one.token, make_word=None, most_pause=0.1)
            for one in (first, *more)
        ]
        async with all_in(players):
            assert found.piped == 0
            await ready_and_start(players)
            await eventually(lambda: all(one.view is not None for one in players))
            playing = [asyncio.ensure_future(_played(one)) for one in players]
            await eventually(
                lambda: players[0].snapshot is not None and players[0].snapshot.number > 3
            )
            await found.stop(found.room_of(first.table))
            last = await asyncio.gather(*playing)
        assert len({one.totals for one in last}) == 1
        assert all(one.reconnections == 1 for one in players)
        assert players[0].snapshot is not None
        record = await found.remote.record(players[0].snapshot.game)
        assert '"wizard-record/1"' in record


async def _played(player: Player) -> View:
    """Plays to the end with little pauses, so that the game is not over before its server is stopped."""
    while (seen := await player.turn()) is not None:
        await asyncio.sleep(0.02)
        # An act may be on its way when the connection ends: then the next View says what is asked.
        with contextlib.suppress(ConnectionLost, RefusedByTable):
            await player.act(seen.legal[0], seen.decision)
    assert player.view is not None
    return player.view


@pytest.mark.parametrize("balancer", BALANCERS)
async def test_everyone_at_a_table_comes_to_the_same_server(
    balancer: Balancer,
    database_server: Postgresql,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    async with site(database_server, balancer, tmp_path, monkeypatch) as found:
        tables = set[str]()
        used = set[Room]()
        async with contextlib.AsyncExitStack() as stack:
            while len(used) < 2 or len(tables) < 4:
                first = await found.remote.make(p.NewTable(name="Ada", options=made(seats=3)))
                second = await found.remote.join(first.code, p.Join(name="Bo"))
                tables.add(first.table)
                for token in (first.token, second.token, None):
                    player = Player(found.remote, first.code, token, make_word=None)
                    await stack.enter_async_context(player)
                used.add(found.room_of(first.table))
                assert len(tables) < 60, "the balancer uses one server only"
            assert found.piped == 0
            assert sum(metric(room, "foretell_sockets") for room in found.rooms) == 3 * len(tables)


@pytest.mark.parametrize("balancer", BALANCERS)
async def test_the_server_learns_the_address_that_a_client_really_has(
    balancer: Balancer,
    database_server: Postgresql,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Whatever a client claims: otherwise it could have the limits of as many addresses as it likes."""
    limits = Limits(sockets_per_address=2)
    async with site(database_server, balancer, tmp_path, monkeypatch, limits) as found:
        trusted = ssl.create_default_context()
        # All on one server, since each counts for itself.
        where = found.address.replace("https", "wss") + "/ws/TABLE"
        async with contextlib.AsyncExitStack() as stack:

            async def is_welcome(own: str, number: int) -> bool:
                claimed = f"203.0.113.{number}"
                headers = {
                    "X-Forwarded-For": claimed,
                    "X-Real-IP": claimed,
                    "Forwarded": f"for={claimed}",
                    "X-Foretell-Client": claimed,
                    "X-Foretell-Table": str(number),
                    "X-Forwarded-Host": "evil.example",
                }
                socket = await stack.enter_async_context(
                    connect(where, ssl=trusted, local_addr=(own, 0), additional_headers=headers)
                )
                with contextlib.suppress(ConnectionClosed):
                    await socket.send('{"type":"watch_lobby","version":1}')
                    return '"lobby"' in str(await socket.recv())
                return False

            assert [await is_welcome("127.0.0.7", number) for number in range(4)] == [
                True,
                True,
                False,
                False,
            ]
            assert await is_welcome("127.0.0.8", 9)
        status = await asyncio.to_thread(_status, f"{found.address}/metrics")
        assert status == 404, "anyone can read how busy the servers are"


async def test_while_no_process_answers_nginx_says_that_the_client_may_come_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    tls = certificate(tmp_path)
    monkeypatch.setenv("SSL_CERT_FILE", str(tls[0]))
    async with nginx(tmp_path, [f"127.0.0.1:{lasting_port()}"], tls) as address:
        for path in ("/api/tables/TABLE", "/ws/TABLE"):
            assert await asyncio.to_thread(_status, address + path) == 503


@pytest.mark.parametrize("balancer", BALANCERS)
async def test_a_request_that_is_refused_for_now_does_not_make_a_balancer_leave_a_server_out(
    balancer: Balancer,
    database_server: Postgresql,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    async with (
        site(database_server, balancer, tmp_path, monkeypatch) as found,
        contextlib.AsyncExitStack() as stack,
    ):
        # Caddy remembers what it knows of a server as long as somebody is connected to it.
        while not all(metric(room, "foretell_sockets") for room in found.rooms):
            first = await found.remote.make(p.NewTable(name="Ada", options=made(seats=3)))
            player = Player(found.remote, first.code, first.token, make_word=None)
            await stack.enter_async_context(player)
        for room in found.rooms:
            room.app.lobby._most = 0
        for _ in range(6):
            with pytest.raises(NotAllowed) as refused:
                await found.remote.make(p.NewTable(name="Ada", options=made(seats=3)))
            assert refused.value.code == "server_full"
        async with asyncio.timeout(2):
            assert await asyncio.to_thread(_status, f"{found.address}/api/form") == 200


async def test_nginx_asks_another_server_about_a_table_if_one_takes_no_players(
    database_server: Postgresql, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with site(database_server, nginx, tmp_path, monkeypatch) as found:
        codes = [
            (await found.remote.make(p.NewTable(name="Ada", options=made(seats=3)))).code
            for _ in range(12)
        ]
        found.rooms[0].app.lobby.is_stopping = True
        for code in codes:
            assert await asyncio.to_thread(_status, f"{found.address}/api/tables/{code}") == 200


def _status(address: str) -> int:
    try:
        with urllib.request.urlopen(address, timeout=10) as answer:
            return answer.status  # type: ignore[no-any-return]
    except urllib.error.HTTPError as error:
        with error:
            return error.code
