"""Points, and who wins (S1, S2, S4)."""

from collections.abc import Sequence

__all__ = ["points", "winners"]


def points(bid: int, won: int) -> int:
    """S1: a bid met is worth 20 and 10 a trick.  S2: a bid missed costs 10 for each trick over or under."""
    return 20 + 10 * won if bid == won else -10 * abs(bid - won)


def winners(totals: Sequence[int]) -> tuple[int, ...]:
    """S4: the seats with the most points share the victory."""
    return tuple(seat for seat, total in enumerate(totals) if total == max(totals))
