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
from foretell.kernel.state import layout as at
from foretell.kernel.state.chance import below
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
def do(t: Ints, s: Ints, action: int) -> None:
    """The turn loop's `step`, compiled once: inlined three times over it takes long to compile and is no faster."""
    step(t, s, action)


@jit
def some_play(
    t: Ints,
    m: Ints,
    f: Floats,
    s: Ints,
    out: int,
    lying: int,
    mask: int,
    j: Floats,
    g: Ints,
    heat: float,
) -> int:
    """A play of the mask, the likelier the less it costs: `heat` more makes it e times less likely."""
    cheapest: int = pick_play(t, m, f, s, out, lying, mask, j)
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
            if below(g, 1 << 30) * total < chance * (1 << 30):
                chosen = kind
    return chosen


@jit
def play_on(
    t: Ints,
    m: Ints,
    f: Floats,
    x: Floats,
    a: Floats,
    s: Ints,
    out: int,
    lying: int,
    w: Ints,
    kinds: int,
    j: Floats,
    g: Ints,
    me: int,
) -> None:
    """Plays the round to its end, each seat as the kind of player in the world (`w` from `kinds` on)."""
    while s[at.PHASE] < at.DEALING:
        phase = s[at.PHASE]
        seat = s[at.TURN]
        mask = legal(t, s)
        counts = w[kinds + seat] == wo.COUNTER
        if phase == at.PLAYING:
            if counts:
                action = count_play(t, s, mask)
            elif seat != me and a[SLIPS] > 0.0 and below(g, 1000) < 1000 * a[SLIPS]:
                action = kth(mask, below(g, popcount(mask)))
            elif seat != me and a[WHIM] > 0.0:
                heat = a[WHIM] * (x[wo.HEAT] + x[wo.HEAT_EACH] * s[at.LEFT])
                action = some_play(t, m, f, s, out, lying, mask, j, g, heat)
            else:
                action = pick_play(t, m, f, s, out, lying, mask, j)
            if action < at.WIZARD:
                out &= ~(ONE << action)
            lying -= 1
        elif phase == at.BIDDING:
            if counts:
                action = count_bid(
                    t, s[at.HAND + seat], s[at.COPIES + seat], s[at.TRUMP], s[at.HAND_SIZE], mask
                )
            elif x[IS_CLOSE] > 0.0 and seat != me:
                above = 0
                if t[at.AT_ONCE] == 0:
                    n = t[at.PLAYERS]
                    above = 100 * (s[at.BID_SUM] * n - s[at.COUNT] * s[at.HAND_SIZE]) // n
                around = bid_line(
                    t, m, f, x, s, seat, s[at.HAND + seat], s[at.COPIES + seat], out, lying, above
                )
                action = nearest(mask, around)
            else:
                action = pick_bid(t, m, f, s, out, lying, mask)
        elif phase == at.DECLARING:
            action = declaration(t, s)
        elif phase == at.PASSING:
            action = count_pass(s) if counts else pick_pass(t, m, f, s, out, lying)
        elif phase == at.CHANGING:
            action = pick_change(t, s, mask)
        else:
            action = lowest(mask)
        do(t, s, action)


@jit
def value(t: Ints, s: Ints, me: int, a: Floats) -> float:
    """What the end of the round is worth to this seat."""
    n = t[at.PLAYERS]
    others = 0
    best = -(ONE << 40)
    level = 0
    for seat in range(n):
        if seat != me:
            others += s[at.POINTS + seat]
            best = max(best, s[at.SCORE + seat])
    made = s[at.POINTS + me] - a[OF_MEAN] * others / (n - 1)
    if a[OF_WIN] > 0.0:
        lead = s[at.SCORE + me] - best
        if a[SCALE] > 0.0:
            made += a[OF_WIN] / (1.0 + exp(-lead / a[SCALE]))
        elif lead > 0:
            made += a[OF_WIN]
        elif lead == 0:
            level = 2
            for seat in range(n):
                if seat != me and s[at.SCORE + seat] == best:
                    level += 1
            made += a[OF_WIN] / (level - 1)
    return made


@jit
def evaluate(
    t: Ints,
    m: Ints,
    f: Floats,
    i: Ints,
    x: Floats,
    a: Floats,
    s0: Ints,
    s: Ints,
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
    g: Ints,
) -> None:
    """Plays every living choice in the worlds from `first` up to `last`; row c of `values` is choice c's."""
    n = t[at.PLAYERS]
    me = i[wo.ME]
    for number in range(first, last):
        world = number * wo.WORLD
        chance = g[0], g[1]
        for c in range(count):
            if alive[c] == 0:
                continue
            copy_state(s0, s)
            # The same chance for every choice: what they share does not blur what they differ in.
            g[0], g[1] = chance
            for seat in range(n):
                s[at.HAND + seat] = w[world + wo.W_HAND + seat]
                s[at.COPIES + seat] = w[world + wo.W_COPIES + seat]
                if s[at.PHASE] != at.BIDDING and s[at.PHASE] != at.TRUMP_NAMED:
                    s[at.BID + seat] = w[world + wo.W_BID + seat]
            take_turn(t, s, me)
            out_now = out
            lying_now = lying
            if s[at.PHASE] == at.PLAYING:
                lying_now -= 1
                if actions[c] < at.WIZARD:
                    out_now &= ~(ONE << actions[c])
            do(t, s, actions[c])
            if words[c] >= 0:
                do(t, s, words[c])
            play_on(t, m, f, x, a, s, out_now, lying_now, w, world + wo.W_KIND, j, g, me)
            values[c * worlds + number] = value(t, s, me, a)
            points[c * worlds + number] = s[at.POINTS + me]
            tricks[c * worlds + number] = s[at.WON + me]
