"""Takes tables out of the store, a few at a time, and replays their games in a thread of its own.

After a restart hundreds of tables may be wanted at once.  They neither wait for bots nor hold them up, and tables to
which a player returns come first.  A replay needs Python's global lock, so a second thread would not be faster, and the
event loop would have to wait for both.
"""

import asyncio
import contextlib
import time
from collections.abc import AsyncIterator, Callable
from concurrent.futures import ThreadPoolExecutor
from enum import IntEnum
from typing import TypeVar

from foretell.errors import NotAllowed
from foretell.server.fair_queue import FairQueue, Job

__all__ = ["Wakeups", "Waking"]

T = TypeVar("T")

_AT_ONCE = 2  # so that the store reads one table while the game of another is replayed


class Waking(IntEnum):
    """Who wants a game, the most urgent first."""

    FOR_PLAYER = 0
    FOR_VISITOR = 1
    LOOK_UP = 2  # by HTTP, for a list or a replay


class Wakeups:
    """All tables of a process that are being woken.  It belongs to the event loop, except for its thread.

    `on_start` is called with the name of a class of urgency, and the seconds that a table has waited for its turn.
    """

    def __init__(self) -> None:
        self._queue = FairQueue(len(Waking))
        self._at_work = 0
        self._thread = ThreadPoolExecutor(1, thread_name_prefix="wake")
        self.on_start: Callable[[str, float], None] = lambda _name, _seconds: None

    @contextlib.asynccontextmanager
    async def turn(self, owner: str, urgency: Waking) -> AsyncIterator[None]:
        """Waits for the turn of this table or game.  Inside the context it is one of the few that are at work."""
        since = time.perf_counter()
        if self._at_work < _AT_ONCE:
            self._at_work += 1
        else:
            await self._wait(owner, urgency, since)
        try:
            self.on_start(urgency.name.lower(), time.perf_counter() - since)
            yield
        finally:
            self._let_next_one_in()

    async def _wait(self, owner: str, urgency: Waking, since: float) -> None:
        begins = asyncio.Event()
        job = Job(owner, urgency, begins.set, since)
        if not self._queue.put(job):
            raise NotAllowed("too_many_requests", seconds=1)
        try:
            await begins.wait()
        except asyncio.CancelledError:
            if not self._queue.remove(job):  # its turn has come in the meantime
                self._let_next_one_in()
            raise

    def _let_next_one_in(self) -> None:
        job = self._queue.take()
        if job is None:
            self._at_work -= 1
        else:
            job.taken()()

    def hurry(self, owner: str) -> None:
        """Lets a table that waits for a visitor be woken first: a player wants it too."""
        self._queue.hurry(owner, Waking.FOR_PLAYER)

    async def in_thread(self, work: Callable[[], T]) -> T:
        """The answer of work that replays a game."""
        return await asyncio.get_running_loop().run_in_executor(self._thread, work)

    async def look_up(self, game: str, work: Callable[[], T]) -> T:
        """The answer of work that replays a stored game, when its turn comes."""
        async with self.turn(game, Waking.LOOK_UP):
            return await self.in_thread(work)

    def close(self) -> None:
        self._thread.shutdown(wait=False, cancel_futures=True)
