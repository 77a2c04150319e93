"""Counts of action sequences from a position: the contract between two implementations of the rules.

A card with its declaration is one action, and so counts once; Wizards are alike, and so are Jesters.
"""

from foretell.kernel.backend.compiled import Ints, ints, jit, lowest
from foretell.kernel.state import layout as at
from foretell.kernel.state.tables import Tables
from foretell.kernel.state.turn_loop import legal, step

__all__ = ["perft"]

DEEPEST = 200  # decisions of a round, declarations included: 60 plays, bids, passes and the rest


@jit
def take_first_turn(t: Ints, s: Ints) -> None:
    """Where several seats are awaited, the first of them acts, as in the engine's order."""
    awaited = at.PASSED if s[at.PHASE] == at.PASSING else at.BID
    if s[at.PHASE] == at.PASSING or (s[at.PHASE] == at.BIDDING and t[at.AT_ONCE]):
        seat = 0
        while s[awaited + seat] >= 0:
            seat += 1
        s[at.TURN] = seat


@jit
def count_sequences(
    t: Ints, states: Ints, s: Ints, left: Ints, done: Ints, depth: int, found: Ints
) -> int:
    """Adds to `found[k]` the sequences of k actions; answers with those that end the round."""
    ended = 0
    level = 0
    take_first_turn(t, s)
    for place in range(at.STATE):
        states[place] = s[place]
    left[0] = legal(t, s)
    done[0] = 0
    while level >= 0:
        if left[level] == 0:
            level -= 1
        else:
            action = lowest(left[level])
            left[level] &= left[level] - 1
            for place in range(at.STATE):
                s[place] = states[level * at.STATE + place]
            step(t, s, action)
            actions = done[level]
            if s[at.PHASE] != at.DECLARING:
                actions += 1
                found[actions] += 1
            if s[at.PHASE] >= at.DEALING:
                ended += 1
            elif actions < depth:
                take_first_turn(t, s)
                level += 1
                for place in range(at.STATE):
                    states[level * at.STATE + place] = s[place]
                left[level] = legal(t, s)
                done[level] = actions
    return ended


def perft(tables: Tables, start: Ints, depth: int = 0) -> tuple[list[int], int]:
    """How many sequences of 1, 2, ... actions there are, and how many of them end the round; all of it if no depth."""
    depth = depth or DEEPEST
    s, found = ints(at.STATE), ints(DEEPEST + 2)
    for place in range(at.STATE):
        s[place] = start[place]
    states, left, done = ints(at.STATE * (DEEPEST + 2)), ints(DEEPEST + 2), ints(DEEPEST + 2)
    ended: int = count_sequences(tables.words, states, s, left, done, depth, found)
    counts = [int(count) for count in found]
    while counts and not counts[-1]:
        counts.pop()
    return counts[1:], ended
