"""Fills in an observation from a state of the kernel; the same functions serve training (as C or CUDA) and play.

`observe` reads nothing that the seat on turn may not know; tests/training compares it with the same observation made
from the seat's View.  `observe_all` adds what only the critic sees.
"""

from foretell.bots.net import layout as in_view
from foretell.bots.net.colours import (
    colour_at,
    colours_in_order,
    has_passed,
    hides_own_hand,
    in_order,
    order_colours,
)
from foretell.bots.net.plays import replay
from foretell.kernel.backend.compiled import ONE, Ints, inlined, jit, lowest, popcount
from foretell.kernel.state import codes
from foretell.kernel.state import lookup_layout as in_lookup
from foretell.kernel.state import state_layout as in_state
from foretell.kernel.state.trick_outcome import would_take
from foretell.kernel.state.turn_loop import left_of, legal

__all__ = ["kernel_action", "observe", "observe_all"]


@inlined
def within(number: int, low: int, high: int) -> int:
    """The number, or the nearest one in this range."""
    return min(max(number, low), high)


@inlined
def copy_bits(copies: int) -> int:
    """Six bits for a number of Wizards and Jesters: two, three and four of each."""
    wizards = copies & codes.WIZARD_COUNT_MASK
    jesters = copies // codes.ONE_JESTER
    bits = (ONE << max(wizards - 1, 0)) - 1
    return bits | (((ONE << max(jesters - 1, 0)) - 1) << 3)


@inlined
def is_trick_open(state: Ints) -> bool:
    """Whether a trick is being played."""
    return state[in_state.PHASE] == codes.PLAYING or state[in_state.PHASE] == codes.DECLARING


