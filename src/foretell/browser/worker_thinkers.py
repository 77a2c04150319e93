"""Bots and the coach in a second worker, so that the tables and the page never wait for them."""

import asyncio
import json
import pickle
import time
from base64 import b64decode, b64encode
from collections.abc import Callable, Iterable
from functools import partial
from random import Random
from typing import Any

from foretell.bots import bot
from foretell.browser.host import Host
from foretell.browser.levels_here import COACH, WITHOUT_NETS, can_think, chosen, nets_of
from foretell.engine import Action, View
from foretell.errors import NotAllowed
from foretell.server.fair_queue import FairQueue, Job
from foretell.server.logs import log
from foretell.server.thinking import NotNeeded, Thinking

__all__ = ["WorkerThinkers", "done", "nets_for"]

# A worker that is ended takes seconds to come back, so it gets a moment to finish what nobody waits for any more.
_GRACE = 1.0

_OnDone = Callable[[bool, Any], None]
"""Called with whether the work succeeded, and with its answer."""


def nets_for(who: str) -> str:
    """The files of the nets that a level, or the coach, thinks with, as a JSON list."""
    return json.dumps(sorted(nets_of(who)))


def done(who: str, work: str) -> str:
    """Does the work, in the second worker."""
    answer: tuple[bool, Any]
    try:
        if who == COACH and not can_think(COACH):
            answer = False, NotAllowed("nets_missing")
        else:
            answer = True, pickle.loads(b64decode(work))()
    except Exception as error:  # no more than its type: its text could name cards
        answer = False, type(error).__name__
    return b64encode(pickle.dumps(answer)).decode()


class _BotTask:
    """A bot at work, or waiting for its turn."""

    def __init__(self, thinkers: "WorkerThinkers") -> None:
        self._thinkers = thinkers
        self.is_stopped = False
        self.job: Job | None = None

    def stop(self) -> None:
        self.is_stopped = True
        if self.job is not None:
            self._thinkers.stop(self.job)


class WorkerThinkers:
    """Sends one job after another to the second worker, the most urgent first."""

    def __init__(self, host: Host) -> None:
        self._host = host
        self._queue = FairQueue(len(Thinking))
        self._number = 0  # of the last job that was sent
        self._at_work: tuple[Job, _OnDone] | None = None
        self._weaker: dict[str, str] = {}  # levels whose nets are not here, and what they play as
        self.on_start: Callable[[str, float], None] = lambda _name, _seconds: None

    @property
    def waiting(self) -> int:
        return len(self._queue)

    def think(
        self,
        level: str,
        view: View,
        random: Random,
        on_choice: Callable[[Action | None], None],
        *,
        table: str,
        payer: str | None = None,
        urgency: Thinking = Thinking.FOR_PEOPLE,
        on_thought: Callable[[float], None] = lambda _seconds: None,
    ) -> _BotTask:
        task = _BotTask(self)

        def report(is_right: bool, answer: Any) -> None:
            if task.is_stopped:
                return
            if is_right:
                action, played = answer
            else:  # nothing thinks beside the tables: a bot that needs nothing plays at once
                log.error("bot failed", level=level, decision=view.decision, error=answer)
                action, played = bot(WITHOUT_NETS).choose(view, random), WITHOUT_NETS
            self._report_level(level, played)
            on_choice(action)

        work = partial(chosen, level, view, random)
        task.job = self._submit(table, urgency, level, work, report, payer=payer)
        return task

    def prepare(self, levels: Iterable[str]) -> None:
        """Bots of these levels will play: their nets can be loaded now."""
        for level in sorted(set(levels)):
            self._host.prepare(level)

    def _report_level(self, level: str, played: str) -> None:
        """Tells the page when a level begins or ends to play as a weaker one."""
        if self._weaker.get(level, level) != played:
            self._weaker[level] = played
            self._host.report_level(level, played)

    async def run(
        self,
        table: str,
        urgency: int,
        work: Callable[[], Any],
        is_needed: Callable[[], bool] = lambda: True,
        *,
        payer: str | None = None,
    ) -> Any:
        answer: asyncio.Future[Any] = asyncio.get_running_loop().create_future()

        def report(is_right: bool, result: Any) -> None:
            if answer.done():
                return
            if is_right:
                answer.set_result(result)
            elif isinstance(result, NotAllowed):
                answer.set_exception(result)
            else:
                answer.set_exception(
                    NotNeeded() if result is None else RuntimeError(f"the work raised {result}")
                )

        job = self._submit(table, urgency, COACH, work, report, payer=payer, is_needed=is_needed)
        try:
            return await answer
        finally:
            self.stop(job)

    def _submit(
        self,
        table: str,
        urgency: int,
        who: str,
        work: Callable[[], Any],
        on_done: _OnDone,
        *,
        payer: str | None,
        is_needed: Callable[[], bool] = lambda: True,
    ) -> Job:
        def send() -> None:
            if is_needed():
                self._host.think(self._number, who, b64encode(pickle.dumps(work)).decode())
            else:
                self._finish(False, None)

        job = Job(table, urgency, lambda: (send, on_done), time.perf_counter(), payer=payer)
        self._queue.put(job)
        self._begin()
        return job

    def _begin(self) -> None:
        """Sends the next job, if the worker has nothing to do."""
        if self._at_work is not None:
            return
        job = self._queue.take()
        if job is None:
            return
        send, on_done = job.taken()()
        self._number += 1
        self._at_work = job, on_done
        self.on_start(Thinking(job.urgency).name.lower(), time.perf_counter() - job.since)
        send()

    def thought(self, number: int, answer: str) -> None:
        """The second worker has done its work, or answers nothing: then it has failed.

        Answers to earlier jobs are ignored: that worker was ended.
        """
        if number == self._number and self._at_work is not None:
            failed = False, "WorkerFailed"
            self._finish(*(pickle.loads(b64decode(answer)) if answer else failed))

    def _finish(self, is_right: bool, answer: Any) -> None:
        assert self._at_work is not None
        _, on_done = self._at_work
        self._at_work = None
        on_done(is_right, answer)
        self._begin()

    def stop(self, job: Job) -> None:
        """Nobody waits for this job any more."""
        if self._at_work is not None and self._at_work[0] is job:
            asyncio.get_running_loop().call_later(_GRACE, self._end, self._number)
        else:
            self._queue.remove(job)

    def _end(self, number: int) -> None:
        """Ends a job that still goes on."""
        if number == self._number and self._at_work is not None:
            self._number += 1  # so that a late answer is ignored
            self._host.restart_thinking()
            self._finish(False, "Stopped")

    def hurry(self, table: str, urgency: int) -> None:
        self._queue.hurry(table, urgency)

    def close(self) -> None:
        self._queue = FairQueue(len(Thinking))
