"""Playing worlds out: every choice in every world, to the end of the round."""

from math import exp

from foretell.bots.search import worlds as wo
from foretell.bots.search.bid_model import IS_CLOSE, bid_line
from foretell.bots.search.heuristic import (
    declaration,
    nearest,
    pick_bid,
    pick_change,
    pick_pass,
    pick_play,
)
from foretell.bots.search.yardstick import count_bid, count_pass, count_play
from foretell.kernel.backend.compiled import ONE, Floats, Ints, jit, kth, lowest, popcount
from foretell.kernel.state import codes
from foretell.kernel.state import lookup_layout as in_lookup
from foretell.kernel.state import state_layout as in_state
from foretell.kernel.state.random_numbers import below
from foretell.kernel.state.turn_loop import copy_state, legal, step, take_turn

__all__ = ["AIM", "evaluate", "play_on"]

# `a`: what a choice is valued by.
OF_MEAN = 0  # the part of the others' mean that is taken off the own points
OF_WIN = 1  # what the victory is worth in points
SCALE = 2  # the lead, in points, that makes it likely; 0 when the game ends with this round
# And how freely the others play:
SLIPS = 3  # the part of their plays that are any legal one
WHIM = 4  # how freely they choose among the rest: 0 always the cheapest, 1 as plays are read (HEAT)
AIM = 5

_NEVER = 8.0  # so many times e dearer


@jit
def do(lookup: Ints, state: Ints, action: int) -> None:
    """The turn loop's `step`, compiled once: inlined three times over it takes long to compile and is no faster."""
    step(lookup, state, action)


@jit
def some_play(
    lookup: Ints,
    m: Ints,
    f: Floats,
    state: Ints,
    out: int,
    lying: int,
    mask: int,
    j: Floats,
    rng: Ints,
    heat: float,
) -> int:
    """A play of the mask, the likelier the less it costs: `heat` more makes it e times less likely."""
    cheapest: int = pick_play(lookup, m, f, state, out, lying, mask, j)
    if mask & (mask - 1) == 0:
        return cheapest
    chosen = cheapest
    total = 1.0
    these = mask & ~(ONE << cheapest)
    while these != 0:
        kind = lowest(these)
        these &= these - 1
        dearer = (j[kind] - j[cheapest]) / heat
        if dearer < _NEVER:
            chance = exp(-dearer)
            total += chance
            if below(rng, 1 << 30) * total < chance * (1 << 30):
                chosen = kind
    return chosen


@jit
def play_on(
    lookup: Ints,
    m: Ints,
    f: Floats,
    x: Floats,
    a: Floats,
    state: Ints,
    out: int,
    lying: int,
    w: Ints,
    kinds: int,
    j: Floats,
    rng: Ints,
    me: int,
) -> None:
    """Plays the round to its end, each seat as the kind of player in the world (`w` from `kinds` on)."""
    while state[in_state.PHASE] < codes.DEALING:
        phase = state[in_state.PHASE]
        seat = state[in_state.TURN]
        mask = legal(lookup, state)
        counts = w[kinds + seat] == wo.COUNTER
        if phase == codes.PLAYING:
            if counts:
                action = count_play(lookup, state, mask)
            elif seat != me and a[SLIPS] > 0.0 and below(rng, 1000) < 1000 * a[SLIPS]:
                action = kth(mask, below(rng, popcount(mask)))
            elif seat != me and a[WHIM] > 0.0:
                heat = a[WHIM] * (x[wo.HEAT] + x[wo.HEAT_EACH] * state[in_state.TRICKS_LEFT])
                action = some_play(lookup, m, f, state, out, lying, mask, j, rng, heat)
            else:
                action = pick_play(lookup, m, f, state, out, lying, mask, j)
            if action < codes.WIZARD:
                out &= ~(ONE << action)
            lying -= 1
        elif phase == codes.BIDDING:
            if counts:
                action = count_bid(
                    lookup,
                    state[in_state.HAND + seat],
                    state[in_state.COPIES + seat],
                    state[in_state.TRUMP],
                    state[in_state.HAND_SIZE],
                    mask,
                )
            elif x[IS_CLOSE] > 0.0 and seat != me:
                above = 0
                if lookup[in_lookup.BIDS_AT_ONCE] == 0:
                    n = lookup[in_lookup.PLAYERS]
                    above = (
                        100
                        * (
                            state[in_state.BID_SUM] * n
                            - state[in_state.ACTED] * state[in_state.HAND_SIZE]
                        )
                        // n
                    )
                around = bid_line(
                    lookup,
                    m,
                    f,
                    x,
                    state,
                    seat,
                    state[in_state.HAND + seat],
                    state[in_state.COPIES + seat],
                    out,
                    lying,
                    above,
                )
                action = nearest(mask, around)
            else:
                action = pick_bid(lookup, m, f, state, out, lying, mask)
        elif phase == codes.DECLARING:
            action = declaration(lookup, state)
        elif phase == codes.PASSING:
            action = count_pass(state) if counts else pick_pass(lookup, m, f, state, out, lying)
        elif phase == codes.CHANGING_BID:
            action = pick_change(lookup, state, mask)
        else:
            action = lowest(mask)
        do(lookup, state, action)


