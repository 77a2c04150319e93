"""The store in a SQLite file, with WAL and synchronous=FULL: a commit survives a power cut.

One thread writes (`group_commit`).  Another thread reads, with its own connection, and sees every acknowledged write.
"""

import asyncio
import contextlib
import sqlite3
from collections.abc import Callable, Collection, Sequence
from concurrent.futures import ThreadPoolExecutor
from itertools import chain
from pathlib import Path
from typing import Any, TypeVar

import sqlalchemy as sa

from foretell.errors import NotAllowed
from foretell.server.store import pruning
from foretell.server.store import statements as sql
from foretell.server.store.action_rows import MOST_ROWS, insert_actions, row_of
from foretell.server.store.database import Work
from foretell.server.store.group_commit import GroupCommit, StoreClosed
from foretell.server.store.interface import Lease, LoggedAction, PendingAppend, TableState, Taken
from foretell.server.store.schema import NEWEST_REVISION
from foretell.server.store.sql_store import SqlStore, put_new_table

__all__ = ["SqliteDatabase", "SqliteStore", "backup", "migrate_file"]

T = TypeVar("T")


def _connected(path: Path, *, reads_only: bool = False) -> sqlite3.Connection:
    connection = sqlite3.connect(path, isolation_level=None, check_same_thread=False, timeout=30)
    try:
        connection.execute("PRAGMA journal_mode=WAL")
        connection.execute("PRAGMA synchronous=FULL")
        # On macOS, a plain fsync leaves data in the drive's cache.  Other systems ignore these two.
        connection.execute("PRAGMA fullfsync=ON")
        connection.execute("PRAGMA checkpoint_fullfsync=ON")
        connection.execute("PRAGMA busy_timeout=30000")
        if reads_only:
            connection.execute("PRAGMA query_only=ON")
    except BaseException:
        connection.close()
        raise
    return connection


def backup(path: Path, into: Path) -> None:
    """Copies the database as it is at this moment; a server may be writing to it."""
    source, target = sqlite3.connect(path), sqlite3.connect(into)
    with source, target:
        # In one step: after a write between two steps, SQLite would start again.  With WAL, no writer waits for it.
        source.backup(target, pages=-1)
    source.close()
    target.close()


class SqliteDatabase:
    """How a group of writes is committed to SQLite."""

    def __init__(self, connect: Callable[[], sqlite3.Connection]) -> None:
        self.connect = connect

    def commit(
        self, connection: sqlite3.Connection, writes: Sequence[Work[sqlite3.Connection]]
    ) -> list[Any]:
        rows = [one for one in writes if isinstance(one, tuple)]
        if len(rows) == len(writes) <= MOST_ROWS:
            # One statement is a transaction.
            answers: list[Any] = list(insert_actions(connection, rows))
        else:
            connection.execute("BEGIN IMMEDIATE")
            starts = range(0, len(rows), MOST_ROWS)
            blocks = [insert_actions(connection, rows[one : one + MOST_ROWS]) for one in starts]
            inserted = chain.from_iterable(blocks)
            answers = [
                next(inserted) if isinstance(one, tuple) else one(connection) for one in writes
            ]
            connection.execute("COMMIT")
        if connection.in_transaction:
            raise sqlite3.OperationalError("the writes are not committed: a transaction is open")
        return answers

    def roll_back(self, connection: sqlite3.Connection) -> bool:
        if connection.in_transaction:
            connection.execute("ROLLBACK")
        return not connection.in_transaction

    def close(self, connection: sqlite3.Connection) -> None:
        connection.close()

    def is_outcome_unknown(self, error: BaseException) -> bool:
        return False  # the file is on this machine: what fails is rolled back

    def is_timeout(self, error: BaseException) -> bool:
        return getattr(error, "sqlite_errorcode", None) == sqlite3.SQLITE_BUSY


