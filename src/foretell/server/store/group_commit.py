"""The only thread that writes to the database.  It commits many writes together.

Writes that are requested in one turn of the event loop, and in the turns right after it, go to the thread as one group.
Writes that arrive during a commit share the next one.  So the whole group waits for the disk once.  Each call
of SQLite ends with a wait for Python's global lock, so the thread makes few calls: one statement inserts all actions of
a group.

A write that fails does not affect the others: if a group fails, each of its writes is tried again alone.  But if nobody
knows whether a group was stored, because the connection was lost, nothing is tried again.  Nor is it if the database
does not answer: every write would wait for that again, and everything that is requested meanwhile would wait too.
"""

import asyncio
import contextlib
import queue
import threading
import time
from collections.abc import Callable
from typing import Any, Generic, TypeVar

import msgspec

from foretell.server.logs import log
from foretell.server.store.database import Database, Work
from foretell.server.store.interface import OwnershipLost, PendingAppend

__all__ = ["GroupCommit", "StoreClosed"]

C = TypeVar("C")
T = TypeVar("T")

_MOST_TOGETHER = 1000  # writes in one transaction
_ENOUGH_TOGETHER = 16  # a group of so many writes does not wait for more
_QUIET_TURNS = 3  # turns of the event loop without a new write, after which a group is complete


class StoreClosed(Exception):
    """The store is closed: nothing was written."""


class _Write(PendingAppend, frozen=True):
    """One write.  `work` is a row to insert, or a function to call with the connection."""

    stored: "asyncio.Future[Any]"
    work: Work[Any]


class _Result(msgspec.Struct, frozen=True):
    """How a write ended: with an answer once it is on disk, or with an error."""

    write: _Write
    answer: Any = None
    error: Exception | None = None


