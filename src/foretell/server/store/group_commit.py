"""The one thread that writes to the database, and its group commits.

What is asked for in one turn of the event loop, and in the turns right after it, goes to the thread together; what
arrives while a commit is under way shares the next one.  So the disk is waited for once for all of them, and the
thread, which needs the interpreter's lock whenever it comes back from SQLite, comes back seldom: all the actions of a
group are one statement.
"""

import asyncio
import contextlib
import queue
import sqlite3
import threading
import time
from collections.abc import Callable
from functools import cache
from itertools import chain
from typing import Any, TypeVar

import msgspec

__all__ = ["GroupCommit", "Write"]

T = TypeVar("T")

Row = tuple[str, int, int, str, bool, float]
"""An action as its columns: game, number, seat, action, by a bot, at."""

_MOST_TOGETHER = 1000
_ENOUGH_TOGETHER = 16  # not worth waiting for more
_QUIET_TURNS = 3  # after which no more is waited for
_MOST_ROWS = 32  # in one statement; each count of rows is a statement of its own, and kept prepared


Meanwhile = Callable[[], None]
"""Called in the event loop's thread while the disk is at work, before the answer; work that would follow anyway."""


class Write(msgspec.Struct):
    """A row to be appended, or anything else that is done to the database; and who waits for it."""

    what: Row | Callable[[sqlite3.Connection], Any]
    answer: "asyncio.Future[Any]"
    meanwhile: Meanwhile | None = None


class GroupCommit:
    """Writes in groups.  Used from one event loop; `connect` and `on_commit` are called in the thread.

    `on_commit` hears how many writes a group had, and the seconds from the first of them to the disk.
    """

    def __init__(
        self, connect: Callable[[], sqlite3.Connection], on_commit: Callable[[int, float], None]
    ) -> None:
        self._connect, self._on_commit = connect, on_commit
        self._asked: list[Write] = []
        self._since = 0.0
        self._groups: queue.SimpleQueue[tuple[float, list[Write]] | None] = queue.SimpleQueue()
        self._thread = threading.Thread(target=self._write_all, name="store-write", daemon=True)
        self._thread.start()

    def append(self, row: Row, meanwhile: Meanwhile | None) -> "asyncio.Future[bool]":
        """Whether the row was written; not where its number is taken."""
        return self._ask(row, meanwhile)

    def do(self, write: Callable[[sqlite3.Connection], T]) -> "asyncio.Future[T]":
        """What the function answered, once it is on disk."""
        return self._ask(write)

    async def close(self) -> None:
        self._hand_over()
        self._groups.put(None)
        await asyncio.get_running_loop().run_in_executor(None, self._thread.join)

    def _ask(
        self,
        what: Row | Callable[[sqlite3.Connection], Any],
        meanwhile: Meanwhile | None = None,
    ) -> "asyncio.Future[Any]":
        loop = asyncio.get_running_loop()
        answer: asyncio.Future[Any] = loop.create_future()
        if not self._asked:
            self._since = time.perf_counter()
            loop.call_soon(self._gather, loop, 0, 0)
        self._asked.append(Write(what, answer, meanwhile))
        return answer

    def _gather(self, loop: asyncio.AbstractEventLoop, before: int, quiet: int) -> None:
        """Hands the group over once some turns of the loop have brought nothing more to it.

        Players who have heard of the same commit answer within moments of each other.  A turn costs some
        microseconds; a commit costs a hundred, and nearly as much for one action as for ten.
        """
        count = len(self._asked)
        quiet = 0 if count > before else quiet + 1
        if count < _ENOUGH_TOGETHER and quiet < _QUIET_TURNS:
            loop.call_soon(self._gather, loop, count, quiet)
        else:
            self._hand_over()

    def _hand_over(self) -> None:
        if self._asked:
            self._groups.put((self._since, self._asked))
            self._asked = []

    # In the thread

    def _write_all(self) -> None:
        """Takes whatever is waiting, one transaction for all, then tells everyone."""
        with contextlib.closing(self._connect()) as connection:
            while (found := self._groups.get()) is not None:
                (since, group), ends = found, False
                while len(group) < _MOST_TOGETHER and not self._groups.empty():
                    more = self._groups.get()
                    if more is None:
                        ends = True
                        break
                    group = group + more[1]
                loop = group[0].answer.get_loop()
                _call(loop, _work_ahead, group)
                _call(loop, _tell, self._committed(connection, group, since))
                if ends:
                    return

    def _committed(
        self, connection: sqlite3.Connection, group: list[Write], since: float
    ) -> "list[tuple[Write, Any, BaseException | None]]":
        """Each write with its answer, or with what went wrong."""
        failed: BaseException | None = None
        try:
            answers = _written(connection, group)
        except BaseException as error:
            # Nothing of this group is on disk, and everyone in it has to know.
            if connection.in_transaction:
                # A disk that fails may fail this too: the thread lives on, or nobody would ever be answered again.
                with contextlib.suppress(sqlite3.Error):
                    connection.execute("ROLLBACK")
            if len(group) > 1:
                # One bad write, or one number that is taken, must not fail its neighbours: each alone.
                return [done for one in group for done in self._committed(connection, [one], since)]
            answers, failed = [None], error
        self._on_commit(len(group), time.perf_counter() - since)
        return [(one, answer, failed) for one, answer in zip(group, answers, strict=True)]


def _written(connection: sqlite3.Connection, group: list[Write]) -> list[Any]:
    """Everything in one transaction; a single statement is one already."""
    rows = [one.what for one in group if isinstance(one.what, tuple)]
    if len(rows) == len(group) <= _MOST_ROWS:
        return _appended(connection, rows)
    connection.execute("BEGIN IMMEDIATE")
    starts = range(0, len(rows), _MOST_ROWS)
    groups = [_appended(connection, rows[start : start + _MOST_ROWS]) for start in starts]
    appended = chain.from_iterable(groups)
    answers = [
        next(appended) if isinstance(one.what, tuple) else one.what(connection) for one in group
    ]
    connection.execute("COMMIT")
    return answers


def _appended(connection: sqlite3.Connection, rows: list[Row]) -> list[bool]:
    """A number that is taken fails the statement, and with it the group; a row alone is answered with a no."""
    count = connection.execute(_appending(len(rows)), list(chain.from_iterable(rows))).rowcount
    return [True] * count or [False]


@cache
def _appending(rows: int) -> str:
    places = ", ".join(["(?, ?, ?, ?, ?, ?)"] * rows)
    taken = " ON CONFLICT DO NOTHING" if rows == 1 else ""
    columns = "game_id, number, seat, action, by_bot, at"
    return f"INSERT INTO actions ({columns}) VALUES {places}{taken}"


def _call(loop: asyncio.AbstractEventLoop, call: Callable[[T], None], what: T) -> None:
    """In the event loop: one wake-up for the whole group."""
    # Where the loop is closed nobody is left to be told; what was written stays written.
    with contextlib.suppress(RuntimeError):
        loop.call_soon_threadsafe(call, what)


# In the event loop again


def _work_ahead(group: list[Write]) -> None:
    # What fails here fails again when it is due, and is answered for there.
    with contextlib.suppress(Exception):
        for one in group:
            if one.meanwhile is not None:
                one.meanwhile()


def _tell(done: "list[tuple[Write, Any, BaseException | None]]") -> None:
    for one, result, error in done:
        if one.answer.cancelled():
            continue
        if error is None:
            one.answer.set_result(result)
        else:
            one.answer.set_exception(error)
