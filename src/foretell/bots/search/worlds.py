"""Worlds: deals of the hidden hands that fit all that was seen, the likelier the better they explain it.

`redeal` deals one of all that fit, each as likely as the next.  From there cards are exchanged between hidden hands and
the stock, and an exchange is kept by how much likelier the bids made were with the new hands (Metropolis): so the
worlds come in the proportion in which they explain the bids.  Each world then has a weight by how likely its hands
would have made the plays seen.  Of every other seat two things are thought possible: that it plays as the search's own
policy does, more or less, or as the counting bot does; each world holds a guess of that, too.
"""

from math import exp, log

from foretell.bots.search.bid_model import END, bid_line
from foretell.bots.search.heuristic import costs
from foretell.bots.search.yardstick import count_bid, count_play
from foretell.kernel.backend.compiled import ONE, Floats, Ints, jit, lowest
from foretell.kernel.hidden import plan_layout as in_plan
from foretell.kernel.hidden import scratch_layout as in_scratch
from foretell.kernel.hidden.redealing import redeal
from foretell.kernel.state import codes
from foretell.kernel.state import lookup_layout as in_lookup
from foretell.kernel.state import state_layout as in_state
from foretell.kernel.state.random_numbers import below

__all__ = ["INFO", "MODEL", "WORLD", "deal_worlds"]

# A world: hands, copies, bids and kinds of player by seat.
W_HAND, W_COPIES, W_BID, W_KIND = 0, 6, 12, 18
WORLD = 24  # words of a world
POLICY, COUNTER = 0, 1

# `i`: what is known of the round, made ready by `search`.
ME = 0
CAN_SWAP = 1  # whether hidden cards may be exchanged freely but for BARRED
OUT_FIRST, LYING_FIRST = 2, 3  # kinds and number of cards not turned up, before the first play
SHOTS = 4  # plays of others to be explained
STEPS = 5  # exchanges tried from world to world
BIDDERS = 6  # mask: seats whose bid is known and was made after seeing the own hand
UNTOLD = 7  # mask: seats that have bid what we do not know, or whose bid is to be guessed
BARRED = 8  # by seat
PLAYED = 14  # by seat: kinds played
PLAYED_COPIES = 20
OPEN_BIDS = 26  # by seat: the bids that were open
IS_HIDDEN = 32  # by seat
ABOVE = 38  # by seat: hundredths of a trick by which the bids before it were above their share
SHOTS_AT = 44
# A shot: state before the play, then the seat's later plays, `out`, `lying` and the kind played.
SHOT_LATER, SHOT_LATER_COPIES, SHOT_OUT, SHOT_LYING, SHOT_KIND = range(
    in_state.SIZE_FOR_PLAY, in_state.SIZE_FOR_PLAY + 5
)
SHOT = in_state.SIZE_FOR_PLAY + 5
INFO = SHOTS_AT + SHOT * 60

# `x`: how players are modelled.  Around which line a bid is thought to lie, says `bidding.py`.
SPREAD, SPREAD_EACH = 0, 1  # deviation of a bid, and more for each card
HEAT, HEAT_EACH = 2, 3  # of plays: the cost that makes a play e times less likely; for each trick
ODD_PLAYS = 4
TRUST = 5  # of the weights by plays, 0 to 1
ODD_COUNTS = 11  # the part of bids and plays in which a counting player would not count
# By seat, for some levels from the score sheet:
COUNTS = 12  # the chance that it is a counting player
# (HABIT, in `bidding.py`: how much more it bids than others would)
ODDITY = 24  # the part of its bids that have nothing to do with the hand
MODEL = END  # so far goes the line of bids


@jit
def _bit(mask: int, place: int) -> bool:
    return (mask >> place) & 1 == 1


@jit
def bid_chances(
    lookup: Ints,
    m: Ints,
    f: Floats,
    i: Ints,
    x: Floats,
    state: Ints,
    seat: int,
    bid: int,
    by: Floats,
) -> None:
    """The chance of this bid with the hand that the seat has in `s`, for each kind of player."""
    size = state[in_state.HAND_SIZE]
    hand = state[in_state.HAND + seat] | i[PLAYED + seat]
    copies = state[in_state.COPIES + seat] + i[PLAYED_COPIES + seat]
    around = bid_line(
        lookup, m, f, x, state, seat, hand, copies, i[OUT_FIRST], i[LYING_FIRST], i[ABOVE + seat]
    )
    spread = x[SPREAD] + x[SPREAD_EACH] * size
    off = (bid - around) / spread
    near = min(1.0, exp(-0.5 * off * off) / (2.5 * spread))
    odd = x[ODDITY + seat] / (size + 1)
    by[POLICY] = (1.0 - x[ODDITY + seat]) * near + odd
    counted = count_bid(lookup, hand, copies, state[in_state.TRUMP], size, i[OPEN_BIDS + seat])
    by[COUNTER] = (1.0 - x[ODD_COUNTS]) * (1.0 if counted == bid else 0.0)
    by[COUNTER] += x[ODD_COUNTS] / (size + 1)


