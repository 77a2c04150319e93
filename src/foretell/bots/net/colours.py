"""The order of colours in an observation, and cards and actions brought into it."""

from foretell.bots.net import layout as in_view
from foretell.kernel.backend.compiled import ONE, Ints, inlined, jit, popcount
from foretell.kernel.state import codes
from foretell.kernel.state import lookup_layout as in_lookup
from foretell.kernel.state import state_layout as in_state

__all__ = [
    "colour_at",
    "colours_in_order",
    "has_passed",
    "hides_own_hand",
    "in_order",
    "order_colours",
]

COLOUR = 0x1FFF  # the 13 numbers of one colour
BESIDE_COLOURS = ((1 << codes.KINDS) - 1) & ~((1 << 52) - 1)  # Wizard, Jester and the special cards


@inlined
def hides_own_hand(lookup: Ints, state: Ints) -> bool:
    """V4, V5: whether the seat on turn does not see its hand, since it is bidding by foresight."""
    return (
        lookup[in_lookup.IS_FORESIGHT + state[in_state.ROUND]] != 0
        and state[in_state.PHASE] <= codes.BIDDING
    )


@inlined
def has_passed(state: Ints) -> bool:
    """X7: whether cards were passed in this round.  While the pass goes on, nothing of it counts yet."""
    return (
        state[in_state.PHASE] != codes.PASSING
        and state[in_state.PASSED_KIND + state[in_state.TURN]] >= 0
    )


@inlined
def colour_key(shown: int, trump: int, colour: int) -> int:
    """Of two colours, the one with the larger key comes first."""
    numbers = (shown >> (13 * colour)) & COLOUR
    return (ONE * (colour == trump) << 24) | (popcount(numbers) << 16) | numbers


@jit
def order_colours(lookup: Ints, state: Ints, scratch: Ints) -> None:
    """The net's order of colours: trump first, then by length in the hand; `replay` must have gone before.

    The hand counts as it was dealt, so the order stays while cards are played.  A seat that does not see its hand
    (V4, V5) orders by the hands that it sees.  In unicolor (V6) a colour belongs to a seat: the seats' order counts.
    """
    players = lookup[in_lookup.PLAYERS]
    me = state[in_state.TURN]
    shown = state[in_state.HAND + me] | scratch[in_view.SCRATCH_PLAYED + me]
    if has_passed(state):
        shown |= ONE << state[in_state.PASSED_KIND + me]
    if hides_own_hand(lookup, state):
        shown = ONE * 0
        for seat in range(players):
            if seat != me:
                shown |= state[in_state.HAND + seat]
    trump = state[in_state.TRUMP]
    blue = colour_key(shown, trump, 0)
    red = colour_key(shown, trump, 1)
    green = colour_key(shown, trump, 2)
    yellow = colour_key(shown, trump, 3)
    own = lookup[in_lookup.OWN_CARDS]
    if own > 0:
        for colour in range(4):
            scratch[in_view.SCRATCH_PLACE + colour] = 0
        for seat in range(players):
            colour = lookup[in_lookup.DECK + seat * own] // 13
            scratch[in_view.SCRATCH_PLACE + colour] = players - (seat - me + players) % players
        blue = scratch[in_view.SCRATCH_PLACE]
        red = scratch[in_view.SCRATCH_PLACE + 1]
        green = scratch[in_view.SCRATCH_PLACE + 2]
        yellow = scratch[in_view.SCRATCH_PLACE + 3]
    # Every two are compared once, and nothing branches: of equals, the first colour comes first.
    red_first, green_first, yellow_first = (
        ONE * (red > blue),
        ONE * (green > blue),
        ONE * (yellow > blue),
    )
    green_next, yellow_next, yellow_last = (
        ONE * (green > red),
        ONE * (yellow > red),
        ONE * (yellow > green),
    )
    scratch[in_view.SCRATCH_PLACE] = red_first + green_first + yellow_first
    scratch[in_view.SCRATCH_PLACE + 1] = 1 - red_first + green_next + yellow_next
    scratch[in_view.SCRATCH_PLACE + 2] = 2 - green_first - green_next + yellow_last
    scratch[in_view.SCRATCH_PLACE + 3] = 3 - yellow_first - yellow_next - yellow_last
    for colour in range(4):
        scratch[in_view.SCRATCH_SHIFT + colour] = 13 * scratch[in_view.SCRATCH_PLACE + colour]


@inlined
def in_order(scratch: Ints, kinds: int) -> int:
    """A mask of kinds with the colours in the net's order."""
    made = kinds & BESIDE_COLOURS
    for colour in range(4):
        made |= ((kinds >> (13 * colour)) & COLOUR) << scratch[in_view.SCRATCH_SHIFT + colour]
    return made


@inlined
def colour_at(scratch: Ints, place: int) -> int:
    """The colour at this place of the net's order."""
    found = 0
    for colour in range(4):
        if scratch[in_view.SCRATCH_PLACE + colour] == place:
            found = colour
    return found


@inlined
def colours_in_order(scratch: Ints, colours: int) -> int:
    """A mask of colours (bits 0 to 3) in the net's order; higher bits stay."""
    made = colours & ~15
    for colour in range(4):
        made |= ((colours >> colour) & 1) << scratch[in_view.SCRATCH_PLACE + colour]
    return made
