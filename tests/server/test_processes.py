"""Two processes on one database: any of them takes any socket and request, and every table has one owner."""

import asyncio
import contextlib
import dataclasses
import json
from collections.abc import AsyncIterator
from typing import Any

import pytest

from foretell.client import Connection, ConnectionLost, Player, Remote
from foretell.errors import NotAllowed
from foretell.server.network import inner
from foretell.server.network.inner import forwarded
from foretell.server.store.interface import Elsewhere, Peer, SharedStore
from foretell.server.table.lobby import Lobby
from foretell.server.wire import protocol as p
from server.postgresql import Postgresql
from server.rooms import (
    OPEN,
    Room,
    all_in,
    eventually,
    fetched,
    made,
    open_room,
    played,
    ready_and_start,
)

pytestmark = pytest.mark.anyio

OPTIONS = {"seats": 3, "rules": {"rounds": [1, 3]}}


@contextlib.asynccontextmanager
async def two_rooms(server: Postgresql, **more: Any) -> AsyncIterator[tuple[Room, Room]]:
    url = server.new_database()
    async with open_room(url, **more) as here, open_room(url, **more) as there:
        yield here, there


def at(room: Room, seat: p.Seated) -> Player:
    return Player(room.remote, seat.table, seat.token, make_word=None, most_pause=0.2)


async def test_players_at_two_processes_play_one_game(database_server: Postgresql) -> None:
    async with two_rooms(database_server) as (here, there):
        first = await there.remote.make(p.NewTable(name="Ada", options=_made()))
        second = await here.remote.join(first.code, p.Join(name="Bo"))
        third = await there.remote.join(first.code, p.Join(name="Cy"))
        players = [at(here, first), at(there, second), at(there, third)]
        async with all_in(players):
            await ready_and_start(players)
            await players[1].ask(p.Chat(text="from there"))
            last = await asyncio.gather(*(played(one) for one in players))
        assert len({one.totals for one in last}) == 1
        assert not there.app.lobby.tables
        game = players[0].snapshot.game if players[0].snapshot else ""
        assert await there.remote.record(game) == await here.remote.record(game)


def _made(**more: Any) -> p.TableOptions:
    return made(**{**OPTIONS, **more})


async def test_a_new_table_belongs_to_the_process_that_its_first_player_reaches(
    database_server: Postgresql,
) -> None:
    """A balancer learns the table's code only with the answer, and may lead its players to any process then."""
    async with two_rooms(database_server) as (here, there):
        first = await here.remote.make(p.NewTable(name="Ada", options=_made()))
        async with at(there, first):
            assert (set(here.app.lobby.tables), set(there.app.lobby.tables)) == (
                set(),
                {first.table},
            )


async def test_a_table_is_shown_by_every_process(database_server: Postgresql) -> None:
    async with two_rooms(database_server) as (here, there):
        first = await here.remote.make(p.NewTable(name="Ada", options=_made()))
        async with at(here, first):
            path = f"/api/tables/{first.code}"
            shown = [await one.remote.ask("GET", path, None, p.Table) for one in (here, there)]
            assert shown[0] == shown[1]
            assert shown[1].seats[0].is_connected
            mine = await there.remote.mine((first.token,))
            assert [one.table for one in mine.games] == [first.table]


async def test_a_player_sees_the_same_through_a_pipe(database_server: Postgresql) -> None:
    """The limits, the close codes and the refusals are those of the process that has the table."""
    async with two_rooms(database_server) as (here, there):
        first = await here.remote.make(p.NewTable(name="Ada", options=_made()))
        async with at(here, first) as direct, at(there, first) as piped:
            assert direct.seat == piped.seat == 0
            await direct.until(lambda me: me.table == piped.table)
            for one in (direct, piped):
                with pytest.raises(Exception, match=r"seat|waits|ready|people|player"):
                    await one.start()
            await piped.ask(p.Chat(text="hello"))
            await direct.until(lambda me: bool(me.chat))
        await eventually(lambda: not here.app.lobby.tables[first.table].presence)


