"""One message at a time: what makes a table need no locks."""

import asyncio
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
        self._letters: asyncio.Queue[T] = asyncio.Queue()
        self._bells: dict[str, asyncio.TimerHandle] = {}
        self._task = asyncio.get_running_loop().create_task(self._live())

    def post(self, letter: T) -> None:
        self._letters.put_nowait(letter)

    @property
    def is_empty(self) -> bool:
        return self._letters.empty()

    def ring(self, name: str, after: float, letter: T) -> None:
        """Posts a letter after so many seconds, unless it is hushed or rung anew before."""
        self.hush(name)
        self._bells[name] = asyncio.get_running_loop().call_later(after, self.post, letter)

    def hush(self, name: str) -> None:
        bell = self._bells.pop(name, None)
        if bell is not None:
            bell.cancel()

    async def stop(self) -> None:
        self._hush_all()
        self._task.cancel()
        await asyncio.gather(self._task, return_exceptions=True)

    async def _live(self) -> None:
        while await self._answer(await self._letters.get()):
            pass
        self._hush_all()

    def _hush_all(self) -> None:
        for name in tuple(self._bells):
            self.hush(name)
