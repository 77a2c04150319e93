"""Threads in which bots and the coach think, so that the event loop does not wait for them.

Addresses take turns, and so do the tables of one address.  Bots that people wait for come first; then the coach's
advice; then bots at tables whose people are all away, and bots of an address that has used up its time; then reviews of
finished games.  A bot can be stopped.
"""

import asyncio
import contextlib
import os
import threading
import time
from collections.abc import Callable
from random import Random
from typing import Any

from foretell.bots import bot
from foretell.engine import Action, View
from foretell.server.fair_queue import Job
from foretell.server.fair_threads import FairThreads
from foretell.server.logs import log
from foretell.server.thinking import Thinking

__all__ = ["BotTask", "BotThreads"]


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
        payer: str | None = None,
        urgency: Thinking = Thinking.FOR_PEOPLE,
        on_thought: Callable[[float], None] = lambda _seconds: None,
    ) -> BotTask:
        """Lets a bot choose an action.  `on_choice` is called in the event loop, with None if the bot failed.

        `on_thought` is called there with the seconds of processor time that the bot took, even if it was stopped.
        """
        task = BotTask(self)
        loop = asyncio.get_running_loop()

        def work() -> None:
            if task.is_stopped():
                return
            chosen: Action | None = None
            begun = time.thread_time()
            try:
                task._bot = bot(level)
                if task.is_stopped():  # too early for `stop` to cancel the bot
                    return
                chosen = task._bot.choose(view, random)
            except Exception:
                # No traceback: it could show cards.
                log.error("bot failed", level=level, decision=view.decision)
            seconds = time.thread_time() - begun

            def report() -> None:
                on_thought(seconds)
                if not task.is_stopped():
                    on_choice(chosen)

            # If the loop is closed, nobody waits for the answer.
            with contextlib.suppress(RuntimeError):
                loop.call_soon_threadsafe(report)

        task._job = self.submit(table, urgency, work, payer=payer)
        return task
