"""Policies for compiled loops: a random legal action, or the plain policy, which chooses by numbers for each card.

A policy is given the tables of the rule set, the state, a stream of random numbers and words of its own.  It returns
one of the actions that `legal` offers to the seat whose turn it is.  The state holds every hand, so a policy must take
care to look only at its own hand.  More policies can be written in the same way, as `@jit` functions of
(lookup, state, rng, policy_words).

The plain policy depends on no particular bot.  `plain_words` asks a bot what each card is worth and how cards rank.
With the words of `foretell.bots.simple.counting.kernel_words` it makes exactly the choices of the counting bot.
"""

from collections.abc import Callable
from typing import Any

from foretell.cards import Card, Colour, Face
from foretell.kernel.backend.compiled import ONE, Ints, inlined, ints, jit, kth, lowest, popcount
from foretell.kernel.state import codes
from foretell.kernel.state import lookup_layout as in_lookup
from foretell.kernel.state import state_layout as in_state
from foretell.kernel.state.card_numbers import COLOURS, FACE_LIST, kind_of
from foretell.kernel.state.random_numbers import below
from foretell.kernel.state.tables import Tables
from foretell.kernel.state.trick_outcome import would_take
from foretell.kernel.state.turn_loop import legal

__all__ = [
    "PLAIN",
    "PLAIN_WORDS",
    "RANDOM",
    "chosen",
    "guess_bids",
    "plain_action",
    "plain_bid",
    "plain_play",
    "plain_words",
    "random_action",
]

RANDOM = 0
PLAIN = 1
"""The policies that `chosen` knows."""

# Words of the plain policy: what one trick is worth, then by trump the worth of each kind, the rank of each face and of
# each kind in hand, and the length that each kind gives its colour.
TRICK = 0
WORTH = 1
RANK = WORTH + codes.TRUMPS * codes.KINDS
RANK_IN_HAND = RANK + codes.TRUMPS * codes.FACES
LENGTH = RANK_IN_HAND + codes.TRUMPS * codes.KINDS
PLAIN_WORDS = LENGTH + codes.KINDS


@inlined
def random_action(lookup: Ints, state: Ints, rng: Ints) -> int:
    """A random legal action; each kind of card is equally likely."""
    mask = legal(lookup, state)
    return kth(mask, below(rng, popcount(mask)))


def plain_words(
    tables: Tables,
    trick: int,
    worth: Callable[[Card, Colour | None], int],
    rank: Callable[[Face, Colour | None], Any],
    rank_in_hand: Callable[[Card, Colour | None], Any],
    length: Callable[[Card], int],
) -> Ints:
    """The plain policy's words, made by asking a bot.

    `worth` returns parts of a trick, of which `trick` make a whole one.  `length` returns what a card adds to the
    length of its colour when a trump is named.  Ranks may be any values that can be sorted.
    """
    policy_words = ints(PLAIN_WORDS)
    policy_words[TRICK] = trick
    cards = list({kind_of(card): card for card in reversed(tables.deck)}.values())
    faces = [(place, face) for place, face in enumerate(FACE_LIST) if face is not None]
    for card in cards:
        policy_words[LENGTH + kind_of(card)] = length(card)
    for trump, colour in enumerate(COLOURS):
        for card in cards:
            policy_words[WORTH + trump * codes.KINDS + kind_of(card)] = worth(card, colour)
        in_hand = sorted(cards, key=lambda card, c=colour: rank_in_hand(card, c))  # type: ignore[misc]
        for order, card in enumerate(in_hand):
            policy_words[RANK_IN_HAND + trump * codes.KINDS + kind_of(card)] = order + 1
        played = sorted(faces, key=lambda face, c=colour: rank(face[1], c))  # type: ignore[misc]
        for order, (place, _) in enumerate(played):
            policy_words[RANK + trump * codes.FACES + place] = order + 1
    return policy_words


