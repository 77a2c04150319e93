"""Many writes share a commit, and nothing else: what goes wrong with one of them stays with it."""

import asyncio
import sqlite3
from collections.abc import AsyncIterator, Callable
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from foretell.server.keys import random_keys
from foretell.server.store.group_commit import GroupCommit, StoreClosed
from foretell.server.store.interface import LoggedAction
from foretell.server.store.memory import MemoryStore
from foretell.server.store.sqlite import SqliteDatabase, SqliteStore
from foretell.server.table.seating import new_table
from foretell.server.wire import protocol as p
from server.stores import a_game, an_action

pytestmark = pytest.mark.anyio


@pytest.fixture
async def store(tmp_path: Path) -> AsyncIterator[SqliteStore]:
    found = SqliteStore(tmp_path / "s.sqlite3")
    yield found
    await found.close()


def on_disk(path: Path, game: str = "g") -> list[int]:
    """The numbers of a game's actions, read as another process would read them."""
    with closing(sqlite3.connect(path)) as reader:
        rows = reader.execute(
            "SELECT number FROM actions WHERE game_id = ? ORDER BY number", (game,)
        )
        return [row[0] for row in rows]


# One bad write


def raises(error: BaseException) -> Callable[[sqlite3.Connection], None]:
    def write(connection: sqlite3.Connection) -> None:
        connection.execute("INSERT INTO tokens VALUES ('half', 'done', 1)")
        raise error

    return write


def ends_the_transaction(statement: str) -> Callable[[sqlite3.Connection], Any]:
    return lambda connection: connection.execute(statement)


BAD = {
    "an error": raises(ValueError("bad")),
    "no such table": ends_the_transaction("INSERT INTO nowhere VALUES (1)"),
    "an exit": raises(SystemExit()),
    "a keyboard interrupt": raises(KeyboardInterrupt()),
    "a cancellation": raises(asyncio.CancelledError()),
    "the end of an iterator": raises(StopIteration()),
    "a rollback": ends_the_transaction("ROLLBACK"),
    "a second transaction": ends_the_transaction("BEGIN"),
    "a closed connection": sqlite3.Connection.close,
}


@pytest.mark.parametrize("bad", BAD.values(), ids=BAD)
async def test_a_bad_write_fails_alone(store: SqliteStore, bad: Callable[..., Any]) -> None:
    before = [store.append("g", an_action(n)).stored for n in range(3)]
    failing = store._write(bad)
    after = [store.append("g", an_action(n)).stored for n in range(3, 5)]
    read = store._write(lambda connection: connection.execute("SELECT 7").fetchone()[0])
    answers = await asyncio.gather(*before, *after, read, failing, return_exceptions=True)
    assert answers[:-1] == [True] * 5 + [7]
    assert isinstance(answers[-1], Exception)
    assert await store.append("g", an_action(5)).stored
    assert on_disk(store.path) == list(range(6))
    with closing(sqlite3.connect(store.path)) as reader:
        assert reader.execute("SELECT count(*) FROM tokens").fetchone() == (0,)


@pytest.mark.parametrize("value", [2**70, object()], ids=["too large", "no column's type"])
async def test_a_row_that_cannot_be_written_fails_alone(store: SqliteStore, value: Any) -> None:
    bad = LoggedAction(value, 0, "bid 0", False, 1.0)
    asked = [store.append("g", one).stored for one in (an_action(0), bad, an_action(1))]
    first, failed, last = await asyncio.gather(*asked, return_exceptions=True)
    assert (first, last) == (True, True)
    assert isinstance(failed, Exception)
    assert on_disk(store.path) == [0, 1]


async def test_a_waiter_that_gives_up_does_not_cost_the_others_their_answers(
    store: SqliteStore,
) -> None:
    asked = [store.append("g", an_action(n)) for n in range(3)]
    asked[1].handed_over.cancel()
    asked[1].stored.cancel()
    for one in (asked[0], asked[2]):
        await one.handed_over
        assert await one.stored
    assert on_disk(store.path) == [0, 1, 2]


