"""A net's answer to an observation, in whole numbers: the same on every machine and by every backend.

Only few inputs of a layer are not 0, so a layer is the sum of the rows of those inputs.  `net_layout` explains the
arrays.
"""

from foretell.bots.net import layout as in_view
from foretell.bots.net import net_layout as in_net
from foretell.bots.net.encoding import kernel_action, observe
from foretell.kernel.backend.compiled import (
    Ints,
    Ints8,
    Ints16,
    Ints32,
    add_rows8,
    add_rows16,
    inlined,
    jit,
    lowest,
)
from foretell.kernel.state import codes
from foretell.kernel.state import state_layout as in_state

__all__ = ["evaluate_net", "favourite", "first_answer"]


@inlined
def list_bits(words: Ints, desk: Ints32) -> int:
    """Lists the bits of an observation that are set; returns their number."""
    count = 0
    for place in range(desk[in_net.INPUT_WORDS]):
        rest = words[place]
        while rest:
            desk[in_net.PAIRS + 2 * count] = in_view.WORD_BITS * place + lowest(rest)
            desk[in_net.PAIRS + 2 * count + 1] = 1
            count += 1
            rest &= rest - 1
    return count


@inlined
def list_values(desk: Ints32) -> int:
    """Lists the values that are not 0; returns their number."""
    count = 0
    for column in range(desk[in_net.WIDTH]):
        value = desk[in_net.VALUES + column]
        desk[in_net.PAIRS + 2 * count] = column
        desk[in_net.PAIRS + 2 * count + 1] = value
        count += 1 if value else 0
    return count


@inlined
def begin_sums(desk: Ints32, layer: int) -> None:
    """Every sum begins with its bias."""
    for column in range(desk[in_net.WIDTH]):
        desk[in_net.SUMS + column] = desk[in_net.BIAS + layer * in_net.MOST_WIDTH + column]


@inlined
def add_values(desk: Ints32, layer: int) -> None:
    """Adds what the sums of a layer amount to, in steps, to the values."""
    for column in range(desk[in_net.WIDTH]):
        total = max(desk[in_net.SUMS + column], 0)
        scaled_up = total * desk[in_net.MULTIPLIER + layer * in_net.MOST_WIDTH + column]
        steps = (scaled_up + (1 << (in_net.SHIFT - 1))) >> in_net.SHIFT
        value = desk[in_net.VALUES + column] + steps
        desk[in_net.VALUES + column] = min(value, in_net.MOST_VALUE)


@jit
def evaluate_net(words: Ints, wide: Ints16, narrow: Ints8, desk: Ints32) -> None:
    """Fills in the answers of a net to an observation, or to more words if the net is shown more."""
    answers = desk[in_net.ANSWER_COUNT]
    width = desk[in_net.WIDTH]
    for column in range(width):
        desk[in_net.VALUES + column] = 0
    begin_sums(desk, 0)
    count = list_bits(words, desk)
    add_rows16(desk, wide, 0, width, in_net.SUMS, in_net.PAIRS, count)
    add_values(desk, 0)
    for layer in range(1, in_net.LAYERS):
        begin_sums(desk, layer)
        count = list_values(desk)
        start = (layer - 1) * width * width
        add_rows8(desk, narrow, start, width, in_net.SUMS, in_net.PAIRS, count)
        add_values(desk, layer)
    for answer in range(answers):
        desk[in_net.ANSWERS + answer] = desk[in_net.HEAD_BIAS + answer]
    count = list_values(desk)
    head = desk[in_net.INPUT_WORDS] * in_view.WORD_BITS * width
    add_rows16(desk, wide, head, answers, in_net.ANSWERS, in_net.PAIRS, count)


@inlined
def first_answer(phase: int) -> int:
    """The place of the first answer that belongs to a phase."""
    start = in_view.ACTION_PLAY
    if phase == codes.NAMING_TRUMP:
        start = in_view.ACTION_TRUMP
    elif phase == codes.BIDDING:
        start = in_view.ACTION_BID
    elif phase == codes.DECLARING:
        start = in_view.ACTION_DECLARE
    elif phase == codes.PASSING:
        start = in_view.ACTION_PASS
    elif phase == codes.CHANGING_BID:
        start = in_view.ACTION_CHANGE
    return start


@jit
def favourite(
    lookup: Ints, state: Ints, scratch: Ints, words: Ints, wide: Ints16, narrow: Ints8, desk: Ints32
) -> int:
    """The kernel's action that the net likes best for the seat on turn; of equals the first in the net's order.

    The net is not asked where there is only one action.
    """
    observe(lookup, state, desk[in_net.TRAITS], scratch, words)
    rest = words[in_view.LEGAL]
    best = lowest(rest)
    if rest & (rest - 1):
        evaluate_net(words, wide, narrow, desk)
        start = in_net.ANSWERS + first_answer(state[in_state.PHASE])
        while rest:
            action = lowest(rest)
            rest &= rest - 1
            if desk[start + action] > desk[start + best]:
                best = action
    return kernel_action(state, scratch, best)
