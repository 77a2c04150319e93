"""The decisions that a table waits for, each with its clock, and the bot that answers where nobody else does."""

import asyncio
from collections.abc import Callable
from dataclasses import dataclass, field

from foretell.server.thinking import Thought

__all__ = ["Turn"]


@dataclass(slots=True)
class Turn:
    """One decision awaited of one seat."""

    decision: str
    since: float
    deadline: float | None = None
    _timer: asyncio.TimerHandle | None = field(default=None, repr=False)
    thought: Thought | None = None
    is_bots: bool = False

    def ring(self, after: float, call: Callable[[], None]) -> None:
        """Calls once, after so many seconds; a turn has one bell."""
        self.hush()
        self._timer = asyncio.get_running_loop().call_later(max(0.0, after), call)

    def hush(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None

    def stop(self) -> None:
        """Neither the bell nor the bot will be heard."""
        self.hush()
        self.deadline = None
        self.is_bots = False
        if self.thought is not None:
            self.thought.stop()
            self.thought = None
