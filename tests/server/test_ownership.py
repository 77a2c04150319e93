"""A table belongs to one process: the database refuses everything that another one writes, however it came to that."""

import asyncio
import contextlib
from collections.abc import AsyncIterator
from itertools import count

import psycopg
import pytest
from msgspec.structs import replace

from foretell.server.keys import random_keys
from foretell.server.store import postgresql_database
from foretell.server.store.interface import (
    Elsewhere,
    GameRow,
    Lease,
    OwnershipLost,
    Peer,
    TableState,
    Taken,
)
from foretell.server.store.postgresql import PostgresqlStore
from foretell.server.store.processes import Process
from foretell.server.table.seating import new_table
from foretell.server.wire import protocol as p
from server.postgresql import Postgresql
from server.stores import a_game, an_action

pytestmark = pytest.mark.anyio

_NAMES = count(1)


@contextlib.asynccontextmanager
async def process(url: str, lease: float = 30.0) -> AsyncIterator[PostgresqlStore]:
    name = f"p{next(_NAMES)}"
    store = PostgresqlStore(url, Process(name, f"{name}:1", f"key of {name}", lease))
    try:
        yield store
    finally:
        await store.close()


@pytest.fixture
def url(database_server: Postgresql) -> str:
    return database_server.new_database()


async def run_out(store: PostgresqlStore) -> None:
    """Lets the time pass that a process has to renew its lease."""
    statement, values = "UPDATE processes SET until = 1 WHERE id = :id", {"id": store.process.id}
    await store._write(lambda connection: connection.execute(statement, values))


async def playing(store: PostgresqlStore) -> tuple[TableState, Lease, GameRow]:
    state, _ = new_table(p.NewTable(name="Ada"), random_keys, 5.0)
    lease = await store.add(state)
    assert lease is not None
    row = a_game(state.id)
    state = replace(state, phase="playing", game=row.id)
    await store.save(state, lease=lease, begun=row)
    return state, lease, row


async def taken(store: PostgresqlStore, state: TableState) -> Taken:
    found = await store.take(state)
    assert isinstance(found, Taken)
    return found


async def test_a_living_process_keeps_its_table(url: str) -> None:
    async with process(url) as here, process(url) as there:
        state, lease, row = await playing(here)
        found = await there.take(state)
        assert found == Elsewhere(state.id, Peer(*here.process[:3]), state)
        assert await here.append(row.id, an_action(0), lease=lease).stored


async def test_a_process_that_slept_longer_than_its_lease_cannot_write(url: str) -> None:
    async with process(url) as sleeper, process(url) as other:
        state, lease, row = await playing(sleeper)
        assert await sleeper.append(row.id, an_action(0), lease=lease).stored
        await run_out(sleeper)
        new = await taken(other, state)
        assert await other.append(row.id, an_action(1), lease=new.lease).stored
        # The sleeper wakes up.  Even with the right number, nothing of it is stored.
        assert not await sleeper.append(row.id, an_action(2), lease=lease).stored
        over = replace(state, phase="over")
        last = sleeper.append(row.id, an_action(2), lease=lease, state=over, record="{}")
        assert not await last.stored
        for begun in (None, a_game(state.id)):
            with pytest.raises(OwnershipLost):
                await sleeper.save(replace(state, next_secret="x"), lease=lease, begun=begun)
        await sleeper.release([lease])
        assert isinstance(await sleeper.take(state), Elsewhere)
        found = await other.game(row.id)
        assert found is not None
        assert found.finished is None
        assert await other.table(state.id) == state
        assert [one.number for one in await other.log(row.id)] == [0, 1]
        await other.save(over, lease=new.lease)


async def test_a_process_whose_lease_ran_out_learns_which_tables_are_still_its_own(
    url: str,
) -> None:
    async with process(url) as sleeper, process(url) as other:
        lost, _, _ = await playing(sleeper)
        kept, lease, row = await playing(sleeper)
        assert (await sleeper.renew()).still_ours is None
        await run_out(sleeper)
        await taken(other, lost)
        assert (await sleeper.renew()).still_ours == frozenset({(kept.id, lease.epoch)})
        assert await sleeper.append(row.id, an_action(0), lease=lease).stored


@contextlib.asynccontextmanager
async def locked(url: str, table: str) -> AsyncIterator[None]:
    """Keeps everyone else waiting who reads or writes a table of the database."""
    async with await psycopg.AsyncConnection.connect(url) as other:
        await other.execute(f"LOCK TABLE {table} IN ACCESS EXCLUSIVE MODE")
        yield
        await other.rollback()


async def test_the_lease_is_renewed_although_everything_else_waits_for_the_database(
    url: str,
) -> None:
    """Otherwise a few slow reads would cost a process its tables."""
    async with process(url, 1.5) as store:
        state, _, row = await playing(store)
        await store.renew()
        async with locked(url, "games, tables, ownership, actions"):
            waiting = [asyncio.ensure_future(store.take(state)) for _ in range(20)]
            waiting += [asyncio.ensure_future(store.game(row.id)) for _ in range(20)]  # type: ignore[arg-type]
            await asyncio.sleep(0.1)
            renewal = await asyncio.wait_for(store.renew(), 0.7)
            assert renewal.still_ours is None
            assert store.name in renewal.living
            assert not any(one.done() for one in waiting)
        await asyncio.gather(*waiting)


