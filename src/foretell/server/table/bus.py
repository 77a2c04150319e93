"""Tells other processes that a game has moved on, so that they read its log again.

A single process does not need it, because it has all the tables.  Thanks to this interface, a bus between processes can
be added without changing the tables.
"""

from collections.abc import Callable
from typing import Protocol

__all__ = ["Bus", "LocalBus"]

OnMove = Callable[[str, int], None]
"""A function that is called with the id of a game and the number of its actions."""


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
