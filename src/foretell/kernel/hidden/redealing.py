"""Deals the hidden hands again, inside the compiled loop: all holdings that fit are equally likely.

`hidden_hands` prepares two arrays for a view: `plan` (see `plan_layout`) and `ways`, which holds counts and weights.
`scratch` is an array to work in (see `scratch_layout`).

Hands with the same conditions form one *class*.  Hands without conditions and the stock form the *free class*.  Cards
that the same classes may hold are neighbours in the list of cards.  The method is exact, and a deal never has to be
started again:

1. A class whose cards make no difference to the other classes draws them at random (`draw_first`).
2. A card that only some classes may hold goes to one of them.  The odds of each class are the number of ways in which
   the rest can then be dealt; these were counted once for the view (`count_ways`, `give_restricted`).
3. Cards that every class may hold fill up the classes at random (`fill_up`).  Then the cards of each class are split
   among its hands at random (`split_among_hands`).

The *shortfall* in step 2 says how many cards each counted class still lacks, all in one number: class c that lacks k
cards adds k x its stride.

Where nearly every deal fits, it is quicker to deal at random and to start again at the first card that a hand may not
hold (`deal_by_trial`).  This, too, makes all deals that fit equally likely.

Only after a Juggler's pass can a deal turn out not to fit (`Need`); then another one is dealt.
"""

from foretell.kernel.backend.compiled import Floats, Ints, inlined, jit
from foretell.kernel.hidden import plan_layout as in_plan
from foretell.kernel.hidden import scratch_layout as in_scratch
from foretell.kernel.state import state_layout as in_state
from foretell.kernel.state.random_numbers import below
from foretell.kernel.state.turn_loop import give

__all__ = ["count_ways", "redeal"]

FRACTIONS = 1 << 31
TRIES = 1_000_000


@inlined
def fraction(rng: Ints) -> float:
    """A random number from 0 up to, but not including, 1."""
    return below(rng, FRACTIONS) / FRACTIONS


@jit
def count_ways(plan: Ints, ways: Floats, case_number: int) -> float:
    """Counts the ways to deal a case; returns their number (with odds: the sum of their weights).

    Fills in, for each restricted card and each shortfall, the ways to deal this card and those after it.
    """
    record = plan[in_plan.RECORDS_AT + case_number]
    shortfalls = plan[record + in_plan.SHORTFALLS]
    counted = plan[record + in_plan.COUNTED]
    entries = plan[record + in_plan.COUNTED_AT]
    restricted = plan[record + in_plan.RESTRICTED]
    start = plan[record + in_plan.WAYS_AT]
    for shortfall in range(shortfalls):
        # After the last restricted card, one class after another picks from the cards that every class may hold.
        count = 1.0
        cards = plan[record + in_plan.ANYONE_COUNT]
        for number in range(counted):
            lacks = cards_lacking(plan, entries, number, shortfall)
            for taken in range(lacks):
                count = count * max(0, cards - taken) / (taken + 1)
            cards -= lacks
        ways[start + restricted * shortfalls + shortfall] = count
    for card in range(restricted - 1, -1, -1):
        entry = plan[record + in_plan.RESTRICTED_AT] + in_plan.RESTRICTED_WORDS * card
        mask = plan[entry + in_plan.RESTRICTED_MASK]
        here = start + card * shortfalls
        after = here + shortfalls
        for shortfall in range(shortfalls):
            count = 0.0
            for number in range(counted):
                if (mask >> number) & 1 and cards_lacking(plan, entries, number, shortfall) > 0:
                    left = shortfall - stride_of(plan, entries, number)
                    count += weight(plan, ways, record, card, number) * ways[after + left]
            if (mask >> in_plan.FREE_BIT) & 1:
                count += weight(plan, ways, record, card, counted) * ways[after + shortfall]
            ways[here + shortfall] = count
    return ways[start + shortfalls - 1]


@inlined
def stride_of(plan: Ints, entries: int, number: int) -> int:
    """What one card that a counted class lacks adds to the shortfall; `entries` is where the list COUNTED begins."""
    return plan[entries + in_plan.COUNTED_WORDS * number + in_plan.COUNTED_STRIDE]


@inlined
def cards_lacking(plan: Ints, entries: int, number: int, shortfall: int) -> int:
    """How many cards a counted class lacks, read from the shortfall."""
    entry = entries + in_plan.COUNTED_WORDS * number
    size = plan[entry + in_plan.COUNTED_SIZE]
    return shortfall // plan[entry + in_plan.COUNTED_STRIDE] % (size + 1)


