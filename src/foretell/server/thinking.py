"""What tables and the coach need of those who think for them: threads on a server, a second worker in a browser."""

from collections.abc import Callable
from enum import IntEnum
from random import Random
from typing import Any, Protocol

from foretell.engine import Action, View

__all__ = ["NotNeeded", "Stoppable", "Thinkers", "Thinking"]


class NotNeeded(Exception):
    """The work was not done: when its turn came, nobody needed it any more."""


class Thinking(IntEnum):
    """What is thought about, the most urgent first."""

    FOR_PEOPLE = 0  # a bot that people wait for
    ADVICE = 1  # the coach, for a player who asked
    FOR_ABSENT = 2  # a bot at a table whose people are all away, or have used up their time
    REVIEW = 3  # the coach, about a finished game


class Stoppable(Protocol):
    """A bot at work on one decision.  After `stop` its answer is ignored."""

    def stop(self) -> None: ...


class Thinkers(Protocol):
    """They think beside the event loop.  Work can be pickled, so that it can be done in another interpreter.

    `on_start` is called with the name of a class of urgency, and the seconds that the work has waited.
    """

    on_start: Callable[[str, float], None]

    @property
    def waiting(self) -> int:
        """The number of jobs that wait for their turn."""

    def think(
        self,
        level: str,
        view: View,
        random: Random,
        on_choice: Callable[[Action | None], None],
        *,
        table: str,
        payer: str | None = None,
        urgency: Thinking = Thinking.FOR_PEOPLE,
        on_thought: Callable[[float], None] = lambda _seconds: None,
    ) -> Stoppable:
        """Lets a bot choose an action.  `on_choice` is called in the event loop, with None if the bot failed.

        `on_thought` is called there with the seconds of processor time that the bot took, even if it was stopped.
        """

    async def run(
        self,
        table: str,
        urgency: int,
        work: Callable[[], Any],
        is_needed: Callable[[], bool] = lambda: True,
        *,
        payer: str | None = None,
    ) -> Any:
        """The answer of the work.  If nobody needs it when its turn comes, it is not done: NotNeeded is raised."""

    def hurry(self, table: str, urgency: int) -> None:
        """Makes this table's waiting work more urgent."""

    def close(self) -> None:
        """Drops all waiting work."""
