"""A round of one card: the play is forced, so the chance to take the trick is computed exactly instead of sampled.

A bid of 1 is better from a chance of 3/7 on (S1, S2), and some cards are so close to it that a sample cannot decide.
Every deal of the unseen cards is weighted by how likely its hands are to have made the bids seen, by the same model as
the search's worlds.  The sum over all deals is built up card by card, with a mask of the seats that already have a
card.
"""

from fractions import Fraction

from foretell.bots.search import arrays
from foretell.bots.search.situation import Situation, situation
from foretell.bots.search.worlds import bid_chance
from foretell.engine import Action, Bid, View
from foretell.engine.round import Phase
from foretell.kernel.backend.compiled import ONE, Floats, Ints, floats, ints, jit
from foretell.kernel.state import codes
from foretell.kernel.state import lookup_layout as in_lookup
from foretell.kernel.state import state_layout as in_state
from foretell.kernel.state.card_numbers import kind_of
from foretell.rules import points

__all__ = ["chance_of_the_trick", "one_card_bid"]


def one_card_bid(seen: View, model: Floats | None) -> Action | None:
    """The better of the two bids, or None if this is not such a round.  Without a model, bids tell nothing."""
    now = seen.now
    if now is None or seen.phase != Phase.BID or now.hand is None or len(now.hand) != 1:
        return None
    if seen.peoples is not None or len(seen.legal) < 2:
        return None
    ready = situation(seen)
    if any(card.is_special for card in ready.tables.deck):
        return None
    chance = chance_of_the_trick(seen, model, ready)
    none, one = (points(bid, 1) * chance + points(bid, 0) * (1 - chance) for bid in (0, 1))
    return Bid(1) if one >= none else Bid(0)


def chance_of_the_trick(
    seen: View, model: Floats | None = None, ready: Situation | None = None
) -> Fraction:
    """The share of all deals, by weight, in which this seat's only card takes the only trick.

    Without a model this is exact: the sums are whole numbers far below the largest that a float holds exactly.
    """
    now = seen.now
    assert now is not None
    assert now.hand is not None
    ready = ready or situation(seen)
    n, me = seen.seats, seen.seat or 0
    gone = {now.hand[0], now.turned_up}
    kinds = [kind_of(card) for card in ready.tables.deck if card not in gone]
    unseen = ints(len(kinds))
    for place, kind in enumerate(kinds):
        unseen[place] = kind
    order = [(now.dealer + 1 + turn) % n for turn in range(n)]
    weights = floats((n - 1) * len(kinds))
    for place, seat in enumerate(seat for seat in order if seat != me):
        has_bid = bool(int(ready.i[arrays.BIDDERS]) >> seat & 1)
        _weigh(ready, model if has_bid else None, seat, place * len(kinds), unseen, weights)
    some, made = floats(len(weights)), floats(1 << (n - 1))
    mine, trump = kind_of(now.hand[0]), int(ready.state[in_state.TRUMP])
    won = won_deals(
        ready.t, trump, mine, order.index(me), n, unseen, len(kinds), weights, some, made
    )
    return Fraction(won) / Fraction(all_deals(len(kinds), n - 1, weights, made))


def _weigh(
    ready: Situation, model: Floats | None, seat: int, start: int, unseen: Ints, weights: Floats
) -> None:
    """Writes into `weights`, from `start` on, the chance that the seat would have made its bid with each card."""
    state = ready.state
    for place, kind in enumerate(unseen):
        chance = 1.0
        if model is not None:
            state[in_state.HAND + seat], state[in_state.COPIES + seat] = (
                ONE << kind,
                ready.t[in_lookup.COPIES_OF_KIND + kind],
            )
            chance = bid_chance(
                ready.t,
                ready.m,
                ready.f,
                ready.counting,
                ready.i,
                model,
                state,
                seat,
                ready.scratch[3],
            )
        weights[start + place] = chance


@jit
def all_deals(cards: int, others: int, weights: Floats, made: Floats) -> float:
    """The sum, over all deals of one card to each of the others, of the product of the weights of their cards."""
    full = 1 << others
    for mask in range(full):
        made[mask] = 0.0
    made[0] = 1.0
    for card in range(cards):
        # From the fullest mask down, so that no card is dealt twice.
        for mask in range(full - 1, -1, -1):
            if made[mask] > 0.0:
                for place in range(others):
                    if (mask >> place) & 1 == 0:
                        made[mask | (1 << place)] += made[mask] * weights[place * cards + card]
    return made[full - 1]


@jit
def won_deals(
    lookup: Ints,
    trump: int,
    mine: int,
    my_turn: int,
    n: int,
    unseen: Ints,
    cards: int,
    weights: Floats,
    some: Floats,
    made: Floats,
) -> float:
    """The same sum over the deals in which this card wins, for each demand and each turn that may decide it."""
    total = 0.0
    # `decides` is the turn that decides the demand; n: no card demands anything (P7).
    for decides in range(n + 1):
        for demand in range(codes.DEMANDS):
            if (demand == codes.UNDECIDED) != (decides == n):
                continue
            if not _fits(lookup, mine, my_turn, decides, demand):
                continue
            row = in_lookup.STRENGTH + (demand * codes.TRUMPS + trump) * codes.FACES
            height = lookup[row + mine] & codes.STRENGTH_MASK
            for place in range(n - 1):
                turn = place if place < my_turn else place + 1
                for card in range(cards):
                    kind = unseen[card]
                    other = lookup[row + kind] & codes.STRENGTH_MASK
                    # K1, K4: of equal cards the first wins.
                    loses = other < height if turn < my_turn else other <= height
                    fits = loses and _fits(lookup, kind, turn, decides, demand)
                    some[place * cards + card] = weights[place * cards + card] if fits else 0.0
            total += all_deals(cards, n - 1, some, made)
    return total


@jit
def _fits(lookup: Ints, kind: int, turn: int, decides: int, demand: int) -> bool:
    """Whether this card may be played in this turn if the card of turn `decides` is the first to demand anything."""
    own = lookup[in_lookup.DEMAND_OF_FACE + kind]
    return turn > decides or own == (demand if turn == decides else codes.UNDECIDED)
