"""Dealing the hidden hands anew, inside the compiled loop: every holding that fits is as likely as the next.

Made ready by `hidden.hidden_hands`, in whole numbers `h` and weights `f`; `b` is room to work in.  The unseen cards
stand in an order in which cards that nobody can tell apart by who may hold them are neighbours.  Hands with the same
conditions are one *class*; those without any, and the stock, are the class `free`.  Then, exactly and without a
single wrong deal:

1. a class whose cards are all alike for the others draws them at random (`peels`);
2. each card that some classes may not hold is given to one of them by the exact number of ways in which the rest can
   then be dealt (`f`, counted once for each view);
3. cards that all may hold fill what is left at random; each class splits its cards among its hands at random.

Where nearly any deal fits, it is quicker to deal at random and to begin again at the first card that a hand may not
hold (`try_out`): each deal that fits is then as likely as the next, too.

Only after a Juggler's pass can a deal turn out not to fit (`Need`); then another one is dealt.
"""

from foretell.kernel.backend.compiled import Floats, Ints, inlined, jit
from foretell.kernel.state.chance import below
from foretell.kernel.state.layout import COPIES, HAND
from foretell.kernel.state.turn_loop import give

__all__ = ["SCRATCH", "count_ways", "redeal"]

# `h`: a head, then a record for each case.
CASES, UNSEEN, STOCK, HIDDEN_AT, HIDDEN, KINDS_AT, ODDS_AT, CASE_AT = range(8)
# A record: counts, and where their lists begin.
(
    CLASSES,  # without the free one, which comes last
    ALL_START,  # the cards that every class may hold: a stretch of the order
    ALL_COUNT,
    OPEN,  # cards for step 2, each with a mask of classes; bit FREE_BIT is the free class
    OPEN_AT,
    WAYS_AT,  # in `f`
    STATES,
    COUNTED,  # classes of step 2, each with its number, size and stride
    COUNTED_AT,
    PEELS,  # class, start, length, how many
    PEELS_AT,
    REST,  # cards that only the free class may hold
    REST_AT,
    SPLITS_AT,  # for each class: number of slots and where they are, each with seat and size
    NEEDS,
    NEEDS_AT,
    HELD,
    HELD_AT,
    WEIGHTS_AT,  # in `f`: for each open card, each counted class and the free one; -1 where all are 1
    CARDS,  # to be dealt, in the order that all places here mean
    CARDS_AT,
    IN_PLACE,  # 1 where the free class's cards stand side by side in the order once the others have drawn
    QUICK,  # slots with seat, size and barred kinds, where trying is quicker than counting; else 0
    QUICK_AT,
    RECORD,
) = range(25)

FREE_BIT = 15
MOST_CLASSES = 14
ROOM = 72

# `b`: the order of the cards, each class's cards and their number, what is left of each class, owners.
ORDER = 0
PILE = ROOM
PILED = PILE + ROOM * (MOST_CLASSES + 1)
LEFT_OF = PILED + MOST_CLASSES + 1
OWNER = LEFT_OF + MOST_CLASSES + 1
DEALT = OWNER + ROOM  # the case that was dealt
SCRATCH = DEALT + 1

CHANCES = 1 << 31
TRIES = 1_000_000


@inlined
def part(g: Ints) -> float:
    """A number from 0 up to, not including, 1."""
    return below(g, CHANCES) / CHANCES


