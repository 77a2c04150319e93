"""What can be known to everyone before the first bid: the card turned up, and the trump.

Colours that play the same part are interchangeable, so one situation stands for several: 13 numbers of one colour,
a Jester, and a Wizard after which the dealer has named one colour.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction

import numpy as np
import numpy.typing as npt

from foretell.kernel.state import codes
from foretell.kernel.state import lookup_layout as in_lookup
from foretell.kernel.state.tables import Tables

__all__ = ["Situation", "Weights", "named", "situations"]

Weights = npt.NDArray[np.int64] | npt.NDArray[np.float64]
"""A number for each card of the deck, or for each pair of cards."""

_NAMED = 0  # the colour that stands for all that a dealer may name


@dataclass(frozen=True, eq=False)
class Situation:
    """A card turned up, and a trump.  Cards are places in the deck.

    `stronger[demand]` says for each pair of cards whether the second takes the trick from the first under this demand.
    """

    turned_up: int
    trump: int
    is_named: bool
    share: Fraction  # how often this situation, or one that is the same, comes up
    demand: npt.NDArray[np.int64]  # of each card: the demand that it sets
    stronger: npt.NDArray[np.bool_]  # by demand, card on the table and later card

    @property
    def unseen(self) -> npt.NDArray[np.int64]:
        """1 for each card that may be in a hand, 0 for the one turned up."""
        found = np.ones(len(self.demand), dtype=np.int64)
        found[self.turned_up] = 0
        return found


def situations(tables: Tables) -> Iterator[Situation]:
    """The situations of the first round that differ, with their shares; together these are 1."""
    kinds = _kinds(tables)
    if int(tables.words[in_lookup.HAND_SIZES]) != 1 or len(kinds) != 60:
        raise ValueError("only a round of one card from the 60 cards is solved")
    found: dict[int, list[int]] = {}
    for place, kind in enumerate(kinds):
        # Numbers of all colours play the same part.
        same = kind % 13 if kind < codes.WIZARD else kind
        found.setdefault(same, []).append(place)
    for places in found.values():
        share = Fraction(len(places), len(kinds))
        after = int(tables.words[in_lookup.TRUMP_AFTER + kinds[places[0]]])
        is_named = after == codes.DEALER_NAMES
        yield _situation(tables, places[0], _NAMED if is_named else after, is_named, share)


def _kinds(tables: Tables) -> list[int]:
    size = int(tables.words[in_lookup.DECK_SIZE])
    return [int(tables.words[in_lookup.DECK + place]) for place in range(size)]


def named(tables: Tables, situation: Situation, trump: int) -> Situation:
    """The same situation after the dealer has named this trump."""
    return _situation(tables, situation.turned_up, trump, True, situation.share)


def _situation(
    tables: Tables, turned_up: int, trump: int, is_named: bool, share: Fraction
) -> Situation:
    words, kinds = tables.words, _kinds(tables)
    faces = [int(words[in_lookup.FIRST_FACE + kind]) for kind in kinds]
    demand = np.array([int(words[in_lookup.DEMAND_OF_FACE + face]) for face in faces])
    stronger = np.zeros((codes.DEMANDS, len(faces), len(faces)), dtype=np.bool_)
    for one in range(codes.DEMANDS):
        start = in_lookup.STRENGTH + (one * codes.TRUMPS + trump) * codes.FACES
        strength = np.array([int(words[start + face]) for face in faces])
        assert (strength <= codes.STRENGTH_MASK).all(), "a face with effects"
        # Of equals the first one played wins (K1, K4).
        stronger[one] = strength[None, :] > strength[:, None]
    return Situation(turned_up, trump, is_named, share, demand, stronger)
