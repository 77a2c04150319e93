"""Takes tables out of the store, a few at a time, and replays their games in a thread of its own.

After a restart hundreds of tables may be wanted at once.  They neither wait for bots nor hold them up, and tables to
which a player returns come first.  A replay needs Python's global lock, so a second thread would not be faster, and the
event loop would have to wait for both.
"""

import asyncio
import contextlib
import time
from collections.abc import AsyncIterator, Callable
from concurrent.futures import Executor
from enum import IntEnum
from typing import TypeVar

from foretell.errors import NotAllowed
from foretell.server.fair_queue import FairQueue, Job

__all__ = ["Wakeups", "Waking"]

T = TypeVar("T")

_AT_ONCE = 2  # so that the store reads one table while the game of another is replayed
# After a look-up the next one waits this many times as long as it took, so that even someone who asks without end
# leaves the global lock to the event loop most of the time.
_REST = 3.0
_LONGEST_REST = 0.2  # seconds


class Waking(IntEnum):
    """Who wants a game, the most urgent first."""

    FOR_PLAYER = 0
    FOR_VISITOR = 1
    LOOK_UP = 2  # by HTTP, for a list or a replay


class WakingTurns:
    """At most `at_once` are at work; the others wait in a fair queue."""

    def __init__(self, at_once: int) -> None:
        self.queue = FairQueue(len(Waking))
        self.free = at_once

    async def wait(self, table: str, urgency: Waking, payer: str | None) -> None:
        """Waits for the turn of this table or game.  Whoever has had a turn calls `end`."""
        if self.free:
            self.free -= 1
            return
        begins = asyncio.Event()
        job = Job(table, urgency, begins.set, time.perf_counter(), payer=payer)
        if not self.queue.put(job):
            raise NotAllowed("too_many_requests", seconds=1)
        try:
            await begins.wait()
        except asyncio.CancelledError:
            if not self.queue.remove(job):  # its turn has come in the meantime
                self.end()
            raise

    def end(self) -> None:
        """Lets the next one in."""
        job = self.queue.take()
        if job is None:
            self.free += 1
        else:
            job.taken()()


def _own_thread() -> Executor:
    from concurrent.futures import ThreadPoolExecutor  # noqa: PLC0415 (a browser has no threads)

    return ThreadPoolExecutor(1, thread_name_prefix="wake")


class Wakeups:
    """All tables of a process that are being woken.  It belongs to the event loop, except for its thread.

    `on_start` is called with the name of a class of urgency, and the seconds that a table has waited for its turn.
    `thread` replays the games; by default it is a thread of its own.
    """

    def __init__(self, thread: Executor | None = None) -> None:
        self._all, self._look_ups = WakingTurns(_AT_ONCE), WakingTurns(1)
        self._thread = thread or _own_thread()
        self.on_start: Callable[[str, float], None] = lambda _name, _seconds: None

    @contextlib.asynccontextmanager
    async def turn(
        self, table: str, urgency: Waking, payer: str | None = None
    ) -> AsyncIterator[None]:
        """Waits for the turn of this table or game.  Inside the context it is one of the few that are at work.

        `payer` is the network address that wants it: whoever wants many tables does not hold up those who want one.
        """
        since = time.perf_counter()
        await self._all.wait(table, urgency, payer)
        try:
            self.on_start(urgency.name.lower(), time.perf_counter() - since)
            yield
        finally:
            self._all.end()

    def hurry(self, table: str, payer: str | None = None) -> None:
        """Lets a table that waits for a visitor be woken first: a player wants it too."""
        self._all.queue.hurry(table, Waking.FOR_PLAYER, payer)

    async def in_thread(self, work: Callable[[], T]) -> T:
        """The answer of work that replays a game."""
        return await asyncio.get_running_loop().run_in_executor(self._thread, work)

    async def look_up(self, game: str, work: Callable[[], T], payer: str | None = None) -> T:
        """The answer of work that replays a stored game, when its turn comes."""
        await self._look_ups.wait(game, Waking.LOOK_UP, payer)
        seconds = 0.0
        try:
            async with self.turn(game, Waking.LOOK_UP, payer):
                begun = time.perf_counter()
                try:
                    return await self.in_thread(work)
                finally:
                    seconds = time.perf_counter() - begun
        finally:
            rest = min(_REST * seconds, _LONGEST_REST)
            asyncio.get_running_loop().call_later(rest, self._look_ups.end)

    def close(self) -> None:
        self._thread.shutdown(wait=False, cancel_futures=True)
