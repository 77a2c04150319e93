"""Fills in an observation from a state of the kernel; the same functions serve training (as C or CUDA) and play.

`observe` reads nothing that the seat on turn may not know; tests/net compares it with the same observation made from
the seat's View.  `observe_all` adds what only the critic sees.
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

__all__ = ["kernel_action", "observe", "observe_all", "observe_noted"]


@inlined
def within(number: int, low: int, high: int) -> int:
    """The number, or the nearest one in this range."""
    return min(max(number, low), high)


@inlined
def places_after(seat: int, first: int, players: int) -> int:
    """How many places to the left of `first` a seat sits; a remainder would take ten times as long."""
    return seat - first if seat >= first else seat - first + players


@inlined
def copy_bits(copies: int) -> int:
    """Six bits for a number of Wizards and Jesters: two, three and four of each."""
    wizards = ((ONE << (copies & codes.WIZARD_COUNT_MASK)) - 1) >> 1
    jesters = ((ONE << (copies // codes.ONE_JESTER)) - 1) >> 1
    return wizards | (jesters << 3)


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
def answers_in_order(lookup: Ints, state: Ints, scratch: Ints, allowed: int) -> int:
    """The actions that are allowed, as the net numbers them."""
    phase = state[in_state.PHASE]
    mask = allowed
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
def hides_bids(state: Ints, traits: int) -> int:
    """1 if the seat on turn does not know the bids of the others (V2, V3)."""
    phase = state[in_state.PHASE]
    at_once = (traits >> in_view.RULES_BIDS_AT_ONCE) & (ONE * (phase <= codes.BIDDING))
    secret = (traits >> in_view.RULES_SECRET) & (ONE * (phase != codes.CHANGING_BID))
    return at_once | secret


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


@inlined
def void_bits(scratch: Ints, ruled_out: int) -> int:
    """Five bits: the colours of which a seat holds none, in the net's order, and whether it holds no Wizard (F1)."""
    bits = ((ruled_out >> codes.WIZARD) & 1) << 4
    for colour in range(4):
        bits |= ((ruled_out >> (13 * colour)) & 1) << scratch[in_view.SCRATCH_PLACE + colour]
    return bits


@inlined
def seat_word(
    state: Ints, scratch: Ints, seat: int, bid: int, needed: int, knows: int, after_leader: int,
    acted: int, winner: int,
) -> int:  # fmt: skip
    """The word SEAT of this seat.  Nothing branches: what does not hold is shifted in as 0."""
    need = within(needed, in_view.FEWEST_NEEDED, in_view.MOST_NEEDED)
    word = (
        ONE
        | (ONE * (seat == state[in_state.DEALER]) << in_view.SEAT_DEALS)
        | (knows << (in_view.SEAT_BID + bid))
        | (knows << in_view.SEAT_BID_KNOWN)
        | (knows << (in_view.SEAT_NEEDS + need - in_view.FEWEST_NEEDED))
        | (ONE * (seat == state[in_state.CLOUD_SEAT]) << in_view.SEAT_CLOUD)
        | (ONE * (seat == state[in_state.WEREWOLF_SEAT]) << in_view.SEAT_WEREWOLF)
        | (void_bits(scratch, scratch[in_view.SCRATCH_VOID + seat]) << in_view.SEAT_VOID)
        | (ONE * (after_leader == 0) << in_view.SEAT_LEADS)
        | (ONE * (after_leader < acted) << in_view.SEAT_HAS_PLAYED)
        | (ONE * (seat == winner) << in_view.SEAT_WINS)
    )
    before = scratch[in_view.SCRATCH_VOID_BEFORE + seat]
    if before:  # only after a pass (X7)
        word |= void_bits(scratch, before) << in_view.SEAT_VOID_BEFORE
    return word


