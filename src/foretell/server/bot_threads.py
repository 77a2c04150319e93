"""Threads in which bots and the coach think, so that the event loop does not wait for them.

Tables take turns.  Bots that people wait for come first; then the coach's advice; then bots at tables whose people are
all away; then reviews of finished games.  A bot can be stopped.
"""

import asyncio
import contextlib
import os
import threading
from collections.abc import Callable
from enum import IntEnum
from random import Random
from typing import Any

from foretell.bots import bot
from foretell.engine import Action, View
from foretell.server.fair_queue import Job
from foretell.server.fair_threads import FairThreads
from foretell.server.logs import log

__all__ = ["BotTask", "BotThreads", "Thinking"]


class Thinking(IntEnum):
    """What a thread thinks about, the most urgent first."""

    FOR_PEOPLE = 0  # a bot that people wait for
    ADVICE = 1  # the coach, for a player who asked
    FOR_ABSENT = 2  # a bot at a table whose people are all away
    REVIEW = 3  # the coach, about a finished game


class BotTask:
    """A bot at work on one decision.  After `stop` its answer is ignored."""

    def __init__(self, threads: FairThreads) -> None:
        self._threads = threads
        self._stopped = threading.Event()
        self._bot: Any = None
        self._job: Job | None = None

    def is_stopped(self) -> bool:
        return self._stopped.is_set()

    def stop(self) -> None:
        """Removes the bot from the queue, or cancels it if that is possible.  Otherwise it finishes, and is ignored."""
        self._stopped.set()
        if self._job is not None:
            self._threads.cancel(self._job)
        cancel = getattr(self._bot, "cancel", None)
        if cancel is not None:
            cancel()


class BotThreads(FairThreads):
    """The threads for all bots of a process."""

    def __init__(self, threads: int | None = None) -> None:
        super().__init__(
            "bot",
            threads or max(1, (os.cpu_count() or 2) - 1),
            tuple(one.name.lower() for one in Thinking),
            background=Thinking.FOR_ABSENT,
        )

    def think(
        self,
        level: str,
        view: View,
        random: Random,
        on_choice: Callable[[Action | None], None],
        *,
        table: str,
        urgency: Thinking = Thinking.FOR_PEOPLE,
    ) -> BotTask:
        """Lets a bot choose an action.  `on_choice` is called in the event loop, with None if the bot failed."""
        task = BotTask(self)
        loop = asyncio.get_running_loop()

        def work() -> None:
            if task.is_stopped():
                return
            chosen: Action | None = None
            try:
                task._bot = bot(level)
                if task.is_stopped():  # too early for `stop` to cancel the bot
                    return
                chosen = task._bot.choose(view, random)
            except Exception:
                # No traceback: it could show cards.
                log.error("bot failed", level=level, decision=view.decision)
            if not task.is_stopped():
                # If the loop is closed, nobody waits for the answer.
                with contextlib.suppress(RuntimeError):
                    loop.call_soon_threadsafe(_report, task, on_choice, chosen)

        task._job = self.submit(table, urgency, work)
        return task


def _report(
    task: BotTask, on_choice: Callable[[Action | None], None], chosen: Action | None
) -> None:
    if not task.is_stopped():
        on_choice(chosen)