@jit
def chance_of(
    lookup: Ints,
    m: Ints,
    f: Floats,
    i: Ints,
    x: Floats,
    state: Ints,
    seat: int,
    bid: int,
    by: Floats,
) -> float:
    """The chance of this bid, whatever kind of player it is."""
    bid_chances(lookup, m, f, i, x, state, seat, bid, by)
    return x[COUNTS + seat] * by[COUNTER] + (1.0 - x[COUNTS + seat]) * by[POLICY]


@jit
def bid_chance(
    lookup: Ints, m: Ints, f: Floats, i: Ints, x: Floats, state: Ints, seat: int, by: Floats
) -> float:
    """The chance of the bid that the seat made, or 1 where it tells nothing."""
    chance = 1.0
    if _bit(i[BIDDERS], seat):
        chance = chance_of(lookup, m, f, i, x, state, seat, state[in_state.BID + seat], by)
    return chance


@jit
def exchange(
    lookup: Ints,
    m: Ints,
    f: Floats,
    i: Ints,
    x: Floats,
    state: Ints,
    rng: Ints,
    h: Ints,
    b: Ints,
    by: Floats,
    c: Floats,
) -> None:
    """Tries to exchange two hidden cards; `c` holds each seat's chance of its bid."""
    unseen = h[in_plan.UNSEEN]
    one = below(rng, unseen)
    other = below(rng, unseen)
    a = b[in_scratch.OWNER + one]
    z = b[in_scratch.OWNER + other]
    stock = h[in_plan.STOCK]
    kind_a = h[h[in_plan.KINDS_AT] + one]
    kind_z = h[h[in_plan.KINDS_AT] + other]
    fits = a != z and kind_a != kind_z
    if fits and a < stock and _bit(i[BARRED + a], kind_z):
        fits = False
    if fits and z < stock and _bit(i[BARRED + z], kind_a):
        fits = False
    if fits:
        _swap(lookup, state, stock, a, z, kind_a, kind_z)
        new_a = 1.0
        new_z = 1.0
        ratio = 1.0
        if a < stock:
            new_a = bid_chance(lookup, m, f, i, x, state, a, by)
            ratio *= new_a / c[a]
        if z < stock:
            new_z = bid_chance(lookup, m, f, i, x, state, z, by)
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
        _take(lookup, state, a, kind_a)
        _give(lookup, state, a, kind_z)
    if z < stock:
        _take(lookup, state, z, kind_z)
        _give(lookup, state, z, kind_a)


@jit
def _give(lookup: Ints, state: Ints, seat: int, kind: int) -> None:
    state[in_state.HAND + seat] |= ONE << kind
    state[in_state.COPIES + seat] += lookup[in_lookup.COPIES_OF_KIND + kind]


@jit
def _take(lookup: Ints, state: Ints, seat: int, kind: int) -> None:
    copies = state[in_state.COPIES + seat] - lookup[in_lookup.COPIES_OF_KIND + kind]
    state[in_state.COPIES + seat] = copies
    state[in_state.HAND + seat] = (state[in_state.HAND + seat] ^ (ONE << kind)) | lookup[
        in_lookup.BITS_OF_COPIES + copies
    ]


@jit
def guess_bid(
    lookup: Ints,
    m: Ints,
    f: Floats,
    i: Ints,
    x: Floats,
    state: Ints,
    rng: Ints,
    seat: int,
    by: Floats,
) -> int:
    """A bid that this hand may have made, where bids are secret (V3)."""
    chosen = 0
    total = 0.0
    for bid in range(state[in_state.HAND_SIZE] + 1):
        chance = chance_of(lookup, m, f, i, x, state, seat, bid, by)
        total += chance
        if below(rng, 1 << 30) * total < chance * (1 << 30):
            chosen = bid
    return chosen


