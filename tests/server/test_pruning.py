"""Old tables and games are deleted: as late as promised, a few at a time, and never while someone needs them."""

import asyncio
import sqlite3
from collections.abc import Awaitable, Callable, Collection
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

from foretell.client import RefusedByTable
from foretell.server.keys import random_keys
from foretell.server.store import pruning
from foretell.server.store.interface import LoggedAction
from foretell.server.store.pruning import Keep
from foretell.server.store.sqlite import SqliteStore
from foretell.server.table import pruner
from foretell.server.table.lobby import Lobby
from foretell.server.table.pruner import Pruner
from foretell.server.table.seating import new_table
from foretell.server.table.services import Services, Timeouts
from foretell.server.wire import protocol as p
from server.rooms import eventually, open_room
from server.stores import a_game

pytestmark = pytest.mark.anyio
DAY = 86400.0
NOW = 1.8e9  # in 2027


@pytest.fixture(autouse=True)
def _no_rest(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pruner, "_REST", 0.0)


async def prune(store: SqliteStore, now: float, awake: Collection[str] = ()) -> int:
    old = [table for table, _ in await store.old_tables(now, 100) if table not in awake]
    return await store.delete_old_tables(now, old) + await store.delete_old_games(now, 100)


async def test_pruning_keeps_everything_as_long_as_promised(tmp_path: Path) -> None:
    keep = Keep(gathering=2, unfinished=30, finished=365)
    store = SqliteStore(tmp_path / "s.sqlite3", keep=keep)
    tables = {}
    for phase in ("gathering", "playing", "over"):
        state, _ = new_table(p.NewTable(name="Ada"), random_keys, 0.0)
        row = a_game(state.id)
        state = replace(state, phase=phase, game=row.id)
        await store.save(state, begun=row)
        last = LoggedAction(0, 0, "bid 0", False, 10 * DAY)
        record = "{}" if phase == "over" else None
        assert await store.append(row.id, last, state=state, record=record).stored
        tables[phase] = (state.id, row.id)

    async def left() -> list[str]:
        return [phase for phase, (table, _) in tables.items() if await store.table(table)]

    assert await prune(store, 1.9 * DAY) == 0
    await prune(store, 3 * DAY)
    assert await left() == ["playing", "over"]
    await prune(store, 35 * DAY)  # a card was played on the tenth day
    assert await left() == ["playing"]
    await prune(store, 41 * DAY, awake=[tables["playing"][0]])  # a player is still thinking
    assert await left() == ["playing"]
    await prune(store, 41 * DAY)
    assert await left() == []
    assert await store.game(tables["playing"][1]) is None
    assert await store.game(tables["over"][1]) is not None  # the record stays longer than its table
    await prune(store, 376 * DAY)
    assert await store.game(tables["over"][1]) is None
    await store.close()


async def _tables(store: SqliteStore, count: int, changed: float) -> None:
    for _ in range(count):
        state, _ = new_table(p.NewTable(name="Ada"), random_keys, changed)
        await store.save(state, begun=a_game(state.id))


async def _left(store: SqliteStore) -> int:
    return len(await store.old_tables(1e12, 10_000))


async def test_pruning_never_deletes_much_at_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    store = SqliteStore(tmp_path / "s.sqlite3")
    await _tables(store, 45, NOW - 3 * DAY)
    await store.set_pruning_time(NOW)
    batches: list[int] = []
    real = store.delete_old_tables

    async def noted(now: float, tables: Collection[str]) -> int:
        batches.append(len(tables))
        return await real(now, tables)

    monkeypatch.setattr(store, "delete_old_tables", noted)
    lobby = Lobby(Services(store=store, now=lambda: NOW))
    assert await Pruner(lobby).prune() == 45
    assert batches == [10, 10, 10, 10, 5]
    assert await _left(store) == 0
    await store.close()


async def test_an_index_finds_what_is_old(tmp_path: Path) -> None:
    path = tmp_path / "s.sqlite3"
    await SqliteStore(path).close()
    asked: list[str] = []
    with closing(sqlite3.connect(path)) as connection:
        connection.set_trace_callback(asked.append)
        pruning.old_tables(connection, Keep(), NOW, 10)
        pruning.delete_old_games(connection, Keep(), NOW, 10)
        connection.set_trace_callback(None)
        assert len(asked) == 4
        for statement in asked:
            plan = [row[3] for row in connection.execute(f"EXPLAIN QUERY PLAN {statement}")]
            assert not [step for step in plan if step.startswith("SCAN")], plan
            assert not [step for step in plan if "TEMP B-TREE" in step], plan


