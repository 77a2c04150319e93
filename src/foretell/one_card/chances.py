"""Counts deals: in how many of them does a seat take the only trick, given its card and the bids before its own?

Nobody has a choice in the play of a round of one card.  So only the cards matter, and what earlier bids say about them:
a bid is a weight for each card that the bidder may hold.  The deals that are counted give each seat another card.
Counting tuples of different cards is inclusion and exclusion over the ways to divide the seats into groups that would
hold the same card.  Everything is done for all cards of the seat at once, and all numbers are whole where the weights
are, so nothing is rounded.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from math import factorial

import numpy as np
import numpy.typing as npt

from foretell.kernel.state import codes
from foretell.one_card.situations import Situation, Weights

__all__ = ["Chances"]

_Masks = Sequence[npt.NDArray[np.bool_]]


@cache
def _divisions(count: int) -> tuple[tuple[tuple[int, ...], ...], ...]:
    """Every way to divide so many seats into groups; a group is a tuple of seats."""
    if count == 0:
        return ((),)
    found = []
    last = count - 1
    for division in _divisions(last):
        found.append((*division, (last,)))
        found += [
            (*division[:place], (*group, last), *division[place + 1 :])
            for place, group in enumerate(division)
        ]
    return tuple(found)


def _falling(numbers: Weights, count: int) -> Weights:
    """numbers × (numbers - 1) × ..., with `count` factors; 0 where there are not enough cards."""
    made = np.ones_like(numbers)
    for done in range(count):
        made = made * np.maximum(numbers - done, 0)
    return made


@dataclass(frozen=True, eq=False)
class Chances:
    """The deals of a situation, as the seat with this order of bidding counts them.

    `dealer` holds a weight for each card that the dealer may hold, if the dealer has named the trump: that says
    something about its card.  Without it, every card is as likely.
    """

    situation: Situation
    players: int
    seat: int
    dealer: Weights | None = None

    def count(self, bids: Sequence[Weights]) -> tuple[Weights, Weights]:
        """For each card of this seat: all deals, and those in which it takes the trick.

        `bids` holds for each earlier seat a weight for each card: how likely the bid was that it made.
        """
        assert len(bids) == self.seat
        unseen = self.situation.unseen
        known = [bid * unseen for bid in bids]
        if self.dealer is None or self.seat == self.players - 1:
            later = np.ones((1, 1), dtype=np.int64)
            total, wins = self._pairs(known, later, is_weighted=False)
            own = unseen if self.dealer is None else self.dealer * unseen
            return total[:, 0] * own, wins[:, 0] * own
        total, wins = self._pairs(known, (self.dealer * unseen)[None, :], is_weighted=True)
        return total.sum(axis=1) * unseen, wins.sum(axis=1) * unseen

    def _pairs(
        self, bids: Sequence[Weights], dealer: Weights, *, is_weighted: bool
    ) -> tuple[Weights, Weights]:
        """The same for each pair of a card of this seat and a card of the dealer, if the dealer's is weighted."""
        situation = self.situation
        size = len(situation.demand)
        later = self.players - 1 - self.seat - is_weighted
        left = size - 2 - self.seat - is_weighted  # the cards that the later seats may hold
        everything = np.ones((size, size), dtype=np.bool_)
        shape = (size, size if is_weighted else 1)
        apart = ~np.eye(size, dtype=np.bool_) if is_weighted else np.ones(shape, dtype=np.bool_)
        all_later = _falling(np.array(left), later)
        total = _distinct(bids, [everything] * self.seat, is_weighted) * dealer * apart * all_later
        wins = np.zeros_like(total)
        for masks, beaten in self._ways_to_lead():
            if any(not mask.any() for mask in masks):
                continue
            beating = (beaten & (situation.unseen == 1)).sum(axis=1)[:, None]
            kept = ~beaten if is_weighted else np.ones(shape, dtype=np.bool_)
            tuples = _distinct(bids, masks, is_weighted) * dealer * apart * kept
            # No earlier seat holds a card that takes the trick, so all of them are still left.
            wins = wins + tuples * _falling(left - beating, later)
        return total, wins

    def _ways_to_lead(self) -> Iterator[tuple[_Masks, npt.NDArray[np.bool_]]]:
        """The ways in which this seat's card can be the best so far.

        For each: the cards that the earlier seats may hold, by the card of this seat, and the later cards that would
        take the trick.
        """
        situation = self.situation
        demands, stronger = situation.demand, situation.stronger
        undecided = demands == codes.UNDECIDED
        by_own = stronger[demands, np.arange(len(demands))]
        # Each earlier card demands nothing, so this card decides.
        weaker = np.array([stronger[demand][:, card] for card, demand in enumerate(demands)])
        beaten = by_own | (undecided[:, None] & ~undecided[None, :])
        yield [weaker & undecided] * self.seat, beaten
        for demand in range(codes.UNDECIDED):
            weaker = stronger[demand].T
            deciding = weaker & (demands == demand)
            if not deciding.any():
                continue
            for decider in range(self.seat):
                before, after = decider, self.seat - decider - 1
                masks = [weaker & undecided] * before + [deciding] + [weaker] * after
                yield masks, stronger[demand]


def _distinct(bids: Sequence[Weights], masks: _Masks, is_weighted: bool) -> Weights:
    """The weight of all ways to give the earlier seats different cards.

    They differ from this seat's card, which is the row; where the dealer's card is weighted, also from that one, which
    is the column.
    """
    groups: dict[tuple[int, ...], Weights] = {}
    kind = np.result_type(np.int64, *(bid.dtype for bid in bids))
    size = masks[0].shape[0] if masks else 60
    made = np.zeros((size, size if is_weighted else 1), dtype=kind)
    for division in _divisions(len(bids)):
        product = np.ones_like(made)
        for group in division:
            if group not in groups:
                groups[group] = _of_group(group, bids, masks, is_weighted)
            product = product * groups[group]
        made = made + product
    return made


def _of_group(
    group: tuple[int, ...], bids: Sequence[Weights], masks: _Masks, is_weighted: bool
) -> Weights:
    """The weight of the cards that all seats of a group could hold, with the sign that it has in the sum."""
    mask = masks[group[0]].copy()
    weight = bids[group[0]]
    for seat in group[1:]:
        mask &= masks[seat]
        weight = weight * bids[seat]
    np.fill_diagonal(mask, False)
    shared = mask @ weight
    sign = (-1) ** (len(group) - 1) * factorial(len(group) - 1)
    pairs = shared[:, None] - mask * weight if is_weighted else shared[:, None]
    signed: Weights = sign * pairs
    return signed