@inlined
def weight(plan: Ints, ways: Floats, record: int, card: int, number: int) -> float:
    """The odds that a counted class (or the free class, if `number` is after the last) holds a restricted card."""
    start = plan[record + in_plan.WEIGHTS_AT]
    odds = 1.0
    if start >= 0:
        odds = ways[start + card * (plan[record + in_plan.COUNTED] + 1) + number]
    return odds


@inlined
def put_on_pile(scratch: Ints, class_number: int, card: int) -> None:
    """Gives a card to a class."""
    size = scratch[in_scratch.PILE_SIZE + class_number]
    scratch[in_scratch.PILE + class_number * in_scratch.ROOM + size] = card
    scratch[in_scratch.PILE_SIZE + class_number] = size + 1


@inlined
def draw(rng: Ints, scratch: Ints, start: int, count: int) -> int:
    """Draws one of the `count` cards from `start` on, and moves it to `start`."""
    place = start + below(rng, count)
    card = scratch[place]
    scratch[place] = scratch[start]
    scratch[start] = card
    return card


@jit
def redeal(lookup: Ints, state: Ints, rng: Ints, plan: Ints, ways: Floats, scratch: Ints) -> bool:
    """Deals the hidden hands of the state again; False if no deal that fits was found in TRIES attempts."""
    for _ in range(TRIES):
        case_number = 0
        if plan[in_plan.CASES] > 1:
            drawn = fraction(rng)
            odds = plan[in_plan.CASE_ODDS_AT]
            while case_number < plan[in_plan.CASES] - 1 and drawn >= ways[odds + case_number]:
                case_number += 1
        scratch[in_scratch.DEALT_CASE] = case_number
        record = plan[in_plan.RECORDS_AT + case_number]
        if deal_case(lookup, state, rng, plan, ways, scratch, record):
            return True
        for card in range(plan[in_plan.UNSEEN]):
            scratch[in_scratch.OWNER + card] = plan[in_plan.STOCK]
    return False


@jit
def deal_case(
    lookup: Ints, state: Ints, rng: Ints, plan: Ints, ways: Floats, scratch: Ints, record: int
) -> bool:
    """Deals one case; returns whether the deal meets all needs."""
    cards = plan[record + in_plan.CARDS_AT]
    for place in range(plan[record + in_plan.CARDS]):
        scratch[in_scratch.ORDER + place] = plan[cards + place]
    if plan[record + in_plan.TRIAL_SLOTS]:
        deal_by_trial(lookup, state, rng, plan, scratch, record)
    else:
        for number in range(plan[record + in_plan.CLASSES] + 1):
            scratch[in_scratch.PILE_SIZE + number] = 0
        draw_first(rng, plan, scratch, record)
        give_restricted(rng, plan, ways, scratch, record)
        rest = fill_up(rng, plan, scratch, record)
        start = gather_free_cards(plan, scratch, record, rest)
        count = plan[record + in_plan.ANYONE_START] + plan[record + in_plan.ANYONE_COUNT] - rest
        count += scratch[in_scratch.PILE_SIZE + plan[record + in_plan.CLASSES]]
        count += plan[record + in_plan.FREE_ONLY]
        split_among_hands(lookup, state, rng, plan, scratch, record, start, count)
    is_met = meets_needs(state, plan, record)
    give_certain_cards(lookup, state, plan, record)
    return is_met


@inlined
def draw_first(rng: Ints, plan: Ints, scratch: Ints, record: int) -> None:
    """Step 1: some classes draw at random, because it makes no difference to the other classes."""
    for number in range(plan[record + in_plan.DRAWS]):
        entry = plan[record + in_plan.DRAWS_AT] + in_plan.DRAW_WORDS * number
        start = plan[entry + in_plan.DRAW_START]
        count = plan[entry + in_plan.DRAW_LENGTH]
        for _ in range(plan[entry + in_plan.DRAW_COUNT]):
            card = draw(rng, scratch, start, count)
            put_on_pile(scratch, plan[entry + in_plan.DRAW_CLASS], card)
            start += 1
            count -= 1


