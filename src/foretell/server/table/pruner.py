"""Deletes old tables and games, a few at a time, so that no move waits long for the disk.

It does not trust the machine's clock alone.  A clock that leaps to the year 2099 would make everything look old.  So
the time by which data is deleted is kept in the store.  It follows the clock, but never advances by more than twice the
time for which the server has run.  After the server was off for a long time it catches up in the same way, and old data
is kept a while longer than promised.
"""

import asyncio
import time
from collections.abc import Callable

from foretell.server.logs import log
from foretell.server.table.lobby import Lobby

__all__ = ["Pruner"]

_EVERY = 6 * 3600.0  # seconds
_FASTEST = 2.0
_BATCH = 10  # tables or games deleted in one transaction: some milliseconds
_REST = 0.1  # seconds between two batches
_LOOKED_UP = 1000  # tables
_DAY = 86400.0
_NO_EARLIER = 1767225600.0  # the beginning of 2026: an earlier time is that of a machine whose clock was never set


class Pruner:
    """Prunes the store while the server runs.  It never deletes a table that is awake or is being woken."""

    def __init__(self, lobby: Lobby, monotonic: Callable[[], float] = time.monotonic) -> None:
        self._lobby, self._monotonic = lobby, monotonic
        self._store = lobby.services.store
        self._last = monotonic()

    async def run(self) -> None:
        """Prunes now and every few hours, until it is cancelled."""
        while True:
            try:
                gone = await self.prune()
                log.info("pruned", gone=gone)
            except Exception as error:
                log.error("pruning failed", error=type(error).__name__)
            await asyncio.sleep(_EVERY)

    async def prune(self) -> int:
        """Deletes everything that is too old, in small batches, and returns how many tables and games it was."""
        if not await self._store.prunes():
            self._last = self._monotonic()
            return 0
        now = await self._trusted_time()
        count = 0
        while gone := await self._prune_tables(now):
            count += gone
        while gone := await self._store.delete_old_games(now, _BATCH):
            count += gone
            await asyncio.sleep(_REST)
        return count

    async def _prune_tables(self, now: float) -> int:
        old = await self._store.old_tables(now, _LOOKED_UP)
        count = 0
        for start in range(0, len(old), _BATCH):
            with self._lobby.kept_asleep(old[start : start + _BATCH]) as tables:
                if tables:
                    count += await self._store.delete_old_tables(now, tables)
            await asyncio.sleep(_REST)
        return count

    async def _trusted_time(self) -> float:
        """The time by which data is old.  It is stored, and the next one is measured from it."""
        now, ran = self._lobby.services.now(), self._monotonic() - self._last
        before = await self._store.pruning_time()
        trusted = now if before is None else min(now, max(before, _NO_EARLIER) + _FASTEST * ran)
        if now - trusted > _DAY:
            log.warning("the clock is ahead: less is deleted", days=round((now - trusted) / _DAY))
        await self._store.set_pruning_time(trusted)
        self._last += ran
        return trusted
