"""Which rounds are played (D3, D6)."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

from foretell.errors import RulesClash

__all__ = ["AllRounds", "ChosenRounds", "Rounds"]


@dataclass(frozen=True, slots=True)
class AllRounds:
    """D3: every round, from one card (or one draw) to the last."""

    def numbers(self, last: int) -> tuple[int, ...]:
        return tuple(range(1, last + 1))


@dataclass(frozen=True, slots=True)
class ChosenRounds:
    """D6: a shorter game of the rounds agreed on, rising; each keeps its own number."""

    chosen: Sequence[int]

    def numbers(self, last: int) -> tuple[int, ...]:
        if self.chosen[-1] > last:
            raise RulesClash("round_beyond_last", rule="D6", number=self.chosen[-1], last=last)
        return tuple(self.chosen)


Rounds = AllRounds | ChosenRounds


def chosen_rounds(chosen: Sequence[int] | None) -> Rounds:
    """The rounds that a table has chosen; None means all of them."""
    if chosen is None:
        return AllRounds()
    are_whole = all(type(number) is int for number in chosen)
    if not chosen or not are_whole or chosen[0] < 1 or not _rises(chosen):
        raise RulesClash("rounds_not_rising", rule="D6", rounds=", ".join(map(str, chosen)))
    return ChosenRounds(tuple(chosen))


def _rises(numbers: Sequence[int]) -> bool:
    return all(low < high for low, high in pairwise(numbers))
