"""What all bots that think for some time have in common: another thread can end their thinking."""

from collections.abc import Callable
from dataclasses import dataclass, field, fields
from threading import Event

__all__ = ["Cancellable", "Stop"]

Stop = Callable[[], bool]
"""Asked now and then by a bot that thinks; once it returns True, the bot chooses the best so far."""


@dataclass(frozen=True, slots=True)
class Cancellable:
    """A bot whose thinking can be ended.

    `cancel` may be called from any thread: the thought under way, and any later one of this bot, ends soon.
    """

    cancelled: Event = field(default_factory=Event, compare=False, repr=False, kw_only=True)

    def cancel(self) -> None:
        """Ends all thinking of this bot."""
        self.cancelled.set()

    def is_stopped(self, stop: Stop | None) -> bool:
        """Whether the bot has to choose now: it was cancelled, or `stop` says so."""
        return self.cancelled.is_set() or (stop is not None and stop())

    def __reduce__(self) -> tuple[object, ...]:
        # The event holds a lock, which cannot be sent to another process.
        values = (getattr(self, one.name) for one in fields(self) if one.name != "cancelled")
        return type(self), tuple(values)
