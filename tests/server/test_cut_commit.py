"""The connection to the database is cut in the middle of a commit: nobody is told anything wrong, nothing is lost."""

import asyncio
import os
import re
from collections.abc import Iterator
from itertools import count
from pathlib import Path
from random import Random

import psycopg
import pytest
from msgspec.structs import replace

from foretell.client import Player
from foretell.server.keys import random_keys
from foretell.server.store.interface import Lease, OwnershipLost, TableState, Taken
from foretell.server.store.postgresql import PostgresqlStore
from foretell.server.store.processes import Process
from foretell.server.table.seating import new_table
from foretell.server.wire import protocol as p
from server.cut import Cutter
from server.postgresql import Postgresql
from server.rooms import all_in, eventually, made, open_room, ready_and_start
from server.stores import a_game, an_action
from server.witness import Witness, check_records, confirm, plays

pytestmark = [pytest.mark.anyio, pytest.mark.prove]

CUTS = 200 if os.environ.get("FORETELL_PROVE") else 8
_NAMES = count(1)
_ACTION = re.compile(rb"bid \d|play [A-Z]|pass [A-Z]|trump [A-Z]")


@pytest.fixture
def cutter(database_server: Postgresql) -> Iterator[Cutter]:
    found = Cutter(database_server.port)
    yield found
    found.close()


async def begun(store: PostgresqlStore) -> tuple[TableState, Lease, str]:
    state, _ = new_table(p.NewTable(name="Ada"), random_keys, 5.0)
    lease = await store.add(state)
    assert lease is not None
    row = a_game(state.id)
    state = replace(state, phase="playing", game=row.id)
    await store.save(state, lease=lease, begun=row)
    return state, lease, row.id


@pytest.mark.parametrize("is_carried_out", [False, True], ids=["before it", "after it"])
async def test_a_write_whose_answer_is_lost_is_neither_announced_nor_refused(
    database_server: Postgresql, cutter: Cutter, is_carried_out: bool
) -> None:
    url = cutter.url(database_server.new_database())
    store = PostgresqlStore(url, Process(f"cut {next(_NAMES)}", "a:1", "key", 30.0))
    try:
        # One action, and a group with an action of another table.
        for together in (1, 2):
            tables = [await begun(store) for _ in range(together)]
            cutter.cut(lambda data: b"bid 0" in data, is_carried_out=is_carried_out)
            writes = [store.append(game, an_action(0), lease=lease) for _, lease, game in tables]
            for write in writes:
                with pytest.raises(OwnershipLost):
                    await write.stored
            for state, lease, game in tables:
                again = await store.take(state)
                assert isinstance(again, Taken)
                # It is decided now, and the log says how.
                assert len(await store.log(game)) == is_carried_out
                assert not await store.append(game, an_action(1), lease=lease).stored
                number = int(is_carried_out)
                assert await store.append(game, an_action(number), lease=again.lease).stored
        # The end of a game: an action, a record and a table in one transaction.
        state, lease, game = await begun(store)
        over = replace(state, phase="over")
        cutter.cut(lambda data: b"COMMIT" in data, is_carried_out=is_carried_out)
        last = store.append(game, an_action(0), lease=lease, state=over, record="{}")
        with pytest.raises(OwnershipLost):
            await last.stored
        again = await store.take(state)
        assert isinstance(again, Taken)
        assert again.state.phase == ("over" if is_carried_out else "playing")
        row = await store.game(game)
        assert row is not None
        assert (row.record, len(await store.log(game))) == (
            ("{}", 1) if is_carried_out else (None, 0)
        )
    finally:
        await store.close()
    assert cutter.cuts == 3


async def test_a_game_goes_on_whatever_commit_is_cut(
    database_server: Postgresql, cutter: Cutter, tmp_path: Path
) -> None:
    """Players see that their page reconnects; every action is made once, and every record is right."""
    database = database_server.new_database()
    random, witness, stop = Random(5), Witness(), asyncio.Event()
    async with open_room(cutter.url(database), seconds=600) as room:
        options = made(seats=4, bots=["random"], rules={"rounds": [1, 2, 3]})
        seats = [await room.remote.make(p.NewTable(name="Ada", options=options))]
        seats += [await room.remote.join(seats[0].code, p.Join(name=name)) for name in ("Bo", "Cy")]
        players = [
            Player(room.remote, one.table, one.token, on_message=witness.hear, most_pause=0.1)
            for one in seats
        ]
        async with all_in(players):
            await ready_and_start(players)
            playing = [
                asyncio.ensure_future(plays(one, players, witness, Random(n), stop))
                for n, one in enumerate(players)
            ]
            for number in range(CUTS):
                seen = len(witness.acknowledged)
                await eventually(lambda seen=seen: len(witness.acknowledged) > seen + 3, 60)  # type: ignore[misc]
                wanted = _ACTION.search if random.random() < 0.7 else re.compile(b"COMMIT").search
                cutter.cut(
                    lambda data, wanted=wanted: wanted(data) is not None,  # type: ignore[misc]
                    is_carried_out=random.random() < 0.5,
                )
                await eventually(lambda number=number: cutter.cuts == number + 1, 60)  # type: ignore[misc]
            stop.set()
            await asyncio.gather(*playing)
            records = [await room.remote.record(one) for one in sorted(witness.games)]
    store = PostgresqlStore(database, Process("reader", "nowhere:1", "", 1.0))
    async with await psycopg.AsyncConnection.connect(database) as connection:
        rows = await (await connection.execute("SELECT id FROM games")).fetchall()
    await confirm(store, {row[0] for row in rows}, witness, set())
    await store.close()
    check_records(records, tmp_path)
    print(
        f"{cutter.cuts} connections cut in a commit: {len(witness.acknowledged)} actions acknowledged, none lost, "
        f"none doubled; {len(records)} games, all finished, every record right"
    )


async def test_who_sleeps_in_a_transaction_does_not_keep_its_table(
    database_server: Postgresql,
) -> None:
    """A process may be paused between two statements: the database ends its transaction, and another takes the table."""
    url = database_server.new_database()
    here, there = (PostgresqlStore(url, Process(name, "a:1", name, 0.5)) for name in ("s1", "s2"))
    try:
        state, lease, game = await begun(here)
        locked, wake_up = asyncio.Event(), asyncio.Event()
        loop = asyncio.get_running_loop()

        def sleeps(connection: psycopg.Connection[object]) -> None:
            with connection.transaction():
                connection.execute("UPDATE ownership SET version = version + 1")
                loop.call_soon_threadsafe(locked.set)
                asyncio.run_coroutine_threadsafe(wake_up.wait(), loop).result()
                connection.execute("UPDATE ownership SET version = version + 1")

        writing = here._write(lambda c: sleeps(c.raw))
        sleeping = asyncio.ensure_future(writing)
        await locked.wait()
        taken = await there.take(state)
        while not isinstance(taken, Taken):  # until the lease has run out
            await asyncio.sleep(0.05)
            taken = await there.take(state)
        assert taken.lease.version == 1  # what the sleeper had begun is undone
        wake_up.set()
        with pytest.raises(OwnershipLost):
            await sleeping
        assert not await here.append(game, an_action(0), lease=lease).stored
        assert await there.append(game, an_action(0), lease=taken.lease).stored
    finally:
        await here.close()
        await there.close()
