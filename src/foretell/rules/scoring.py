"""Points, the Cloud's change, and who wins (S1, S2, S4, X8)."""

from collections.abc import Sequence

__all__ = ["open_changes", "points", "winners"]


def points(bid: int, won: int) -> int:
    """S1: a bid met is worth 20 and 10 a trick.  S2: a bid missed costs 10 for each trick over or under."""
    return 20 + 10 * won if bid == won else -10 * abs(bid - won)


def open_changes(bid: int, hand_size: int) -> tuple[int, ...]:
    """X8: one more or one fewer, as long as the bid stays between none and all the cards dealt."""
    return tuple(change for change in (+1, -1) if 0 <= bid + change <= hand_size)


def winners(totals: Sequence[int]) -> tuple[int, ...]:
    """S4: the seats with the most points share the victory."""
    return tuple(seat for seat, total in enumerate(totals) if total == max(totals))
