"""Cards that change hands unseen in the middle of a round, for a net that judges worlds in which cards are guessed.

A search deals the hidden cards as they may be.  Then the bids and the plays of the round hardly fit the hands: the
player who bid 3 may hold nothing.  A net that has only seen rounds as they were dealt would be at a loss there.
"""

from foretell.bots.net import layout as in_view
from foretell.bots.net.colours import has_passed
from foretell.bots.net.plays import replay
from foretell.kernel.backend.compiled import ONE, Ints, inlined, jit, kth, popcount
from foretell.kernel.state import codes
from foretell.kernel.state import lookup_layout as in_lookup
from foretell.kernel.state import state_layout as in_state
from foretell.kernel.state.random_numbers import below
from foretell.kernel.state.turn_loop import give, take
from training.simulator import table_layout as in_table

__all__ = ["exchange_cards", "is_time_to_exchange", "plan_exchange"]

MOST_DOUBLINGS = 6


@jit
def plan_exchange(state: Ints, rng: Ints, settings: Ints, table: Ints) -> None:
    """Draws after which trick of the new round cards are exchanged, if at all."""
    table[in_table.EXCHANGE_AT] = in_table.NO_EXCHANGE
    share = settings[in_table.EXCHANGE_SHARE]
    if share > 0 and below(rng, 256) < share:
        table[in_table.EXCHANGE_AT] = 1 + below(rng, state[in_state.HAND_SIZE] + 1)


@inlined
def is_time_to_exchange(state: Ints, rng: Ints, table: Ints) -> bool:
    """Whether the moment for the exchange has come: the beginning of a trick, or one of the bids after the first."""
    planned = table[in_table.EXCHANGE_AT]
    left = state[in_state.TRICKS_LEFT]
    is_time = False
    if planned > 0 and left > 0:
        if state[in_state.PHASE] == codes.PLAYING:
            is_time = planned == left and state[in_state.ACTED] == 0
        elif state[in_state.PHASE] == codes.BIDDING and state[in_state.ACTED] > 0:
            is_time = planned == left + 1 and below(rng, 2) == 0
    return is_time


@inlined
def can_exchange(lookup: Ints, state: Ints) -> bool:
    """Not where a seat knows cards of another (foresight, X6, X7), nor where everybody has a colour (V6)."""
    return (
        lookup[in_lookup.OWN_CARDS] == 0
        and lookup[in_lookup.IS_FORESIGHT + state[in_state.ROUND]] == 0
        and state[in_state.WEREWOLF_SEAT] == codes.NOBODY
        and not has_passed(state)
    )


@inlined
def is_ruled_out(scratch: Ints, seat: int, kind: int) -> int:
    """1 if the seat was shown not to hold this kind."""
    return (scratch[in_view.SCRATCH_VOID + seat] >> kind) & 1


@inlined
def random_kind(state: Ints, rng: Ints, seat: int) -> int:
    """One of the kinds that a seat holds."""
    hand = state[in_state.HAND + seat]
    return kth(hand, below(rng, popcount(hand)))


@jit
def exchange_with_seat(
    lookup: Ints, state: Ints, rng: Ints, scratch: Ints, seat: int, other: int
) -> None:
    """Two seats exchange a card, unless one of them was shown not to hold what it would get."""
    given = random_kind(state, rng, seat)
    taken = random_kind(state, rng, other)
    if not (is_ruled_out(scratch, other, given) or is_ruled_out(scratch, seat, taken)):
        take(lookup, state, seat, given)
        take(lookup, state, other, taken)
        give(lookup, state, seat, taken)
        give(lookup, state, other, given)


@jit
def exchange_with_stock(
    lookup: Ints, state: Ints, rng: Ints, deck: Ints, scratch: Ints, seat: int, dealt: int
) -> None:
    """A seat exchanges a card with one that was not dealt.  The first `dealt` cards of the deck were dealt."""
    place = dealt + below(rng, lookup[in_lookup.DECK_SIZE] - dealt)
    taken = lookup[in_lookup.DECK + deck[place]]
    given = random_kind(state, rng, seat)
    if not is_ruled_out(scratch, seat, taken):
        take(lookup, state, seat, given)
        give(lookup, state, seat, taken)
        other = 0
        while lookup[in_lookup.DECK + deck[other]] != given:
            other += 1
        card = deck[place]
        deck[place] = deck[other]
        deck[other] = card


@jit
def exchange_cards(
    lookup: Ints, state: Ints, rng: Ints, deck: Ints, scratch: Ints, table: Ints, outcome: Ints
) -> None:
    """Exchanges some cards, from one to as many as leave no hand as it was."""
    table[in_table.EXCHANGE_AT] = in_table.NO_EXCHANGE
    if can_exchange(lookup, state):
        table[in_table.EXCHANGE_AT] = in_table.EXCHANGED
        outcome[in_table.HAS_EXCHANGED] = 1
        players = lookup[in_lookup.PLAYERS]
        # The turned-up card lies behind those that were dealt to seats.
        dealt = players * state[in_state.HAND_SIZE] + 1
        replay(lookup, state, scratch)
        for _ in range(ONE << below(rng, MOST_DOUBLINGS)):
            seat = below(rng, players)
            other = below(rng, players + 1)
            if other < players:
                if other != seat:
                    exchange_with_seat(lookup, state, rng, scratch, seat, other)
            elif dealt < lookup[in_lookup.DECK_SIZE]:
                exchange_with_stock(lookup, state, rng, deck, scratch, seat, dealt)
