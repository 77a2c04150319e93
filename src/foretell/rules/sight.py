"""Which hands a seat sees until everyone has bid (V4, V5)."""

from dataclasses import dataclass
from typing import Protocol

__all__ = ["EveryRoundForesight", "FirstRoundForesight", "OwnHand", "Sight"]


class Sight(Protocol):
    """Whether a round is bid on the others' hands instead of the own."""

    def is_foresight(self, number: int) -> bool: ...


@dataclass(frozen=True, slots=True)
class OwnHand:
    """The usual way: one's own hand, and no other."""

    def is_foresight(self, number: int) -> bool:
        return False


@dataclass(frozen=True, slots=True)
class FirstRoundForesight:
    """V4: in round 1 everyone sees every card but the own."""

    def is_foresight(self, number: int) -> bool:
        return number == 1


@dataclass(frozen=True, slots=True)
class EveryRoundForesight:
    """V5: in every round everyone bids on all hands but the own."""

    def is_foresight(self, number: int) -> bool:
        return True
