"""Which bids are open to a bidder (B1, V1)."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

__all__ = ["AnyBid", "Bidding", "PlusMinusOne"]


class Bidding(Protocol):
    """Says which bids are allowed."""

    def open_bids(
        self, hand_size: int, earlier: Sequence[int], bidders: int
    ) -> tuple[int, ...]: ...


@dataclass(frozen=True, slots=True)
class AnyBid:
    """B1: any number of tricks, from none to all."""

    def open_bids(self, hand_size: int, earlier: Sequence[int], bidders: int) -> tuple[int, ...]:
        return tuple(range(hand_size + 1))


@dataclass(frozen=True, slots=True)
class PlusMinusOne:
    """V1: the last bidder may not make the bids add up to the cards dealt to each, even if the Bomb is in play."""

    def open_bids(self, hand_size: int, earlier: Sequence[int], bidders: int) -> tuple[int, ...]:
        is_last = len(earlier) == bidders - 1
        barred = hand_size - sum(earlier) if is_last else None
        return tuple(bid for bid in range(hand_size + 1) if bid != barred)
