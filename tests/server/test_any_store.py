"""What every store promises: the same tests on memory, on SQLite and on PostgreSQL."""

import asyncio
from collections.abc import AsyncIterator
from pathlib import Path

import pytest
from msgspec.structs import replace

from foretell.server.keys import hashed, random_keys
from foretell.server.store.interface import (
    GameRow,
    Lease,
    LoggedAction,
    Store,
    TableState,
    Taken,
)
from foretell.server.store.memory import MemoryStore
from foretell.server.store.postgresql import PostgresqlStore
from foretell.server.store.processes import Process
from foretell.server.store.sqlite import SqliteStore
from foretell.server.table.seating import new_table
from foretell.server.wire import protocol as p
from server.stores import a_game, an_action

pytestmark = pytest.mark.anyio

STORES = ("memory", "sqlite", "postgresql")
NUMBERED = ("sqlite", "postgresql")  # the one in memory keeps no old data


@pytest.fixture(params=STORES)
async def store(request: pytest.FixtureRequest, tmp_path: Path) -> AsyncIterator[Store]:
    found: Store
    if request.param == "memory":
        found = MemoryStore()
    elif request.param == "sqlite":
        found = SqliteStore(tmp_path / "s.sqlite3")
    else:
        server = request.getfixturevalue("database_server")
        process = Process("here", "127.0.0.1:1", "key", 30.0)
        found = PostgresqlStore(server.new_database(), process)
    yield found
    await found.close()


def a_state() -> tuple[TableState, str]:
    return new_table(p.NewTable(name="Ada"), random_keys, 5.0)


async def playing(store: Store) -> tuple[TableState, Lease, GameRow]:
    """A table at which a game has begun."""
    state, _ = a_state()
    lease = await store.add(state)
    assert lease is not None
    row = a_game(state.id)
    state = replace(state, phase="playing", game=row.id)
    await store.save(state, lease=lease, begun=row)
    return state, lease, row


async def test_what_is_written_is_read(store: Store) -> None:
    state, token = a_state()
    lease = await store.add(state)
    assert lease is not None
    row = a_game(state.id)
    state = replace(state, game=row.id, changed=6.0)
    await store.save(state, lease=lease, begun=row)
    actions = [LoggedAction(0, 1, "bid 0", False, 2.0), LoggedAction(1, 2, "bid 1", True, 3.5)]
    for one in actions:
        assert await store.append(row.id, one, lease=lease).stored
    assert await store.table(state.code) == await store.table(state.id) == state
    assert await store.game(row.id) == row
    assert await store.log(row.id) == actions
    assert await store.seats_of([hashed(token), "x"]) == {hashed(token): (state, 0, 6.0)}


@pytest.mark.parametrize("key", ["", "x", "no\0such", "gamé", "'; --", "%s", ":key"])
async def test_an_unknown_key_finds_nothing(store: Store, key: str) -> None:
    assert await store.table(key) is None
    assert await store.game(key) is None
    assert await store.log("none") == []


async def test_a_code_is_given_once(store: Store) -> None:
    first, second = a_state()[0], replace(a_state()[0])
    assert await store.add(first) is not None
    assert await store.add(replace(second, code=first.code)) is None
    assert await store.table(second.id) is None
    assert await store.add(second) is not None


async def test_only_the_next_number_of_the_log_is_taken_twice_by_nobody(store: Store) -> None:
    _, lease, row = await playing(store)
    assert await store.append(row.id, an_action(0), lease=lease).stored
    assert not await store.append(row.id, an_action(0), lease=lease).stored
    assert await store.append(row.id, an_action(1), lease=lease).stored
    assert [one.number for one in await store.log(row.id)] == [0, 1]


async def test_appends_to_many_games_share_what_they_wait_for(store: Store) -> None:
    tables = [await playing(store) for _ in range(10)]
    for number in range(3):
        asked = [store.append(row.id, an_action(number), lease=own) for _, own, row in tables]
        assert await asyncio.gather(*(one.stored for one in asked)) == [True] * 10
    for _, _, row in tables:
        assert len(await store.log(row.id)) == 3


async def test_the_last_action_ends_the_game_and_changes_the_table(store: Store) -> None:
    state, lease, row = await playing(store)
    over = replace(state, phase="over", games_played=1)
    setup = replace(row.setup, names=("x", "y", "z"))
    last = LoggedAction(0, 0, "bid 0", False, 9.0)
    pending = store.append(row.id, last, lease=lease, state=over, record="{}", renamed=setup)
    await pending.handed_over
    assert await pending.stored
    assert await store.table(state.id) == over
    found = await store.game(row.id)
    assert found == replace(row, setup=setup, finished=9.0, record="{}")
    await store.save(replace(over, rematch=(0,)), lease=lease)  # the lease goes on


async def test_a_seat_that_is_left_has_no_token(store: Store) -> None:
    state, token = a_state()
    lease = await store.add(state)
    assert lease is not None
    emptied = replace(state, places=(replace(state.places[0], token=None), *state.places[1:]))
    await store.save(emptied, lease=lease)
    assert await store.seats_of([hashed(token)]) == {}


async def test_a_sleeping_table_can_be_taken_and_written(store: Store) -> None:
    state, lease, row = await playing(store)
    assert await store.append(row.id, an_action(0), lease=lease).stored
    await store.release([lease])
    taken = await store.take(state)
    assert isinstance(taken, Taken)
    assert taken.state == state
    assert await store.append(row.id, an_action(1), lease=taken.lease).stored
    await store.save(replace(state, changed=8.0), lease=taken.lease)


async def test_reviews_are_kept_and_replaced(store: Store) -> None:
    assert await store.review("g") is None
    await store.save_review("g", b"\0first", 1.0)
    await store.save_review("g", b"second", 2.0)
    assert await store.review("g") == b"second"


@pytest.mark.parametrize("store", NUMBERED, indirect=True)
async def test_old_tables_and_games_are_deleted(store: Store) -> None:
    old, lease, row = await playing(store)
    assert await store.append(row.id, an_action(0), lease=lease).stored
    other, own, finished = await playing(store)
    last = LoggedAction(0, 0, "bid 0", False, 9.0)
    over = replace(other, phase="over", changed=9e9)
    assert await store.append(finished.id, last, lease=own, state=over, record="{}").stored
    await store.release([lease, own])
    assert await store.prunes()
    assert await store.old_tables(1e9, 10) == [(old.id, old.code)]
    assert await store.delete_old_tables(1e9, [old.id, other.id]) == 1
    assert await store.table(old.id) is None
    assert await store.game(row.id) is None
    assert await store.log(row.id) == []
    assert await store.delete_old_games(1e9, 10) == 1
    assert await store.game(finished.id) is None
    assert await store.table(other.id) == over
    await store.set_pruning_time(1.0)
    await store.set_pruning_time(2.0)
    assert await store.pruning_time() == 2.0


async def test_a_store_that_is_well_says_so(store: Store) -> None:
    assert await store.is_well()
