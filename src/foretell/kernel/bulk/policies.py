"""Ways to choose, inside the compiled loop: at random, or plainly by the worth and the height of cards.

A policy is a function of the tables, the state, a stream of chance and words of its own; it answers with one of the
actions that `legal` offers to the seat whose turn it is.  It must look at nothing that this seat does not know: the
state holds every hand.  Others are written the same way, as `@jit` functions of (t, s, g, w).
"""

from collections.abc import Callable
from typing import Any

from foretell.cards import Card, Colour, Face
from foretell.kernel.backend.compiled import ONE, Ints, inlined, ints, jit, kth, lowest, popcount
from foretell.kernel.state import layout as at
from foretell.kernel.state.chance import below
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
RANK = WORTH + at.TRUMPS * at.KINDS
RANK_IN_HAND = RANK + at.TRUMPS * at.FACES
LENGTH = RANK_IN_HAND + at.TRUMPS * at.KINDS
PLAIN_WORDS = LENGTH + at.KINDS


@inlined
def random_action(t: Ints, s: Ints, g: Ints) -> int:
    """Any action, each kind of card as likely as the next."""
    mask = legal(t, s)
    return kth(mask, below(g, popcount(mask)))


def plain_words(
    tables: Tables,
    trick: int,
    worth: Callable[[Card, Colour | None], int],
    rank: Callable[[Face, Colour | None], Any],
    rank_in_hand: Callable[[Card, Colour | None], Any],
    length: Callable[[Card], int],
) -> Ints:
    """The plain policy's words, made by asking a bot: `worth` in parts of a `trick`, ranks as anything that sorts."""
    w = ints(PLAIN_WORDS)
    w[TRICK] = trick
    cards = list({kind_of(card): card for card in reversed(tables.deck)}.values())
    faces = [(place, face) for place, face in enumerate(FACE_LIST) if face is not None]
    for card in cards:
        w[LENGTH + kind_of(card)] = length(card)
    for trump, colour in enumerate(COLOURS):
        for card in cards:
            w[WORTH + trump * at.KINDS + kind_of(card)] = worth(card, colour)
        in_hand = sorted(cards, key=lambda card, c=colour: rank_in_hand(card, c))  # type: ignore[misc]
        for order, card in enumerate(in_hand):
            w[RANK_IN_HAND + trump * at.KINDS + kind_of(card)] = order + 1
        played = sorted(faces, key=lambda face, c=colour: rank(face[1], c))  # type: ignore[misc]
        for order, (place, _) in enumerate(played):
            w[RANK + trump * at.FACES + place] = order + 1
    return w


@inlined
def would_take(t: Ints, s: Ints, face: int) -> bool:
    """Whether this face would take the trick so far; one with the Bomb is nobody's."""
    demand = s[at.DEMAND]
    decided = t[at.DEMANDED_BY + face]
    demand = decided if demand == at.UNDECIDED else demand
    word = t[at.STRENGTH + (demand * at.TRUMPS + s[at.TRUMP]) * at.FACES + face]
    own = word >> at.EFFECT_SHIFT
    effects = own | s[at.EFFECTS]
    takes = word & at.UNBEATABLE > s[at.BEST]
    both = at.UPSETS | at.IS_UPSET
    if effects & both == both:
        takes = own & at.UPSETS != 0
    return takes and effects & at.BOMBS == 0


