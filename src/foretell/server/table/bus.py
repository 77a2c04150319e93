"""Tells other processes that a game has moved on, so that they read its log again.

One process alone does not need it: all tables are its own.  With this interface a bus between processes can be added
without a change to the tables.
"""

from collections.abc import Callable
from typing import Protocol

__all__ = ["Bus", "LocalBus"]

OnMove = Callable[[str, int], None]
"""Called with a game and the number of actions that it has now."""


class Bus(Protocol):
    """Publishes how far each game has come."""

    def publish(self, game: str, number: int) -> None: ...

    def subscribe(self, on_move: OnMove) -> Callable[[], None]:
        """Subscribes to every game; the answer is a function that ends the subscription."""


class LocalBus:
    """A bus within one process."""

    def __init__(self) -> None:
        self._subscribers: list[OnMove] = []

    def publish(self, game: str, number: int) -> None:
        for on_move in tuple(self._subscribers):
            on_move(game, number)

    def subscribe(self, on_move: OnMove) -> Callable[[], None]:
        self._subscribers.append(on_move)
        return lambda: self._subscribers.remove(on_move)
