"""Worlds: deals of the hidden hands that fit what was seen, each weighted by how well it explains what was seen.

`redeal` deals the hidden cards at random; all deals that fit are equally likely.  From there pairs of cards are swapped
between hidden hands and the stock.  A swap is kept or undone by how much likelier it makes the bids that were made (the
Metropolis algorithm), so worlds occur in proportion to how well they explain the bids.  The weight of a world is the
chance that its hands would have made the plays seen.  Each other player is assumed to be of one of two kinds: one plays
roughly as the search's heuristic does, the other as the counting bot does.  Each world also holds a guess of every
player's kind.

The array parameters are described in `arrays.py`.
"""

from foretell.bots.search import arrays
from foretell.bots.search.bid_model import bid_line
from foretell.bots.search.heuristic import costs
from foretell.kernel.backend.compiled import Floats, Ints, jit, lowest
from foretell.kernel.backend.exponentials import exp, log
from foretell.kernel.bulk.policies import plain_bid, plain_play
from foretell.kernel.hidden import plan_layout as in_plan
from foretell.kernel.hidden import scratch_layout as in_scratch
from foretell.kernel.hidden.redealing import redeal
from foretell.kernel.state import lookup_layout as in_lookup
from foretell.kernel.state import state_layout as in_state
from foretell.kernel.state.random_numbers import below
from foretell.kernel.state.turn_loop import give, legal, take

__all__ = ["bid_chance", "deal_worlds"]


@jit
def _bit(mask: int, place: int) -> bool:
    return (mask >> place) & 1 == 1


@jit
def bid_chances(
    lookup: Ints,
    m: Ints,
    f: Floats,
    counting: Ints,
    i: Ints,
    x: Floats,
    state: Ints,
    seat: int,
    bid: int,
    by: Floats,
) -> None:
    """Writes into `by` the chance of this bid with the hand that the seat has in `state`, for each kind of player."""
    size = state[in_state.HAND_SIZE]
    hand = state[in_state.HAND + seat] | i[arrays.PLAYED + seat]
    copies = state[in_state.COPIES + seat] + i[arrays.PLAYED_COPIES + seat]
    around = bid_line(
        lookup,
        m,
        f,
        x,
        state,
        seat,
        hand,
        copies,
        i[arrays.OUT_FIRST],
        i[arrays.LYING_FIRST],
        i[arrays.ABOVE + seat],
    )
    spread = x[arrays.SPREAD] + x[arrays.SPREAD_EACH] * size
    off = (bid - around) / spread
    near = min(1.0, exp(-0.5 * off * off) / (2.5 * spread))
    odd = x[arrays.ODDITY + seat] / (size + 1)
    by[arrays.HEURISTIC] = (1.0 - x[arrays.ODDITY + seat]) * near + odd
    counted = plain_bid(lookup, state, counting, hand, copies, i[arrays.OPEN_BIDS + seat])
    by[arrays.COUNTER] = (1.0 - x[arrays.ODD_COUNTS]) * (1.0 if counted == bid else 0.0)
    by[arrays.COUNTER] += x[arrays.ODD_COUNTS] / (size + 1)


@jit
def chance_of(
    lookup: Ints,
    m: Ints,
    f: Floats,
    counting: Ints,
    i: Ints,
    x: Floats,
    state: Ints,
    seat: int,
    bid: int,
    by: Floats,
) -> float:
    """The chance of this bid, averaged over the kinds of player."""
    bid_chances(lookup, m, f, counting, i, x, state, seat, bid, by)
    return (
        x[arrays.COUNTS + seat] * by[arrays.COUNTER]
        + (1.0 - x[arrays.COUNTS + seat]) * by[arrays.HEURISTIC]
    )


@jit
def bid_chance(
    lookup: Ints,
    m: Ints,
    f: Floats,
    counting: Ints,
    i: Ints,
    x: Floats,
    state: Ints,
    seat: int,
    by: Floats,
) -> float:
    """The chance of the bid that the seat made, or 1 if nothing can be inferred from it."""
    chance = 1.0
    if _bit(i[arrays.BIDDERS], seat):
        chance = chance_of(
            lookup, m, f, counting, i, x, state, seat, state[in_state.BID + seat], by
        )
    return chance


