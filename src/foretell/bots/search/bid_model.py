"""Which bid a hand is expected to make.  From this the search infers hands from bids, and predicts bids from hands.

There are two lines (linear models).  The plain line starts from the tricks that the heuristic expects of the hand.  The
close line adds the composition of the hand and the earlier bids.  Its numbers are in `bid_model.json`, for each number
of players; `bench/bots_bids.py` fits them to bids of flat Monte-Carlo.  The close line is valid only for the common
deck without special cards.  `arrays.py` says where the numbers are in `x`.
"""

import json
from functools import lru_cache
from importlib.resources import files

from foretell.bots.search import arrays
from foretell.bots.search.card_chances import SUIT, expected_tricks
from foretell.kernel.backend.compiled import Floats, Ints, jit, popcount
from foretell.kernel.state import codes
from foretell.kernel.state import lookup_layout as in_lookup
from foretell.kernel.state import state_layout as in_state

__all__ = ["bid_line", "close_line", "features"]

_LEAST_SPREAD = 0.3  # rounding to whole tricks alone causes about this much deviation

_EVERY = sum(1 << 13 * colour for colour in range(4))
HIGH_TRUMP = _EVERY * 0b1110000000000  # 11, 12, 13
HIGH_SIDE = _EVERY * 0b1100000000000
MIDDLE = _EVERY * 0b0011111100000
LOW = _EVERY * 0b0000000011111


@lru_cache(maxsize=1)
def _numbers() -> dict[str, list[float]]:
    text = files("foretell.bots.search").joinpath("bid_model.json").read_text(encoding="ascii")
    numbers: dict[str, list[float]] = json.loads(text)
    if any(len(row) != arrays.FEATURES + 2 for row in numbers.values()):
        raise ValueError("bid_model.json has the wrong number of features")
    return numbers


def close_line(players: int, cards: int) -> tuple[list[float], float]:
    """The weights of the close line, and the standard deviation of bids from it with this many cards."""
    *line, spread, spread_each = _numbers()[str(players)]
    return line, max(_LEAST_SPREAD, spread + spread_each * cards)


@jit
def features(
    lookup: Ints,
    m: Ints,
    x: Floats,
    state: Ints,
    seat: int,
    hand: int,
    copies: int,
    tricks: float,
    above: int,
) -> None:
    """Writes the features of the close line into `x` from ROOM on; `above` is in hundredths of a trick."""
    n = lookup[in_lookup.PLAYERS]
    trump = state[in_state.TRUMP]
    tens = state[in_state.HAND_SIZE] / 10
    turn = 0
    if lookup[in_lookup.BIDS_AT_ONCE] == 0:
        turn = seat - state[in_state.DEALER] - 1
        turn += n if turn < 0 else 0
    x[arrays.ROOM] = 1.0
    x[arrays.ROOM + 1] = tens
    x[arrays.ROOM + 2] = tens * tens
    x[arrays.ROOM + 3] = tricks - state[in_state.HAND_SIZE] / n
    x[arrays.ROOM + 4] = x[arrays.ROOM + 3] * tens
    x[arrays.ROOM + 5] = above / 100
    x[arrays.ROOM + 6] = x[arrays.ROOM + 5] * tens
    x[arrays.ROOM + 7] = 1.0 if turn > 0 else 0.0
    x[arrays.ROOM + 8] = 1.0 if turn == n - 1 else 0.0
    trumps = hand & m[SUIT + trump] if trump < codes.NO_TRUMP else hand & 0
    side = hand & ~trumps
    empty = 0
    longest = 0
    for colour in range(4):
        if colour != trump:
            held = popcount(hand & m[SUIT + colour])
            longest = max(longest, held)
            if held == 0:
                empty += 1
    x[arrays.ROOM + 9] = copies & codes.WIZARD_COUNT_MASK
    x[arrays.ROOM + 10] = copies // codes.ONE_JESTER
    x[arrays.ROOM + 11] = popcount(trumps)
    x[arrays.ROOM + 12] = popcount(trumps & HIGH_TRUMP)
    x[arrays.ROOM + 13] = popcount(side & HIGH_SIDE)
    x[arrays.ROOM + 14] = popcount(side & MIDDLE)
    x[arrays.ROOM + 15] = popcount(side & LOW)
    x[arrays.ROOM + 16] = empty
    x[arrays.ROOM + 17] = longest
    for part in range(arrays.PARTS):
        x[arrays.ROOM + arrays.PLAIN + arrays.PARTS + part] = (
            x[arrays.ROOM + arrays.PLAIN + part] * tens
        )


@jit
def bid_line(
    lookup: Ints,
    m: Ints,
    f: Floats,
    x: Floats,
    state: Ints,
    seat: int,
    hand: int,
    copies: int,
    out: int,
    lying: int,
    above: int,
) -> float:
    """The number of tricks around which the bid of this hand is expected to lie."""
    size = state[in_state.HAND_SIZE]
    tricks = expected_tricks(lookup, m, f, hand, copies, state[in_state.TRUMP], out, lying)
    share = size / lookup[in_lookup.PLAYERS]
    around = (
        tricks + x[arrays.SHIFT] + x[arrays.SHIFT_EACH] * size + x[arrays.STEEP] * (tricks - share)
    )
    around += (
        x[arrays.OF_SHARE] * share + x[arrays.OF_BIDS] * size * above / 100 + x[arrays.HABIT + seat]
    )
    if x[arrays.IS_CLOSE] > 0.0:
        features(lookup, m, x, state, seat, hand, copies, tricks, above)
        for place in range(arrays.FEATURES):
            around += x[arrays.LINE + place] * x[arrays.ROOM + place]
    return around
