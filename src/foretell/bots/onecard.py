"""A round of one card, before anyone has bid: there is nothing to play, so the chance to take the trick is counted.

Sampled worlds would do for most cards; some are so near to the 3/7 at which a bid of 1 begins to pay (S1, S2: 40p − 10
against 20 − 30p) that only counting tells.  Works on the kernel's tables, as the search does.
"""

from fractions import Fraction

from foretell.engine import Action, Bid, View
from foretell.engine.round import Phase
from foretell.kernel import layout as at
from foretell.kernel.compiled import Ints
from foretell.kernel.tables import COLOURS, Tables, compile_rules, kind_of

__all__ = ["chance_of_the_trick", "one_card_bid"]


def one_card_bid(seen: View) -> Action | None:
    """The better of the two bids, or None where this is not such a round, or something is known of the others."""
    now = seen.now
    if now is None or seen.phase != Phase.BID or now.hand is None or len(now.hand) != 1:
        return None
    if any(now.has_bid) or seen.peoples is not None or len(seen.legal) < 2:
        return None
    tables = compile_rules(seen.rules, seen.seats, seen.peoples)
    if any(card.is_special for card in tables.deck):
        return None
    chance = chance_of_the_trick(seen)
    return Bid(1) if 40 * chance - 10 >= 20 - 30 * chance else Bid(0)


def chance_of_the_trick(seen: View) -> Fraction:
    """The part of all deals in which this seat's only card takes the only trick."""
    now = seen.now
    assert now is not None
    assert now.hand is not None
    tables = compile_rules(seen.rules, seen.seats, seen.peoples)
    mine = kind_of(now.hand[0])
    before = ((seen.seat or 0) - now.dealer - 1) % seen.seats  # who play before
    gone = {now.hand[0], now.turned_up}
    unseen = [kind_of(card) for card in tables.deck if card not in gone]
    others = seen.seats - 1
    ways = _ways(tables, COLOURS.index(now.trump), mine, unseen, before, others)
    return Fraction(ways, _falling(len(unseen), others))


def _ways(
    tables: Tables, trump: int, mine: int, unseen: list[int], before: int, others: int
) -> int:
    """In how many ways the others' cards, in the order of play, let this one win."""
    t = tables.words
    after = others - before
    idle = [kind for kind in unseen if t[at.DEMANDED_BY + kind] == at.UNDECIDED]
    total = 0
    # The first card that decides what is demanded comes from someone who plays before, after `led` that demand nothing.
    for led in range(before):
        for decider in unseen:
            demand = int(t[at.DEMANDED_BY + decider])
            if demand == at.UNDECIDED or not _beats(t, trump, demand, mine, decider):
                continue
            lower = [kind for kind in unseen if _beats(t, trump, demand, mine, kind)]
            not_higher = [kind for kind in unseen if not _beats(t, trump, demand, kind, mine)]
            if idle and idle[0] not in lower and led:
                continue
            total += (
                _falling(len(idle), led)
                * _falling(len(lower) - led - 1, before - led - 1)
                * _falling(len(not_higher) - before, after)
            )
    # Or nobody before has decided it: then this card does, or it demands nothing either and is the first of its like.
    demand = int(t[at.DEMANDED_BY + mine])
    if demand == at.UNDECIDED:
        return total + (_falling(len(idle), after) if before == 0 else 0)
    not_higher = [kind for kind in unseen if not _beats(t, trump, demand, kind, mine)]
    return total + _falling(len(idle), before) * _falling(len(not_higher) - before, after)


def _beats(t: Ints, trump: int, demand: int, one: int, other: int) -> bool:
    """Whether one stands strictly above the other in a trick of this demand."""
    row = at.STRENGTH + (demand * at.TRUMPS + trump) * at.FACES
    return int(t[row + one]) & at.UNBEATABLE > int(t[row + other]) & at.UNBEATABLE


def _falling(count: int, picks: int) -> int:
    """Ways to pick so many one after another; none where there are too few."""
    made = 1
    for taken in range(picks):
        made *= max(0, count - taken)
    return made