@inlined
def steps_reached(tricks: int, rounds: int, most: int) -> int:
    """A bit for each step that these tricks a round reach.  One round more is counted, since few rounds say little."""
    each = in_view.RECORD_UNIT * tricks // (rounds + 1)
    return (ONE << min(each // in_view.RECORD_STEP, most)) - 1


@inlined
def record_bits(state: Ints, seat: int) -> int:
    """The bits of SEAT that tell how the bids of this seat went in earlier rounds."""
    rounds = state[in_state.SCORED]
    missing = steps_reached(state[in_state.SHORT + seat], rounds, in_view.SHORT_STEPS)
    beyond = steps_reached(state[in_state.OVER + seat], rounds, in_view.OVER_STEPS)
    return (missing << in_view.SEAT_SHORT) | (beyond << in_view.SEAT_OVER)


@inlined
def tally_word(state: Ints, scratch: Ints, seat: int, own_score: int) -> int:
    """The word TALLY of this seat, without the cards that it holds."""
    half = in_view.SCORE_STEP * in_view.SCORE_STEPS // 2
    lead = state[in_state.SCORE + seat] - own_score
    steps = (within(lead, -half, half - 1) + half) // in_view.SCORE_STEP
    return (
        (ONE << (in_view.TALLY_WON + state[in_state.TRICKS_WON + seat]))
        | (ONE << (in_view.TALLY_SCORE + steps))
        | (copy_bits(scratch[in_view.SCRATCH_COPIES + seat]) << in_view.TALLY_PLAYED_COPIES)
    )


@inlined
def sums_word(lookup: Ints, state: Ints, bids: int, needs: int) -> int:
    """The word SUMS: the bids that are known, what they still need, the rounds left and those scored."""
    overbid = within(bids - state[in_state.HAND_SIZE], -in_view.MOST_OVERBID, in_view.MOST_OVERBID)
    contested = within(
        needs - state[in_state.TRICKS_LEFT], -in_view.MOST_CONTESTED, in_view.MOST_CONTESTED
    )
    left = min(lookup[in_lookup.ROUNDS] - 1 - state[in_state.ROUND], 19)
    scored = (ONE << min((state[in_state.SCORED] + 2) // 3, 3)) - 1
    return (
        (ONE << (in_view.SUMS_BIDS + overbid + in_view.MOST_OVERBID))
        | (ONE << (in_view.SUMS_NEEDS + contested + in_view.MOST_CONTESTED))
        | (ONE << (in_view.SUMS_ROUNDS_LEFT + left))
        | (scored << in_view.SUMS_SCORED)
    )


@jit
def observe_seats(lookup: Ints, state: Ints, traits: int, scratch: Ints, words: Ints) -> None:
    """The words that there is one of for each seat, and the sum of their bids."""
    players = lookup[in_lookup.PLAYERS]
    me = state[in_state.TURN]
    own_score = state[in_state.SCORE + me]
    are_known = 1 - hides_bids(state, traits)
    is_foresight = lookup[in_lookup.IS_FORESIGHT + state[in_state.ROUND]]
    is_known = is_foresight or has_passed(state) or state[in_state.WEREWOLF_SEAT] != codes.NOBODY
    # Without an open trick nobody leads it: every seat is more than five places from here.
    leader = -codes.SEATS
    winner = codes.NOBODY
    acted = 0
    if is_trick_open(state):
        leader = state[in_state.LEADER]
        acted = state[in_state.ACTED]
        winner = state[in_state.BEST_SEAT] if acted > 0 else codes.NOBODY
    bids = 0
    needs = 0
    seat = me
    for place in range(players):
        bid = state[in_state.BID + seat]
        needed = bid - state[in_state.TRICKS_WON + seat]
        knows = (ONE * (bid >= 0)) & (ONE * (place == 0) | are_known)
        bids += bid * knows
        needs += needed * knows
        after_leader = places_after(seat, leader, players)
        words[in_view.SEAT + place] = seat_word(
            state, scratch, seat, bid, needed, knows, after_leader, acted, winner
        )
        if place > 0:  # a seat's own record would not change what it should do
            words[in_view.SEAT + place] |= record_bits(state, seat)
        words[in_view.TALLY + place] = tally_word(state, scratch, seat, own_score)
        words[in_view.PLAYED + place] = in_order(scratch, scratch[in_view.SCRATCH_PLAYED + seat])
        if is_known and place > 0:
            known = known_cards(lookup, state, scratch, seat)
            words[in_view.KNOWN + place - 1] = in_order(scratch, known)
            if is_foresight:
                words[in_view.TALLY + place] |= (
                    copy_bits(state[in_state.COPIES + seat]) << in_view.TALLY_HELD_COPIES
                )
        seat = left_of(seat, players)
    words[in_view.SUMS] = sums_word(lookup, state, bids, needs)


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
def observe_trick(lookup: Ints, state: Ints, scratch: Ints, words: Ints, allowed: int) -> int:
    """The words of the trick on the table; returns the bits of RULES that belong to it."""
    players = lookup[in_lookup.PLAYERS]
    words[in_view.TRICK] = in_order(scratch, scratch[in_view.SCRATCH_TRICK])
    copies = scratch[in_view.SCRATCH_TRICK_COPIES]
    words[in_view.TALLY] |= copy_bits(copies) << in_view.TALLY_TRICK_COPIES
    after_leader = places_after(state[in_state.BEST_SEAT], state[in_state.LEADER], players)
    first = state[in_state.FACES_PLAYED] - state[in_state.ACTED]
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
        rest = allowed & ~lookup[in_lookup.NEEDS_DECLARATION]
        while rest:
            kind = lowest(rest)
            rest &= rest - 1
            takes |= ONE * would_take(lookup, state, kind) << kind
        words[in_view.TAKES] = in_order(scratch, takes)
    return bits


@jit
def observe(lookup: Ints, state: Ints, traits: int, scratch: Ints, words: Ints) -> None:
    """Fills in the observation of the seat on turn.  `traits` are those of the rule set (`from_view.traits_of`)."""
    replay(lookup, state, scratch)
    observe_noted(lookup, state, traits, scratch, words)


@jit
def observe_noted(lookup: Ints, state: Ints, traits: int, scratch: Ints, words: Ints) -> None:
    """The same where `scratch` has kept note of every play of the round (`plays.note_shown`)."""
    me = state[in_state.TURN]
    for place in range(in_view.WORDS):
        words[place] = 0
    order_colours(lookup, state, scratch)
    observe_seats(lookup, state, traits, scratch, words)
    if not hides_own_hand(lookup, state):
        words[in_view.HAND] = in_order(scratch, state[in_state.HAND + me])
        words[in_view.TALLY] |= copy_bits(state[in_state.COPIES + me]) << in_view.TALLY_HELD_COPIES
    if state[in_state.TURNED_UP] < codes.KINDS:
        words[in_view.TURNED_UP] = in_order(scratch, ONE << state[in_state.TURNED_UP])
    words[in_view.TABLE] = table_word(lookup, state, traits, scratch)
    words[in_view.RULES] = traits | rule_bits(lookup, state)
    allowed = legal(lookup, state)
    if is_trick_open(state) and state[in_state.ACTED] > 0:
        words[in_view.RULES] |= observe_trick(lookup, state, scratch, words, allowed)
    words[in_view.LEGAL] = answers_in_order(lookup, state, scratch, allowed)


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