@jit
def plain_worth(policy_words: Ints, hand: int, copies: int, trump: int) -> int:
    """The tricks that the cards of a hand are worth with this trump, rounded half up."""
    row = WORTH + trump * codes.KINDS
    worth = (copies & codes.WIZARD_COUNT_MASK) * policy_words[row + codes.WIZARD]
    worth += (copies // codes.ONE_JESTER) * policy_words[row + codes.JESTER]
    rest = hand & ~((ONE << codes.WIZARD) | (ONE << codes.JESTER))
    while rest:
        worth += policy_words[row + lowest(rest)]
        rest &= rest - 1
    return (2 * worth + policy_words[TRICK]) // (2 * policy_words[TRICK])


@jit
def guess_bids(lookup: Ints, state: Ints, policy_words: Ints) -> None:
    """V3: fills in bids that were made but not shown: the tricks taken plus the worth of the cards still in hand."""
    if state[in_state.PHASE] != codes.BIDDING and state[in_state.PHASE] != codes.NAMING_TRUMP:
        for seat in range(lookup[in_lookup.PLAYERS]):
            if state[in_state.BID + seat] < 0:
                worth = plain_worth(
                    policy_words,
                    state[in_state.HAND + seat],
                    state[in_state.COPIES + seat],
                    state[in_state.TRUMP],
                )
                state[in_state.BID + seat] = min(
                    state[in_state.TRICKS_WON + seat] + worth, state[in_state.HAND_SIZE]
                )


@jit
def plain_bid(
    lookup: Ints, state: Ints, policy_words: Ints, hand: int, copies: int, open_bids: int
) -> int:
    """The bid that this hand makes in this round when these bids are open.

    V4, V5: in foresight the player does not see the hand, so the bid is an equal share of the tricks.
    """
    n = lookup[in_lookup.PLAYERS]
    size = state[in_state.HAND_SIZE]
    if lookup[in_lookup.IS_FORESIGHT + state[in_state.ROUND]]:
        bid = (2 * size + n) // (2 * n)
    else:
        bid = plain_worth(policy_words, hand, copies, state[in_state.TRUMP])
    bid = min(bid, size)
    if (open_bids >> bid) & 1 == 0:
        bid = bid - 1 if bid > 0 else 1
    return bid


@jit
def plain_trump(lookup: Ints, state: Ints, policy_words: Ints) -> int:
    """The colour with the most and highest cards; of equal colours the last.  In foresight always the last colour."""
    best = 3
    if lookup[in_lookup.IS_FORESIGHT + state[in_state.ROUND]] == 0:
        most = -1
        for colour in range(4):
            length = 0
            hand = (state[in_state.HAND + state[in_state.TURN]] >> (13 * colour)) & 0x1FFF
            while hand:
                length += policy_words[LENGTH + 13 * colour + lowest(hand)]
                hand &= hand - 1
            if length >= most:
                most = length
                best = colour
    return best


@jit
def plain_play(lookup: Ints, state: Ints, policy_words: Ints, kinds: int) -> int:
    """The face to play, chosen among all faces of these kinds."""
    seat = state[in_state.TURN]
    wants = state[in_state.BID + seat] > state[in_state.TRICKS_WON + seat]
    row = RANK + state[in_state.TRUMP] * codes.FACES
    leads = state[in_state.ACTED] == 0
    lowest_face = -1
    best_face = -1
    lowest_rank = 0
    best_rank = 0
    while kinds:
        kind = lowest(kinds)
        kinds &= kinds - 1
        first = lookup[in_lookup.FIRST_FACE + kind]
        words = lookup[in_lookup.DECLARATIONS + kind]
        while words:
            face = first + lowest(words)
            words &= words - 1
            rank = policy_words[row + face]
            if lowest_face < 0 or rank < lowest_rank:
                lowest_face = face
                lowest_rank = rank
            if leads:
                fits = wants
            else:
                fits = would_take(lookup, state, face) == wants
            # The highest card to lead or to lose the trick with; the lowest card to take it with.
            if fits and (
                best_face < 0 or (rank < best_rank if wants and not leads else rank > best_rank)
            ):
                best_face = face
                best_rank = rank
    return best_face if best_face >= 0 else lowest_face


@jit
def plain_pass(state: Ints, policy_words: Ints) -> int:
    """X7: the lowest card of a seat that wants tricks, the highest of one that does not."""
    seat = state[in_state.TURN]
    wants = state[in_state.BID + seat] > state[in_state.TRICKS_WON + seat]
    row = RANK_IN_HAND + state[in_state.TRUMP] * codes.KINDS
    hand = state[in_state.HAND + seat]
    best: int = lowest(hand)
    while hand:
        kind = lowest(hand)
        hand &= hand - 1
        if (policy_words[row + kind] < policy_words[row + best]) == wants and kind != best:
            best = kind
    return best


@jit
def plain_action(lookup: Ints, state: Ints, policy_words: Ints) -> int:
    """Bids the worth of its hand; takes tricks with its lowest winning card while it needs some, and avoids others."""
    phase = state[in_state.PHASE]
    if phase == codes.PLAYING:
        return lookup[
            in_lookup.KIND_OF_FACE + plain_play(lookup, state, policy_words, legal(lookup, state))
        ]
    if phase == codes.BIDDING:
        seat = state[in_state.TURN]
        return plain_bid(
            lookup,
            state,
            policy_words,
            state[in_state.HAND + seat],
            state[in_state.COPIES + seat],
            legal(lookup, state),
        )
    if phase == codes.DECLARING:
        kind = state[in_state.DECLARING_KIND]
        return (
            plain_play(lookup, state, policy_words, ONE << kind)
            - lookup[in_lookup.FIRST_FACE + kind]
        )
    if phase == codes.NAMING_TRUMP:
        return plain_trump(lookup, state, policy_words)
    if phase == codes.PASSING:
        return plain_pass(state, policy_words)
    # The Cloud's change: up if the seat has too many tricks, otherwise down; the other way if that is not open.
    seat = state[in_state.TURN]
    change = 0 if state[in_state.BID + seat] < state[in_state.TRICKS_WON + seat] else 1
    if (legal(lookup, state) >> change) & 1 == 0:
        change = 1 - change
    return change


@inlined
def chosen(lookup: Ints, state: Ints, rng: Ints, policy_words: Ints, policy: int) -> int:
    """The action of the seat on turn by this policy, RANDOM or PLAIN."""
    if policy == RANDOM:
        action = random_action(lookup, state, rng)
    else:
        action = plain_action(lookup, state, policy_words)
    return action