@jit
def kernel_action(state: Ints, scratch: Ints, answer: int) -> int:
    """The kernel's action for an action of the net; `scratch` is as `observe` has left it."""
    phase = state[in_state.PHASE]
    action = answer
    if phase == codes.PLAYING or phase == codes.PASSING:  # noqa: PLR1714 - C has no `in`
        if answer < 52:
            action = 13 * colour_at(scratch, answer // 13) + answer % 13
    elif phase == codes.NAMING_TRUMP:
        if answer < 4:
            action = colour_at(scratch, answer)
    elif phase == codes.DECLARING:
        if answer < in_view.SHAPES:
            action = colour_at(scratch, answer)
        else:
            action = answer - in_view.SHAPES
    return action


@jit
def legal_in_order(lookup: Ints, state: Ints, scratch: Ints) -> int:
    """The actions that are allowed, as the net numbers them."""
    phase = state[in_state.PHASE]
    mask = legal(lookup, state)
    if phase == codes.PLAYING or phase == codes.PASSING:  # noqa: PLR1714 - C has no `in`
        mask = in_order(scratch, mask)
    elif phase == codes.NAMING_TRUMP:
        mask = colours_in_order(scratch, mask)
    elif phase == codes.DECLARING:
        if popcount(lookup[in_lookup.DECLARATIONS + state[in_state.DECLARING_KIND]]) == 4:
            mask = colours_in_order(scratch, mask)
        else:
            mask = mask << in_view.SHAPES
    return mask


@inlined
def knows_bid(state: Ints, traits: int, seat: int) -> bool:
    """Whether the seat on turn knows the bid of this seat (V2, V3)."""
    knows = state[in_state.BID + seat] >= 0
    if seat != state[in_state.TURN]:
        if state[in_state.PHASE] <= codes.BIDDING and (traits >> in_view.RULES_BIDS_AT_ONCE) & 1:
            knows = False
        if state[in_state.PHASE] != codes.CHANGING_BID and (traits >> in_view.RULES_SECRET) & 1:
            knows = False
    return knows


@jit
def known_cards(lookup: Ints, state: Ints, scratch: Ints, seat: int) -> int:
    """The cards that another seat is known to hold: seen in foresight, exchanged (X6), or passed to it (X7)."""
    me = state[in_state.TURN]
    cards = ONE * 0
    if lookup[in_lookup.IS_FORESIGHT + state[in_state.ROUND]]:
        cards = cards | state[in_state.HAND + seat]
    since = scratch[in_view.SCRATCH_SINCE_PASS + seat]
    if has_passed(state):
        if seat == left_of(me, lookup[in_lookup.PLAYERS]):
            cards |= (ONE << state[in_state.PASSED_KIND + me]) & ~since
    elif seat == state[in_state.WEREWOLF_SEAT]:
        cards |= (ONE << state[in_state.TURNED_UP]) & ~since
    return cards


@jit
def void_bits(scratch: Ints, ruled_out: int) -> int:
    """Five bits: the colours of which a seat holds none, in the net's order, and whether it holds no Wizard (F1)."""
    bits = 0
    for colour in range(4):
        if (ruled_out >> (13 * colour)) & 1:
            bits |= ONE << scratch[in_view.SCRATCH_PLACE + colour]
    return bits | (((ruled_out >> codes.WIZARD) & 1) << 4)


@jit
def seat_word(lookup: Ints, state: Ints, traits: int, scratch: Ints, seat: int) -> int:
    """The word SEAT of this seat."""
    players = lookup[in_lookup.PLAYERS]
    word = ONE | (ONE * (seat == state[in_state.DEALER]) << in_view.SEAT_DEALS)
    if knows_bid(state, traits, seat):
        bid = state[in_state.BID + seat]
        need = within(
            bid - state[in_state.TRICKS_WON + seat], in_view.FEWEST_NEEDED, in_view.MOST_NEEDED
        )
        word |= ONE << (in_view.SEAT_BID + bid)
        word |= ONE << in_view.SEAT_BID_KNOWN
        word |= ONE << (in_view.SEAT_NEEDS + need - in_view.FEWEST_NEEDED)
    word |= ONE * (seat == state[in_state.CLOUD_SEAT]) << in_view.SEAT_CLOUD
    word |= ONE * (seat == state[in_state.WEREWOLF_SEAT]) << in_view.SEAT_WEREWOLF
    shown = void_bits(scratch, scratch[in_view.SCRATCH_VOID + seat])
    shown_before = void_bits(scratch, scratch[in_view.SCRATCH_VOID_BEFORE + seat])
    word |= (shown << in_view.SEAT_VOID) | (shown_before << in_view.SEAT_VOID_BEFORE)
    if is_trick_open(state):
        acted = state[in_state.ACTED]
        after_leader = (seat - state[in_state.LEADER] + players) % players
        word |= ONE * (after_leader == 0) << in_view.SEAT_LEADS
        word |= ONE * (after_leader < acted) << in_view.SEAT_HAS_PLAYED
        if acted > 0:
            word |= ONE * (seat == state[in_state.BEST_SEAT]) << in_view.SEAT_WINS
    return word


@jit
def tally_word(state: Ints, scratch: Ints, seat: int) -> int:
    """The word TALLY of this seat, without the cards that it holds."""
    half = in_view.SCORE_STEP * in_view.SCORE_STEPS // 2
    lead = state[in_state.SCORE + seat] - state[in_state.SCORE + state[in_state.TURN]]
    steps = (within(lead, -half, half - 1) + half) // in_view.SCORE_STEP
    return (
        (ONE << (in_view.TALLY_WON + state[in_state.TRICKS_WON + seat]))
        | (ONE << (in_view.TALLY_SCORE + steps))
        | (copy_bits(scratch[in_view.SCRATCH_COPIES + seat]) << in_view.TALLY_PLAYED_COPIES)
    )


@jit
def sums_word(lookup: Ints, state: Ints, traits: int) -> int:
    """The word SUMS: the bids that are known, and the rounds left."""
    bids = 0
    needs = 0
    for seat in range(lookup[in_lookup.PLAYERS]):
        if knows_bid(state, traits, seat):
            bids += state[in_state.BID + seat]
            needs += state[in_state.BID + seat] - state[in_state.TRICKS_WON + seat]
    overbid = within(bids - state[in_state.HAND_SIZE], -in_view.MOST_OVERBID, in_view.MOST_OVERBID)
    contested = within(
        needs - state[in_state.TRICKS_LEFT], -in_view.MOST_CONTESTED, in_view.MOST_CONTESTED
    )
    left = min(lookup[in_lookup.ROUNDS] - 1 - state[in_state.ROUND], 19)
    return (
        (ONE << (in_view.SUMS_BIDS + overbid + in_view.MOST_OVERBID))
        | (ONE << (in_view.SUMS_NEEDS + contested + in_view.MOST_CONTESTED))
        | (ONE << (in_view.SUMS_ROUNDS_LEFT + left))
    )


@jit
def observe_seats(lookup: Ints, state: Ints, traits: int, scratch: Ints, words: Ints) -> None:
    """The words that there is one of for each seat."""
    players = lookup[in_lookup.PLAYERS]
    seat = state[in_state.TURN]
    for place in range(players):
        words[in_view.SEAT + place] = seat_word(lookup, state, traits, scratch, seat)
        words[in_view.TALLY + place] = tally_word(state, scratch, seat)
        words[in_view.PLAYED + place] = in_order(scratch, scratch[in_view.SCRATCH_PLAYED + seat])
        if place > 0:
            known = known_cards(lookup, state, scratch, seat)
            words[in_view.KNOWN + place - 1] = in_order(scratch, known)
            if lookup[in_lookup.IS_FORESIGHT + state[in_state.ROUND]]:
                words[in_view.TALLY + place] |= (
                    copy_bits(state[in_state.COPIES + seat]) << in_view.TALLY_HELD_COPIES
                )
        seat = left_of(seat, players)


@jit
def table_word(lookup: Ints, state: Ints, traits: int, scratch: Ints) -> int:
    """The word TABLE."""
    phase = state[in_state.PHASE]
    demand = codes.UNDECIDED
    acted = 0
    if is_trick_open(state):
        acted = state[in_state.ACTED]
        demand = state[in_state.DEMAND]
        if demand < 4:
            demand = scratch[in_view.SCRATCH_PLACE + demand]
    elif phase == codes.BIDDING and (traits >> in_view.RULES_BIDS_AT_ONCE) & 1 == 0:
        acted = state[in_state.ACTED]
    word = (
        (ONE << (in_view.TABLE_PHASE + phase))
        | (ONE << (in_view.TABLE_DEMAND + demand))
        | (ONE << (in_view.TABLE_ACTED + acted))
        | (ONE * (state[in_state.TRUMP] < codes.NO_TRUMP) << in_view.TABLE_HAS_TRUMP)
        | (ONE << (in_view.TABLE_PLAYERS + lookup[in_lookup.PLAYERS] - 3))
        | (ONE << (in_view.TABLE_HAND_SIZE + state[in_state.HAND_SIZE] - 1))
    )
    if state[in_state.TRICKS_LEFT] > 0:
        word |= ONE << (in_view.TABLE_TRICKS_LEFT + state[in_state.TRICKS_LEFT] - 1)
    return word


@jit
def rule_bits(lookup: Ints, state: Ints) -> int:
    """The bits of the word RULES that depend on the round and the phase."""
    bits = ONE * 0
    if lookup[in_lookup.IS_FORESIGHT + state[in_state.ROUND]]:
        bits |= ONE << in_view.RULES_FORESIGHT
    if hides_own_hand(lookup, state):
        bits |= ONE << in_view.RULES_UNSEEN_HAND
    if state[in_state.PHASE] == codes.DECLARING:
        bits |= ONE << (
            in_view.RULES_DECLARING + state[in_state.DECLARING_KIND] - in_view.FIRST_DECLARED
        )
    if has_passed(state):
        bits |= ONE << in_view.RULES_PASSED
    return bits


@jit
def observe_trick(lookup: Ints, state: Ints, scratch: Ints, words: Ints) -> int:
    """The words of the trick on the table; returns the bits of RULES that belong to it."""
    players = lookup[in_lookup.PLAYERS]
    acted = state[in_state.ACTED]
    first = state[in_state.FACES_PLAYED] - acted
    cards = ONE * 0
    copies = 0
    for place in range(acted):
        kind = lookup[in_lookup.KIND_OF_FACE + state[in_state.HISTORY + first + place]]
        cards |= ONE << kind
        copies += lookup[in_lookup.COPIES_OF_KIND + kind]
    words[in_view.TRICK] = in_order(scratch, cards)
    words[in_view.TALLY] |= copy_bits(copies) << in_view.TALLY_TRICK_COPIES
    after_leader = (state[in_state.BEST_SEAT] - state[in_state.LEADER] + players) % players
    face = state[in_state.HISTORY + first + after_leader]
    kind = lookup[in_lookup.KIND_OF_FACE + face]
    words[in_view.BEST] = in_order(scratch, ONE << kind)
    bits = state[in_state.EFFECTS] << in_view.RULES_EFFECTS
    if (lookup[in_lookup.NEEDS_DECLARATION] >> kind) & 1:
        declared = face - lookup[in_lookup.FIRST_FACE + kind]
        if popcount(lookup[in_lookup.DECLARATIONS + kind]) == 4:
            declared = scratch[in_view.SCRATCH_PLACE + declared]
        else:
            declared += in_view.SHAPES
        bits |= ONE << (in_view.RULES_BEST_DECLARED + declared)
    if state[in_state.PHASE] == codes.PLAYING:
        takes = ONE * 0
        rest = legal(lookup, state) & ~lookup[in_lookup.NEEDS_DECLARATION]
        while rest:
            kind = lowest(rest)
            rest &= rest - 1
            if would_take(lookup, state, kind):
                takes |= ONE << kind
        words[in_view.TAKES] = in_order(scratch, takes)
    return bits


@jit
def observe(lookup: Ints, state: Ints, traits: int, scratch: Ints, words: Ints) -> None:
    """Fills in the observation of the seat on turn.  `traits` are those of the rule set (`from_view.traits_of`)."""
    me = state[in_state.TURN]
    for place in range(in_view.WORDS):
        words[place] = 0
    replay(lookup, state, scratch)
    order_colours(lookup, state, scratch)
    observe_seats(lookup, state, traits, scratch, words)
    if not hides_own_hand(lookup, state):
        words[in_view.HAND] = in_order(scratch, state[in_state.HAND + me])
        words[in_view.TALLY] |= copy_bits(state[in_state.COPIES + me]) << in_view.TALLY_HELD_COPIES
    if state[in_state.TURNED_UP] < codes.KINDS:
        words[in_view.TURNED_UP] = in_order(scratch, ONE << state[in_state.TURNED_UP])
    words[in_view.TABLE] = table_word(lookup, state, traits, scratch)
    words[in_view.SUMS] = sums_word(lookup, state, traits)
    words[in_view.RULES] = traits | rule_bits(lookup, state)
    if is_trick_open(state) and state[in_state.ACTED] > 0:
        words[in_view.RULES] |= observe_trick(lookup, state, scratch, words)
    words[in_view.LEGAL] = legal_in_order(lookup, state, scratch)


@jit
def observe_all(lookup: Ints, state: Ints, traits: int, scratch: Ints, words: Ints) -> None:
    """The observation with what only the critic sees: every hand and every bid."""
    observe(lookup, state, traits, scratch, words)
    players = lookup[in_lookup.PLAYERS]
    for place in range(in_view.WORDS, in_view.CRITIC_WORDS):
        words[place] = 0
    seat = state[in_state.TURN]
    hidden = ONE * 0
    for place in range(players):
        words[in_view.ALL_HANDS + place] = in_order(scratch, state[in_state.HAND + seat])
        if place > 0:
            hidden |= copy_bits(state[in_state.COPIES + seat]) << (
                in_view.HIDDEN_COPIES + in_view.COPY_BITS * (place - 1)
            )
            hidden |= (state[in_state.BID + seat] + 1) << (
                in_view.HIDDEN_BIDS + in_view.HIDDEN_BID_BITS * (place - 1)
            )
        seat = left_of(seat, players)
    words[in_view.HIDDEN] = hidden
