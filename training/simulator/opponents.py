"""Scripted players for training and for measuring: the counting bot, and players that differ from it in one way."""

from foretell.kernel.backend.compiled import Ints, jit, kth, lowest, popcount
from foretell.kernel.bulk.policies import plain_action, random_action
from foretell.kernel.state import codes
from foretell.kernel.state import state_layout as in_state
from foretell.kernel.state.random_numbers import below
from foretell.kernel.state.turn_loop import legal
from training.simulator import table_layout as in_table


@jit
def shifted_bid(open_bids: int, wanted: int) -> int:
    """The open bid nearest to the one wanted; the lower of two equally near."""
    best = lowest(open_bids)
    rest = open_bids
    while rest:
        bid = lowest(rest)
        rest &= rest - 1
        if (bid - wanted) * (bid - wanted) < (best - wanted) * (best - wanted):
            best = bid
    return best


@jit
def scripted_action(lookup: Ints, state: Ints, rng: Ints, policy_words: Ints, player: int) -> int:
    """The action of the seat on turn by this scripted kind of player."""
    if player == in_table.RANDOM or (player == in_table.CARELESS and below(rng, 5) == 0):
        return random_action(lookup, state, rng)
    action = plain_action(lookup, state, policy_words)
    if state[in_state.PHASE] == codes.BIDDING:
        open_bids = legal(lookup, state)
        if player == in_table.OVERBIDDER:
            action = shifted_bid(open_bids, action + 1)
        elif player == in_table.UNDERBIDDER:
            action = shifted_bid(open_bids, action - 1)
        elif player == in_table.RANDOM_BIDDER:
            action = kth(open_bids, below(rng, popcount(open_bids)))
        elif player == in_table.NIL_BIDDER:
            action = lowest(open_bids)
    return action
