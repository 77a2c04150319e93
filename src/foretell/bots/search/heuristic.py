"""The search's heuristic: what a card is worth, what to bid and what to play, without looking ahead.

The worth of a card is the chance that it takes a trick (`card_chances.py`).  A seat plays the card after which its
expected tricks are nearest to the tricks it needs.  "Nearest" means the least expected square of the miss, including
the variance of the cards that stay in hand.  So a seat takes tricks, avoids them or throws a card away without a rule
for any of these.

All numbers here are estimates.  The rules come from the kernel: `legal` says which cards may be played, `would_take`
whether a card takes the trick on the table.

Everything works on the state of the kernel.  `out` is the mask of kinds that are neither played nor turned up, and
`lying` says how many cards these are.  `m` are masks by kind, `f` the tables; `j` is room for the cost of each play.
"""

from foretell.bots.search.card_chances import (
    OF_BIDS,
    OF_CHANCE,
    OF_LATER,
    OF_OTHERS,
    OF_ROUNDING,
    TASTE_AT,
    TASTES,
    expected_tricks,
    holds,
    later_step,
    likely,
)
from foretell.kernel.backend.compiled import Floats, Ints, jit, kth, lowest, popcount
from foretell.kernel.state import codes
from foretell.kernel.state import lookup_layout as in_lookup
from foretell.kernel.state import state_layout as in_state
from foretell.kernel.state.trick_outcome import strength_in_trick, would_take

__all__ = [
    "COSTS",
    "costs",
    "declaration",
    "nearest",
    "pick_bid",
    "pick_change",
    "pick_pass",
    "pick_play",
]

COSTS = 64  # how many words `j` has


@jit
def pick_bid(
    lookup: Ints, m: Ints, f: Floats, state: Ints, out: int, lying: int, open_bids: int
) -> int:
    """The open bid nearest to the expected tricks, corrected for the earlier bids."""
    seat = state[in_state.TURN]
    tricks = expected_tricks(
        lookup,
        m,
        f,
        state[in_state.HAND + seat],
        state[in_state.COPIES + seat],
        state[in_state.TRUMP],
        out,
        lying,
    )
    # The more the others have bid above their share, the harder it is to get tricks.
    made = state[in_state.ACTED]
    taste = TASTE_AT + (lookup[in_lookup.PLAYERS] - 3) * TASTES
    if made > 0:
        share = (
            state[in_state.BID_SUM] - made * state[in_state.HAND_SIZE] / lookup[in_lookup.PLAYERS]
        )
        tricks -= f[taste + OF_BIDS] * share
    return nearest(open_bids, tricks + f[taste + OF_ROUNDING])


@jit
def nearest(open_bids: int, tricks: float) -> int:
    """The open bid nearest to this number of tricks; the lower one of two."""
    best = 0
    miss = 1e9
    mask = open_bids
    while mask != 0:
        bid = lowest(mask)
        mask &= mask - 1
        off = abs(bid - tricks)
        if off < miss:
            miss = off
            best = bid
    return best


@jit
def costs(
    lookup: Ints, m: Ints, f: Floats, state: Ints, out: int, lying: int, mask: int, j: Floats
) -> None:
    """Writes into `j` what each play of the mask costs the seat whose turn it is: the expected square of its miss."""
    n = lookup[in_lookup.PLAYERS]
    seat = state[in_state.TURN]
    hand = state[in_state.HAND + seat]
    copies = state[in_state.COPIES + seat]
    left = state[in_state.TRICKS_LEFT]
    trump = state[in_state.TRUMP]
    unseen = out & ~hand
    pool = max(1, lying - left)
    share = left / pool
    share_then = (left - 1) / pool
    need = max(0, state[in_state.BID + seat] - state[in_state.TRICKS_WON + seat])
    rest = 0.0
    spread = 0.0
    if left > 1:
        these = hand
        while these != 0:
            kind = lowest(these)
            these &= these - 1
            q = likely(lookup, m, f, kind, trump, unseen, share_then, left - 1)
            held = 1
            if kind == codes.WIZARD:
                held = copies & codes.WIZARD_COUNT_MASK
            rest += q * held
            spread += q * (1.0 - q) * held
            j[kind] = q
    after = n - 1 - state[in_state.ACTED]
    later = later_step(lookup, state, seat, after)
    taste = TASTE_AT + (n - 3) * TASTES
    wanted = 0
    for other in range(n):
        if state[in_state.BID + other] > state[in_state.TRICKS_WON + other]:
            wanted += state[in_state.BID + other] - state[in_state.TRICKS_WON + other]
    pressure = f[taste + OF_OTHERS] * (wanted - left) / n
    rest -= pressure if pressure < rest else rest
    these = mask
    while these != 0:
        kind = lowest(these)
        these &= these - 1
        q = j[kind] if left > 1 else 0.0
        stays = rest - q
        varies = spread - q * (1.0 - q)
        if (lookup[in_lookup.NEEDS_DECLARATION] >> kind) & 1:
            # The card is declared so that it takes the trick, or so that it does not, whichever is nearer to the need.
            # If it can take the trick now, 0.8 is a rough estimate of the chance that no later card beats it.
            takes = 0.8 if can_take(lookup, state, kind) else 0.0
            j[kind] = (
                min((need - stays) * (need - stays), _square(need - stays - 1, takes)) + varies
            )
        else:
            p = 0.0
            if would_take(lookup, state, kind):
                p = holds(m, f, state, kind, after, later, unseen, share)
            miss = need - p - stays
            j[kind] = (
                miss * miss + f[taste + OF_CHANCE] * p * (1.0 - p) + f[taste + OF_LATER] * varies
            )


