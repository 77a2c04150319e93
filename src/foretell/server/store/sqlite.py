"""The store on SQLite: WAL, synchronous FULL, one thread that writes (`commits`).

Reads have a thread and a connection of their own, and see everything that was acknowledged.
"""

import asyncio
import sqlite3
from collections.abc import Callable, Collection
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any, TypeVar

import msgspec
import sqlalchemy as sa
from alembic.util import CommandError
from sqlalchemy.dialects import sqlite as dialect

from foretell.engine.codec import decoded, encoded
from foretell.errors import NotAllowed
from foretell.server.store import schema
from foretell.server.store.group_commit import GroupCommit
from foretell.server.store.interface import GameRow, LoggedAction, Setup, TableState
from foretell.server.store.migrations import upgrade

__all__ = ["Keep", "SqliteStore", "backup"]

T = TypeVar("T")

_DAY = 86400.0


class Keep(msgspec.Struct, frozen=True):
    """How long things are kept, in days since they last changed."""

    gathering: float = 2
    unfinished: float = 30
    finished: float = 365


def _sql(statement: sa.ClauseElement) -> str:
    """The text of a statement for the driver itself: Core writes it, and is not asked again for each row."""
    return str(statement.compile(dialect=dialect.dialect(paramstyle="named")))


_t, _g, _a, _k = schema.tables, schema.games, schema.actions, schema.tokens
_PUT_TABLE = _sql(
    (put := dialect.insert(_t)).on_conflict_do_update(
        index_elements=[_t.c.id],
        set_={c: put.excluded[c] for c in ("phase", "state", "changed")},
    )
)
_CLEAR_TOKENS = _sql(sa.delete(_k).where(_k.c.table_id == sa.bindparam("id")))
_PUT_TOKEN = _sql(dialect.insert(_k).on_conflict_do_nothing())
_PUT_GAME = _sql(sa.insert(_g))
_APPEND = _sql(dialect.insert(_a).on_conflict_do_nothing())
_COLUMNS = tuple(_a.c.keys())
_FINISH = _sql(
    sa.update(_g)
    .where(_g.c.id == sa.bindparam("game"))
    .values(finished=sa.bindparam("at"), record=sa.bindparam("game_record"))
)
_RENAME = _sql(
    sa.update(_g).where(_g.c.id == sa.bindparam("game")).values(setup=sa.bindparam("new_setup"))
)
_TABLE = _sql(
    sa.select(_t.c.state).where(
        sa.or_(_t.c.id == sa.bindparam("key"), _t.c.code == sa.bindparam("key"))
    )
)
_GAME = _sql(
    sa.select(_g.c.id, _g.c.table_id, _g.c.setup, _g.c.started, _g.c.finished, _g.c.record).where(
        _g.c.id == sa.bindparam("game")
    )
)
_LOG = _sql(
    sa.select(_a.c.number, _a.c.seat, _a.c.action, _a.c.by_bot, _a.c.at)
    .where(_a.c.game_id == sa.bindparam("game"))
    .order_by(_a.c.number)
)
_SEAT = _sql(
    sa.select(_t.c.state, _k.c.seat, _t.c.changed)
    .join_from(_k, _t, _t.c.id == _k.c.table_id)
    .where(_k.c.hash == sa.bindparam("hash"))
)

# One row, to what it is already: a page is written all the same.  A statement that meets no row writes nothing, and
# would succeed on a disk that is full.
_NO_CHANGE = "UPDATE alembic_version SET version_num = version_num"

_STATE: msgspec.json.Decoder[TableState] = msgspec.json.Decoder(TableState, dec_hook=decoded)
_SETUP: msgspec.json.Decoder[Setup] = msgspec.json.Decoder(Setup, dec_hook=decoded)
_encode = msgspec.json.Encoder(enc_hook=encoded).encode


def _connected(path: Path, *, reads_only: bool = False) -> sqlite3.Connection:
    found = sqlite3.connect(path, isolation_level=None, check_same_thread=False, timeout=30)
    found.execute("PRAGMA journal_mode=WAL")
    found.execute("PRAGMA synchronous=FULL")
    found.execute("PRAGMA busy_timeout=30000")
    if reads_only:
        found.execute("PRAGMA query_only=ON")
    return found


def backup(path: Path, into: Path) -> None:
    """A copy of the database as it is at this moment, while a server may be writing to it."""
    source, target = sqlite3.connect(path), sqlite3.connect(into)
    with source, target:
        # In one step: between steps someone may write, and SQLite would begin anew.  With WAL nobody has to wait.
        source.backup(target, pages=-1)
    source.close()
    target.close()