async def test_a_metric_that_fails_costs_nobody_an_answer(tmp_path: Path) -> None:
    def broken(_writes: int, _seconds: float) -> None:
        raise SystemExit

    store = SqliteStore(tmp_path / "s.sqlite3", on_commit=broken)
    assert await store.append("g", an_action(0)).stored
    assert await store.append("g", an_action(1)).stored
    await store.close()


# A connection that is lost


async def test_nothing_is_acknowledged_inside_a_transaction_that_could_not_be_rolled_back(
    store: SqliteStore,
) -> None:
    """The append that follows is a single INSERT: inside the old transaction it would succeed, and never be committed."""

    def refuse_rollback(connection: sqlite3.Connection) -> None:
        def authorize(action: int, name: str | None, *_: object) -> int:
            is_rollback = action == sqlite3.SQLITE_TRANSACTION and name == "ROLLBACK"
            return sqlite3.SQLITE_DENY if is_rollback else sqlite3.SQLITE_OK

        connection.set_authorizer(authorize)

    await store._write(refuse_rollback)
    with pytest.raises(sqlite3.OperationalError):
        await store._write(BAD["no such table"])
    assert await store.append("g", an_action(0)).stored
    assert on_disk(store.path) == [0]
    # The same within a group.
    await store._write(refuse_rollback)
    bad = store._write(BAD["no such table"])
    together = [store.append("g", an_action(n)).stored for n in range(1, 4)]
    failed, *stored = await asyncio.gather(bad, *together, return_exceptions=True)
    assert isinstance(failed, sqlite3.OperationalError)
    assert stored == [True] * 3
    assert on_disk(store.path) == [0, 1, 2, 3]


async def test_a_connection_that_cannot_be_made_is_tried_again(tmp_path: Path) -> None:
    path, tries = tmp_path / "s.sqlite3", list[int]()
    await SqliteStore(path).close()

    def connect() -> sqlite3.Connection:
        tries.append(1)
        if len(tries) < 3:
            raise sqlite3.OperationalError("unable to open database file")
        return sqlite3.connect(path, isolation_level=None, check_same_thread=False)

    commits = GroupCommit(SqliteDatabase(connect), lambda _writes, _seconds: None)
    for _ in range(2):
        asked = [commits.append(("g", n, 0, "bid 0", False, 1.0)).stored for n in range(2)]
        answers = await asyncio.gather(*asked, return_exceptions=True)
        assert [type(one) for one in answers] == [sqlite3.OperationalError] * 2
    assert await commits.append(("g", 0, 0, "bid 0", False, 1.0)).stored
    await commits.close()
    assert on_disk(path) == [0]


async def test_a_closed_store_refuses_instead_of_waiting(tmp_path: Path) -> None:
    store = SqliteStore(tmp_path / "s.sqlite3")
    last = store.append("g", an_action(0))
    await store.close()
    assert await last.stored
    with pytest.raises(StoreClosed):
        store.append("g", an_action(1))
    assert not await store.is_well()
    await store.close()


# Awaited twice


async def test_an_append_is_handed_over_before_it_is_stored(store: SqliteStore) -> None:
    order: list[str] = []
    pending = store.append("g", an_action(0))
    pending.handed_over.add_done_callback(lambda _: order.append("handed over"))
    pending.stored.add_done_callback(lambda _: order.append("stored"))
    assert not pending.handed_over.done()
    await pending.handed_over
    assert await pending.stored
    await asyncio.sleep(0)  # both may have come at once: then the callback is still to be called
    assert order == ["handed over", "stored"]


async def test_an_append_that_fails_was_handed_over_all_the_same(store: SqliteStore) -> None:
    await store._write(lambda connection: connection.execute("PRAGMA query_only=ON"))
    pending = store.append("g", an_action(0))
    await pending.handed_over
    with pytest.raises(sqlite3.OperationalError):
        await pending.stored
    assert on_disk(store.path) == []


async def test_a_store_in_memory_answers_at_once() -> None:
    store, row = MemoryStore(), a_game()
    state, _ = new_table(p.NewTable(name="Ada"), random_keys, 5.0)
    await store.save(state, begun=row)
    for number, is_stored in ((0, True), (0, False), (1, True)):
        pending = store.append(row.id, an_action(number))
        assert pending.handed_over.done()
        assert pending.stored.result() is is_stored