@jit
def plain_worth(s: Ints, w: Ints, seat: int) -> int:
    """The tricks that the cards in a hand are worth, rounded half up."""
    row = WORTH + s[at.TRUMP] * at.KINDS
    copies = s[at.COPIES + seat]
    worth = (copies & at.MOST_COPIES) * w[row + at.WIZARD]
    worth += (copies // at.COPIES_OF_JESTER) * w[row + at.JESTER]
    hand = s[at.HAND + seat] & ~((ONE << at.WIZARD) | (ONE << at.JESTER))
    while hand:
        worth += w[row + lowest(hand)]
        hand &= hand - 1
    return (2 * worth + w[TRICK]) // (2 * w[TRICK])


@jit
def guess_bids(t: Ints, s: Ints, w: Ints) -> None:
    """V3: bids that are made and not seen, guessed as the tricks taken and the worth of the cards still in hand."""
    if s[at.PHASE] != at.BIDDING and s[at.PHASE] != at.TRUMP_NAMED:
        for seat in range(t[at.PLAYERS]):
            if s[at.BID + seat] < 0:
                tricks = s[at.WON + seat] + plain_worth(s, w, seat)
                s[at.BID + seat] = min(tricks, s[at.HAND_SIZE])


@jit
def plain_bid(t: Ints, s: Ints, w: Ints) -> int:
    n = t[at.PLAYERS]
    size = s[at.HAND_SIZE]
    if t[at.FORESEEN + s[at.ROUND]]:
        bid = (2 * size + n) // (2 * n)
    else:
        bid = plain_worth(s, w, s[at.TURN])
    bid = min(bid, size)
    if (legal(t, s) >> bid) & 1 == 0:
        bid = bid - 1 if bid > 0 else 1
    return bid


@jit
def plain_trump(t: Ints, s: Ints, w: Ints) -> int:
    """The colour with the most and highest cards, of equals the last; of an unseen hand nothing is known."""
    best = 3
    if t[at.FORESEEN + s[at.ROUND]] == 0:
        most = -1
        for colour in range(4):
            length = 0
            hand = (s[at.HAND + s[at.TURN]] >> (13 * colour)) & 0x1FFF
            while hand:
                length += w[LENGTH + 13 * colour + lowest(hand)]
                hand &= hand - 1
            if length >= most:
                most = length
                best = colour
    return best


@jit
def plain_play(t: Ints, s: Ints, w: Ints, kinds: int) -> int:
    """The face to play, of all faces of these kinds."""
    seat = s[at.TURN]
    wants = s[at.BID + seat] > s[at.WON + seat]
    row = RANK + s[at.TRUMP] * at.FACES
    leads = s[at.COUNT] == 0
    lowest_face = -1
    best_face = -1
    lowest_rank = 0
    best_rank = 0
    while kinds:
        kind = lowest(kinds)
        kinds &= kinds - 1
        first = t[at.FIRST_FACE + kind]
        words = t[at.WORDS + kind]
        while words:
            face = first + lowest(words)
            words &= words - 1
            rank = w[row + face]
            if lowest_face < 0 or rank < lowest_rank:
                lowest_face = face
                lowest_rank = rank
            if leads:
                fits = wants
            else:
                fits = would_take(t, s, face) == wants
            # The highest to lead with or to duck with; the lowest to take with.
            if fits and (
                best_face < 0 or (rank < best_rank if wants and not leads else rank > best_rank)
            ):
                best_face = face
                best_rank = rank
    return best_face if best_face >= 0 else lowest_face


@jit
def plain_pass(s: Ints, w: Ints) -> int:
    seat = s[at.TURN]
    wants = s[at.BID + seat] > s[at.WON + seat]
    row = RANK_IN_HAND + s[at.TRUMP] * at.KINDS
    hand = s[at.HAND + seat]
    best: int = lowest(hand)
    while hand:
        kind = lowest(hand)
        hand &= hand - 1
        if (w[row + kind] < w[row + best]) == wants and kind != best:
            best = kind
    return best


@jit
def plain_action(t: Ints, s: Ints, w: Ints) -> int:
    """Bids the worth of its hand; then wins cheaply while it wants tricks, and ducks when it does not."""
    phase = s[at.PHASE]
    if phase == at.PLAYING:
        return t[at.KIND_OF + plain_play(t, s, w, legal(t, s))]
    if phase == at.BIDDING:
        return plain_bid(t, s, w)
    if phase == at.DECLARING:
        kind = s[at.DECLARED]
        return plain_play(t, s, w, ONE << kind) - t[at.FIRST_FACE + kind]
    if phase == at.TRUMP_NAMED:
        return plain_trump(t, s, w)
    if phase == at.PASSING:
        return plain_pass(s, w)
    # The Cloud's change: up if it has too many tricks, else down, where that is open.
    seat = s[at.TURN]
    change = 0 if s[at.BID + seat] < s[at.WON + seat] else 1
    if (legal(t, s) >> change) & 1 == 0:
        change = 1 - change
    return change


@inlined
def chosen(t: Ints, s: Ints, g: Ints, w: Ints, policy: int) -> int:
    """What a seat with this policy does."""
    if policy == RANDOM:
        action = random_action(t, s, g)
    else:
        action = plain_action(t, s, w)
    return action
