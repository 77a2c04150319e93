"""The store in a SQLite file, with WAL and synchronous=FULL: a commit survives a power cut.

One thread writes (`group_commit`).  Another thread reads, with its own connection, and sees every acknowledged write.
"""

import asyncio
import contextlib
import sqlite3
from collections.abc import Callable, Collection
from concurrent.futures import ThreadPoolExecutor
from importlib.resources import files
from pathlib import Path
from typing import Any, TypeVar

import msgspec
import sqlalchemy as sa

from foretell.engine.codec import decoded, encoded
from foretell.errors import NotAllowed
from foretell.server.store import pruning
from foretell.server.store import statements as sql
from foretell.server.store.action_rows import insert_actions, row_of
from foretell.server.store.group_commit import GroupCommit
from foretell.server.store.interface import (
    GameRow,
    LoggedAction,
    PendingAppend,
    Setup,
    TableState,
)

__all__ = ["SqliteStore", "backup"]

T = TypeVar("T")

MOST_REVIEWS = 2000  # about ten kilobytes each

_STATE: msgspec.json.Decoder[TableState] = msgspec.json.Decoder(TableState, dec_hook=decoded)
_SETUP: msgspec.json.Decoder[Setup] = msgspec.json.Decoder(Setup, dec_hook=decoded)
_encode = msgspec.json.Encoder(enc_hook=encoded).encode


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


