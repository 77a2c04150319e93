"""A process that stops gives its tables back one by one, as they are ready, and misses none."""

import asyncio
import contextlib
from collections.abc import AsyncIterator
from typing import Any

import pytest

from foretell.client import Connection, ConnectionLost
from foretell.server.store.interface import Taken
from foretell.server.wire import protocol as p
from server.postgresql import Postgresql
from server.rooms import Room, eventually, fetched, made, open_room

pytestmark = pytest.mark.anyio


@contextlib.asynccontextmanager
async def two_rooms(server: Postgresql) -> AsyncIterator[tuple[Room, Room]]:
    url = server.new_database()
    async with open_room(url) as here, open_room(url) as there:
        yield here, there


async def a_table(room: Room) -> p.Seated:
    return await room.remote.make(p.NewTable(name="Ada", options=made(seats=3)))


@contextlib.asynccontextmanager
async def at(room: Room, seat: p.Seated) -> AsyncIterator[Connection]:
    """A connection that does not come back by itself."""
    connection = await room.remote.connect(seat.table)
    hello = p.Hello(id=1, version=p.VERSION, table=seat.table, token=seat.token)
    await connection.send(hello)
    while not isinstance(await connection.receive(), p.Welcome):
        pass
    yield connection
    await connection.close()


async def close_code(connection: Connection) -> int | None:
    """The code with which the server closes the connection.  It refuses nothing before that."""
    try:
        while True:
            assert not isinstance(await connection.receive(), p.Refusal)
    except ConnectionLost as lost:
        return lost.code


class Busy:
    """Lets a table be busy with the next chat message, until `go_on` is set."""

    def __init__(self, room: Room, seat: p.Seated) -> None:
        self.begun, self.go_on = asyncio.Event(), asyncio.Event()
        table = room.app.lobby.tables[seat.table]
        table._handlers = {**table._handlers, p.Chat: self._handle}

    async def _handle(self, *_: Any) -> None:
        self.begun.set()
        await self.go_on.wait()


async def test_a_table_is_given_back_before_a_slow_one_is_ready(
    database_server: Postgresql,
) -> None:
    async with two_rooms(database_server) as (here, there):
        slow, quick = await a_table(here), await a_table(here)
        async with at(here, slow) as busy, at(here, quick) as waiting:
            work = Busy(here, slow)
            await busy.send(p.Chat(id=2, text="hello"))
            await work.begun.wait()
            stopping = asyncio.ensure_future(here.app.hand_over())
            async with asyncio.timeout(2):  # less than the time that the slow one gets
                assert await close_code(waiting) == 1012
                async with at(there, quick):
                    assert quick.table in there.app.lobby.tables
            assert not stopping.done()
            work.go_on.set()
            assert await close_code(busy) == 1012
            await stopping
            async with at(there, slow):
                assert slow.table in there.app.lobby.tables


async def test_whoever_acts_when_the_table_is_finished_comes_back_to_another_process(
    database_server: Postgresql,
) -> None:
    """Before its socket is closed, a message may still arrive: its player must not see an error."""
    async with two_rooms(database_server) as (here, _there):
        slow, quick = await a_table(here), await a_table(here)
        async with at(here, slow) as busy, at(here, quick) as waiting:
            here.app.lobby.is_stopping = True
            await here.app.lobby.tables[quick.table].finish()
            await waiting.send(p.Chat(id=2, text="hello"))
            assert await close_code(waiting) == 1012
            # The same if the table took too long, and is no longer waited for.
            work = Busy(here, slow)
            for number in (2, 3):
                await busy.send(p.Chat(id=number, text="hello"))
            await eventually(lambda: not here.app.lobby.tables[slow.table].inbox.is_empty)
            await here.app.lobby.tables[slow.table].finish()
            assert await close_code(busy) == 1012
            assert not work.go_on.is_set()


async def test_a_table_that_is_being_woken_is_given_back_too(database_server: Postgresql) -> None:
    async with two_rooms(database_server) as (here, there):
        seat = await a_table(here)
        store, is_taken, go_on = here.services.store, asyncio.Event(), asyncio.Event()
        take = store.take

        async def slow(state: Any) -> Any:
            found = await take(state)
            is_taken.set()
            await go_on.wait()
            return found

        store.take = slow  # type: ignore[method-assign]
        connection = await here.remote.connect(seat.table)
        await connection.send(p.Hello(id=1, version=p.VERSION, table=seat.table, token=seat.token))
        await is_taken.wait()
        stopping = asyncio.ensure_future(here.app.hand_over())
        await asyncio.sleep(0)
        go_on.set()
        await stopping
        assert await close_code(connection) == 1012
        state = await there.services.store.table(seat.table)
        assert state is not None
        assert isinstance(await there.services.store.take(state), Taken)
        assert not here.app.lobby.tables


async def test_a_process_that_stops_says_so_and_takes_no_more_players(
    database_server: Postgresql,
) -> None:
    async with two_rooms(database_server) as (here, _there):
        seat = await a_table(here)
        assert (await fetched(here.address + "/api/ready"))[0] == 200
        async with at(here, seat) as busy:
            work = Busy(here, seat)
            await busy.send(p.Chat(id=2, text="hello"))
            await work.begun.wait()
            stopping = asyncio.ensure_future(here.app.hand_over())
            await asyncio.sleep(0)
            status, body, _ = await fetched(here.address + "/api/ready")
            assert (status, body["status"]) == (503, "stopping")
            with pytest.raises(ConnectionLost) as lost:
                await here.remote.connect(seat.table)
            assert "503" in str(lost.value.__cause__)
            assert not stopping.done()
            work.go_on.set()
            await stopping