async def test_public_tables_of_all_processes_are_listed_everywhere(
    database_server: Postgresql,
) -> None:
    async with two_rooms(database_server) as (here, there):
        rooms = (here, there)
        ask = p.NewTable(name="Ada", options=made(is_public=True))
        tables = [await room.remote.make(ask) for room in rooms]

        def listed(room: Room) -> set[str]:
            body = json.loads(room.app.lobby.public.as_body())
            return {one["code"] for one in body["tables"]}

        codes = {one.code for one in tables}
        async with all_in([at(room, one) for room, one in zip(rooms, tables, strict=True)]):
            await eventually(lambda: listed(here) == listed(there) == codes)


async def test_a_process_that_stops_hands_its_tables_over(database_server: Postgresql) -> None:
    url = database_server.new_database()
    async with open_room(url) as there:
        async with open_room(url) as here:
            first = await here.remote.make(p.NewTable(name="Ada", options=_made()))
            async with at(here, first):
                pass
        begun = asyncio.get_running_loop().time()
        async with at(there, first) as ada:
            assert ada.seat == 0
        assert asyncio.get_running_loop().time() - begun < 2


async def test_a_process_that_has_lost_a_table_drops_it_with_the_first_write_that_is_refused(
    database_server: Postgresql,
) -> None:
    """It slept for longer than its lease, and does not know yet that another process has taken the table."""
    async with two_rooms(database_server, lease=300.0) as (here, there):
        first = await here.remote.make(p.NewTable(name="Ada", options=_made()))
        second = await here.remote.join(first.code, p.Join(name="Bo"))
        third = await here.remote.join(first.code, p.Join(name="Cy"))
        players = [at(here, one) for one in (first, second, third)]
        async with all_in(players):
            await ready_and_start(players)
            own = here.app.lobby.tables[first.table]
            watching = await here.remote.connect(first.table)
            await watching.send(p.Hello(id=1, version=p.VERSION, table=first.table))
            store = here.app.services.store
            statement = "UPDATE processes SET until = 1 WHERE id = :id"
            await store._write(  # type: ignore[attr-defined]
                lambda c: c.execute(statement, {"id": store.name})  # type: ignore[attr-defined]
            )
            async with Player(there.remote, first.table, make_word=None) as spectator:
                assert first.table in there.app.lobby.tables
                assert here.app.lobby.tables[first.table] is own
                assert lost_tables(here) == 0
                asked = next(one for one in players if one.view and one.view.decision)
                assert asked.view is not None
                with pytest.raises(ConnectionLost):
                    await asked.ask(p.Act(decision=asked.view.decision or "", action="bid 0"))
                assert await close_code(watching) == 1012
                assert lost_tables(here) == 1
                assert not own.presence.seats or own.is_asleep
                assert here.app.lobby.tables.get(first.table) is not own
                # Nothing of it was stored or shown, and the game goes on at the other process.
                assert spectator.snapshot is not None
                assert spectator.snapshot.number == 0
                await asyncio.gather(*(played(one) for one in players))
                await spectator.until(lambda me: me.view is not None and me.view.phase == "over")
        assert not here.app.lobby.tables


def lost_tables(room: Room) -> float:
    lines = room.services.metrics.text().decode().splitlines()
    (found,) = (line for line in lines if line.startswith("foretell_tables_lost_total "))
    return float(found.split()[1])


async def close_code(connection: Connection) -> int | None:
    try:
        while True:
            await connection.receive()
    except ConnectionLost as lost:
        return lost.code