class SqliteStore(SqlStore[sqlite3.Connection]):
    """A Store in one SQLite file.  The data folder is locked, so every table belongs to this process."""

    def __init__(
        self,
        path: Path,
        *,
        keep: pruning.Keep | None = None,
        on_commit: Callable[[int, float], None] = lambda _writes, _seconds: None,
    ) -> None:
        self.path = path
        # Only the user who runs the server may read the file: it will contain secrets.
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        migrate_file(path)
        self._reader = _connected(path, reads_only=True)
        self._read_thread = ThreadPoolExecutor(1, thread_name_prefix="store-read")
        super().__init__(GroupCommit(SqliteDatabase(lambda: _connected(path)), on_commit), keep)

    async def _read(self, read: Callable[[sqlite3.Connection], T]) -> T:
        loop = asyncio.get_running_loop()
        return await loop.run_in_executor(self._read_thread, read, self._reader)

    # Ownership

    async def add(self, state: TableState) -> Lease | None:
        is_added = await self._write(lambda connection: put_new_table(connection, state))
        return Lease(state.id) if is_added else None

    async def take(self, state: TableState) -> Taken:
        return Taken(state, Lease(state.id))

    async def release(self, leases: Collection[Lease]) -> None:
        pass

    async def prunes(self) -> bool:
        return True

    # Actions

    def _append(self, game: str, action: LoggedAction, lease: Lease | None) -> PendingAppend:
        return self._commits.append(row_of(game, action))

    def _insert(
        self,
        connection: sqlite3.Connection,
        game: str,
        action: LoggedAction,
        lease: Lease | None,
        *,
        has_state: bool,
    ) -> bool:
        return insert_actions(connection, [row_of(game, action)]) == [True]

    def _may_save(
        self, connection: sqlite3.Connection, lease: Lease | None, begun: str | None
    ) -> bool:
        return True

    # The store itself

    async def is_well(self) -> bool:
        try:
            # This write changes nothing, but fails on a full or missing disk, as a move would.
            await asyncio.wait_for(self._write(lambda c: c.execute(sql.NO_CHANGE)), 5)
        except (sqlite3.Error, StoreClosed, TimeoutError):
            return False
        return True

    async def close(self) -> None:
        await self._commits.close()
        self._read_thread.shutdown(wait=True)
        self._reader.close()


def migrate_file(path: Path) -> None:
    """Creates the schema, or brings it up to date."""
    if _is_up_to_date(path):
        return
    # Alembic takes a third of a server's start to import, and a server that is started again does not need it.
    from alembic.util import CommandError  # noqa: PLC0415

    from foretell.server.store.migrations import upgrade  # noqa: PLC0415

    engine = sa.create_engine(f"sqlite:///{path}", poolclass=sa.NullPool)
    # Python's driver begins no transaction before a CREATE.  A server that is killed would leave half a schema behind.
    sa.event.listen(engine, "connect", _disable_driver_transactions)
    sa.event.listen(engine, "begin", lambda begun: begun.exec_driver_sql("BEGIN IMMEDIATE"))
    try:
        with engine.begin() as connection:
            upgrade(connection)
    except sa.exc.DatabaseError as error:  # the file is damaged, or belongs to another program
        raise NotAllowed("games_unusable", file=path, why=error.orig) from error
    except CommandError as error:  # written by a newer version
        raise NotAllowed("games_unusable", file=path, why=error) from error
    finally:
        engine.dispose()


def _is_up_to_date(path: Path) -> bool:
    """Whether the file has the newest schema; False also where it cannot be read."""
    if not path.exists():
        return False
    try:
        with contextlib.closing(
            sqlite3.connect(f"{path.resolve().as_uri()}?mode=ro", uri=True)
        ) as connection:
            found = connection.execute("SELECT version_num FROM alembic_version").fetchall()
    except sqlite3.Error:
        return False
    return found == [(NEWEST_REVISION,)]


def _disable_driver_transactions(connection: sqlite3.Connection, _record: object) -> None:
    connection.isolation_level = None
