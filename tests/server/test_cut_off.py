"""A process that is cut off from the database sends its players away; it keeps nobody who could play elsewhere."""

import asyncio
import contextlib
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from foretell.client import Connection, ConnectionLost, Player, Remote
from foretell.server.table.table import Table
from foretell.server.wire import protocol as p
from server.cut import Cutter
from server.postgresql import Postgresql
from server.rooms import all_in, eventually, fetched, made, open_room

pytestmark = pytest.mark.anyio

LEASE = 1.5


@pytest.fixture
def cutter(database_server: Postgresql) -> Iterator[Cutter]:
    found = Cutter(database_server.port)
    yield found
    found.join()
    found.close()


class FirstThatAnswers(Remote):
    """A transport to several processes, as through a balancer that prefers the first."""

    def __init__(self, *addresses: str) -> None:
        super().__init__(addresses[0])
        self._all = [Remote(one) for one in addresses]

    async def connect(self, table: str = "") -> Connection:
        for one in self._all:
            with contextlib.suppress(ConnectionLost):
                return await one.connect(table)
        raise ConnectionLost


async def close_code(connection: Connection) -> int | None:
    try:
        while True:
            await connection.receive()
    except ConnectionLost as lost:
        return lost.code


async def test_its_players_go_on_at_another_process(
    database_server: Postgresql, cutter: Cutter
) -> None:
    url = database_server.new_database()
    async with (
        open_room(url, lease=LEASE) as other,
        open_room(cutter.url(url), lease=LEASE) as room,
    ):
        reached = FirstThatAnswers(room.address, other.address)
        seats = [await reached.make(p.NewTable(name="Ada", options=made(seats=3)))]
        seats.append(await reached.join(seats[0].code, p.Join(name="Bo")))
        players = [
            Player(reached, one.table, one.token, make_word=None, most_pause=0.2) for one in seats
        ]
        watching = await room.remote.connect()
        await watching.send(p.WatchLobby(id=1, version=p.VERSION))
        async with all_in(players) as (ada, bo):
            assert seats[0].table in room.app.lobby.tables
            cutter.separate()
            cut = asyncio.get_running_loop().time()
            # What is under way has no answer: the player comes back to a table where it did not happen, or did.
            unanswered = asyncio.ensure_future(bo.ask(p.Ready()))
            await eventually(lambda: bo.reconnections > 0 and ada.reconnections > 0)
            assert asyncio.get_running_loop().time() - cut < LEASE + 2
            with pytest.raises(ConnectionLost):
                await unanswered
            assert set(other.app.lobby.tables) == {seats[0].table}
            assert not room.app.lobby.tables
            await bo.ask(p.Ready())
            await bo.until(lambda me: me.table is not None and me.table.seats[1].is_ready)
            # Whoever only watches the list of tables has been sent away too.
            assert await close_code(watching) == 1012
            # Balancers learn at once that they have to go elsewhere.
            async with asyncio.timeout(1):
                status, body, _ = await fetched(room.address + "/api/ready")
                assert (status, body["status"]) == (503, "failing")
                with pytest.raises(ConnectionLost) as refused:
                    await room.remote.connect(seats[0].table)
            assert "503" in str(refused.value.__cause__)
            # The network is back: this process takes players again, and leads them to their table.
            cutter.join()
            await eventually(lambda: room.app.lobby.takes_players)
            async with Player(room.remote, seats[0].table, make_word=None) as spectator:
                assert spectator.table is not None
                assert spectator.table.seats[1].is_ready
            assert not room.app.lobby.tables
            assert set(other.app.lobby.tables) == {seats[0].table}


async def test_a_short_cut_costs_nobody_their_connection(
    database_server: Postgresql, cutter: Cutter
) -> None:
    url = cutter.url(database_server.new_database())
    async with open_room(url, lease=3.0) as room:
        seats = await room.table(2, seats=3)
        async with room.player(seats[1]) as bo:
            cutter.separate()
            asked = asyncio.ensure_future(bo.ask(p.Ready()))
            await asyncio.sleep(1.0)
            assert not asked.done()
            cutter.join()
            await asked
            assert bo.reconnections == 0
            assert seats[0].table in room.app.lobby.tables


async def test_a_renewal_after_a_failure_ends_before_the_lease_does(
    database_server: Postgresql, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Afterwards others may have the tables: so there is no time left to wait for an answer."""
    lease, over = 1.2, list[float]()
    wait_for = asyncio.wait_for

    async def noted(work: Any, timeout: float | None) -> Any:
        renewing = getattr(work, "__name__", "") == "_renew"
        ends = work.cr_frame.f_locals["self"]._renewed + lease if renewing else 0.0
        if renewing and timeout is not None and time.monotonic() < ends:
            over.append(time.monotonic() + timeout - ends)
        return await wait_for(work, timeout)

    async with open_room(database_server.new_database(), lease=lease) as room:

        async def fails() -> None:
            raise ConnectionError

        monkeypatch.setattr(room.app.services.store, "renew", fails)
        await asyncio.sleep(0)
        monkeypatch.setattr(asyncio, "wait_for", noted)
        await eventually(lambda: not room.app.lobby.takes_players)
        monkeypatch.undo()
        assert len(over) > 1
        assert max(over[1:]) < 0.05  # the first did not follow a failure
        await eventually(lambda: room.app.lobby.takes_players)


async def test_a_table_that_fails_while_it_is_forgotten_does_not_keep_the_others(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with open_room(tmp_path / "t.sqlite3") as room:
        first, second = (await room.table(1, seats=3))[0], (await room.table(1, seats=3))[0]
        tables = room.app.lobby.tables
        abandon = Table.abandon

        def fails(table: Table) -> None:
            if table.state.id == first.table:
                raise RuntimeError
            abandon(table)

        assert set(tables) == {first.table, second.table}
        monkeypatch.setattr(Table, "abandon", fails)
        forgotten = tuple(tables.values())
        room.app.lobby.cut_off()
        assert not tables
        assert [one.is_asleep for one in forgotten] == [False, True]
