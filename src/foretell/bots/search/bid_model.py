"""Where a player's bid is thought to lie, by the hand: what the search reads bids by, and what it foresees.

Two lines.  The plain one goes by the tricks that the policy would expect of a hand.  The close one adds what the hand
is made of, and who has bid what before; `bid_model.json` has its numbers for each number of players, fitted to bids of
flat Monte-Carlo (`bench/bots_bids.py`).  The close one holds for the common deck without special cards.
"""

import json
from functools import lru_cache
from importlib.resources import files

from foretell.bots.search.heuristic import SUIT, expected_tricks
from foretell.kernel.backend.compiled import Floats, Ints, jit, popcount
from foretell.kernel.state import codes
from foretell.kernel.state import lookup_layout as in_lookup
from foretell.kernel.state import state_layout as in_state

__all__ = ["bid_line", "close_line", "features"]

# `x`: how players are modelled (`worlds.py`).  The plain line is
#   tricks expected + SHIFT + SHIFT_EACH x cards + STEEP x (tricks expected - share) + OF_SHARE x share
#   + OF_BIDS x cards x (what was bid before, above its share) + HABIT of the seat
SHIFT, SHIFT_EACH, STEEP, OF_SHARE, OF_BIDS = 6, 7, 8, 9, 10
HABIT = 18  # by seat: how much more it bids than others would
IS_CLOSE = 30  # 1 where the close line is used, too
LINE = 31
# What the close line is a sum of.  The hand's parts count twice: as they are, and for every ten cards.
PARTS = 9  # Wizards, Jesters, trumps, high trumps; beside trump high, middle, low; empty colours, the longest one
PLAIN = 9  # one, tens, tens squared, tricks above share (and by tens), bids above share (and by tens), not first, last
FEATURES = PLAIN + 2 * PARTS
ROOM = LINE + FEATURES  # here the features are put together
END = ROOM + FEATURES

_LEAST_SPREAD = 0.3  # half a trick is lost in rounding alone

_EVERY = sum(1 << 13 * colour for colour in range(4))
HIGH_TRUMP = _EVERY * 0b1110000000000  # 11, 12, 13
HIGH_SIDE = _EVERY * 0b1100000000000
MIDDLE = _EVERY * 0b0011111100000
LOW = _EVERY * 0b0000000011111


@lru_cache(maxsize=1)
def _numbers() -> dict[str, list[float]]:
    text = files("foretell.bots.search").joinpath("bid_model.json").read_text(encoding="ascii")
    numbers: dict[str, list[float]] = json.loads(text)
    if any(len(row) != FEATURES + 2 for row in numbers.values()):
        raise ValueError("bid_model.json does not fit the line")
    return numbers


def close_line(players: int, cards: int) -> tuple[list[float], float]:
    """The close line's numbers, and the deviation of bids from it with so many cards."""
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
    """What the close line is a sum of, into `x` from ROOM on; `above` in hundredths of a trick."""
    n = lookup[in_lookup.PLAYERS]
    trump = state[in_state.TRUMP]
    tens = state[in_state.HAND_SIZE] / 10
    turn = 0
    if lookup[in_lookup.BIDS_AT_ONCE] == 0:
        turn = seat - state[in_state.DEALER] - 1
        turn += n if turn < 0 else 0
    x[ROOM] = 1.0
    x[ROOM + 1] = tens
    x[ROOM + 2] = tens * tens
    x[ROOM + 3] = tricks - state[in_state.HAND_SIZE] / n
    x[ROOM + 4] = x[ROOM + 3] * tens
    x[ROOM + 5] = above / 100
    x[ROOM + 6] = x[ROOM + 5] * tens
    x[ROOM + 7] = 1.0 if turn > 0 else 0.0
    x[ROOM + 8] = 1.0 if turn == n - 1 else 0.0
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
    x[ROOM + 9] = copies & codes.WIZARD_COUNT_MASK
    x[ROOM + 10] = copies // codes.ONE_JESTER
    x[ROOM + 11] = popcount(trumps)
    x[ROOM + 12] = popcount(trumps & HIGH_TRUMP)
    x[ROOM + 13] = popcount(side & HIGH_SIDE)
    x[ROOM + 14] = popcount(side & MIDDLE)
    x[ROOM + 15] = popcount(side & LOW)
    x[ROOM + 16] = empty
    x[ROOM + 17] = longest
    for part in range(PARTS):
        x[ROOM + PLAIN + PARTS + part] = x[ROOM + PLAIN + part] * tens


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
    """Around which number of tricks the bid of this hand is thought to lie."""
    size = state[in_state.HAND_SIZE]
    tricks = expected_tricks(lookup, m, f, hand, copies, state[in_state.TRUMP], out, lying)
    share = size / lookup[in_lookup.PLAYERS]
    around = tricks + x[SHIFT] + x[SHIFT_EACH] * size + x[STEEP] * (tricks - share)
    around += x[OF_SHARE] * share + x[OF_BIDS] * size * above / 100 + x[HABIT + seat]
    if x[IS_CLOSE] > 0.0:
        features(lookup, m, x, state, seat, hand, copies, tricks, above)
        for place in range(FEATURES):
            around += x[LINE + place] * x[ROOM + place]
    return around
