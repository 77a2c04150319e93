"""Two chances of a single card: to take one of the tricks left, and to stay the best card of the current trick.

They are read from tables (`heuristic_tables.py`).  What selects a table entry is public: how many higher cards of its
colour the others are expected to hold, how many cards of the colour are left, how many tricks are left.  `m` are masks
by kind, `f` the tables.
"""

from foretell.kernel.backend.compiled import ONE, Floats, Ints, jit, lowest, popcount
from foretell.kernel.state import codes
from foretell.kernel.state import lookup_layout as in_lookup
from foretell.kernel.state import state_layout as in_state

__all__ = [
    "FLOATS",
    "MASKS",
    "expected_tricks",
    "holds",
    "holds_at",
    "later_step",
    "likely",
    "likely_at",
]

# `m`: masks by kind, then by colour.
HIGHER = 0  # the kinds that beat it within its colour
COLOUR_OF = 64  # 0-3, or -1 for a kind without a colour
SUIT = 128  # by colour: all its numbers
ALIKE = 132  # 1 where colours do not matter (V6)
MASKS = 136

# The features that select an entry, each divided into a few steps: tricks left, class of the card (`class_of`), higher
# cards expected (`step_of`), and who plays later (`later_step`).  Q is the first chance above, P the second.
LEFTS, CLASSES, STEPS, LATER = 7, 9, 14, 9
TRUMP_CLASS, SIDE_CLASS, PLAIN_CLASS, WIZARD_CLASS, ALIKE_CLASS = 0, 1, 5, 7, 8
Q_AT = 0
P_AT = Q_AT + 4 * LEFTS * CLASSES * STEPS
# By kind: the chance of a card that the tables do not hold, or -1.
FIXED_AT = P_AT + LEFTS * CLASSES * LATER * STEPS
TASTE_AT = FIXED_AT + 64  # by number of players: five weights
# How much the needs of the others reduce the expected tricks; how much the variance of this trick counts, and that of
# the later tricks; how much the bids already made reduce the next one; what is added to a bid before rounding.
OF_OTHERS, OF_CHANCE, OF_LATER, OF_BIDS, OF_ROUNDING, TASTES = range(6)
FLOATS = TASTE_AT + 4 * TASTES

_STEP = 2.5  # steps for each higher card that the others are expected to hold


@jit
def left_step(left: int) -> int:
    """The step for the number of tricks left: 1, 2, 3, 4-5, 6-8, 9-12, more."""
    if left <= 3:
        step = left - 1 if left > 0 else 0
    elif left <= 5:
        step = 3
    elif left <= 8:
        step = 4
    elif left <= 12:
        step = 5
    else:
        step = 6
    return step


@jit
def class_of(m: Ints, trump: int, colour: int, unseen: int, share: float) -> int:
    """The row of the tables: unicolor, trump, or another colour by how many of its cards each other player holds."""
    each = popcount(unseen & m[SUIT + colour]) * share
    if m[ALIKE] == 1:
        made = ALIKE_CLASS
    elif trump == codes.NO_TRUMP:
        made = PLAIN_CLASS + (1 if each >= 1.0 else 0)
    elif colour == trump:
        made = TRUMP_CLASS
    elif each < 0.5:
        made = SIDE_CLASS
    elif each < 1.0:
        made = SIDE_CLASS + 1
    elif each < 1.75:
        made = SIDE_CLASS + 2
    else:
        made = SIDE_CLASS + 3
    return made


@jit
def step_of(expected: float) -> int:
    """The column of the tables: how many higher cards the others are expected to hold; 0 has a column of its own."""
    step = 0
    if expected > 0.0:
        step = 1 + int(expected * _STEP)
        step = min(step, STEPS - 1)
    return step


@jit
def likely_at(
    lookup: Ints, m: Ints, kind: int, trump: int, unseen: int, share: float, left: int
) -> int:
    """Where the tables hold the chance that this card takes one of the tricks left; -1 if they do not hold it."""
    n = lookup[in_lookup.PLAYERS]
    row = Q_AT + ((n - 3) * LEFTS + left_step(left)) * CLASSES * STEPS
    colour = m[COLOUR_OF + kind]
    place = -1
    if kind == codes.WIZARD:
        place = row + WIZARD_CLASS * STEPS
    elif colour >= 0:
        above = popcount(unseen & m[HIGHER + kind]) * share * (n - 1)
        place = row + class_of(m, trump, colour, unseen, share) * STEPS + step_of(above)
    return place


@jit
def likely(
    lookup: Ints, m: Ints, f: Floats, kind: int, trump: int, unseen: int, share: float, left: int
) -> float:
    """The chance that this card takes one of the `left` tricks; each hand has a `share` of the unseen cards."""
    place = likely_at(lookup, m, kind, trump, unseen, share, left)
    return f[place] if place >= 0 else f[FIXED_AT + kind]


@jit
def expected_tricks(
    lookup: Ints, m: Ints, f: Floats, hand: int, copies: int, trump: int, out: int, lying: int
) -> float:
    """The tricks that a player who holds this hand may expect."""
    wizards = copies & codes.WIZARD_COUNT_MASK
    jesters = copies // codes.ONE_JESTER
    alike = (ONE << codes.WIZARD) | (ONE << codes.JESTER)
    left = popcount(hand & ~alike) + wizards + jesters
    unseen = out & ~hand
    share = left / max(1, lying - left)
    made = 0.0
    mask = hand
    while mask != 0:
        kind = lowest(mask)
        mask &= mask - 1
        worth = likely(lookup, m, f, kind, trump, unseen, share, left)
        if kind == codes.WIZARD:
            worth *= wizards
        made += worth
    return made


@jit
def later_step(lookup: Ints, state: Ints, seat: int, after: int) -> int:
    """One number for how many seats play later (1, 2, more) and how many of these still want tricks (0, 1, more)."""
    n = lookup[in_lookup.PLAYERS]
    wanting = 0
    other = seat
    for _ in range(after):
        other = other + 1 if other + 1 < n else 0
        if state[in_state.BID + other] > state[in_state.TRICKS_WON + other]:
            wanting += 1
    return (min(after, 3) - 1) * 3 + min(wanting, 2)


@jit
def holds_at(
    m: Ints, state: Ints, kind: int, after: int, later: int, unseen: int, share: float
) -> int:
    """Where the tables hold the chance that this card, best so far, stays the best; -1 if they do not hold it."""
    row = P_AT + left_step(state[in_state.TRICKS_LEFT]) * CLASSES * LATER * STEPS
    colour = m[COLOUR_OF + kind]
    place = -1
    if kind == codes.WIZARD:
        place = row + (WIZARD_CLASS * LATER + later) * STEPS
    elif colour >= 0:
        above = popcount(unseen & m[HIGHER + kind]) * share * after
        cls = class_of(m, state[in_state.TRUMP], colour, unseen, share)
        place = row + (cls * LATER + later) * STEPS + step_of(above)
    return place


@jit
def holds(
    m: Ints,
    f: Floats,
    state: Ints,
    kind: int,
    after: int,
    later: int,
    unseen: int,
    share: float,
) -> float:
    """The chance that this card, best so far, is still the best when the others have played."""
    made = 1.0
    if after > 0:
        place = holds_at(m, state, kind, after, later, unseen, share)
        if place >= 0:
            made = f[place]
        elif state[in_state.EFFECTS] & codes.IS_UPSET == 0:
            # Otherwise this card has just upset another one (X4), and nothing beats it any more.
            made = f[FIXED_AT + kind]
    return made
