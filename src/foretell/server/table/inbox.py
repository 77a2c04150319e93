"""The inbox of a table.  Messages are handled one at a time, so a table needs no locks."""

import asyncio
from collections import deque
from collections.abc import Awaitable, Callable
from typing import Generic, TypeVar

from foretell.server.logs import log

__all__ = ["Inbox"]

T = TypeVar("T")

_MOST_AT_ONCE = 0.002  # seconds of work on many messages, before other tables get their turn


class Inbox(Generic[T]):
    """Messages, handled in the order in which they arrive, and timers that post a message later.

    `handle` returns whether to continue.  After False, no more messages are handled.
    """

    def __init__(self, handle: Callable[[T], Awaitable[bool]]) -> None:
        self._handle = handle
        self._loop = asyncio.get_running_loop()
        self._messages: deque[T] = deque()
        self._waiting: asyncio.Future[None] | None = None  # for the next message
        self._timers: dict[str, asyncio.TimerHandle] = {}
        self._task = self._loop.create_task(self._run())

    def post(self, message: T) -> None:
        self._messages.append(message)
        if self._waiting is not None:
            self._waiting.set_result(None)
            self._waiting = None

    def taken(self) -> list[T]:
        """All messages that wait; they are not handled any more."""
        found = list(self._messages)
        self._messages.clear()
        return found

    @property
    def is_empty(self) -> bool:
        return not self._messages

    def start_timer(self, name: str, after: float, message: T) -> None:
        """Posts a message after so many seconds, unless the timer is stopped or restarted before that."""
        self.stop_timer(name)
        self._timers[name] = self._loop.call_later(after, self._on_timer, name, message)

    def has_timer(self, name: str) -> bool:
        """Whether this timer is running."""
        return name in self._timers

    def _on_timer(self, name: str, message: T) -> None:
        del self._timers[name]
        self.post(message)

    def stop_timer(self, name: str) -> None:
        timer = self._timers.pop(name, None)
        if timer is not None:
            timer.cancel()

    def cancel(self) -> None:
        """Stops everything, also what is being done for a message."""
        self._stop_timers()
        self._waiting = None  # the task is not woken by messages any more
        self._task.cancel()

    async def stop(self) -> None:
        self.cancel()
        await asyncio.gather(self._task, return_exceptions=True)

    async def ended(self, most: float) -> None:
        """Waits until no more messages are handled; after so many seconds, it stops that."""
        await asyncio.wait({self._task}, timeout=most)
        await self.stop()

    async def _run(self) -> None:
        time = self._loop.time
        while True:
            begun = time()
            while self._messages:
                if time() - begun > _MOST_AT_ONCE:
                    # Some messages are handled without waiting for anything, and there may be hundreds of them.
                    await asyncio.sleep(0)
                    begun = time()
                try:
                    goes_on = await self._handle(self._messages.popleft())
                except Exception as error:
                    # `handle` should not raise.  If it does, the messages that follow are still handled.
                    log.error("message not handled", error=type(error).__name__)
                    continue
                if not goes_on:
                    self._stop_timers()
                    return
            self._waiting = self._loop.create_future()
            await self._waiting

    def _stop_timers(self) -> None:
        for name in tuple(self._timers):
            self.stop_timer(name)
