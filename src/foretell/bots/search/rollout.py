"""Rollouts: plays out every choice in every world, to the end of the round.

The array parameters are described in `arrays.py`.
"""

from foretell.bots.search import arrays
from foretell.bots.search.bid_model import bid_line
from foretell.bots.search.heuristic import (
    declaration,
    nearest,
    pick_bid,
    pick_change,
    pick_pass,
    pick_play,
)
from foretell.kernel.backend.compiled import ONE, Floats, Ints, jit, lowest
from foretell.kernel.backend.exponentials import exp
from foretell.kernel.bulk.policies import plain_action
from foretell.kernel.state import codes
from foretell.kernel.state import lookup_layout as in_lookup
from foretell.kernel.state import state_layout as in_state
from foretell.kernel.state.random_numbers import below
from foretell.kernel.state.turn_loop import copy_state, legal, step, take_turn

__all__ = ["do", "evaluate", "play_on", "some_play"]

_NEVER = 8.0  # a play is never made if it costs this many times `heat` more than the cheapest one


@jit
def do(lookup: Ints, state: Ints, action: int) -> None:
    """The turn loop's `step`, compiled once: inlining it in three places takes long to compile and is no faster."""
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
    """A random play of the mask: one that costs `heat` more than another is e times less likely."""
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
def foreseen_bid(
    lookup: Ints, m: Ints, f: Floats, x: Floats, state: Ints, out: int, lying: int, mask: int
) -> int:
    """The bid that the close line predicts for another player."""
    seat = state[in_state.TURN]
    above = 0
    if lookup[in_lookup.BIDS_AT_ONCE] == 0:
        n = lookup[in_lookup.PLAYERS]
        above = (
            100
            * (state[in_state.BID_SUM] * n - state[in_state.ACTED] * state[in_state.HAND_SIZE])
            // n
        )
    hand, copies = state[in_state.HAND + seat], state[in_state.COPIES + seat]
    return nearest(mask, bid_line(lookup, m, f, x, state, seat, hand, copies, out, lying, above))


@jit
def heuristic_action(
    lookup: Ints,
    m: Ints,
    f: Floats,
    x: Floats,
    a: Floats,
    state: Ints,
    out: int,
    lying: int,
    j: Floats,
    rng: Ints,
    is_other: bool,
) -> int:
    """The action of a player who follows the heuristic; for other players, `x` and `a` say how strictly."""
    phase = state[in_state.PHASE]
    mask = legal(lookup, state)
    if phase == codes.PLAYING:
        if is_other and a[arrays.WHIM] > 0.0:
            heat = a[arrays.WHIM] * (
                x[arrays.HEAT] + x[arrays.HEAT_EACH] * state[in_state.TRICKS_LEFT]
            )
            action = some_play(lookup, m, f, state, out, lying, mask, j, rng, heat)
        else:
            action = pick_play(lookup, m, f, state, out, lying, mask, j)
    elif phase == codes.BIDDING:
        if is_other and x[arrays.IS_CLOSE] > 0.0:
            action = foreseen_bid(lookup, m, f, x, state, out, lying, mask)
        else:
            action = pick_bid(lookup, m, f, state, out, lying, mask)
    elif phase == codes.DECLARING:
        action = declaration(lookup, state)
    elif phase == codes.PASSING:
        action = pick_pass(lookup, m, f, state, out, lying)
    elif phase == codes.CHANGING_BID:
        action = pick_change(lookup, state, mask)
    else:
        action = lowest(mask)
    return action


@jit
def play_on(
    lookup: Ints,
    m: Ints,
    f: Floats,
    counting: Ints,
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
    """Plays the round to its end; each seat plays as its kind of player does (`w` from `kinds` on)."""
    while state[in_state.PHASE] < codes.DEALING:
        phase = state[in_state.PHASE]
        seat = state[in_state.TURN]
        if w[kinds + seat] == arrays.COUNTER:
            action = plain_action(lookup, state, counting)
        else:
            action = heuristic_action(lookup, m, f, x, a, state, out, lying, j, rng, seat != me)
        if phase == codes.PLAYING:
            if action < codes.WIZARD:
                out &= ~(ONE << action)
            lying -= 1
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
    made = state[in_state.ROUND_POINTS + me] - a[arrays.OF_MEAN] * others / (n - 1)
    if a[arrays.OF_WIN] > 0.0:
        lead = state[in_state.SCORE + me] - best
        if a[arrays.SCALE] > 0.0:
            made += a[arrays.OF_WIN] / (1.0 + exp(-lead / a[arrays.SCALE]))
        elif lead > 0:
            made += a[arrays.OF_WIN]
        elif lead == 0:
            level = 2
            for seat in range(n):
                if seat != me and state[in_state.SCORE + seat] == best:
                    level += 1
            made += a[arrays.OF_WIN] / (level - 1)
    return made


@jit
def evaluate(
    lookup: Ints,
    m: Ints,
    f: Floats,
    counting: Ints,
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
    """Plays out every choice still alive in the worlds from `first` up to `last`; row c of `values` is choice c."""
    n = lookup[in_lookup.PLAYERS]
    me = i[arrays.ME]
    for number in range(first, last):
        world = number * arrays.WORLD
        chance = rng[0], rng[1]
        for c in range(count):
            if alive[c] == 0:
                continue
            copy_state(s0, state)
            # Every choice gets the same random numbers, so that they do not add to the differences between choices.
            rng[0], rng[1] = chance
            for seat in range(n):
                state[in_state.HAND + seat] = w[world + arrays.W_HAND + seat]
                state[in_state.COPIES + seat] = w[world + arrays.W_COPIES + seat]
                if (
                    state[in_state.PHASE] != codes.BIDDING
                    and state[in_state.PHASE] != codes.NAMING_TRUMP
                ):
                    state[in_state.BID + seat] = w[world + arrays.W_BID + seat]
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
            play_on(
                lookup,
                m,
                f,
                counting,
                x,
                a,
                state,
                out_now,
                lying_now,
                w,
                world + arrays.W_KIND,
                j,
                rng,
                me,
            )
            values[c * worlds + number] = value(lookup, state, me, a)
            points[c * worlds + number] = state[in_state.ROUND_POINTS + me]
            tricks[c * worlds + number] = state[in_state.TRICKS_WON + me]
