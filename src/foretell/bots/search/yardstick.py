"""The counting bot again, on the kernel's integers: what the search expects of a player who plays that way.

The definition is `counting.py`'s; this copy exists because a search plays it out a million times.  Tests hold the two
together.  Worth is in ten-thousandths of a trick, so that halves are halves here too.
"""

from foretell.bots.search.heuristic import strength_of
from foretell.kernel.backend.compiled import Ints, jit, lowest
from foretell.kernel.state import codes
from foretell.kernel.state import lookup_layout as in_lookup
from foretell.kernel.state import state_layout as in_state

__all__ = ["count_bid", "count_pass", "count_play", "count_worth"]

_TRICK = 10000
DRAGON, FAIRY, JUGGLER, CLOUD, SHAPESHIFTER = 54, 55, 58, 59, 60


@jit
def _number_worth(n: int, value: int, is_trump: bool, has_trump: bool) -> int:
    if is_trump:
        plain = 30
        if value == 13:
            plain = 95
        elif value == 12:
            plain = 85
        elif value == 11:
            plain = 70
        elif value == 10:
            plain = 55
        elif value == 9:
            plain = 45
    elif has_trump:
        plain = 60 if value == 13 else 30 if value == 12 else 0
    else:
        plain = 75 if value == 13 else 45 if value == 12 else 20 if value == 11 else 0
    return int(min(_TRICK, plain * (100 - 6 * (n - 4))))


@jit
def count_worth(lookup: Ints, hand: int, copies: int, trump: int) -> int:
    """What the hand is worth to the counting bot."""
    n = lookup[in_lookup.PLAYERS]
    made = (copies & codes.WIZARD_COUNT_MASK) * _TRICK
    these = hand
    while these != 0:
        kind = lowest(these)
        these &= these - 1
        if kind < codes.WIZARD:
            value = kind % 13 + 1
            if lookup[in_lookup.OWN_CARDS] > 0:
                part = (value - 0.5) / 13
                chance = 1.0
                for _ in range(n - 1):
                    chance *= part
                made += int(chance * _TRICK)
            else:
                made += _number_worth(n, value, kind // 13 == trump, trump < codes.NO_TRUMP)
        elif kind in (DRAGON, SHAPESHIFTER):
            made += _TRICK
        elif kind == JUGGLER:
            made += min(_TRICK, 30 * (100 - 6 * (n - 4)))
        elif kind == CLOUD:
            made += min(_TRICK, 55 * (100 - 6 * (n - 4)))
    return made


@jit
def count_bid(lookup: Ints, hand: int, copies: int, trump: int, size: int, open_bids: int) -> int:
    """The sum rounded half up; one fewer where that is barred, or one instead of none."""
    bid = min(size, (count_worth(lookup, hand, copies, trump) + _TRICK // 2) // _TRICK)
    if (open_bids >> bid) & 1 == 0:
        bid = bid - 1 if bid > 0 else 1
    return bid


@jit
def _height(kind: int, word: int, trump: int) -> int:
    """Thirty-two times the height, so that 7½ and 9¾ are whole and the colour comes after; `word` as declared."""
    if kind < codes.WIZARD:
        made = 32 * (kind % 13 + 1 + (40 if kind // 13 == trump else 0)) + kind // 13
    elif kind == codes.WIZARD or (kind == SHAPESHIFTER and word == 0):
        made = 3200
    elif kind == DRAGON:
        made = 3232
    elif kind == FAIRY:
        made = -32
    elif kind in (JUGGLER, CLOUD):
        made = (240 if kind == JUGGLER else 312) + word
        if word == trump and trump < codes.NO_TRUMP:
            made += 1280
    else:
        made = 0
    return made


@jit
def count_play(lookup: Ints, state: Ints, mask: int) -> int:
    """Wins as cheaply as it can while it wants tricks; throws away the highest loser when it does not."""
    lowest_kind: int = lowest(mask)
    if mask & (mask - 1) == 0:
        return lowest_kind
    seat = state[in_state.TURN]
    wants = state[in_state.BID + seat] > state[in_state.TRICKS_WON + seat]
    leads = state[in_state.ACTED] == 0
    bombed = state[in_state.EFFECTS] & codes.BOMBS
    low = 100000
    chosen = -1
    height = 100000 if wants and not leads else -100000
    these = mask
    while these != 0:
        kind = lowest(these)
        these &= these - 1
        words = lookup[in_lookup.DECLARATIONS + kind]
        while words != 0:
            word = lowest(words)
            words &= words - 1
            now = _height(kind, word, state[in_state.TRUMP])
            strength = strength_of(lookup, state, lookup[in_lookup.FIRST_FACE + kind] + word)
            takes = (
                strength & codes.STRENGTH_MASK > state[in_state.BEST_STRENGTH]
                and not bombed
                and (strength >> codes.EFFECT_SHIFT) & codes.BOMBS == 0
            )
            if now < low:
                low = now
                lowest_kind = kind
            if leads:
                if wants and now > height:
                    height = now
                    chosen = kind
            elif wants:
                if takes and now < height:
                    height = now
                    chosen = kind
            elif not takes and now > height:
                height = now
                chosen = kind
    return chosen if chosen >= 0 else lowest_kind


@jit
def count_pass(state: Ints) -> int:
    """Its lowest card while it wants tricks, its highest otherwise."""
    seat = state[in_state.TURN]
    wants = state[in_state.BID + seat] > state[in_state.TRICKS_WON + seat]
    hand = state[in_state.HAND + seat]
    best: int = lowest(hand)
    height = _height_in_hand(best, state[in_state.TRUMP])
    these = hand & (hand - 1)
    while these != 0:
        kind = lowest(these)
        these &= these - 1
        now = _height_in_hand(kind, state[in_state.TRUMP])
        if (now < height) == wants and now != height:
            best = kind
            height = now
    return best


@jit
def _height_in_hand(kind: int, trump: int) -> int:
    """A Juggler and a Cloud are of no colour there."""
    return _height(kind, 0, trump if kind < codes.WIZARD else codes.NO_TRUMP)