@inlined
def has_free_hands(plan: Ints, record: int) -> bool:
    """Whether any hands belong to the free class; if not, it is only the stock, and its cards need not be dealt."""
    free = plan[record + in_plan.CLASSES]
    split = plan[record + in_plan.SPLITS_AT] + in_plan.SPLIT_WORDS * free
    return plan[split + in_plan.SPLIT_SLOTS] > 0


@inlined
def give_restricted(rng: Ints, plan: Ints, ways: Floats, scratch: Ints, record: int) -> None:
    """Step 2: each card that only some classes may hold goes to one of them, with odds by the ways to deal the rest."""
    free = plan[record + in_plan.CLASSES]
    counted = plan[record + in_plan.COUNTED]
    entries = plan[record + in_plan.COUNTED_AT]
    for number in range(counted):
        entry = entries + in_plan.COUNTED_WORDS * number
        scratch[in_scratch.LACKS + number] = plan[entry + in_plan.COUNTED_SIZE]
    is_kept = has_free_hands(plan, record)
    shortfalls = plan[record + in_plan.SHORTFALLS]
    shortfall = shortfalls - 1
    row = plan[record + in_plan.WAYS_AT]
    for place in range(plan[record + in_plan.RESTRICTED]):
        entry = plan[record + in_plan.RESTRICTED_AT] + in_plan.RESTRICTED_WORDS * place
        card = scratch[in_scratch.ORDER + plan[entry + in_plan.RESTRICTED_CARD]]
        mask = plan[entry + in_plan.RESTRICTED_MASK]
        drawn = fraction(rng) * ways[row + shortfall]
        row += shortfalls
        chosen = counted  # stands for the free class
        last = counted
        for number in range(counted):
            lacks = scratch[in_scratch.LACKS + number]
            if (mask >> number) & 1 and lacks > 0 and chosen == counted:
                left = shortfall - stride_of(plan, entries, number)
                share = weight(plan, ways, record, place, number) * ways[row + left]
                if share > 0.0:
                    last = number
                    if drawn < share:
                        chosen = number
                    drawn -= share
        if chosen == counted and last != counted:
            # What is left over belongs to the free class.  If that cannot hold the card, a rounding error has led here.
            rest = ways[row + shortfall] if (mask >> in_plan.FREE_BIT) & 1 else 0.0
            if rest <= 0.0:
                chosen = last
        if chosen == counted:
            if is_kept:
                put_on_pile(scratch, free, card)
        else:
            scratch[in_scratch.LACKS + chosen] -= 1
            shortfall -= stride_of(plan, entries, chosen)
            entry = entries + in_plan.COUNTED_WORDS * chosen
            put_on_pile(scratch, plan[entry + in_plan.COUNTED_CLASS], card)


@inlined
def fill_up(rng: Ints, plan: Ints, scratch: Ints, record: int) -> int:
    """Step 3: cards that every class may hold fill up the counted classes; returns where the rest begins."""
    start = plan[record + in_plan.ANYONE_START]
    count = plan[record + in_plan.ANYONE_COUNT]
    for number in range(plan[record + in_plan.COUNTED]):
        entry = plan[record + in_plan.COUNTED_AT] + in_plan.COUNTED_WORDS * number
        for _ in range(scratch[in_scratch.LACKS + number]):
            card = draw(rng, scratch, start, count)
            put_on_pile(scratch, plan[entry + in_plan.COUNTED_CLASS], card)
            start += 1
            count -= 1
    return start


@inlined
def gather_free_cards(plan: Ints, scratch: Ints, record: int, rest: int) -> int:
    """Puts all cards of the free class side by side; returns where they begin.

    They are the cards on its pile, the cards from `rest` on that every class may hold, and those that only this class
    may hold.
    """
    start = rest
    if plan[record + in_plan.FREE_IS_TOGETHER] == 0 and has_free_hands(plan, record):
        free = plan[record + in_plan.CLASSES]
        start = in_scratch.PILE + free * in_scratch.ROOM
        end = start + scratch[in_scratch.PILE_SIZE + free]
        count = plan[record + in_plan.ANYONE_START] + plan[record + in_plan.ANYONE_COUNT] - rest
        for place in range(count):
            scratch[end + place] = scratch[rest + place]
        end += count
        for place in range(plan[record + in_plan.FREE_ONLY]):
            card = plan[plan[record + in_plan.FREE_ONLY_AT] + place]
            scratch[end + place] = scratch[in_scratch.ORDER + card]
    return start


