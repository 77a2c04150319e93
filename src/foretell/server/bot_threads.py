"""Threads in which bots think, so that the event loop does not wait for them.  A bot can be stopped."""

import asyncio
import contextlib
import os
import threading
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from random import Random
from typing import Any

from foretell.bots import bot
from foretell.engine import Action, View
from foretell.server.logs import log

__all__ = ["BotTask", "BotThreads"]


class BotTask:
    """A bot at work on one decision.  After `stop` its answer is ignored."""

    def __init__(self) -> None:
        self._stopped = threading.Event()
        self._bot: Any = None
        self._future: Future[None] | None = None

    @property
    def is_stopped(self) -> bool:
        return self._stopped.is_set()

    def stop(self) -> None:
        """Cancels the bot if it has not started, or if it can be cancelled.  Otherwise it finishes, and is ignored."""
        self._stopped.set()
        if self._future is not None:
            self._future.cancel()
        cancel = getattr(self._bot, "cancel", None)
        if cancel is not None:
            cancel()


class BotThreads:
    """A pool of threads for all bots of a process."""

    def __init__(self, threads: int | None = None) -> None:
        count = threads or max(1, (os.cpu_count() or 2) - 1)
        self._pool = ThreadPoolExecutor(count, thread_name_prefix="bot")

    def think(
        self,
        level: str,
        view: View,
        random: Random,
        on_choice: Callable[[Action | None], None],
    ) -> BotTask:
        """Lets a bot choose an action.  `on_choice` is called in the event loop, with None if the bot failed."""
        task = BotTask()
        loop = asyncio.get_running_loop()

        def work() -> None:
            if task.is_stopped:
                return
            chosen: Action | None = None
            try:
                task._bot = bot(level)
                chosen = task._bot.choose(view, random)
            except Exception:
                # No traceback: it could show cards.
                log.error("bot failed", level=level, decision=view.decision)
            if not task.is_stopped:
                # If the loop is closed, nobody waits for the answer.
                with contextlib.suppress(RuntimeError):
                    loop.call_soon_threadsafe(_report, task, on_choice, chosen)

        task._future = self._pool.submit(work)
        return task

    async def run(self, work: Callable[[], Any]) -> Any:
        """Runs other slow work, such as the coach's, in one of the threads."""
        return await asyncio.get_running_loop().run_in_executor(self._pool, work)

    def close(self) -> None:
        self._pool.shutdown(wait=False, cancel_futures=True)


def _report(
    task: BotTask, on_choice: Callable[[Action | None], None], chosen: Action | None
) -> None:
    if not task.is_stopped:
        on_choice(chosen)