async def test_a_renewal_that_is_not_answered_fails_while_there_is_time_for_another(
    url: str,
) -> None:
    async with process(url, 1.5) as store:
        await store.renew()
        async with locked(url, "processes"):
            with pytest.raises(psycopg.errors.QueryCanceled):
                await asyncio.wait_for(store.renew(), 0.75)
        assert (await store.renew()).still_ours is None


async def test_writes_that_are_not_answered_in_time_fail_together(
    url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """If each were tried again alone, the last of a thousand would fail after hours."""
    connect = postgresql_database.PostgresqlConnection
    monkeypatch.setattr(postgresql_database, "connect", lambda url: connect(url, 0.5))
    async with process(url) as store:
        games = [await playing(store) for _ in range(8)]
        async with locked(url, "ownership"):
            asked = asyncio.get_running_loop().time()
            writes = [store.append(row.id, an_action(0), lease=lease) for _, lease, row in games]
            failed = await asyncio.gather(*(one.stored for one in writes), return_exceptions=True)
            assert asyncio.get_running_loop().time() - asked < 1
            assert {type(one) for one in failed} == {psycopg.errors.QueryCanceled}
        # Nothing was written, and all goes on.
        writes = [store.append(row.id, an_action(0), lease=lease) for _, lease, row in games]
        assert all(await asyncio.gather(*(one.stored for one in writes)))


async def test_only_one_of_many_takes_a_table(url: str) -> None:
    async with process(url) as dead, contextlib.AsyncExitStack() as stack:
        state, _, row = await playing(dead)
        others = [await stack.enter_async_context(process(url)) for _ in range(5)]
        await run_out(dead)
        found = await asyncio.gather(*(one.take(state) for one in others))
        (winner,) = [one for one in found if isinstance(one, Taken)]
        assert sum(isinstance(one, Elsewhere) for one in found) == 4
        store = others[found.index(winner)]
        assert await store.append(row.id, an_action(0), lease=winner.lease).stored


async def test_a_table_taken_again_by_its_own_process_refuses_what_the_old_lease_writes(
    url: str,
) -> None:
    async with process(url) as here:
        state, old, row = await playing(here)
        new = await taken(here, state)
        assert not await here.append(row.id, an_action(0), lease=old).stored
        assert await here.append(row.id, an_action(0), lease=new.lease).stored


async def test_a_save_that_missed_another_is_refused(url: str) -> None:
    async with process(url) as here:
        state, lease, _ = await playing(here)
        behind = replace(lease)
        await here.save(replace(state, host=None), lease=lease)
        with pytest.raises(OwnershipLost):
            await here.save(state, lease=behind)
        found = await here.table(state.id)
        assert found is not None
        assert found.host is None


async def test_what_is_given_back_can_be_taken_at_once(url: str) -> None:
    async with process(url) as here, process(url) as there:
        tables = [await playing(here) for _ in range(3)]
        await here.release([lease for _, lease, _ in tables])
        for state, _, _ in tables:
            await taken(there, state)


async def test_a_process_that_ends_gives_everything_back(url: str) -> None:
    async with process(url) as there:
        async with process(url) as here:
            state, _, _ = await playing(here)
        await taken(there, state)


async def test_a_table_that_somebody_has_is_not_pruned(url: str) -> None:
    async with process(url) as here, process(url) as there:
        state, lease, _ = await playing(here)
        assert await there.delete_old_tables(1e12, [state.id]) == 0
        await here.release([lease])
        assert await there.delete_old_tables(1e12, [state.id]) == 1
        assert await here.take(state) is None


async def test_one_process_prunes(url: str) -> None:
    async with process(url) as here, process(url) as there:
        assert sorted([await here.prunes(), await there.prunes()]) == [False, True]


async def test_processes_that_start_together_migrate_once(url: str) -> None:
    async with contextlib.AsyncExitStack() as stack:

        def start(number: int) -> PostgresqlStore:
            return PostgresqlStore(url, Process(f"together {number}", "a:1", "key", 30.0))

        for store in await asyncio.gather(*(asyncio.to_thread(start, n) for n in range(4))):
            stack.push_async_callback(store.close)
            assert await store.is_well()


async def _cut(url: str) -> None:
    """Ends all connections of processes to this database, as a network or an administrator would."""
    async with await psycopg.AsyncConnection.connect(url, autocommit=True) as connection:
        await connection.execute(
            "SELECT pg_terminate_backend(pid) FROM pg_stat_activity"
            " WHERE datname = current_database() AND pid <> pg_backend_pid()"
        )


async def test_after_a_lost_connection_a_write_is_stored_or_its_table_is_dropped(url: str) -> None:
    """Nobody knows what became of a commit whose answer was lost: it is neither announced nor refused."""
    async with process(url) as here:
        state, lease, row = await playing(here)
        number = unknown = 0
        for _ in range(5):
            writing = [here.append(row.id, an_action(number), lease=lease).stored]
            await asyncio.sleep(0)
            await _cut(url)
            with contextlib.suppress(OwnershipLost):
                assert await writing[0]
                number += 1
                assert await here.append(row.id, an_action(number), lease=lease).stored
                number += 1
                continue
            unknown += 1
            lease = (await taken(here, state)).lease
            # Whatever was under way is decided now: the log has the action for good, or never will.
            number = len(await here.log(row.id))
        assert unknown
        assert await here.append(row.id, an_action(number), lease=lease).stored
        assert [one.number for one in await here.log(row.id)] == list(range(number + 1))