@jit
def exchange(
    lookup: Ints,
    m: Ints,
    f: Floats,
    counting: Ints,
    i: Ints,
    x: Floats,
    state: Ints,
    rng: Ints,
    h: Ints,
    b: Ints,
    by: Floats,
    c: Floats,
) -> None:
    """Tries to swap two hidden cards; `c` holds the chance of each seat's bid."""
    unseen = h[in_plan.UNSEEN]
    one = below(rng, unseen)
    other = below(rng, unseen)
    a = b[in_scratch.OWNER + one]
    z = b[in_scratch.OWNER + other]
    stock = h[in_plan.STOCK]
    kind_a = h[h[in_plan.KINDS_AT] + one]
    kind_z = h[h[in_plan.KINDS_AT] + other]
    fits = a != z and kind_a != kind_z
    if fits and a < stock and _bit(i[arrays.BARRED + a], kind_z):
        fits = False
    if fits and z < stock and _bit(i[arrays.BARRED + z], kind_a):
        fits = False
    if fits:
        _swap(lookup, state, stock, a, z, kind_a, kind_z)
        new_a = 1.0
        new_z = 1.0
        ratio = 1.0
        if a < stock:
            new_a = bid_chance(lookup, m, f, counting, i, x, state, a, by)
            ratio *= new_a / c[a]
        if z < stock:
            new_z = bid_chance(lookup, m, f, counting, i, x, state, z, by)
            ratio *= new_z / c[z]
        if ratio >= 1.0 or below(rng, 1 << 30) < ratio * (1 << 30):
            b[in_scratch.OWNER + one] = z
            b[in_scratch.OWNER + other] = a
            if a < stock:
                c[a] = new_a
            if z < stock:
                c[z] = new_z
        else:
            _swap(lookup, state, stock, a, z, kind_z, kind_a)


@jit
def _swap(lookup: Ints, state: Ints, stock: int, a: int, z: int, kind_a: int, kind_z: int) -> None:
    if a < stock:
        take(lookup, state, a, kind_a)
        give(lookup, state, a, kind_z)
    if z < stock:
        take(lookup, state, z, kind_z)
        give(lookup, state, z, kind_a)


@jit
def guess_bid(
    lookup: Ints,
    m: Ints,
    f: Floats,
    counting: Ints,
    i: Ints,
    x: Floats,
    state: Ints,
    rng: Ints,
    seat: int,
    by: Floats,
) -> int:
    """V3: a guess of a secret bid, drawn at random by the chance of each bid with this hand."""
    chosen = 0
    total = 0.0
    for bid in range(state[in_state.HAND_SIZE] + 1):
        chance = chance_of(lookup, m, f, counting, i, x, state, seat, bid, by)
        total += chance
        if below(rng, 1 << 30) * total < chance * (1 << 30):
            chosen = bid
    return chosen


@jit
def explain_plays(
    lookup: Ints,
    m: Ints,
    f: Floats,
    counting: Ints,
    i: Ints,
    x: Floats,
    state: Ints,
    snapshot: Ints,
    j: Floats,
    by: Floats,
) -> None:
    """Writes the logarithm of the chance of the plays seen, for each seat and kind of player, into `by` from 2 on."""
    for place in range(2, 14):
        by[place] = 0.0
    for number in range(i[arrays.SNAPSHOTS]):
        start = arrays.SNAPSHOTS_AT + number * arrays.SNAPSHOT
        for place in range(in_state.SIZE_FOR_PLAY):
            snapshot[place] = i[start + place]
        seat = snapshot[in_state.TURN]
        for other in range(lookup[in_lookup.PLAYERS]):
            snapshot[in_state.BID + other] = state[in_state.BID + other]
        snapshot[in_state.HAND + seat] = state[in_state.HAND + seat] | i[start + arrays.SNAP_LATER]
        snapshot[in_state.COPIES + seat] = (
            state[in_state.COPIES + seat] + i[start + arrays.SNAP_LATER_COPIES]
        )
        mask = legal(lookup, snapshot)
        if mask & (mask - 1) == 0:
            continue
        kind = i[start + arrays.SNAP_KIND]
        costs(
            lookup,
            m,
            f,
            snapshot,
            i[start + arrays.SNAP_OUT],
            i[start + arrays.SNAP_LYING],
            mask,
            j,
        )
        total = 0.0
        plays = 0
        heat = x[arrays.HEAT] + x[arrays.HEAT_EACH] * snapshot[in_state.TRICKS_LEFT]
        these = mask
        while these != 0:
            one = lowest(these)
            these &= these - 1
            plays += 1
            total += exp(min(60.0, (j[kind] - j[one]) / heat))
        chance = (1.0 - x[arrays.ODD_PLAYS]) / total + x[arrays.ODD_PLAYS] / plays
        by[2 + 2 * seat + arrays.HEURISTIC] += log(chance)
        counted = lookup[in_lookup.KIND_OF_FACE + plain_play(lookup, snapshot, counting, mask)]
        chance = (1.0 - x[arrays.ODD_COUNTS]) * (1.0 if counted == kind else 0.0)
        chance += x[arrays.ODD_COUNTS] / plays
        by[2 + 2 * seat + arrays.COUNTER] += log(chance)


