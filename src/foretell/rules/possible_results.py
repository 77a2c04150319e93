"""What a round played with real cards can have come to, as far as the score shows it (D3, X5, X8)."""

from collections.abc import Sequence

from foretell.cards import Kind

__all__ = ["cloud_takers", "trick_sums"]


def trick_sums(specials: Sequence[str], hand_size: int) -> tuple[int, ...]:
    """D3: there is a trick for each card of a hand.  X5: the Bomb, if it is in play, may have left one to nobody."""
    return (hand_size, hand_size - 1) if Kind.BOMB in specials else (hand_size,)


def cloud_takers(specials: Sequence[str], won: Sequence[int]) -> tuple[int, ...]:
    """X8: the seats that may have won the trick with the Cloud, if it is in play: all that have won any."""
    return tuple(seat for seat, tricks in enumerate(won) if tricks and Kind.CLOUD in specials)