class SqliteStore:
    """A Store in one file."""

    def __init__(
        self,
        path: Path,
        *,
        keep: Keep | None = None,
        on_commit: Callable[[int, float], None] = lambda _writes, _seconds: None,
    ) -> None:
        self.path = path
        self.keep = keep or Keep()
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)  # it will hold secrets
        _migrated(path)
        self._reader = _connected(path, reads_only=True)
        self._reading = ThreadPoolExecutor(1, thread_name_prefix="store-read")
        self._commits = GroupCommit(lambda: _connected(path), on_commit)

    # Reading

    async def table(self, key: str) -> TableState | None:
        row = await self._one(_TABLE, key=key)
        return None if row is None else _STATE.decode(row[0])

    async def game(self, game: str) -> GameRow | None:
        row = await self._one(_GAME, game=game)
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
            rows = self._reader.execute(_LOG, {"game": game})
            return [LoggedAction(n, seat, text, bool(bot), at) for n, seat, text, bot, at in rows]

        return await self._read(read)

    async def seats_of(self, tokens: list[str]) -> dict[str, tuple[TableState, int, float]]:
        def read() -> dict[str, tuple[TableState, int, float]]:
            rows = {key: self._reader.execute(_SEAT, {"hash": key}).fetchone() for key in tokens}
            return {
                key: (_STATE.decode(row[0]), row[1], row[2]) for key, row in rows.items() if row
            }

        return await self._read(read)

    async def _one(self, sql: str, **values: object) -> tuple[Any, ...] | None:
        return await self._read(lambda: self._reader.execute(sql, values).fetchone())

    async def _read(self, read: Callable[[], T]) -> T:
        return await asyncio.get_running_loop().run_in_executor(self._reading, read)

    # SnapshotWriter

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
                connection.execute(_PUT_GAME, row)
            if renamed is not None:
                values = {"game": renamed[0], "new_setup": _encode(renamed[1])}
                connection.execute(_RENAME, values)

        await self._write(write)

    async def append(
        self,
        game: str,
        action: LoggedAction,
        *,
        state: TableState | None = None,
        record: str | None = None,
        meanwhile: Callable[[], None] | None = None,
    ) -> bool:
        row = (game, action.number, action.seat, action.action, action.by_bot, action.at)
        if state is None and record is None:
            return await self._commits.append(row, meanwhile)

        def write(connection: sqlite3.Connection) -> bool:
            if connection.execute(_APPEND, dict(zip(_COLUMNS, row, strict=True))).rowcount != 1:
                return False
            if record is not None:
                values = {"game": game, "at": action.at, "game_record": record}
                connection.execute(_FINISH, values)
            if state is not None:
                _put_table(connection, state)
            return True

        return await self._write(write)

    async def prune(self, now: float, awake: Collection[str] = ()) -> int:
        def write(connection: sqlite3.Connection) -> int:
            return _pruned(connection, self.keep, now, frozenset(awake))

        return await self._write(write)

    async def is_well(self) -> bool:
        try:
            # A write that changes nothing; a disk that is full or gone refuses it as it would a move.
            await asyncio.wait_for(self._write(lambda c: c.execute(_NO_CHANGE)), 5)
        except (sqlite3.Error, TimeoutError):
            return False
        return True

    async def close(self) -> None:
        await self._commits.close()
        self._reading.shutdown(wait=True)
        self._reader.close()

    async def _write(self, write: Callable[[sqlite3.Connection], T]) -> T:
        return await self._commits.do(write)


def _migrated(path: Path) -> None:
    engine = sa.create_engine(f"sqlite:///{path}", poolclass=sa.NullPool)
    # The driver begins no transaction before a CREATE: a server killed in between would leave half a schema.
    sa.event.listen(engine, "connect", _leave_transactions_to_us)
    sa.event.listen(engine, "begin", lambda begun: begun.exec_driver_sql("BEGIN IMMEDIATE"))
    try:
        with engine.begin() as connection:
            upgrade(connection)
    except sa.exc.DatabaseError as error:  # torn, or another program's
        raise NotAllowed("games_unusable", file=path, why=error.orig) from error
    except CommandError as error:  # a newer Foretell's
        raise NotAllowed("games_unusable", file=path, why=error) from error
    finally:
        engine.dispose()


def _leave_transactions_to_us(connection: sqlite3.Connection, _record: object) -> None:
    connection.isolation_level = None


def _put_table(connection: sqlite3.Connection, state: TableState) -> None:
    row = {
        "id": state.id,
        "code": state.code,
        "phase": state.phase,
        "state": _encode(state),
        "created": state.created,
        "changed": state.changed,
    }
    connection.execute(_PUT_TABLE, row)
    keys = [(place.token, seat) for seat, place in enumerate(state.places) if place.token]
    connection.execute(_CLEAR_TOKENS, {"id": state.id})
    rows = [{"hash": key, "table_id": state.id, "seat": seat} for key, seat in keys]
    connection.executemany(_PUT_TOKEN, rows)


def _pruned(connection: sqlite3.Connection, keep: Keep, now: float, awake: frozenset[str]) -> int:
    """Tables go with their tokens; a finished game outlives its table as a record."""
    gone = 0
    for phase, days in (
        ("gathering", keep.gathering),
        ("playing", keep.unfinished),
        ("over", keep.unfinished),
    ):
        old = now - days * _DAY
        where = "phase = ? AND changed < ?"
        if phase == "playing":
            # A table's own row is written when people change; its game's when cards are played.
            where += " AND NOT EXISTS (SELECT 1 FROM actions a JOIN games g ON g.id = a.game_id"
            where += f" WHERE g.table_id = tables.id AND a.at >= {old!r})"
        ids = [
            row[0]
            for row in connection.execute(f"SELECT id FROM tables WHERE {where}", (phase, old))
            if row[0] not in awake
        ]
        for table in ids:
            connection.execute("DELETE FROM tokens WHERE table_id = ?", (table,))
            connection.execute(
                "DELETE FROM actions WHERE game_id IN"
                " (SELECT id FROM games WHERE table_id = ? AND finished IS NULL)",
                (table,),
            )
            connection.execute(
                "DELETE FROM games WHERE table_id = ? AND finished IS NULL", (table,)
            )
            connection.execute("DELETE FROM tables WHERE id = ?", (table,))
        gone += len(ids)
    old = now - keep.finished * _DAY
    games = [
        row[0] for row in connection.execute("SELECT id FROM games WHERE finished < ?", (old,))
    ]
    for game in games:
        connection.execute("DELETE FROM actions WHERE game_id = ?", (game,))
        connection.execute("DELETE FROM games WHERE id = ?", (game,))
    return gone + len(games)