@jit
def value(lookup: Ints, state: Ints, me: int, a: Floats) -> float:
    """What the end of the round is worth to this seat."""
    n = lookup[in_lookup.PLAYERS]
    others = 0
    best = -(ONE << 40)
    level = 0
    for seat in range(n):
        if seat != me:
            others += state[in_state.ROUND_POINTS + seat]
            best = max(best, state[in_state.SCORE + seat])
    made = state[in_state.ROUND_POINTS + me] - a[OF_MEAN] * others / (n - 1)
    if a[OF_WIN] > 0.0:
        lead = state[in_state.SCORE + me] - best
        if a[SCALE] > 0.0:
            made += a[OF_WIN] / (1.0 + exp(-lead / a[SCALE]))
        elif lead > 0:
            made += a[OF_WIN]
        elif lead == 0:
            level = 2
            for seat in range(n):
                if seat != me and state[in_state.SCORE + seat] == best:
                    level += 1
            made += a[OF_WIN] / (level - 1)
    return made


@jit
def evaluate(
    lookup: Ints,
    m: Ints,
    f: Floats,
    i: Ints,
    x: Floats,
    a: Floats,
    s0: Ints,
    state: Ints,
    out: int,
    lying: int,
    w: Ints,
    first: int,
    last: int,
    actions: Ints,
    words: Ints,
    alive: Ints,
    count: int,
    worlds: int,
    values: Floats,
    points: Floats,
    tricks: Ints,
    j: Floats,
    rng: Ints,
) -> None:
    """Plays every living choice in the worlds from `first` up to `last`; row c of `values` is choice c's."""
    n = lookup[in_lookup.PLAYERS]
    me = i[wo.ME]
    for number in range(first, last):
        world = number * wo.WORLD
        chance = rng[0], rng[1]
        for c in range(count):
            if alive[c] == 0:
                continue
            copy_state(s0, state)
            # The same chance for every choice: what they share does not blur what they differ in.
            rng[0], rng[1] = chance
            for seat in range(n):
                state[in_state.HAND + seat] = w[world + wo.W_HAND + seat]
                state[in_state.COPIES + seat] = w[world + wo.W_COPIES + seat]
                if (
                    state[in_state.PHASE] != codes.BIDDING
                    and state[in_state.PHASE] != codes.NAMING_TRUMP
                ):
                    state[in_state.BID + seat] = w[world + wo.W_BID + seat]
            take_turn(lookup, state, me)
            out_now = out
            lying_now = lying
            if state[in_state.PHASE] == codes.PLAYING:
                lying_now -= 1
                if actions[c] < codes.WIZARD:
                    out_now &= ~(ONE << actions[c])
            do(lookup, state, actions[c])
            if words[c] >= 0:
                do(lookup, state, words[c])
            play_on(lookup, m, f, x, a, state, out_now, lying_now, w, world + wo.W_KIND, j, rng, me)
            values[c * worlds + number] = value(lookup, state, me, a)
            points[c * worlds + number] = state[in_state.ROUND_POINTS + me]
            tricks[c * worlds + number] = state[in_state.TRICKS_WON + me]
