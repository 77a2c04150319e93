"""The best bids in the round of one card, and what each seat is worth.

A bid changes nobody's cards and nobody's trick.  It only tells the later bidders something.  So the first bidder's best
bids depend on nothing that others do, the second bidder's only on those, and so on: one pass in the order of bidding
finds a strategy for each seat from which no seat can gain by deviating.  The one other decision is the dealer's, who
names the trump after a Wizard was turned up.  That choice tells the others something too, so it is looked for in turns
with the bids, until it is a best response itself.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from itertools import product

import numpy as np

from foretell.kernel.state.tables import Tables, compile_rules
from foretell.one_card.chances import Chances
from foretell.one_card.situations import Situation, Weights, situations
from foretell.rules import Rules, points

__all__ = [
    "Bids",
    "Solved",
    "SolvedSituation",
    "best_bids",
    "dealer_points",
    "histories",
    "naming",
    "solve",
    "worth",
]

History = tuple[int, ...]
Bids = Mapping[History, Weights]
"""For each row of earlier bids: how likely each card of the seat bids 1."""

_TWELFTHS = 12  # three equal colours, or four, are named equally often
_MOST_TURNS = 100


def histories(seat: int) -> Iterator[History]:
    """All rows of earlier bids that a seat may have heard."""
    return product((0, 1), repeat=seat)


def naming(situation: Situation, names_own: Weights) -> Weights:
    """How often a dealer with each card names this trump, in twelfths.

    `names_own` says by card whether it names its own colour, or else each of the others as often.  With a Wizard or a
    Jester it names each colour as often.
    """
    made = np.full(len(situation.demand), _TWELFTHS // 4, dtype=np.int64)
    own = situation.demand == situation.trump
    other = (situation.demand < 4) & ~own
    made[own] = _TWELFTHS * names_own[own]
    made[other] = _TWELFTHS // 3 * (1 - names_own[other])
    return made


@dataclass(frozen=True, eq=False)
class SolvedSituation:
    """One situation with everyone's best bids.  Values are points, added up over all deals (`deals`)."""

    situation: Situation
    players: int
    dealer: Weights | None
    bids: tuple[Bids, ...]
    counts: tuple[Mapping[History, tuple[Weights, Weights]], ...] = field(repr=False)
    ties: int

    @property
    def deals(self) -> int:
        """How many deals there are, as `Chances` counts them."""
        total, _ = self.counts[0][()]
        return int(total.sum())

    def value(self, seat: int) -> Fraction:
        """The mean of a seat's points."""
        made = 0
        for history, (total, wins) in self.counts[seat].items():
            high, low = worth(total, wins)
            made += int(np.where(self.bids[seat][history] == 1, high, low).sum())
        return Fraction(made, self.deals)

    def bid_one(self, seat: int) -> Fraction:
        """How often a seat bids 1."""
        made = sum(
            int(total[self.bids[seat][history] == 1].sum())
            for history, (total, _) in self.counts[seat].items()
        )
        return Fraction(made, self.deals)


def worth(total: Weights, wins: Weights) -> tuple[Weights, Weights]:
    """The points of a bid of 1 and of a bid of 0, added up over the deals."""
    losses = total - wins
    return (
        points(1, 1) * wins + points(1, 0) * losses,
        points(0, 1) * wins + points(0, 0) * losses,
    )


def best_bids(situation: Situation, players: int, dealer: Weights | None = None) -> SolvedSituation:
    """Everyone's best bids, one seat after another."""
    bids: list[dict[History, Weights]] = []
    counts: list[dict[History, tuple[Weights, Weights]]] = []
    ties = 0
    for seat in range(players):
        chances = Chances(situation, players, seat, dealer)
        bids.append({})
        counts.append({})
        for history in histories(seat):
            heard = [
                bids[other][history[:other]] if history[other] else 1 - bids[other][history[:other]]
                for other in range(seat)
            ]
            total, wins = chances.count(heard)
            high, low = worth(total, wins)
            ties += int(((high == low) & (total > 0)).sum())
            bids[seat][history] = (high > low).astype(np.int64)
            counts[seat][history] = total, wins
    return SolvedSituation(situation, players, dealer, tuple(bids), tuple(counts), ties)


def dealer_points(solved: SolvedSituation) -> Weights:
    """For each card of the dealer: its best points once this trump is named, added up over the others' deals."""
    made = np.zeros(len(solved.situation.demand), dtype=np.int64)
    # Whatever naming the others expect, this dealer may hold any card.
    chances = Chances(solved.situation, solved.players, solved.players - 1)
    for history in histories(solved.players - 1):
        heard = [
            solved.bids[other][history[:other]]
            if history[other]
            else 1 - solved.bids[other][history[:other]]
            for other in range(solved.players - 1)
        ]
        made = made + np.maximum(*worth(*chances.count(heard)))
    return made


def _best_naming(situation: Situation, players: int) -> SolvedSituation:
    """The situation in which the dealer has named the trump, with the best way to name it.

    A dealer with a number names its own colour or another one.  By the symmetry of the colours nothing else matters.
    """
    own = situation.demand == situation.trump
    other = (situation.demand < 4) & ~own
    names_own = np.ones(len(own), dtype=np.int64)
    for _ in range(_MOST_TURNS):
        solved = best_bids(situation, players, naming(situation, names_own))
        by_card = dealer_points(solved)
        # To a number of another colour, this trump is another colour.
        wanted = names_own.copy()
        for colour in range(4):
            wanted[situation.demand == colour] = by_card[own] >= by_card[other][:13]
        if (wanted == names_own).all():
            return solved
        names_own = wanted
    raise ArithmeticError("the dealer's best choices go round in circles")


@dataclass(frozen=True, eq=False)
class Solved:
    """The round of one card, with one number of players."""

    players: int
    parts: tuple[SolvedSituation, ...]

    def value(self, seat: int) -> Fraction:
        """What the round is worth to a seat; seat 0 bids first, the last one deals."""
        return sum((one.situation.share * one.value(seat) for one in self.parts), Fraction())

    def bid_one(self, seat: int) -> Fraction:
        """How often a seat bids 1."""
        return sum((one.situation.share * one.bid_one(seat) for one in self.parts), Fraction())

    @property
    def ties(self) -> int:
        """How many cards and rows of earlier bids are worth the same with both bids."""
        return sum(one.ties for one in self.parts)


def solve(players: int, rules: Rules | None = None) -> Solved:
    """Solves the first round of the base game."""
    tables: Tables = compile_rules(rules or Rules(), players)
    parts = []
    for situation in situations(tables):
        if situation.is_named:
            parts.append(_best_naming(situation, players))
        else:
            parts.append(best_bids(situation, players))
    return Solved(players, tuple(parts))
