"""Which results a round with real cards can have, as far as the score pad can tell (D3, X5, X8).

The special cards in play are given by name, as `Rules.specials` has them.
"""

from collections.abc import Sequence

from foretell.cards.specials import named_specials

__all__ = ["change_takers", "open_changes", "trick_sums"]


def trick_sums(specials: Sequence[str], hand_size: int) -> tuple[int, ...]:
    """D3: there is one trick for each card of a hand.  X5: one of them may belong to nobody."""
    may_be_nobodys = any(one.is_nobodys for one in named_specials(specials))
    return (hand_size, hand_size - 1) if may_be_nobodys else (hand_size,)


def change_takers(specials: Sequence[str], won: Sequence[int]) -> tuple[int, ...]:
    """X8: the seats that may have to change their bid, if a special card in play asks for it: all that won a trick."""
    may_change = any(one.after_round for one in named_specials(specials))
    return tuple(seat for seat, tricks in enumerate(won) if tricks and may_change)


def open_changes(specials: Sequence[str], bid: int, hand_size: int) -> tuple[int, ...]:
    """X8: how such a seat may change this bid."""
    steps = [one.after_round for one in named_specials(specials) if one.after_round is not None]
    return steps[0].answers(bid, hand_size) if steps else ()
