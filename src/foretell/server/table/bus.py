"""Tells other processes that a game has moved on, so that they read the log again.

One process needs none of it: its tables are the only ones.  The interface is here so that a bus between processes can
be put in without touching a table.
"""

from collections.abc import Callable
from typing import Protocol

__all__ = ["Bus", "LocalBus"]

Heard = Callable[[str, int], None]


class Bus(Protocol):
    """Fans out "game g is now at number k"."""

    def publish(self, game: str, number: int) -> None: ...

    def subscribe(self, heard: Heard) -> Callable[[], None]:
        """Hears of every game; call the answer to hear no more."""


class LocalBus:
    """Within one process."""

    def __init__(self) -> None:
        self._heard: list[Heard] = []

    def publish(self, game: str, number: int) -> None:
        for heard in tuple(self._heard):
            heard(game, number)

    def subscribe(self, heard: Heard) -> Callable[[], None]:
        self._heard.append(heard)
        return lambda: self._heard.remove(heard)
