"""What the search needs in compiled loops: tricks played by the net, and secret bids that have to be guessed.

A world is a state with a hand for every seat.  In a playout, every seat takes the action that the net likes best, and
the net is shown only what that seat sees.  The value net is shown all hands of a world.
"""

from foretell.bots.net import layout as in_view
from foretell.bots.net import net_layout as in_net
from foretell.bots.net.encoding import observe, observe_all
from foretell.bots.net.evaluation import evaluate_net, favourite, first_answer
from foretell.bots.net.plays import replay
from foretell.kernel.backend.compiled import Ints, Ints8, Ints16, Ints32, inlined, jit, lowest
from foretell.kernel.backend.exponentials import exp
from foretell.kernel.state import codes
from foretell.kernel.state import lookup_layout as in_lookup
from foretell.kernel.state import state_layout as in_state
from foretell.kernel.state.turn_loop import (
    bid,
    is_round_over,
    left_of,
    legal,
    open_trick,
    step,
)

__all__ = ["copy_world", "draw_secret_bids", "evaluate_state", "foresee", "play_tricks"]

ODD = 0.1  # the share of bids that are taken to be any bid: nobody bids exactly as the net does


@inlined
def copy_world(world: Ints, state: Ints) -> None:
    """Copies the whole state, since the net is also shown the history and how the bids of earlier rounds went."""
    for place in range(in_state.SIZE):
        state[place] = world[place]


@jit
def play_tricks(
    lookup: Ints, state: Ints, scratch: Ints, words: Ints, wide: Ints16, narrow: Ints8, desk: Ints32, left: int,
) -> None:  # fmt: skip
    """Plays until this many tricks are left, or until the round is over; every seat by the net."""
    while not is_round_over(state) and (left == 0 or state[in_state.TRICKS_LEFT] > left):
        step(lookup, state, favourite(lookup, state, scratch, words, wide, narrow, desk))


@jit
def play_forced(lookup: Ints, state: Ints) -> None:
    """Plays on as long as there is only one action, until the round is over."""
    rest = legal(lookup, state)
    while not is_round_over(state) and rest & (rest - 1) == 0:
        step(lookup, state, lowest(rest))
        rest = legal(lookup, state)


@jit
def foresee(
    lookup: Ints, state: Ints, scratch: Ints, words: Ints, wide: Ints16, narrow: Ints8, desk: Ints32
) -> None:
    """Plays forced moves, and fills in the value net's answers, unless the round is over by then."""
    play_forced(lookup, state)
    if not is_round_over(state):
        observe_all(lookup, state, desk[in_net.TRAITS], scratch, words)
        evaluate_net(words, wide, narrow, desk)


@jit
def evaluate_state(
    lookup: Ints, state: Ints, scratch: Ints, words: Ints, wide: Ints16, narrow: Ints8, desk: Ints32
) -> None:
    """Fills in the observation of the seat on turn and the net's answers to it."""
    observe(lookup, state, desk[in_net.TRAITS], scratch, words)
    evaluate_net(words, wide, narrow, desk)


@jit
def chance_of_answer(words: Ints, desk: Ints32, phase: int, answer: int) -> float:
    """The chance that the net gives to one of its answers, among those that are allowed."""
    start = in_net.ANSWERS + first_answer(phase)
    total = 0.0
    count = 0
    rest = words[in_view.LEGAL]
    while rest:
        other = lowest(rest)
        rest &= rest - 1
        total += exp((desk[start + other] - desk[start + answer]) / in_net.ANSWER_UNIT)
        count += 1
    return (1.0 - ODD) / total + ODD / count


@jit
def drawn_bid(words: Ints, desk: Ints32, lot: int) -> int:
    """V3: a bid drawn by the net's chances."""
    drawn = lot / in_net.LOTS
    chosen = 0
    rest = words[in_view.LEGAL]
    while rest:
        other = lowest(rest)
        rest &= rest - 1
        if drawn >= 0.0:
            chosen = other
        drawn -= chance_of_answer(words, desk, codes.BIDDING, other)
    return chosen


@jit
def begin_again(lookup: Ints, world: Ints, scratch: Ints, past: Ints) -> None:
    """Makes `past` the moment before the first bid of the round in this world."""
    players = lookup[in_lookup.PLAYERS]
    replay(lookup, world, scratch)
    copy_world(world, past)
    for seat in range(players):
        past[in_state.HAND + seat] |= scratch[in_view.SCRATCH_PLAYED + seat]
        past[in_state.COPIES + seat] += scratch[in_view.SCRATCH_COPIES + seat]
        past[in_state.BID + seat] = codes.NOT_YET
        past[in_state.TRICKS_WON + seat] = 0
        past[in_state.PASSED_KIND + seat] = codes.NOT_YET
    past[in_state.TRICKS_LEFT] = past[in_state.HAND_SIZE]
    past[in_state.FACES_PLAYED] = 0
    past[in_state.BID_SUM] = 0
    past[in_state.CLOUD_SEAT] = codes.NOBODY
    past[in_state.LEADER] = left_of(past[in_state.DEALER], players)
    open_trick(past)
    past[in_state.TURN] = past[in_state.LEADER]
    past[in_state.PHASE] = codes.BIDDING


@jit
def draw_secret_bids(
    lookup: Ints, world: Ints, scratch: Ints, words: Ints, wide: Ints16, narrow: Ints8, desk: Ints32, past: Ints,
) -> None:  # fmt: skip
    """V3: writes the secret bids that the seat on turn has not seen into a world, drawn by the net's chances."""
    begin_again(lookup, world, scratch, past)
    for _ in range(lookup[in_lookup.PLAYERS]):
        seat = past[in_state.TURN]
        if world[in_state.BID + seat] < 0:
            evaluate_state(lookup, past, scratch, words, wide, narrow, desk)
            world[in_state.BID + seat] = drawn_bid(words, desk, desk[in_net.LOT + seat])
        bid(lookup, past, world[in_state.BID + seat])
