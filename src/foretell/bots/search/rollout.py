"""Rollouts: every choice is played out in every world, to the end of the round.

The array parameters are described in `arrays.py`.
"""

from math import exp

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
from foretell.kernel.bulk.policies import plain_action
from foretell.kernel.state import layout as at
from foretell.kernel.state.chance import below
from foretell.kernel.state.turn_loop import copy_state, legal, step, take_turn

__all__ = ["do", "evaluate", "play_on", "some_play"]

_NEVER = 8.0  # a play that costs this many times `heat` more than the cheapest is never made


@jit
def do(t: Ints, s: Ints, action: int) -> None:
    """The turn loop's `step`, compiled once: inlining it in three places takes long to compile and is no faster."""
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
    """A play of the mask, drawn by cost: a play that costs `heat` more than another is e times less likely."""
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
def foreseen_bid(
    t: Ints, m: Ints, f: Floats, x: Floats, s: Ints, out: int, lying: int, mask: int
) -> int:
    """The bid of another player as the close line foresees it."""
    seat = s[at.TURN]
    above = 0
    if t[at.AT_ONCE] == 0:
        n = t[at.PLAYERS]
        above = 100 * (s[at.BID_SUM] * n - s[at.COUNT] * s[at.HAND_SIZE]) // n
    hand, copies = s[at.HAND + seat], s[at.COPIES + seat]
    return nearest(mask, bid_line(t, m, f, x, s, seat, hand, copies, out, lying, above))


@jit
def heuristic_action(
    t: Ints,
    m: Ints,
    f: Floats,
    x: Floats,
    a: Floats,
    s: Ints,
    out: int,
    lying: int,
    j: Floats,
    g: Ints,
    is_other: bool,
) -> int:
    """What a player does who follows the heuristic; the others follow it as freely as `x` and `a` say."""
    phase = s[at.PHASE]
    mask = legal(t, s)
    if phase == at.PLAYING:
        if is_other and a[arrays.WHIM] > 0.0:
            heat = a[arrays.WHIM] * (x[arrays.HEAT] + x[arrays.HEAT_EACH] * s[at.LEFT])
            action = some_play(t, m, f, s, out, lying, mask, j, g, heat)
        else:
            action = pick_play(t, m, f, s, out, lying, mask, j)
    elif phase == at.BIDDING:
        if is_other and x[arrays.IS_CLOSE] > 0.0:
            action = foreseen_bid(t, m, f, x, s, out, lying, mask)
        else:
            action = pick_bid(t, m, f, s, out, lying, mask)
    elif phase == at.DECLARING:
        action = declaration(t, s)
    elif phase == at.PASSING:
        action = pick_pass(t, m, f, s, out, lying)
    elif phase == at.CHANGING:
        action = pick_change(t, s, mask)
    else:
        action = lowest(mask)
    return action


@jit
def play_on(
    t: Ints,
    m: Ints,
    f: Floats,
    counting: Ints,
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
    """Plays the round to its end; each seat plays as its kind of player does (`w` from `kinds` on)."""
    while s[at.PHASE] < at.DEALING:
        phase = s[at.PHASE]
        seat = s[at.TURN]
        if w[kinds + seat] == arrays.COUNTER:
            action = plain_action(t, s, counting)
        else:
            action = heuristic_action(t, m, f, x, a, s, out, lying, j, g, seat != me)
        if phase == at.PLAYING:
            if action < at.WIZARD:
                out &= ~(ONE << action)
            lying -= 1
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
    made = s[at.POINTS + me] - a[arrays.OF_MEAN] * others / (n - 1)
    if a[arrays.OF_WIN] > 0.0:
        lead = s[at.SCORE + me] - best
        if a[arrays.SCALE] > 0.0:
            made += a[arrays.OF_WIN] / (1.0 + exp(-lead / a[arrays.SCALE]))
        elif lead > 0:
            made += a[arrays.OF_WIN]
        elif lead == 0:
            level = 2
            for seat in range(n):
                if seat != me and s[at.SCORE + seat] == best:
                    level += 1
            made += a[arrays.OF_WIN] / (level - 1)
    return made


@jit
def evaluate(
    t: Ints,
    m: Ints,
    f: Floats,
    counting: Ints,
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
    """Plays every choice that is alive in the worlds from `first` up to `last`; row c of `values` is choice c's."""
    n = t[at.PLAYERS]
    me = i[arrays.ME]
    for number in range(first, last):
        world = number * arrays.WORLD
        chance = g[0], g[1]
        for c in range(count):
            if alive[c] == 0:
                continue
            copy_state(s0, s)
            # The same chance for every choice, so that chance does not add to their difference.
            g[0], g[1] = chance
            for seat in range(n):
                s[at.HAND + seat] = w[world + arrays.W_HAND + seat]
                s[at.COPIES + seat] = w[world + arrays.W_COPIES + seat]
                if s[at.PHASE] != at.BIDDING and s[at.PHASE] != at.TRUMP_NAMED:
                    s[at.BID + seat] = w[world + arrays.W_BID + seat]
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
            play_on(
                t, m, f, counting, x, a, s, out_now, lying_now, w, world + arrays.W_KIND, j, g, me
            )
            values[c * worlds + number] = value(t, s, me, a)
            points[c * worlds + number] = s[at.POINTS + me]
            tricks[c * worlds + number] = s[at.WON + me]
