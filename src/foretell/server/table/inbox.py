"""One message at a time: what makes a table need no locks."""

import asyncio
from collections import deque
from collections.abc import Awaitable, Callable
from typing import Generic, TypeVar

__all__ = ["Inbox"]

T = TypeVar("T")


class Inbox(Generic[T]):
    """Letters, answered in the order they came; and timers that post a message later.

    `answer` says whether to go on; after a no, nobody reads this inbox any more.
    """

    def __init__(self, answer: Callable[[T], Awaitable[bool]]) -> None:
        self._answer = answer
        self._loop = asyncio.get_running_loop()
        self._letters: deque[T] = deque()
        self._waiting: asyncio.Future[None] | None = None
        self._timers: dict[str, asyncio.TimerHandle] = {}
        self._task = self._loop.create_task(self._live())

    def post(self, letter: T) -> None:
        self._letters.append(letter)
        if self._waiting is not None:
            self._waiting.set_result(None)
            self._waiting = None

    @property
    def is_empty(self) -> bool:
        return not self._letters

    def start_timer(self, name: str, after: float, letter: T) -> None:
        """Posts a letter after so many seconds, unless the timer is stopped or started again before."""
        self.stop_timer(name)
        self._timers[name] = self._loop.call_later(after, self.post, letter)

    def stop_timer(self, name: str) -> None:
        timer = self._timers.pop(name, None)
        if timer is not None:
            timer.cancel()

    async def stop(self) -> None:
        self._stop_timers()
        self._waiting = None  # a letter that comes now wakes nobody
        self._task.cancel()
        await asyncio.gather(self._task, return_exceptions=True)

    async def _live(self) -> None:
        while True:
            while self._letters:
                if not await self._answer(self._letters.popleft()):
                    self._stop_timers()
                    return
            self._waiting = self._loop.create_future()
            await self._waiting

    def _stop_timers(self) -> None:
        for name in tuple(self._timers):
            self.stop_timer(name)