async def test_a_table_whose_process_is_gone_waits_for_the_lease(
    database_server: Postgresql,
) -> None:
    url = database_server.new_database()
    async with open_room(url, lease=1.0) as there:
        async with open_room(url, lease=1.0) as here:
            first = await here.remote.make(p.NewTable(name="Ada", options=_made()))
            gone = here.app.services.store.process  # type: ignore[attr-defined]
        # As if it had been killed: its row and its ownership are still there.
        store = there.app.services.store
        await store._write(  # type: ignore[attr-defined]
            lambda c: (
                c.execute(
                    "INSERT INTO processes (id, address, key, until, listed) SELECT :id,"
                    " CAST(:address AS varchar), 'k', extract(epoch FROM clock_timestamp()) + 1, ''",
                    {"id": gone.id, "address": gone.address},
                ),
                c.execute("UPDATE ownership SET owner = :id", {"id": gone.id}),
            )
        )
        async with at(there, first) as ada:
            assert ada.seat == 0


@contextlib.asynccontextmanager
async def connected(remote: Remote) -> AsyncIterator[Connection]:
    connection = await remote.connect()
    try:
        yield connection
    finally:
        await connection.close()


async def test_a_client_of_another_process_is_counted_by_its_own_address(
    database_server: Postgresql,
) -> None:
    """Limits and the network around an IPv6 home are as without a pipe, and nobody can claim another address."""
    limits = dataclasses.replace(OPEN, per_address=1, spectators_per_address=1)
    async with two_rooms(database_server, limits=limits) as (here, there):
        first = await here.remote.make(p.NewTable(name="Ada", options=_made()))

        def remote(address: str) -> Remote:
            headers = {"x-forwarded-for": address, "x-foretell-client": "192.0.2.1"}
            return Remote(there.address, headers)

        async def watches(address: str) -> bool:
            connection = await stack.enter_async_context(connected(remote(address)))
            await connection.send(p.Hello(id=1, version=p.VERSION, table=first.table))
            return isinstance(await connection.receive(), p.Welcome)

        homes = [f"2001:db8:7:{home}::1" for home in range(1, 5)]
        async with at(here, first), contextlib.AsyncExitStack() as stack:
            assert [await watches(one) for one in ("192.0.2.7", *homes)] == [True] * 5
            assert not await watches("192.0.2.7")
            assert not await watches("2001:db8:7:1:2::2")
            around = here.app.door.account((homes[0], 0)).wider
            assert around is not None
            assert around.sockets == len(homes) + 1
        # The same over HTTP: whoever holds three seats gets no fourth, at any process.
        table = await here.remote.make(p.NewTable(name="Ada", options=_made(seats=6)))
        async with at(here, table):
            for name in ("Bo", "Cy", "Di"):
                await remote("192.0.2.8").join(table.code, p.Join(name=name))
            with pytest.raises(NotAllowed) as refused:
                await remote("192.0.2.8").join(table.code, p.Join(name="Ed"))
        assert refused.value.code == "too_many_seats"


async def test_nobody_gets_in_at_the_inner_port_without_the_key(
    database_server: Postgresql,
) -> None:
    async with two_rooms(database_server) as (here, _there):
        assert here.app.inner is not None
        first = await here.remote.make(p.NewTable(name="Ada", options=_made()))
        address = f"http://127.0.0.1:{here.app.inner.port}"
        for headers in ({}, {"x-foretell-key": "wrong"}):
            with pytest.raises(NotAllowed, match="nothing at this address"):
                await Remote(address, headers).ask(
                    "GET", f"/api/tables/{first.code}", None, p.Table
                )
        right = Remote(
            address, {"x-foretell-key": here.app.inner.key, "x-foretell-client": "192.0.2.9"}
        )
        assert (
            await right.ask("GET", f"/api/tables/{first.code}", None, p.Table)
        ).code == first.code
        # The key does not open anything at the outer port.
        forged = Remote(
            here.address, {"x-foretell-key": here.app.inner.key, "host": "evil.example"}
        )
        with pytest.raises(Exception, match=r"evil\.example"):
            await forged.ask("GET", f"/api/tables/{first.code}", None, p.Table)