class SqliteStore:
    """A Store in one SQLite file."""

    def __init__(
        self,
        path: Path,
        *,
        keep: pruning.Keep | None = None,
        on_commit: Callable[[int, float], None] = lambda _writes, _seconds: None,
    ) -> None:
        self.path = path
        self.keep = keep or pruning.Keep()
        # Only the user who runs the server may read the file: it will contain secrets.
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        _migrate(path)
        self._reader = _connected(path, reads_only=True)
        self._read_thread = ThreadPoolExecutor(1, thread_name_prefix="store-read")
        self._commits = GroupCommit(lambda: _connected(path), on_commit)

    # Reading

    async def table(self, key: str) -> TableState | None:
        row = await self._one(sql.TABLE, key=key)
        return None if row is None else _STATE.decode(row[0])

    async def game(self, game: str) -> GameRow | None:
        row = await self._one(sql.GAME, game=game)
        if row is None:
            return None
        name, table, setup, started, finished, record = row
        return GameRow(
            id=name,
            table=table,
            setup=_SETUP.decode(setup),
            started=started,
            finished=finished,
            record=record,
        )

    async def log(self, game: str) -> list[LoggedAction]:
        def read() -> list[LoggedAction]:
            rows = self._reader.execute(sql.LOG, {"game": game})
            return [LoggedAction(n, seat, text, bool(bot), at) for n, seat, text, bot, at in rows]

        return await self._read(read)

    async def seats_of(self, tokens: list[str]) -> dict[str, tuple[TableState, int, float]]:
        def read() -> dict[str, tuple[TableState, int, float]]:
            rows = {key: self._reader.execute(sql.SEAT, {"hash": key}).fetchone() for key in tokens}
            return {
                key: (_STATE.decode(row[0]), row[1], row[2]) for key, row in rows.items() if row
            }

        return await self._read(read)

    async def _one(self, statement: str, **values: object) -> tuple[Any, ...] | None:
        return await self._read(lambda: self._reader.execute(statement, values).fetchone())

    async def _read(self, read: Callable[[], T]) -> T:
        return await asyncio.get_running_loop().run_in_executor(self._read_thread, read)

    # Writing

    async def save(
        self,
        state: TableState,
        *,
        begun: GameRow | None = None,
        renamed: tuple[str, Setup] | None = None,
    ) -> None:
        def write(connection: sqlite3.Connection) -> None:
            _put_table(connection, state)
            if begun is not None:
                row = {
                    "id": begun.id,
                    "table_id": begun.table,
                    "setup": _encode(begun.setup),
                    "started": begun.started,
                    "finished": None,
                    "record": None,
                }
                connection.execute(sql.PUT_GAME, row)
            if renamed is not None:
                _rename(connection, *renamed)

        await self._write(write)

    def append(
        self,
        game: str,
        action: LoggedAction,
        *,
        state: TableState | None = None,
        record: str | None = None,
        renamed: Setup | None = None,
    ) -> PendingAppend:
        row = row_of(game, action)
        if state is None and record is None:
            return self._commits.append(row)

        def write(connection: sqlite3.Connection) -> bool:
            if insert_actions(connection, [row]) == [False]:
                return False
            if record is not None:
                values = {"game": game, "at": action.at, "game_record": record}
                connection.execute(sql.FINISH_GAME, values)
            if renamed is not None:
                _rename(connection, game, renamed)
            if state is not None:
                _put_table(connection, state)
            return True

        return self._commits.append(write)

    # Reviews

    async def review(self, game: str) -> bytes | None:
        row = await self._one(sql.REVIEW, game=game)
        return None if row is None else row[0]

    async def save_review(self, game: str, review: bytes, made: float) -> None:
        def write(connection: sqlite3.Connection) -> None:
            connection.execute(sql.PUT_REVIEW, {"game_id": game, "made": made, "review": review})
            connection.execute(sql.DROP_OLD_REVIEWS, {"most": MOST_REVIEWS})

        await self._write(write)

    # Pruning

    async def old_tables(self, now: float, most: int) -> list[tuple[str, str]]:
        return await self._read(lambda: pruning.old_tables(self._reader, self.keep, now, most))

    async def delete_old_tables(self, now: float, tables: Collection[str]) -> int:
        return await self._write(lambda c: pruning.delete_old_tables(c, self.keep, now, tables))

    async def delete_old_games(self, now: float, most: int) -> int:
        return await self._write(lambda c: pruning.delete_old_games(c, self.keep, now, most))

    async def pruning_time(self) -> float | None:
        return await self._read(lambda: pruning.pruning_time(self._reader))

    async def set_pruning_time(self, time: float) -> None:
        await self._write(lambda c: pruning.set_pruning_time(c, time))

    # The store itself

    async def is_well(self) -> bool:
        try:
            # This write changes nothing, but fails on a full or missing disk, as a move would.
            await asyncio.wait_for(self._write(lambda c: c.execute(sql.NO_CHANGE)), 5)
        except (sqlite3.Error, TimeoutError):
            return False
        return True

    async def close(self) -> None:
        await self._commits.close()
        self._read_thread.shutdown(wait=True)
        self._reader.close()

    async def _write(self, write: Callable[[sqlite3.Connection], T]) -> T:
        return await self._commits.run(write)


def _migrate(path: Path) -> None:
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
    return found == [(_newest_revision(),)]


def _newest_revision() -> str:
    """The files of the migrations begin with their revisions, in ascending order."""
    versions = files("foretell.server.store") / "migrations" / "versions"
    return max(one.name.partition("_")[0] for one in versions.iterdir() if one.name[0].isdigit())


def _disable_driver_transactions(connection: sqlite3.Connection, _record: object) -> None:
    connection.isolation_level = None


def _rename(connection: sqlite3.Connection, game: str, setup: Setup) -> None:
    connection.execute(sql.RENAME_GAME, {"game": game, "new_setup": _encode(setup)})


def _put_table(connection: sqlite3.Connection, state: TableState) -> None:
    row = {
        "id": state.id,
        "code": state.code,
        "phase": state.phase,
        "state": _encode(state),
        "created": state.created,
        "changed": state.changed,
    }
    connection.execute(sql.PUT_TABLE, row)
    connection.execute(sql.CLEAR_TOKENS, {"id": state.id})
    rows = [{"hash": key, "table_id": state.id, "seat": seat} for key, seat in state.tokens()]
    connection.executemany(sql.PUT_TOKEN, rows)
