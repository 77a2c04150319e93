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
    for colour in range(4):
        numbers = (shown >> (13 * colour)) & COLOUR
        key = (popcount(numbers) << 16) | numbers
        if colour == state[in_state.TRUMP]:
            key |= ONE << 24
        scratch[in_view.SCRATCH_KEY + colour] = key
    own = lookup[in_lookup.OWN_CARDS]
    if own > 0:
        for colour in range(4):
            scratch[in_view.SCRATCH_KEY + colour] = 0
        for seat in range(players):
            colour = lookup[in_lookup.DECK + seat * own] // 13
            scratch[in_view.SCRATCH_KEY + colour] = players - (seat - me + players) % players
    for colour in range(4):
        key = scratch[in_view.SCRATCH_KEY + colour]
        place = 0
        for other in range(4):
            rival = scratch[in_view.SCRATCH_KEY + other]
            if rival > key or (rival == key and other < colour):
                place += 1
        scratch[in_view.SCRATCH_PLACE + colour] = place


@inlined
def in_order(scratch: Ints, kinds: int) -> int:
    """A mask of kinds with the colours in the net's order."""
    made = kinds & BESIDE_COLOURS
    for colour in range(4):
        made |= ((kinds >> (13 * colour)) & COLOUR) << (
            13 * scratch[in_view.SCRATCH_PLACE + colour]
        )
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