@jit
def count_ways(h: Ints, f: Floats, which: int) -> float:
    """Fills in, for each open card and each number of cards the classes still lack, the ways to deal the rest."""
    r = h[CASE_AT + which]
    states = h[r + STATES]
    counted = h[r + COUNTED]
    at = h[r + COUNTED_AT]
    start = h[r + WAYS_AT]
    last = start + h[r + OPEN] * states
    for state in range(states):
        # The cards that all may hold go round last, in as many ways as they can be picked.
        ways = 1.0
        cards = h[r + ALL_COUNT]
        for c in range(counted):
            lacks = state // h[at + 3 * c + 2] % (h[at + 3 * c + 1] + 1)
            for taken in range(lacks):
                ways = ways * max(0, cards - taken) / (taken + 1)
            cards -= lacks
        f[last + state] = ways
    for card in range(h[r + OPEN] - 1, -1, -1):
        mask = h[h[r + OPEN_AT] + 2 * card + 1]
        here = start + card * states
        for state in range(states):
            ways = 0.0
            for c in range(counted):
                stride = h[at + 3 * c + 2]
                if (mask >> c) & 1 and state // stride % (h[at + 3 * c + 1] + 1) > 0:
                    ways += weight(h, f, r, card, c) * f[here + states + state - stride]
            if (mask >> FREE_BIT) & 1:
                ways += weight(h, f, r, card, counted) * f[here + states + state]
            f[here + state] = ways
    return f[start + states - 1]


@inlined
def weight(h: Ints, f: Floats, r: int, card: int, c: int) -> float:
    at = h[r + WEIGHTS_AT]
    w = 1.0
    if at >= 0:
        w = f[at + card * (h[r + COUNTED] + 1) + c]
    return w


@inlined
def pile_up(b: Ints, c: int, card: int) -> None:
    b[PILE + c * ROOM + b[PILED + c]] = card
    b[PILED + c] += 1


@inlined
def draw(g: Ints, b: Ints, start: int, count: int) -> int:
    """One of the cards from `start` on, put at `start`."""
    j = start + below(g, count)
    card = b[j]
    b[j] = b[start]
    b[start] = card
    return card


@jit
def redeal(t: Ints, s: Ints, g: Ints, h: Ints, f: Floats, b: Ints) -> bool:
    """Deals the hidden hands of the state anew; False if none was found that fits (see TRIES)."""
    for _ in range(TRIES):
        which = 0
        if h[CASES] > 1:
            at = part(g)
            while which < h[CASES] - 1 and at >= f[h[ODDS_AT] + which]:
                which += 1
        b[DEALT] = which
        if redeal_case(t, s, g, h, f, b, h[CASE_AT + which]):
            return True
        for i in range(h[UNSEEN]):
            b[OWNER + i] = h[STOCK]
    return False


@jit
def redeal_case(t: Ints, s: Ints, g: Ints, h: Ints, f: Floats, b: Ints, r: int) -> bool:
    classes = h[r + CLASSES]
    free = classes
    for i in range(h[r + CARDS]):
        b[ORDER + i] = h[h[r + CARDS_AT] + i]
    if h[r + QUICK]:
        try_out(t, s, g, h, b, r)
        return has_all(t, s, h, r)
    for c in range(classes + 1):
        b[PILED + c] = 0
    # 1. classes that draw from cards of their own
    for i in range(h[r + PEELS]):
        at = h[r + PEELS_AT] + 4 * i
        start = h[at + 1]
        count = h[at + 2]
        for _ in range(h[at + 3]):
            pile_up(b, h[at], draw(g, b, start, count))
            start += 1
            count -= 1
    # 2. cards that not every class may hold
    counted = h[r + COUNTED]
    at = h[r + COUNTED_AT]
    for c in range(counted):
        b[LEFT_OF + c] = h[at + 3 * c + 1]
    has_free_hands = h[h[r + SPLITS_AT] + 2 * free] > 0
    states = h[r + STATES]
    state = states - 1
    row = h[r + WAYS_AT]
    for i in range(h[r + OPEN]):
        card = b[ORDER + h[h[r + OPEN_AT] + 2 * i]]
        mask = h[h[r + OPEN_AT] + 2 * i + 1]
        chance = part(g) * f[row + state]
        row += states
        chosen = free
        last = free
        for c in range(counted):
            if (mask >> c) & 1 and b[LEFT_OF + c] > 0 and chosen == free:
                ways = weight(h, f, r, i, c) * f[row + state - h[at + 3 * c + 2]]
                if ways > 0.0:
                    last = c
                    if chance < ways:
                        chosen = c
                    chance -= ways
        if chosen == free and last != free:
            # Left over: the free class, unless it cannot have it, and rounding alone has led here.
            rest = f[row + state] if (mask >> FREE_BIT) & 1 else 0.0
            if rest <= 0.0:
                chosen = last
        if chosen == free:
            if has_free_hands:
                pile_up(b, free, card)
        else:
            b[LEFT_OF + chosen] -= 1
            state -= h[at + 3 * chosen + 2]
            pile_up(b, h[at + 3 * chosen], card)
    # 3. cards that every class may hold
    start = h[r + ALL_START]
    count = h[r + ALL_COUNT]
    for c in range(counted):
        for _ in range(b[LEFT_OF + c]):
            pile_up(b, h[at + 3 * c], draw(g, b, start, count))
            start += 1
            count -= 1
    if h[r + IN_PLACE]:
        count += h[r + REST]
    elif has_free_hands:
        to = PILE + free * ROOM + b[PILED + free]
        for i in range(count):
            b[to + i] = b[start + i]
        to += count
        for i in range(h[r + REST]):
            b[to + i] = b[ORDER + h[h[r + REST_AT] + i]]
        start = PILE + free * ROOM
        count += b[PILED + free] + h[r + REST]
    hand_out(t, s, g, h, b, r, start, count)
    return has_all(t, s, h, r)