@inlined
def split_among_hands(
    lookup: Ints, state: Ints, rng: Ints, plan: Ints, scratch: Ints, record: int,
    free_start: int, free_count: int,
) -> None:  # fmt: skip
    """Deals the cards of each class to its hands at random; what is left of the free class is the stock."""
    empty_hands(state, plan)
    kinds = plan[in_plan.KINDS_AT]
    free = plan[record + in_plan.CLASSES]
    for number in range(free + 1):
        split = plan[record + in_plan.SPLITS_AT] + in_plan.SPLIT_WORDS * number
        start = in_scratch.PILE + number * in_scratch.ROOM if number < free else free_start
        count = scratch[in_scratch.PILE_SIZE + number] if number < free else free_count
        for place in range(plan[split + in_plan.SPLIT_SLOTS]):
            slot = plan[split + in_plan.SPLIT_AT] + in_plan.SLOT_WORDS * place
            seat = plan[slot + in_plan.SLOT_SEAT]
            size = plan[slot + in_plan.SLOT_SIZE]
            is_rest = count == size
            for _ in range(size):
                card = scratch[start] if is_rest else draw(rng, scratch, start, count)
                start += 1
                count -= 1
                deal_to(lookup, state, scratch, seat, card, plan[kinds + card])


@inlined
def deal_to(lookup: Ints, state: Ints, scratch: Ints, seat: int, card: int, kind: int) -> None:
    """Gives an unseen card, which is of this kind, to a seat."""
    scratch[in_scratch.OWNER + card] = seat
    give(lookup, state, seat, kind)


@inlined
def empty_hands(state: Ints, plan: Ints) -> None:
    """Takes all cards out of the hidden hands."""
    for place in range(plan[in_plan.HIDDEN_SEATS]):
        seat = plan[plan[in_plan.HIDDEN_SEATS_AT] + place]
        state[in_state.HAND + seat] = 0
        state[in_state.COPIES + seat] = 0


@inlined
def meets_needs(state: Ints, plan: Ints, record: int) -> bool:
    """Whether each hand that needs a card of some kinds was dealt one."""
    is_met = True
    for place in range(plan[record + in_plan.NEEDS]):
        need = plan[record + in_plan.NEEDS_AT] + in_plan.NEED_WORDS * place
        hand = state[in_state.HAND + plan[need + in_plan.NEED_SEAT]]
        if hand & plan[need + in_plan.NEED_KINDS] == 0:
            is_met = False
    return is_met


@inlined
def give_certain_cards(lookup: Ints, state: Ints, plan: Ints, record: int) -> None:
    """Adds the cards whose seat is certain."""
    for place in range(plan[record + in_plan.HELD]):
        held = plan[record + in_plan.HELD_AT] + in_plan.HELD_WORDS * place
        give(lookup, state, plan[held + in_plan.HELD_SEAT], plan[held + in_plan.HELD_KIND])


@inlined
def deal_by_trial(
    lookup: Ints, state: Ints, rng: Ints, plan: Ints, scratch: Ints, record: int
) -> None:
    """Deals at random until no hand holds a card that it may not hold; used only where few attempts are needed."""
    kinds = plan[in_plan.KINDS_AT]
    slots = plan[record + in_plan.TRIAL_SLOTS]
    is_fit = False
    while not is_fit:
        is_fit = True
        start = in_scratch.ORDER
        count = plan[record + in_plan.CARDS]
        slot = 0
        while is_fit and slot < slots:
            entry = plan[record + in_plan.TRIAL_SLOTS_AT] + in_plan.TRIAL_WORDS * slot
            left = plan[entry + in_plan.TRIAL_SIZE]
            while is_fit and left > 0:
                card = draw(rng, scratch, start, count)
                is_fit = (plan[entry + in_plan.TRIAL_BARRED] >> plan[kinds + card]) & 1 == 0
                start += 1
                count -= 1
                left -= 1
            slot += 1
    empty_hands(state, plan)
    start = in_scratch.ORDER
    for slot in range(slots):
        entry = plan[record + in_plan.TRIAL_SLOTS_AT] + in_plan.TRIAL_WORDS * slot
        seat = plan[entry + in_plan.TRIAL_SEAT]
        for _ in range(plan[entry + in_plan.TRIAL_SIZE]):
            card = scratch[start]
            deal_to(lookup, state, scratch, seat, card, plan[kinds + card])
            start += 1
