"""A store in memory, for tables without a server and for tests that do not need a disk."""

import asyncio
from collections.abc import Collection
from typing import TypeVar

from msgspec.structs import replace

from foretell.server.store.interface import (
    GameRow,
    Lease,
    LoggedAction,
    PendingAppend,
    Setup,
    TableState,
    Taken,
)

__all__ = ["MemoryStore"]

T = TypeVar("T")


class MemoryStore:
    """A Store in dictionaries."""

    def __init__(self) -> None:
        self._tables: dict[str, TableState] = {}
        self._games: dict[str, GameRow] = {}
        self._logs: dict[str, list[LoggedAction]] = {}
        self._reviews: dict[str, bytes] = {}

    async def table(self, key: str) -> TableState | None:
        found = (one for one in self._tables.values() if key in (one.id, one.code))
        return next(found, None)

    async def add(self, state: TableState) -> Lease | None:
        if await self.table(state.code) is not None:
            return None
        self._tables[state.id] = state
        return Lease(state.id)

    async def take(self, state: TableState) -> Taken:
        return Taken(state, Lease(state.id))

    async def release(self, leases: Collection[Lease]) -> None:
        pass

    async def save(
        self,
        state: TableState,
        *,
        lease: Lease | None = None,
        begun: GameRow | None = None,
        renamed: tuple[str, Setup] | None = None,
    ) -> None:
        self._tables[state.id] = state
        if begun is not None:
            self._games[begun.id] = begun
            self._logs[begun.id] = []
        if renamed is not None:
            game, setup = renamed
            self._games[game] = replace(self._games[game], setup=setup)

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
        is_stored = self._append(game, action, state, record)
        if is_stored and renamed is not None:
            self._games[game] = replace(self._games[game], setup=renamed)
        return PendingAppend(_done(None), _done(is_stored))

    def _append(
        self, game: str, action: LoggedAction, state: TableState | None, record: str | None
    ) -> bool:
        log = self._logs[game]
        if action.number != len(log):
            return False
        log.append(action)
        if record is not None:
            self._games[game] = replace(self._games[game], finished=action.at, record=record)
        if state is not None:
            self._tables[state.id] = state
        return True

    async def game(self, game: str) -> GameRow | None:
        return self._games.get(game)

    async def log(self, game: str) -> list[LoggedAction]:
        return list(self._logs.get(game, ()))

    async def seats_of(self, tokens: list[str]) -> dict[str, tuple[TableState, int, float]]:
        return {
            token: (state, seat, state.changed)
            for state in self._tables.values()
            for token, seat in state.tokens()
            if token in tokens
        }

    async def review(self, game: str) -> bytes | None:
        return self._reviews.get(game)

    async def save_review(self, game: str, review: bytes, made: float) -> None:
        self._reviews[game] = review

    async def prunes(self) -> bool:
        return True

    async def old_tables(self, now: float, most: int) -> list[tuple[str, str]]:
        return []

    async def delete_old_tables(self, now: float, tables: Collection[str]) -> int:
        return 0

    async def delete_old_games(self, now: float, most: int) -> int:
        return 0

    async def pruning_time(self) -> float | None:
        return None

    async def set_pruning_time(self, time: float) -> None:
        pass

    async def is_well(self) -> bool:
        return True

    async def close(self) -> None:
        pass


def _done(result: T) -> "asyncio.Future[T]":
    future: asyncio.Future[T] = asyncio.get_running_loop().create_future()
    future.set_result(result)
    return future
