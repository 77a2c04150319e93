"""One message at a time: what makes a table need no locks."""

import asyncio
from collections import deque
from collections.abc import Awaitable, Callable
from typing import Generic, TypeVar

__all__ = ["Inbox"]

T = TypeVar("T")


class Inbox(Generic[T]):
    """Letters, answered in the order they came; and bells that post a letter later.

    `answer` says whether to go on; after a no, nobody reads this inbox any more.
    """

    def __init__(self, answer: Callable[[T], Awaitable[bool]]) -> None:
        self._answer = answer
        self._loop = asyncio.get_running_loop()
        self._letters: deque[T] = deque()
        self._waiting: asyncio.Future[None] | None = None
        self._bells: dict[str, asyncio.TimerHandle] = {}
        self._task = self._loop.create_task(self._live())

    def post(self, letter: T) -> None:
        self._letters.append(letter)
        if self._waiting is not None:
            self._waiting.set_result(None)
            self._waiting = None

    @property
    def is_empty(self) -> bool:
        return not self._letters

    def ring(self, name: str, after: float, letter: T) -> None:
        """Posts a letter after so many seconds, unless it is hushed or rung anew before."""
        self.hush(name)
        self._bells[name] = self._loop.call_later(after, self.post, letter)

    def hush(self, name: str) -> None:
        bell = self._bells.pop(name, None)
        if bell is not None:
            bell.cancel()

    async def stop(self) -> None:
        self._hush_all()
        self._waiting = None  # a letter that comes now wakes nobody
        self._task.cancel()
        await asyncio.gather(self._task, return_exceptions=True)

    async def _live(self) -> None:
        while True:
            while self._letters:
                if not await self._answer(self._letters.popleft()):
                    self._hush_all()
                    return
            self._waiting = self._loop.create_future()
            await self._waiting

    def _hush_all(self) -> None:
        for name in tuple(self._bells):
            self.hush(name)