async def test_a_request_is_passed_on_whatever_language_its_client_names(
    database_server: Postgresql,
) -> None:
    async with two_rooms(database_server) as (here, there):
        first = await here.remote.make(p.NewTable(name="Ada", options=_made()))
        async with at(here, first):
            strange = Remote(there.address, {"accept-language": "fran\u00e7ais, fr;q=0.9"})
            found = await strange.ask("GET", f"/api/tables/{first.code}", None, p.Table)
            assert found.code == first.code
            assert (await strange.join(first.code, p.Join(name="Bo"))).seat == 1


async def test_a_process_is_not_blamed_for_another_that_does_not_answer(
    database_server: Postgresql, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with two_rooms(database_server) as (here, there), silent() as (sleeper, _):
        first = await here.remote.make(p.NewTable(name="Ada", options=_made()))

        async def is_blameless() -> bool:
            status, body, _ = await fetched(f"{there.address}/api/tables/{first.code}")
            return (status, body["error"]["code"]) == (502, "table_moving")

        async with at(here, first):
            here.app.lobby.is_stopping = True
            assert await is_blameless()
            here.app.lobby.is_stopping = False
            where = Elsewhere(first.table, Peer("sleeper", sleeper, "key"))
            monkeypatch.setattr(inner, "_MOST_TO_READ", 0.1)
            monkeypatch.setattr(Lobby, "table", lambda *_, **__: _at_once(where))
            assert await is_blameless()
            monkeypatch.undo()


async def _at_once(found: Elsewhere) -> Elsewhere:
    return found


@contextlib.asynccontextmanager
async def silent() -> AsyncIterator[tuple[str, list[bytes]]]:
    """A port that accepts connections and never answers, as that of a process that sleeps, and what was sent there."""
    heard = list[bytes]()

    async def hear(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        heard.append(await reader.read(4096))
        await reader.read()
        writer.close()

    server = await asyncio.start_server(hear, "127.0.0.1", 0)
    yield f"127.0.0.1:{server.sockets[0].getsockname()[1]}", heard
    server.close()


async def test_a_request_to_another_process_goes_through_no_proxy_and_waits_for_no_other(
    database_server: Postgresql, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The key of the other process must not reach the proxy that is in the environment."""
    async with two_rooms(database_server) as (here, _there), silent() as (proxy, heard):
        first = await here.remote.make(p.NewTable(name="Ada", options=_made()))
        monkeypatch.setenv("http_proxy", f"http://{proxy}")

        async def asked(peer: Peer) -> dict[str, Any]:
            path = f"/api/tables/{first.code}"
            status, body, _ = await forwarded(
                peer, "192.0.2.9", method="GET", path=path, body=b"", language="en"
            )
            assert status == 200
            found: dict[str, Any] = json.loads(body)
            return found

        store = here.app.services.store
        assert isinstance(store, SharedStore)
        (peer,) = (one for one in await store.peers() if one.id == store.name)
        async with asyncio.timeout(3):
            assert (await asked(peer))["code"] == first.code
        assert not heard
        # Many requests to a process that sleeps.
        async with silent() as (sleeper, unanswered):
            waiting = [
                asyncio.ensure_future(asked(Peer("sleeper", sleeper, "key"))) for _ in range(100)
            ]
            await eventually(lambda: len(unanswered) == len(waiting))
            async with asyncio.timeout(3):
                assert (await asked(peer))["code"] == first.code
                assert await asyncio.to_thread(lambda: 7) == 7
            for one in waiting:
                one.cancel()
            await asyncio.gather(*waiting, return_exceptions=True)


async def test_a_process_that_is_gone_or_no_process_is_an_error_of_the_connection() -> None:
    async def answers_nonsense(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.read(4096)
        writer.write(b"this is not HTTP\r\n\r\n")
        writer.close()

    server = await asyncio.start_server(answers_nonsense, "127.0.0.1", 0)
    address = f"127.0.0.1:{server.sockets[0].getsockname()[1]}"
    for _ in ("nonsense", "gone"):
        with pytest.raises(ConnectionError):
            await forwarded(
                Peer("x", address, "key"), None, method="GET", path="/", body=b"", language="en"
            )
        server.close()
        await server.wait_closed()
