"""The store in PostgreSQL, for one process or many.  The database decides which process a table belongs to.

One thread writes (`group_commit`), a few others read, and one renews the lease, each with its own connection.  One more
connection listens for news.
"""

import asyncio
from collections.abc import Callable, Collection
from typing import TypeVar

from foretell.server.logs import log
from foretell.server.store import ownership, processes, pruning
from foretell.server.store.bus import Bus
from foretell.server.store.formats import read_state
from foretell.server.store.group_commit import GroupCommit, StoreClosed
from foretell.server.store.interface import (
    Elsewhere,
    GameRow,
    Lease,
    LoggedAction,
    NewerTable,
    Peer,
    PendingAppend,
    Renewal,
    TableState,
    Taken,
)
from foretell.server.store.notify_bus import NotifyBus
from foretell.server.store.postgresql_database import (
    TIMEOUT,
    PostgresqlConnection,
    PostgresqlDatabase,
    connect,
    migrate,
)
from foretell.server.store.postgresql_threads import AskingThreads
from foretell.server.store.processes import Process
from foretell.server.store.sql_store import SqlStore, put_new_table

__all__ = ["PostgresqlStore"]

T = TypeVar("T")

_READERS = 4  # threads, each with a connection


class PostgresqlStore(SqlStore[PostgresqlConnection]):
    """A Store in a PostgreSQL database, used by this process under its own name."""

    def __init__(
        self,
        url: str,
        process: Process,
        *,
        keep: pruning.Keep | None = None,
        bus: Bus | None = None,
        on_commit: Callable[[int, float], None] = lambda _writes, _seconds: None,
    ) -> None:
        self.process = process
        self._url = url
        migrate(url)
        first = connect(url)
        processes.renew(first, process)
        first.close()
        self._readers = AskingThreads(url, _READERS, "store-read", TIMEOUT)
        # The lease must not run out because everything else waits for the database, so that nothing is before it.
        self._renewer = AskingThreads(url, 1, "store-renew", process.lease / 3)
        self.bus: Bus = bus or NotifyBus(url, self._read)
        database = PostgresqlDatabase(url, ownership.insert_actions)
        super().__init__(GroupCommit(database, on_commit), keep)

    # Reading

    async def _read(self, read: Callable[[PostgresqlConnection], T]) -> T:
        return await self._readers.ask(read)

    async def table(self, key: str) -> TableState | None:
        return await super().table(key) if _can_be_key(key) else None

    async def game(self, game: str) -> GameRow | None:
        return await super().game(game) if _can_be_key(game) else None

    # Ownership

    async def add(self, state: TableState) -> Lease | None:
        def write(connection: PostgresqlConnection) -> bool:
            if not put_new_table(connection, state):
                return False
            ownership.add(connection, state.id, self.process.id)
            return True

        return Lease(state.id, 1, 0) if await self._write(write) else None

    async def take(self, state: TableState) -> Taken | Elsewhere | None:
        def read(connection: PostgresqlConnection) -> Taken | Elsewhere | None:
            with connection.raw.transaction():
                ownership.adopt(connection, state.id, state.game)
                lease = ownership.take(connection, state.id, self.process.id)
                # Read after the row of `ownership` is ours: whoever wrote before has finished.
                row = connection.execute(
                    "SELECT state FROM tables WHERE id = :id FOR SHARE", {"id": state.id}
                ).fetchone()
                if row is None:
                    connection.execute(
                        "DELETE FROM ownership WHERE table_id = :id", {"id": state.id}
                    )
                    return None
                found = read_state(row[0])
                if lease is not None:
                    return Taken(found, lease)
                owner = ownership.owner_of(connection, state.id)
                return None if owner is None else Elsewhere(state.id, owner, found)

        while True:
            taken = await self._read(read)
            if taken is not None or await self.table(state.id) is None:
                return taken
            # The lease of its owner ran out between two statements: try again.

    async def release(self, leases: Collection[Lease]) -> None:
        if leases:
            await self._write(lambda connection: ownership.release(connection, list(leases)))

    async def renew(self) -> Renewal:
        def read(connection: PostgresqlConnection) -> Renewal:
            still_ours = None
            if not processes.renew(connection, self.process):
                rows = connection.execute(
                    "SELECT table_id, epoch FROM ownership WHERE owner = :id",
                    {"id": self.process.id},
                )
                still_ours = frozenset((row[0], row[1]) for row in rows)
            living = frozenset(one.id for one in processes.living(connection))
            return Renewal(living, still_ours)

        return await self._renewer.ask(read)

    @property
    def lease(self) -> float:
        return self.process.lease

    @property
    def name(self) -> str:
        return self.process.id

    # The other processes

    async def peers(self) -> list[Peer]:
        return await self._read(processes.living)

    async def reader_of(self, newer: NewerTable) -> Peer | None:
        return await self._read(lambda c: processes.reader_of(c, newer))

    async def publish(self, listed: bytes) -> None:
        await self._read(lambda c: processes.publish(c, self.process.id, listed))

    async def listings(self) -> list[bytes]:
        return await self._read(lambda c: processes.listings(c, self.process.id))

    # Actions

    def _append(self, game: str, action: LoggedAction, lease: Lease | None) -> PendingAppend:
        assert lease is not None
        return self._commits.append(ownership.row_of(lease, game, action))

    def _insert(
        self,
        connection: PostgresqlConnection,
        game: str,
        action: LoggedAction,
        lease: Lease | None,
        *,
        has_state: bool,
    ) -> bool:
        assert lease is not None
        if has_state and not ownership.may_save(connection, lease):
            return False
        return next(ownership.insert_actions(connection, [ownership.row_of(lease, game, action)]))

    def _may_save(
        self, connection: PostgresqlConnection, lease: Lease | None, begun: str | None
    ) -> bool:
        assert lease is not None
        return ownership.may_save(connection, lease, begun)

    # Pruning

    async def prunes(self) -> bool:
        return await self._read(lambda c: processes.is_first(c, self.process.id))

    async def delete_old_tables(self, now: float, tables: Collection[str]) -> int:
        def write(connection: PostgresqlConnection) -> int:
            free = [one for one in tables if ownership.is_free(connection, one)]
            return pruning.delete_old_tables(connection, self.keep, now, free)

        return await self._write(write)

    # The store itself

    async def is_well(self) -> bool:
        try:
            statement = "UPDATE processes SET until = until WHERE id = :id"
            values = {"id": self.process.id}
            await asyncio.wait_for(self._write(lambda c: c.execute(statement, values)), 5)
        except Exception as error:
            if not isinstance(error, StoreClosed):
                log.warning("database does not answer", error=type(error).__name__)
            return False
        return True

    async def close(self) -> None:
        try:
            await self._read(lambda c: processes.leave(c, self.process.id))
        except Exception as error:
            # Its lease runs out by itself.
            log.warning("process not signed off", error=type(error).__name__)
        await self._commits.close()
        await self.bus.close()
        self._readers.close()
        self._renewer.close()


def _can_be_key(text: str) -> bool:
    """Whether a text from an address can be asked for: PostgreSQL refuses NUL, and every key is ASCII."""
    return text.isascii() and "\0" not in text
