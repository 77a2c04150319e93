"""A few threads that share their time fairly among many tables, so that the event loop does not wait for slow work."""

import asyncio
import contextlib
import threading
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any

from foretell.server.fair_queue import FairQueue, Job
from foretell.server.logs import log
from foretell.server.thinking import NotNeeded

__all__ = ["FairThreads", "TooMuchWork"]


class TooMuchWork(Exception):
    """The table has as much work waiting as it may have."""


class FairThreads:
    """Threads with one fair queue.

    Each class of urgency has a name, the most urgent first.  Classes from `background` on never take up all threads, if
    there are several, so that urgent work finds one free.  `on_start` is called in the thread with the name of a job's
    class and the seconds that the job has waited.
    """

    def __init__(self, name: str, threads: int, classes: tuple[str, ...], background: int) -> None:
        self._classes, self._background = classes, background
        self._lock = threading.Lock()
        self._queue = FairQueue(len(classes))
        self._busy_in_background = 0
        self._left_over = 0  # calls of `_work` that found no job which they might do
        self._most_in_background = max(1, threads - 1)
        self._pool = ThreadPoolExecutor(threads, thread_name_prefix=name)
        self.on_start: Callable[[str, float], None] = lambda _name, _seconds: None

    @property
    def waiting(self) -> int:
        """The number of jobs that no thread has begun."""
        with self._lock:
            return len(self._queue)

    def submit(
        self, table: str, urgency: int, work: Callable[[], None], *, payer: str | None = None
    ) -> Job:
        """Lets a thread do the work when its turn comes; refuses a table with too much waiting work."""
        job = Job(table, urgency, work, time.perf_counter(), payer=payer)
        with self._lock:
            if not self._queue.put(job):
                raise TooMuchWork
        # Each job calls for a thread.  Which job the thread then does is up to the queue.
        self._pool.submit(self._work)
        return job

    def cancel(self, job: Job) -> bool:
        """Removes a job; False if a thread has begun it."""
        with self._lock:
            return self._queue.remove(job)

    def hurry(self, table: str, urgency: int) -> None:
        """Makes this table's waiting work more urgent."""
        with self._lock:
            self._queue.hurry(table, urgency)

    async def run(
        self,
        table: str,
        urgency: int,
        work: Callable[[], Any],
        is_needed: Callable[[], bool] = lambda: True,
        *,
        payer: str | None = None,
    ) -> Any:
        """The answer of the work.  If nobody needs it when its turn comes, it is not done: NotNeeded is raised."""
        loop = asyncio.get_running_loop()
        answer: asyncio.Future[Any] = loop.create_future()

        def do() -> None:
            result: Any = None
            error: BaseException | None = None
            try:
                if not is_needed():
                    raise NotNeeded
                result = work()
            except BaseException as raised:
                error = raised
            # If the loop is closed, nobody waits for the answer.
            with contextlib.suppress(RuntimeError):
                loop.call_soon_threadsafe(_answer, answer, result, error)
            error = None  # its traceback refers to this function: that would be a cycle

        job = self.submit(table, urgency, do, payer=payer)
        try:
            return await answer
        finally:
            self.cancel(job)  # if the caller was cancelled while the job was waiting

    def close(self) -> None:
        """Drops all waiting work.  Work that has begun is finished."""
        with self._lock:
            self._queue = FairQueue(len(self._classes))
        self._pool.shutdown(wait=False, cancel_futures=True)

    # In the threads

    def _work(self) -> None:
        """Does the next job.  There is one call for each job, so that nothing piles up however busy the threads are."""
        job = self._next()
        while job is not None:
            try:
                self.on_start(self._classes[job.urgency], time.perf_counter() - job.since)
                job.taken()()
            except BaseException as error:
                # The thread goes on: it may be the only one that other jobs wait for.
                log.error("work failed", error=type(error).__name__)
            job = self._one_left_over() if job.urgency >= self._background else None

    def _next(self) -> Job | None:
        with self._lock:
            is_full = self._busy_in_background >= self._most_in_background
            job = self._queue.take(self._background - 1 if is_full else None)
            if job is None:
                self._left_over += is_full and len(self._queue) > 0
            elif job.urgency >= self._background:
                self._busy_in_background += 1
            return job

    def _one_left_over(self) -> Job | None:
        """After a job in the background: another one, if a thread has left it because too many were busy with such."""
        with self._lock:
            self._busy_in_background -= 1
            if not self._left_over:
                return None
            self._left_over -= 1
        return self._next()


def _answer(answer: "asyncio.Future[Any]", result: object, error: BaseException | None) -> None:
    if answer.done():
        return
    if error is None:
        answer.set_result(result)
    elif isinstance(error, Exception) and not isinstance(error, StopIteration):
        answer.set_exception(error)
    else:
        answer.set_exception(RuntimeError(f"the work raised {type(error).__name__}"))