@jit
def explain_plays(
    lookup: Ints,
    m: Ints,
    f: Floats,
    i: Ints,
    x: Floats,
    state: Ints,
    shot: Ints,
    j: Floats,
    by: Floats,
) -> None:
    """For each seat and kind of player the logarithm of the chance of the plays seen, into `by` from 2 on."""
    for place in range(2, 14):
        by[place] = 0.0
    for number in range(i[SHOTS]):
        start = SHOTS_AT + number * SHOT
        for place in range(in_state.SIZE_FOR_PLAY):
            shot[place] = i[start + place]
        seat = shot[in_state.TURN]
        for other in range(lookup[in_lookup.PLAYERS]):
            shot[in_state.BID + other] = state[in_state.BID + other]
        shot[in_state.HAND + seat] = state[in_state.HAND + seat] | i[start + SHOT_LATER]
        shot[in_state.COPIES + seat] = state[in_state.COPIES + seat] + i[start + SHOT_LATER_COPIES]
        row = shot[in_state.DEMAND] * codes.TRUMPS + shot[in_state.TRUMP]
        hand = shot[in_state.HAND + seat]
        mask = hand & (
            lookup[in_lookup.IF_OBLIGED + row]
            if hand & lookup[in_lookup.OBLIGING + row]
            else lookup[in_lookup.IF_NOT_OBLIGED + row]
        )
        if mask == 0:
            mask = hand
        if mask & (mask - 1) == 0:
            continue
        kind = i[start + SHOT_KIND]
        costs(lookup, m, f, shot, i[start + SHOT_OUT], i[start + SHOT_LYING], mask, j)
        total = 0.0
        plays = 0
        heat = x[HEAT] + x[HEAT_EACH] * shot[in_state.TRICKS_LEFT]
        these = mask
        while these != 0:
            one = lowest(these)
            these &= these - 1
            plays += 1
            total += exp(min(60.0, (j[kind] - j[one]) / heat))
        chance = (1.0 - x[ODD_PLAYS]) / total + x[ODD_PLAYS] / plays
        by[2 + 2 * seat + POLICY] += log(chance)
        counted = count_play(lookup, shot, mask)
        chance = (1.0 - x[ODD_COUNTS]) * (1.0 if counted == kind else 0.0)
        chance += x[ODD_COUNTS] / plays
        by[2 + 2 * seat + COUNTER] += log(chance)


@jit
def settle(
    lookup: Ints,
    m: Ints,
    f: Floats,
    i: Ints,
    x: Floats,
    state: Ints,
    rng: Ints,
    w: Ints,
    at_world: int,
    shot: Ints,
    j: Floats,
    by: Floats,
) -> float:
    """Writes the world down: hands, guessed bids, kinds of player; returns the logarithm of its weight."""
    n = lookup[in_lookup.PLAYERS]
    for seat in range(n):
        if _bit(i[UNTOLD], seat):
            state[in_state.BID + seat] = guess_bid(lookup, m, f, i, x, state, rng, seat, by)
    explain_plays(lookup, m, f, i, x, state, shot, j, by)
    weight = 0.0
    for seat in range(n):
        w[at_world + W_HAND + seat] = state[in_state.HAND + seat]
        w[at_world + W_COPIES + seat] = state[in_state.COPIES + seat]
        w[at_world + W_BID + seat] = state[in_state.BID + seat]
        w[at_world + W_KIND + seat] = POLICY
        if seat == i[ME]:
            continue
        by[POLICY] = 1.0
        by[COUNTER] = 1.0
        if _bit(i[BIDDERS], seat):
            bid_chances(lookup, m, f, i, x, state, seat, state[in_state.BID + seat], by)
        plays = max(by[2 + 2 * seat], by[3 + 2 * seat])
        as_policy = (1.0 - x[COUNTS + seat]) * by[POLICY]
        as_counter = x[COUNTS + seat] * by[COUNTER]
        before = as_policy + as_counter
        as_policy *= exp(by[2 + 2 * seat] - plays)
        as_counter *= exp(by[3 + 2 * seat] - plays)
        weight += plays + log((as_policy + as_counter) / before)
        if below(rng, 1 << 30) * (as_policy + as_counter) < as_counter * (1 << 30):
            w[at_world + W_KIND + seat] = COUNTER
    return weight


@jit
def deal_worlds(
    lookup: Ints,
    m: Ints,
    f: Floats,
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
    shot: Ints,
    j: Floats,
    by: Floats,
    c: Floats,
) -> bool:
    """Fills in the worlds from `first` up to `last`; a chain of exchanges begins anew every `chains` worlds."""
    n = lookup[in_lookup.PLAYERS]
    for number in range(first, last):
        begins = number % chains == 0 or i[CAN_SWAP] == 0 or number == first
        if begins:
            # `redeal` names the owners of what it deals; all else lies in the stock.
            for card in range(h[in_plan.UNSEEN]):
                b[in_scratch.OWNER + card] = h[in_plan.STOCK]
            if not redeal(lookup, state, rng, h, hf, b):
                return False
            for seat in range(n):
                c[seat] = bid_chance(lookup, m, f, i, x, state, seat, by)
        if i[CAN_SWAP] == 1:
            for _ in range(i[STEPS] * 12 if begins else i[STEPS]):
                exchange(lookup, m, f, i, x, state, rng, h, b, by, c)
            weights[number] = settle(lookup, m, f, i, x, state, rng, w, number * WORLD, shot, j, by)
        else:
            bids = 0.0
            for seat in range(n):
                bids += log(c[seat])
            weights[number] = bids + settle(
                lookup, m, f, i, x, state, rng, w, number * WORLD, shot, j, by
            )
    return True
