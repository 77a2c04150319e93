"""Ways to choose, inside the compiled loop: at random, or plainly by the worth and the height of cards.

A policy is a function of the tables, the state, a stream of chance and words of its own; it answers with one of the
actions that `legal` offers to the seat whose turn it is.  It must look at nothing that this seat does not know: the
state holds every hand.  Others are written the same way, as `@jit` functions of the same arrays.
"""

from collections.abc import Callable
from typing import Any

from foretell.cards import Card, Colour, Face
from foretell.kernel.backend.compiled import ONE, Ints, inlined, ints, jit, kth, lowest, popcount
from foretell.kernel.state import codes
from foretell.kernel.state import lookup_layout as in_lookup
from foretell.kernel.state import state_layout as in_state
from foretell.kernel.state.random_numbers import below
from foretell.kernel.state.tables import COLOURS, FACE_LIST, Tables, kind_of
from foretell.kernel.state.turn_loop import legal

__all__ = [
    "PLAIN",
    "PLAIN_WORDS",
    "RANDOM",
    "chosen",
    "guess_bids",
    "plain_action",
    "plain_words",
    "random_action",
    "would_take",
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
    """Any action, each kind of card as likely as the next."""
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
    """The plain policy's words, made by asking a bot: `worth` in parts of a `trick`, ranks as anything that sorts."""
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


@inlined
def would_take(lookup: Ints, state: Ints, face: int) -> bool:
    """Whether this face would take the trick so far; one with the Bomb is nobody's."""
    demand = state[in_state.DEMAND]
    decided = lookup[in_lookup.DEMAND_OF_FACE + face]
    demand = decided if demand == codes.UNDECIDED else demand
    word = lookup[
        in_lookup.STRENGTH + (demand * codes.TRUMPS + state[in_state.TRUMP]) * codes.FACES + face
    ]
    own = word >> codes.EFFECT_SHIFT
    effects = own | state[in_state.EFFECTS]
    takes = word & codes.STRENGTH_MASK > state[in_state.BEST_STRENGTH]
    both = codes.UPSETS | codes.IS_UPSET
    if effects & both == both:
        takes = own & codes.UPSETS != 0
    return takes and effects & codes.BOMBS == 0


@jit
def plain_worth(state: Ints, policy_words: Ints, seat: int) -> int:
    """The tricks that the cards in a hand are worth, rounded half up."""
    row = WORTH + state[in_state.TRUMP] * codes.KINDS
    copies = state[in_state.COPIES + seat]
    worth = (copies & codes.WIZARD_COUNT_MASK) * policy_words[row + codes.WIZARD]
    worth += (copies // codes.ONE_JESTER) * policy_words[row + codes.JESTER]
    hand = state[in_state.HAND + seat] & ~((ONE << codes.WIZARD) | (ONE << codes.JESTER))
    while hand:
        worth += policy_words[row + lowest(hand)]
        hand &= hand - 1
    return (2 * worth + policy_words[TRICK]) // (2 * policy_words[TRICK])


@jit
def guess_bids(lookup: Ints, state: Ints, policy_words: Ints) -> None:
    """V3: bids that are made and not seen, guessed as the tricks taken and the worth of the cards still in hand."""
    if state[in_state.PHASE] != codes.BIDDING and state[in_state.PHASE] != codes.NAMING_TRUMP:
        for seat in range(lookup[in_lookup.PLAYERS]):
            if state[in_state.BID + seat] < 0:
                tricks = state[in_state.TRICKS_WON + seat] + plain_worth(state, policy_words, seat)
                state[in_state.BID + seat] = min(tricks, state[in_state.HAND_SIZE])


@jit
def plain_bid(lookup: Ints, state: Ints, policy_words: Ints) -> int:
    n = lookup[in_lookup.PLAYERS]
    size = state[in_state.HAND_SIZE]
    if lookup[in_lookup.IS_FORESIGHT + state[in_state.ROUND]]:
        bid = (2 * size + n) // (2 * n)
    else:
        bid = plain_worth(state, policy_words, state[in_state.TURN])
    bid = min(bid, size)
    if (legal(lookup, state) >> bid) & 1 == 0:
        bid = bid - 1 if bid > 0 else 1
    return bid


@jit
def plain_trump(lookup: Ints, state: Ints, policy_words: Ints) -> int:
    """The colour with the most and highest cards, of equals the last; of an unseen hand nothing is known."""
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
    """The face to play, of all faces of these kinds."""
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
            # The highest to lead with or to duck with; the lowest to take with.
            if fits and (
                best_face < 0 or (rank < best_rank if wants and not leads else rank > best_rank)
            ):
                best_face = face
                best_rank = rank
    return best_face if best_face >= 0 else lowest_face


@jit
def plain_pass(state: Ints, policy_words: Ints) -> int:
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
    """Bids the worth of its hand; then wins cheaply while it wants tricks, and ducks when it does not."""
    phase = state[in_state.PHASE]
    if phase == codes.PLAYING:
        return lookup[
            in_lookup.KIND_OF_FACE + plain_play(lookup, state, policy_words, legal(lookup, state))
        ]
    if phase == codes.BIDDING:
        return plain_bid(lookup, state, policy_words)
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
    # The Cloud's change: up if it has too many tricks, else down, where that is open.
    seat = state[in_state.TURN]
    change = 0 if state[in_state.BID + seat] < state[in_state.TRICKS_WON + seat] else 1
    if (legal(lookup, state) >> change) & 1 == 0:
        change = 1 - change
    return change


@inlined
def chosen(lookup: Ints, state: Ints, rng: Ints, policy_words: Ints, policy: int) -> int:
    """What a seat with this policy does."""
    if policy == RANDOM:
        action = random_action(lookup, state, rng)
    else:
        action = plain_action(lookup, state, policy_words)
    return action