@inlined
def has_all(t: Ints, s: Ints, h: Ints, r: int) -> bool:
    """Whether all needs are met; and the cards that are certain, to their hands."""
    is_met = True
    for i in range(h[r + NEEDS]):
        need = h[r + NEEDS_AT] + 2 * i
        if s[HAND + h[need]] & h[need + 1] == 0:
            is_met = False
    for i in range(h[r + HELD]):
        held = h[r + HELD_AT] + 2 * i
        give(t, s, h[held], h[held + 1])
    return is_met


@inlined
def try_out(t: Ints, s: Ints, g: Ints, h: Ints, b: Ints, r: int) -> None:
    """Random deals until one fits; `hidden` has counted that one in a few does."""
    is_fit = False
    while not is_fit:
        is_fit = True
        start = ORDER
        count = h[r + CARDS]
        slot = 0
        while is_fit and slot < h[r + QUICK]:
            at = h[r + QUICK_AT] + 3 * slot
            left = h[at + 1]
            while is_fit and left > 0:
                card = draw(g, b, start, count)
                is_fit = (h[at + 2] >> h[h[KINDS_AT] + card]) & 1 == 0
                start += 1
                count -= 1
                left -= 1
            slot += 1
    empty_hands(s, h)
    start = ORDER
    for slot in range(h[r + QUICK]):
        at = h[r + QUICK_AT] + 3 * slot
        for _ in range(h[at + 1]):
            card = b[start]
            b[OWNER + card] = h[at]
            give(t, s, h[at], h[h[KINDS_AT] + card])
            start += 1


@inlined
def empty_hands(s: Ints, h: Ints) -> None:
    for i in range(h[HIDDEN]):
        seat = h[h[HIDDEN_AT] + i]
        s[HAND + seat] = 0
        s[COPIES + seat] = 0


@inlined
def hand_out(
    t: Ints, s: Ints, g: Ints, h: Ints, b: Ints, r: int, free_start: int, free_count: int
) -> None:
    """Each class's cards to its hands, at random; what is left of the free class is the stock."""
    empty_hands(s, h)
    for c in range(h[r + CLASSES] + 1):
        split = h[r + SPLITS_AT] + 2 * c
        slots = h[split]
        start = PILE + c * ROOM if c < h[r + CLASSES] else free_start
        count = b[PILED + c] if c < h[r + CLASSES] else free_count
        for i in range(slots):
            slot = h[split + 1] + 2 * i
            seat = h[slot]
            is_rest = count == h[slot + 1]
            for _ in range(h[slot + 1]):
                card = b[start] if is_rest else draw(g, b, start, count)
                start += 1
                count -= 1
                b[OWNER + card] = seat
                give(t, s, seat, h[h[KINDS_AT] + card])