@jit
def can_take(lookup: Ints, state: Ints, kind: int) -> bool:
    """Whether some declaration of this card would take the trick as it is now."""
    first = lookup[in_lookup.FIRST_FACE + kind]
    words = lookup[in_lookup.DECLARATIONS + kind]
    found = False
    while words != 0:
        if would_take(lookup, state, first + lowest(words)):
            found = True
        words &= words - 1
    return found


@jit
def _square(miss: float, takes: float) -> float:
    return takes * miss * miss + (1.0 - takes) * (miss + 1.0) * (miss + 1.0)


@jit
def pick_play(
    lookup: Ints, m: Ints, f: Floats, state: Ints, out: int, lying: int, mask: int, j: Floats
) -> int:
    """The cheapest play of the mask; of equal ones the lowest number."""
    best: int = lowest(mask)
    if mask & (mask - 1) == 0:
        return best
    costs(lookup, m, f, state, out, lying, mask, j)
    these = mask & (mask - 1)
    while these != 0:
        kind = lowest(these)
        these &= these - 1
        if j[kind] < j[best] - 1e-9:
            best = kind
    return best


@jit
def declaration(lookup: Ints, state: Ints) -> int:
    """The declaration of the chosen card: its strongest face if the seat wants tricks, otherwise its weakest."""
    seat = state[in_state.TURN]
    wants = state[in_state.BID + seat] > state[in_state.TRICKS_WON + seat]
    words = lookup[in_lookup.DECLARATIONS + state[in_state.DECLARING_KIND]]
    first = lookup[in_lookup.FIRST_FACE + state[in_state.DECLARING_KIND]]
    best: int = lowest(words)
    height = strength_in_trick(lookup, state, first + best) & codes.STRENGTH_MASK
    these = words & (words - 1)
    while these != 0:
        word = lowest(these)
        these &= these - 1
        now = strength_in_trick(lookup, state, first + word) & codes.STRENGTH_MASK
        if (now > height) == wants and now != height:
            best = word
            height = now
    return best


@jit
def pick_pass(lookup: Ints, m: Ints, f: Floats, state: Ints, out: int, lying: int) -> int:
    """X7: the card without which the hand is nearest to its need."""
    seat = state[in_state.TURN]
    hand = state[in_state.HAND + seat]
    left = state[in_state.TRICKS_LEFT]
    unseen = out & ~hand
    share = left / max(1, lying - left)
    need = max(0, state[in_state.BID + seat] - state[in_state.TRICKS_WON + seat])
    rest = expected_tricks(
        lookup, m, f, hand, state[in_state.COPIES + seat], state[in_state.TRUMP], out, lying
    )
    best: int = lowest(hand)
    least = 1e9
    these = hand
    while these != 0:
        kind = lowest(these)
        these &= these - 1
        q = likely(lookup, m, f, kind, state[in_state.TRUMP], unseen, share, left)
        miss = need - (rest - q)
        cost = miss * miss - q * (1.0 - q)
        if cost < least:
            least = cost
            best = kind
    return best


@jit
def pick_change(lookup: Ints, state: Ints, mask: int) -> int:
    """X8: the change that scores more; of two equal ones, one trick fewer."""
    seat = state[in_state.TURN]
    best: int = kth(mask, popcount(mask) - 1)
    most = _changed(lookup, state, seat, best)
    these = mask
    while these != 0:
        change = lowest(these)
        these &= these - 1
        if _changed(lookup, state, seat, change) > most:
            most = _changed(lookup, state, seat, change)
            best = change
    return best


@jit
def _changed(lookup: Ints, state: Ints, seat: int, change: int) -> int:
    bid = state[in_state.BID + seat] + 1 - 2 * change
    return lookup[
        in_lookup.POINTS_FOR + bid * codes.TRICK_COUNTS + state[in_state.TRICKS_WON + seat]
    ]