@jit
def settle(
    lookup: Ints,
    m: Ints,
    f: Floats,
    counting: Ints,
    i: Ints,
    x: Floats,
    state: Ints,
    rng: Ints,
    w: Ints,
    at_world: int,
    snapshot: Ints,
    j: Floats,
    by: Floats,
) -> float:
    """Writes the world's hands, guessed bids and kinds of player to `w`; returns the logarithm of its weight."""
    n = lookup[in_lookup.PLAYERS]
    for seat in range(n):
        if _bit(i[arrays.UNTOLD], seat):
            state[in_state.BID + seat] = guess_bid(
                lookup, m, f, counting, i, x, state, rng, seat, by
            )
    explain_plays(lookup, m, f, counting, i, x, state, snapshot, j, by)
    weight = 0.0
    for seat in range(n):
        w[at_world + arrays.W_HAND + seat] = state[in_state.HAND + seat]
        w[at_world + arrays.W_COPIES + seat] = state[in_state.COPIES + seat]
        w[at_world + arrays.W_BID + seat] = state[in_state.BID + seat]
        w[at_world + arrays.W_KIND + seat] = arrays.HEURISTIC
        if seat == i[arrays.ME]:
            continue
        by[arrays.HEURISTIC] = 1.0
        by[arrays.COUNTER] = 1.0
        if _bit(i[arrays.BIDDERS], seat):
            bid_chances(lookup, m, f, counting, i, x, state, seat, state[in_state.BID + seat], by)
        plays = max(by[2 + 2 * seat], by[3 + 2 * seat])
        as_heuristic = (1.0 - x[arrays.COUNTS + seat]) * by[arrays.HEURISTIC]
        as_counter = x[arrays.COUNTS + seat] * by[arrays.COUNTER]
        before = as_heuristic + as_counter
        as_heuristic *= exp(by[2 + 2 * seat] - plays)
        as_counter *= exp(by[3 + 2 * seat] - plays)
        weight += plays + log((as_heuristic + as_counter) / before)
        if below(rng, 1 << 30) * (as_heuristic + as_counter) < as_counter * (1 << 30):
            w[at_world + arrays.W_KIND + seat] = arrays.COUNTER
    return weight


@jit
def deal_worlds(
    lookup: Ints,
    m: Ints,
    f: Floats,
    counting: Ints,
    i: Ints,
    x: Floats,
    state: Ints,
    rng: Ints,
    h: Ints,
    hf: Floats,
    b: Ints,
    w: Ints,
    weights: Floats,
    first: int,
    last: int,
    chains: int,
    snapshot: Ints,
    j: Floats,
    by: Floats,
    c: Floats,
) -> bool:
    """Fills in the worlds from `first` up to `last`; False if no deal fits.

    Every `chains` worlds the cards are dealt again, and a new chain of swaps begins.
    """
    n = lookup[in_lookup.PLAYERS]
    for number in range(first, last):
        begins = number % chains == 0 or i[arrays.CAN_SWAP] == 0 or number == first
        if begins:
            # `redeal` gives an owner to each card that it deals; all other cards are in the stock.
            for card in range(h[in_plan.UNSEEN]):
                b[in_scratch.OWNER + card] = h[in_plan.STOCK]
            if not redeal(lookup, state, rng, h, hf, b):
                return False
            for seat in range(n):
                c[seat] = bid_chance(lookup, m, f, counting, i, x, state, seat, by)
        if i[arrays.CAN_SWAP] == 1:
            for _ in range(i[arrays.STEPS] * 12 if begins else i[arrays.STEPS]):
                exchange(lookup, m, f, counting, i, x, state, rng, h, b, by, c)
            weights[number] = settle(
                lookup, m, f, counting, i, x, state, rng, w, number * arrays.WORLD, snapshot, j, by
            )
        else:
            bids = 0.0
            for seat in range(n):
                bids += log(c[seat])
            weights[number] = bids + settle(
                lookup, m, f, counting, i, x, state, rng, w, number * arrays.WORLD, snapshot, j, by
            )
    return True
