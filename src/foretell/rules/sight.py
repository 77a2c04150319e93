"""Which hands a seat sees until everyone has bid (V4, V5)."""

from dataclasses import dataclass
from typing import Protocol

__all__ = ["EveryRoundForesight", "FirstRoundForesight", "OwnHand", "Sight"]


class Sight(Protocol):
    """Whether players bid on the others' hands in a round, instead of their own."""

    def is_foresight(self, number: int) -> bool: ...


@dataclass(frozen=True, slots=True)
class OwnHand:
    """The usual way: players see their own hand and no other."""

    def is_foresight(self, number: int) -> bool:
        return False


@dataclass(frozen=True, slots=True)
class FirstRoundForesight:
    """V4: in round 1 players see every card except their own."""

    def is_foresight(self, number: int) -> bool:
        return number == 1


@dataclass(frozen=True, slots=True)
class EveryRoundForesight:
    """V5: in every round players bid having seen every hand except their own."""

    def is_foresight(self, number: int) -> bool:
        return True
