"""Counts the sequences of actions that can follow a position.  Engine and kernel must agree on these counts.

A card with its declaration counts as one action.  The four Wizards count as one card, and so do the four Jesters.
"""

from foretell.kernel.backend.compiled import Ints, ints, jit, lowest
from foretell.kernel.state import codes
from foretell.kernel.state import lookup_layout as in_lookup
from foretell.kernel.state import state_layout as in_state
from foretell.kernel.state.tables import Tables
from foretell.kernel.state.turn_loop import legal, step

__all__ = ["perft"]

DEEPEST = 200  # more decisions than any round has, declarations included


@jit
def take_first_turn(lookup: Ints, state: Ints) -> None:
    """Where several seats are awaited at once, makes the lowest of them act next, as the engine does."""
    phase = state[in_state.PHASE]
    answers = in_state.PASSED_KIND if phase == codes.PASSING else in_state.BID
    if phase == codes.PASSING or (phase == codes.BIDDING and lookup[in_lookup.BIDS_AT_ONCE]):
        seat = 0
        while state[answers + seat] >= 0:
            seat += 1
        state[in_state.TURN] = seat


@jit
def count_sequences(
    lookup: Ints, states: Ints, state: Ints, left: Ints, done: Ints, depth: int, found: Ints
) -> int:
    """Adds the number of sequences of k actions to `found[k]`; returns how many sequences end the round.

    The search is depth-first.  For each level, `states` holds the position, `left` the actions still to be tried and
    `done` how many actions led there.  `state` is the position being worked on.
    """
    ended = 0
    level = 0
    take_first_turn(lookup, state)
    for place in range(in_state.SIZE):
        states[place] = state[place]
    left[0] = legal(lookup, state)
    done[0] = 0
    while level >= 0:
        if left[level] == 0:
            level -= 1
        else:
            action = lowest(left[level])
            left[level] &= left[level] - 1
            for place in range(in_state.SIZE):
                state[place] = states[level * in_state.SIZE + place]
            step(lookup, state, action)
            actions = done[level]
            if state[in_state.PHASE] != codes.DECLARING:
                actions += 1
                found[actions] += 1
            if state[in_state.PHASE] >= codes.DEALING:
                ended += 1
            elif actions < depth:
                take_first_turn(lookup, state)
                level += 1
                for place in range(in_state.SIZE):
                    states[level * in_state.SIZE + place] = state[place]
                left[level] = legal(lookup, state)
                done[level] = actions
    return ended


def perft(tables: Tables, start: Ints, depth: int = 0) -> tuple[list[int], int]:
    """How many sequences of 1, 2, ... actions there are, up to `depth` (0: all), and how many end the round."""
    depth = depth or DEEPEST
    state, found = ints(in_state.SIZE), ints(DEEPEST + 2)
    for place in range(in_state.SIZE):
        state[place] = start[place]
    states, left, done = ints(in_state.SIZE * (DEEPEST + 2)), ints(DEEPEST + 2), ints(DEEPEST + 2)
    ended: int = count_sequences(tables.words, states, state, left, done, depth, found)
    counts = [int(count) for count in found]
    while counts and not counts[-1]:
        counts.pop()
    return counts[1:], ended