@pytest.mark.parametrize(
    ("clock", "ran", "gone"),
    [
        pytest.param(0.0, 0.25, 0, id="nothing is old"),
        pytest.param(73 * 365, 0.25, 0, id="the clock has leapt to 2099"),
        pytest.param(73 * 365, 3.0, 2, id="the clock stays there for three days"),
        pytest.param(400.0, 0.0, 0, id="the server was off for a year"),
        pytest.param(40.0, 40.0, 3, id="the server has run for forty days"),
        pytest.param(-400.0, 0.25, 0, id="the clock was set back"),
    ],
)
async def test_a_clock_that_leaps_deletes_nothing(
    tmp_path: Path, clock: float, ran: float, gone: int
) -> None:
    """Tables of yesterday, of ten days ago (which is being played) and of today; the clock and the uptime go on, in days."""
    store = SqliteStore(tmp_path / "s.sqlite3")
    await _tables(store, 1, NOW - DAY)
    await _tables(store, 1, NOW)
    state, _ = new_table(p.NewTable(name="Ada"), random_keys, NOW - 10 * DAY)
    await store.save(replace(state, phase="playing"))
    now, monotonic = [NOW], [0.0]
    pruning = Pruner(Lobby(Services(store=store, now=lambda: now[0])), lambda: monotonic[0])
    assert await pruning.prune() == 0
    now[0] += clock * DAY
    for _ in range(4):  # every few hours
        monotonic[0] += ran * DAY / 4
        await pruning.prune()
    # Even a table that was made while the clock was wrong does not make the others old.
    await _tables(store, 1, now[0])
    await pruning.prune()
    assert await _left(store) == 4 - gone
    # A restart is no way around it.
    for _ in range(5):
        again = Pruner(Lobby(Services(store=store, now=lambda: now[0])), lambda: monotonic[0])
        await again.prune()
    assert await _left(store) == 4 - gone
    await store.close()


async def test_a_machine_whose_clock_was_never_set_prunes_later(tmp_path: Path) -> None:
    """Its first tables are from 1970.  They go when the clock has been right for a while."""
    store = SqliteStore(tmp_path / "s.sqlite3")
    await _tables(store, 3, 100.0)
    lobby = Lobby(Services(store=store, now=lambda: NOW))
    assert await Pruner(lobby).prune() == 3
    await store.close()


class Paused:
    """Makes an async function of the store wait, before or after it does its work."""

    def __init__(self, store: Any, name: str, monkeypatch: pytest.MonkeyPatch) -> None:
        self.has_begun, self.go_on = asyncio.Event(), asyncio.Event()
        self._real: Callable[..., Awaitable[Any]] = getattr(store, name)
        monkeypatch.setattr(store, name, self._call)

    async def _call(self, *args: Any) -> Any:
        if self.go_on.is_set():
            return await self._real(*args)
        found = await self._real(*args)
        self.has_begun.set()
        await self.go_on.wait()
        return found


async def test_a_table_that_is_being_woken_is_not_deleted(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    now = [NOW]
    timeouts = Timeouts(sleep=0.05)
    async with open_room(tmp_path / "t.sqlite3", timeouts=timeouts, now=lambda: now[0]) as room:
        (seat,) = await room.table(seats=3)
        await eventually(lambda: not room.app.lobby.tables)
        await room.services.store.set_pruning_time(NOW + 3 * DAY)
        now[0] += 3 * DAY
        reading = Paused(room.services.store, "table", monkeypatch)
        hello = asyncio.ensure_future(room.player(seat).__aenter__())
        await reading.has_begun.wait()
        assert await Pruner(room.app.lobby).prune() == 0
        reading.go_on.set()
        ada = await hello
        assert ada.seat == 0
        # Awake, it is not deleted either.
        assert await Pruner(room.app.lobby).prune() == 0
        await ada.__aexit__(None, None, None)
        await eventually(lambda: not room.app.lobby.tables)
        assert await Pruner(room.app.lobby).prune() == 1


async def test_a_table_that_is_being_deleted_is_not_woken(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    now = [NOW]
    timeouts = Timeouts(sleep=0.05)
    async with open_room(tmp_path / "t.sqlite3", timeouts=timeouts, now=lambda: now[0]) as room:
        seats = [(await room.table(seats=3))[0] for _ in range(2)]
        await eventually(lambda: not room.app.lobby.tables)
        await room.services.store.set_pruning_time(NOW + 3 * DAY)
        now[0] += 3 * DAY
        deleting = Paused(room.services.store, "delete_old_tables", monkeypatch)
        pruning = asyncio.ensure_future(Pruner(room.app.lobby).prune())
        await deleting.has_begun.wait()
        hellos = [asyncio.ensure_future(room.player(one).__aenter__()) for one in seats]
        await asyncio.sleep(0.1)
        assert not room.app.lobby.tables
        deleting.go_on.set()
        assert await pruning == 2
        for hello in hellos:
            with pytest.raises(RefusedByTable, match="no table"):
                await hello
        assert not room.app.lobby.tables
