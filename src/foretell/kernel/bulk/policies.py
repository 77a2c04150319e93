"""Policies for compiled loops: any legal action at random, or the plain policy, which goes by numbers for each card.

A policy is given the tables `t`, the state `s`, a stream of chance `g` and words `w` of its own.  It returns one of
the actions that `legal` offers to the seat whose turn it is.  The state holds every hand, so a policy must take care to
look at its own hand alone.  More policies can be written in the same way, as `@jit` functions of (t, s, g, w).

The plain policy knows no bot by name.  `plain_words` asks a bot what each card is worth and how cards rank; with the
words of `foretell.bots.simple.counting.kernel_words` it is the counting bot, choice by choice.
"""

from collections.abc import Callable
from typing import Any

from foretell.cards import Card, Colour, Face
from foretell.kernel.backend.compiled import ONE, Ints, inlined, ints, jit, kth, lowest, popcount
from foretell.kernel.state import layout as at
from foretell.kernel.state.chance import below
from foretell.kernel.state.tables import COLOURS, FACE_LIST, Tables, kind_of
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
RANK = WORTH + at.TRUMPS * at.KINDS
RANK_IN_HAND = RANK + at.TRUMPS * at.FACES
LENGTH = RANK_IN_HAND + at.TRUMPS * at.KINDS
PLAIN_WORDS = LENGTH + at.KINDS


@inlined
def random_action(t: Ints, s: Ints, g: Ints) -> int:
    """Any legal action; each kind of card is equally likely."""
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
    """The plain policy's words, made by asking a bot.

    `worth` answers in parts of one `trick`, and `length` with what a card adds to its colour when a trump is named.
    The ranks may be anything that sorts.
    """
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


@jit
def plain_worth(w: Ints, hand: int, copies: int, trump: int) -> int:
    """The tricks that the cards of a hand are worth with this trump, rounded half up."""
    row = WORTH + trump * at.KINDS
    worth = (copies & at.MOST_COPIES) * w[row + at.WIZARD]
    worth += (copies // at.COPIES_OF_JESTER) * w[row + at.JESTER]
    rest = hand & ~((ONE << at.WIZARD) | (ONE << at.JESTER))
    while rest:
        worth += w[row + lowest(rest)]
        rest &= rest - 1
    return (2 * worth + w[TRICK]) // (2 * w[TRICK])


@jit
def guess_bids(t: Ints, s: Ints, w: Ints) -> None:
    """V3: fills in bids that were made but not shown: the tricks taken plus the worth of the cards still in hand."""
    if s[at.PHASE] != at.BIDDING and s[at.PHASE] != at.TRUMP_NAMED:
        for seat in range(t[at.PLAYERS]):
            if s[at.BID + seat] < 0:
                worth = plain_worth(w, s[at.HAND + seat], s[at.COPIES + seat], s[at.TRUMP])
                s[at.BID + seat] = min(s[at.WON + seat] + worth, s[at.HAND_SIZE])


@jit
def plain_bid(t: Ints, s: Ints, w: Ints, hand: int, copies: int, open_bids: int) -> int:
    """The bid that this hand makes in this round when these bids are open.

    V4, V5: in foresight the player does not see the hand, so the bid is an equal share of the tricks.
    """
    n = t[at.PLAYERS]
    size = s[at.HAND_SIZE]
    if t[at.FORESEEN + s[at.ROUND]]:
        bid = (2 * size + n) // (2 * n)
    else:
        bid = plain_worth(w, hand, copies, s[at.TRUMP])
    bid = min(bid, size)
    if (open_bids >> bid) & 1 == 0:
        bid = bid - 1 if bid > 0 else 1
    return bid


@jit
def plain_trump(t: Ints, s: Ints, w: Ints) -> int:
    """The colour with the most and highest cards, and the last of equals; in foresight always the last colour."""
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
    """The face to play, chosen among all faces of these kinds."""
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
    """X7: the lowest card of a seat that wants tricks, the highest of one that does not."""
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
    """Bids the worth of its hand; then wins with its lowest card while it wants tricks, and otherwise loses tricks."""
    phase = s[at.PHASE]
    if phase == at.PLAYING:
        return t[at.KIND_OF + plain_play(t, s, w, legal(t, s))]
    if phase == at.BIDDING:
        seat = s[at.TURN]
        return plain_bid(t, s, w, s[at.HAND + seat], s[at.COPIES + seat], legal(t, s))
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
    """What a seat with this policy does; `policy` is RANDOM or PLAIN."""
    if policy == RANDOM:
        action = random_action(t, s, g)
    else:
        action = plain_action(t, s, w)
    return action