class GroupCommit(Generic[C]):
    """Writes in groups.  It belongs to one event loop; the database and `on_commit` are used in the writing thread.

    `on_commit` is called after each commit with the number of its writes and the seconds since the first of them was
    requested.
    """

    def __init__(self, database: Database[C], on_commit: Callable[[int, float], None]) -> None:
        self._database, self._on_commit = database, on_commit
        self._connection: C | None = None  # used by the thread only
        self._requested: list[_Write] = []
        self._first_requested_at = 0.0
        self._is_closed = False
        # Each group with the time of its first request; None asks the thread to end.
        self._groups: queue.SimpleQueue[tuple[float, list[_Write]] | None] = queue.SimpleQueue()
        self._thread = threading.Thread(target=self._write_groups, name="store-write", daemon=True)
        self._thread.start()

    def append(self, work: Work[C]) -> PendingAppend:
        """Appends a row, or calls a function that does.  The result says whether the row was stored."""
        if self._is_closed:
            raise StoreClosed
        loop = asyncio.get_running_loop()
        if not self._requested:
            self._first_requested_at = time.perf_counter()
            loop.call_soon(self._gather, loop, 0, 0)
        write = _Write(loop.create_future(), loop.create_future(), work)
        self._requested.append(write)
        return write

    def run(self, work: Callable[[C], T]) -> "asyncio.Future[T]":
        """Calls the function, and returns its answer once everything that it wrote is on disk.

        The function may be called a second time, after a rollback, if another write of its group fails.
        """
        stored: asyncio.Future[Any] = self.append(work).stored
        return stored

    async def close(self) -> None:
        """Writes what has been requested so far, and ends the thread."""
        self._is_closed = True
        self._hand_over()
        self._groups.put(None)
        await asyncio.get_running_loop().run_in_executor(None, self._thread.join)

    def _gather(self, loop: asyncio.AbstractEventLoop, before: int, quiet_turns: int) -> None:
        """Hands the group over once a few turns of the loop have added nothing to it.

        Players who learn of the same commit often act at nearly the same time.  A turn of the loop takes a few
        microseconds.  A commit takes about a hundred, whether it has one action or ten.
        """
        count = len(self._requested)
        quiet_turns = 0 if count > before else quiet_turns + 1
        if count < _ENOUGH_TOGETHER and quiet_turns < _QUIET_TURNS:
            loop.call_soon(self._gather, loop, count, quiet_turns)
        else:
            self._hand_over()

    def _hand_over(self) -> None:
        if self._requested:
            self._groups.put((self._first_requested_at, self._requested))
            self._requested = []

    # In the thread

    def _write_groups(self) -> None:
        while (group := self._next_group()) is not None:
            requested_at, writes = group
            loop = writes[0].stored.get_loop()
            # Before the write, so that the event loop can prepare messages while the disk is busy.
            _call_in(loop, _tell_handed_over, writes)
            _call_in(loop, _tell_results, self._results(writes, requested_at))
        self._disconnect()

    def _next_group(self) -> tuple[float, list[_Write]] | None:
        """All waiting writes as one group; None when the thread should end."""
        group = self._groups.get()
        while group is not None and len(group[1]) < _MOST_TOGETHER and not self._groups.empty():
            more = self._groups.get()
            if more is None:
                self._groups.put(None)  # for the next call: this group is written first
                break
            group[1].extend(more[1])
        return group

    def _results(self, writes: list[_Write], requested_at: float) -> list[_Result]:
        """Writes everything in one transaction.  It never raises: each write gets a result."""
        try:
            connection = self._connected()
        except BaseException as error:
            return [_Result(one, error=_awaitable_error(error)) for one in writes]
        try:
            answers = self._database.commit(connection, [one.work for one in writes])
        except BaseException as error:
            if self._database.is_outcome_unknown(error):
                self._disconnect()
                log.error("outcome of a commit unknown", writes=len(writes))
                return [_Result(one, error=OwnershipLost("outcome unknown")) for one in writes]
            # Nothing of this group is on disk.
            self._roll_back()
            if len(writes) > 1 and not self._database.is_timeout(error):
                return self._results_alone(writes, requested_at)
            return [_Result(one, error=_awaitable_error(error)) for one in writes]
        self._report_commit(len(writes), time.perf_counter() - requested_at)
        return [_Result(one, answer) for one, answer in zip(writes, answers, strict=True)]

    def _results_alone(self, writes: list[_Write], requested_at: float) -> list[_Result]:
        """Tries each write in a transaction of its own, until the database does not answer any more."""
        results: list[_Result] = []
        for one in writes:
            last = results[-1].error if results else None
            if last is not None and self._database.is_timeout(last):
                results.append(_Result(one, error=last))
            else:
                results += self._results([one], requested_at)
        return results

    def _connected(self) -> C:
        if self._connection is None:
            self._connection = self._database.connect()
        return self._connection

    def _roll_back(self) -> None:
        """Ends the transaction.  If that fails, the connection is replaced by a new one.

        A single INSERT commits by itself, but not inside a transaction that was left open: it would be acknowledged
        and never committed.  Closing a connection makes the database roll back.
        """
        is_clean = False
        with contextlib.suppress(BaseException):
            is_clean = self._connection is not None and self._database.roll_back(self._connection)
        if not is_clean:
            self._disconnect()

    def _disconnect(self) -> None:
        connection, self._connection = self._connection, None
        if connection is not None:
            with contextlib.suppress(Exception):
                self._database.close(connection)

    def _report_commit(self, writes: int, seconds: float) -> None:
        try:
            self._on_commit(writes, seconds)
        except BaseException as error:
            # The writes are on disk, and their results must still be reported.
            log.error("commit not reported", error=type(error).__name__)


def _awaitable_error(error: BaseException) -> Exception:
    """The error in a form that a future accepts.

    A future refuses a StopIteration.  If a write raises an exit or a cancellation, it must not reach the event loop,
    because it would end the server.
    """
    if isinstance(error, Exception) and not isinstance(error, StopIteration):
        return error
    carried = RuntimeError(f"the write raised {type(error).__name__}")
    carried.__cause__ = error
    return carried


def _call_in(loop: asyncio.AbstractEventLoop, call: Callable[[T], None], argument: T) -> None:
    """Calls a function in the event loop's thread: the loop is woken once for the whole group."""
    # If the loop is closed, nobody waits for an answer.  What was written stays written.
    with contextlib.suppress(RuntimeError):
        loop.call_soon_threadsafe(call, argument)


# In the event loop again.  The code that waited for a future may have cancelled it.


def _tell_handed_over(writes: list[_Write]) -> None:
    for one in writes:
        if not one.handed_over.done():
            one.handed_over.set_result(None)


def _tell_results(results: list[_Result]) -> None:
    for one in results:
        stored = one.write.stored
        if stored.done():
            continue
        if one.error is None:
            stored.set_result(one.answer)
        else:
            stored.set_exception(one.error)
