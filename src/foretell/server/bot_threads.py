"""Bots think in threads of their own, and may be told to stop."""

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
    """A bot at work on one decision.  Once stopped, its answer reaches nobody."""

    def __init__(self) -> None:
        self._stopped = threading.Event()
        self._bot: Any = None
        self._future: Future[None] | None = None

    @property
    def is_stopped(self) -> bool:
        return self._stopped.is_set()

    def stop(self) -> None:
        """At once where the bot has not begun or can be cancelled; otherwise its answer is dropped."""
        self._stopped.set()
        if self._future is not None:
            self._future.cancel()
        cancel = getattr(self._bot, "cancel", None)
        if cancel is not None:
            cancel()


class BotThreads:
    """A few threads for all bots of a process."""

    def __init__(self, threads: int | None = None) -> None:
        count = threads or max(1, (os.cpu_count() or 2) - 1)
        self._pool = ThreadPoolExecutor(count, thread_name_prefix="bot")

    def think(
        self,
        level: str,
        view: View,
        random: Random,
        tell: Callable[[Action | None], None],
    ) -> BotTask:
        """Starts a thought; `tell` is called in the loop's thread with the choice, or None if the bot failed."""
        thought = BotTask()
        loop = asyncio.get_running_loop()

        def work() -> None:
            if thought.is_stopped:
                return
            chosen: Action | None = None
            try:
                thought._bot = bot(level)
                chosen = thought._bot.choose(view, random)
            except Exception:
                # The traceback of a bot shows its view's cards: the level and the place are enough.
                log.error("bot failed", level=level, decision=view.decision)
            if not thought.is_stopped:
                # Where the loop is closed nobody waits for the answer.
                with contextlib.suppress(RuntimeError):
                    loop.call_soon_threadsafe(_heard, thought, tell, chosen)

        thought._future = self._pool.submit(work)
        return thought

    async def run(self, work: Callable[[], Any]) -> Any:
        """Anything else that takes long: the coach."""
        return await asyncio.get_running_loop().run_in_executor(self._pool, work)

    def close(self) -> None:
        self._pool.shutdown(wait=False, cancel_futures=True)


def _heard(thought: BotTask, tell: Callable[[Action | None], None], chosen: Action | None) -> None:
    if not thought.is_stopped:
        tell(chosen)
