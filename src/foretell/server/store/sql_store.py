"""What the stores in SQLite and in PostgreSQL share: everything but connections and ownership."""

from abc import ABC, abstractmethod
from collections.abc import Callable, Collection
from typing import Any, Generic, TypeVar

import msgspec

from foretell.engine.codec import decoded, encoded
from foretell.server.store import pruning
from foretell.server.store import statements as sql
from foretell.server.store.database import DatabaseConnection
from foretell.server.store.formats import in_our_format, read_state, readable_part
from foretell.server.store.group_commit import GroupCommit
from foretell.server.store.interface import (
    GameRow,
    Lease,
    LoggedAction,
    OwnershipLost,
    PendingAppend,
    Setup,
    TableState,
)

__all__ = ["SqlStore", "put_new_table"]

C = TypeVar("C", bound=DatabaseConnection)
T = TypeVar("T")

MOST_REVIEWS = 2000  # about ten kilobytes each

_SETUP: msgspec.json.Decoder[Setup] = msgspec.json.Decoder(Setup, dec_hook=decoded)
_encode = msgspec.json.Encoder(enc_hook=encoded).encode


class SqlStore(ABC, Generic[C]):
    """A Store in a database, but for its ownership of tables."""

    def __init__(self, commits: GroupCommit[C], keep: pruning.Keep | None) -> None:
        self.keep = keep or pruning.Keep()
        self._commits = commits

    @abstractmethod
    async def _read(self, read: Callable[[C], T]) -> T:
        """Calls the function in a thread, with a connection that sees every acknowledged write."""

    async def _write(self, write: Callable[[C], T]) -> T:
        return await self._commits.run(write)

    # Reading

    async def table(self, key: str) -> TableState | None:
        row = await self._one(sql.TABLE, key=key)
        return None if row is None else read_state(row[0])

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
        def read(connection: C) -> list[LoggedAction]:
            rows = connection.execute(sql.LOG, {"game": game})
            return [LoggedAction(n, seat, text, bool(bot), at) for n, seat, text, bot, at in rows]

        return await self._read(read)

    async def seats_of(self, tokens: list[str]) -> dict[str, tuple[TableState, int, float]]:
        def read(connection: C) -> dict[str, tuple[TableState, int, float]]:
            rows = {key: connection.execute(sql.SEAT, {"hash": key}).fetchone() for key in tokens}
            return {
                key: (state, row[1], row[2])
                for key, row in rows.items()
                if row and (state := readable_part(row[0])) is not None
            }

        return await self._read(read)

    async def _one(self, statement: str, **values: object) -> Any:
        return await self._read(lambda connection: connection.execute(statement, values).fetchone())

    # Writing

    @abstractmethod
    def _append(self, game: str, action: LoggedAction, lease: Lease | None) -> PendingAppend:
        """Adds an action that changes nothing but the log."""

    @abstractmethod
    def _insert(
        self,
        connection: C,
        game: str,
        action: LoggedAction,
        lease: Lease | None,
        *,
        has_state: bool,
    ) -> bool:
        """Adds an action inside a transaction, if the lease allows it; whether the table is saved with it."""

    @abstractmethod
    def _may_save(self, connection: C, lease: Lease | None, begun: str | None) -> bool:
        """Whether the lease allows to save the table, and to begin this game.  If so, its version is raised."""

    async def save(
        self,
        state: TableState,
        *,
        lease: Lease | None = None,
        begun: GameRow | None = None,
        renamed: tuple[str, Setup] | None = None,
    ) -> None:
        def write(connection: C) -> bool:
            if not self._may_save(connection, lease, None if begun is None else begun.id):
                return False
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
            return True

        if not await self._write(write):
            raise OwnershipLost
        if lease is not None:
            lease.version += 1

    def append(
        self,
        game: str,
        action: LoggedAction,
        *,
        lease: Lease | None = None,
        state: TableState | None = None,
        record: str | None = None,
        renamed: Setup | None = None,
    ) -> PendingAppend:
        if state is None and record is None:
            return self._append(game, action, lease)

        def write(connection: C) -> bool:
            has_state = state is not None
            if not self._insert(connection, game, action, lease, has_state=has_state):
                return False
            if record is not None:
                values = {"game": game, "at": action.at, "game_record": record}
                connection.execute(sql.FINISH_GAME, values)
            if renamed is not None:
                _rename(connection, game, renamed)
            if state is not None:
                _put_table(connection, state)
            return True

        pending = self._commits.append(write)
        if lease is not None and state is not None:
            pending.stored.add_done_callback(lambda stored: _raise_version(lease, stored))
        return pending

    # Reviews

    async def review(self, game: str) -> bytes | None:
        row = await self._one(sql.REVIEW, game=game)
        return None if row is None else row[0]

    async def save_review(self, game: str, review: bytes, made: float) -> None:
        def write(connection: C) -> None:
            connection.execute(sql.PUT_REVIEW, {"game_id": game, "made": made, "review": review})
            connection.execute(sql.DROP_OLD_REVIEWS, {"most": MOST_REVIEWS})

        await self._write(write)

    # Pruning

    async def old_tables(self, now: float, most: int) -> list[tuple[str, str]]:
        return await self._read(lambda c: pruning.old_tables(c, self.keep, now, most))

    async def delete_old_tables(self, now: float, tables: Collection[str]) -> int:
        return await self._write(lambda c: pruning.delete_old_tables(c, self.keep, now, tables))

    async def delete_old_games(self, now: float, most: int) -> int:
        return await self._write(lambda c: pruning.delete_old_games(c, self.keep, now, most))

    async def pruning_time(self) -> float | None:
        return await self._read(pruning.pruning_time)

    async def set_pruning_time(self, time: float) -> None:
        await self._write(lambda c: pruning.set_pruning_time(c, time))


def _raise_version(lease: Lease, stored: "Any") -> None:
    """Called when an action that changes its table is stored, before anyone else learns of it."""
    if not stored.cancelled() and stored.exception() is None and stored.result():
        lease.version += 1


def _rename(connection: DatabaseConnection, game: str, setup: Setup) -> None:
    connection.execute(sql.RENAME_GAME, {"game": game, "new_setup": _encode(setup)})


def _put_table(connection: DatabaseConnection, state: TableState) -> None:
    connection.execute(sql.PUT_TABLE, _row(state))
    _put_tokens(connection, state)


def put_new_table(connection: DatabaseConnection, state: TableState) -> bool:
    """Stores a new table; False, and nothing is written, if its code is in use."""
    if connection.execute(sql.PUT_NEW_TABLE, _row(state)).rowcount == 0:
        return False
    _put_tokens(connection, state)
    return True


def _row(state: TableState) -> dict[str, Any]:
    return {
        "id": state.id,
        "code": state.code,
        "phase": state.phase,
        "state": _encode(in_our_format(state)),
        "created": state.created,
        "changed": state.changed,
    }


def _put_tokens(connection: DatabaseConnection, state: TableState) -> None:
    connection.execute(sql.CLEAR_TOKENS, {"id": state.id})
    for key, seat in state.tokens():
        connection.execute(sql.PUT_TOKEN, {"hash": key, "table_id": state.id, "seat": seat})
