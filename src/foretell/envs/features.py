"""What the inputs and the actions of the environments mean, by name.

The layout is that of Foretell's own nets (`foretell.bots.net.layout`), and has its version: 2,048 bits, in 32 words of
64, and 160 actions.  A program that was made for one version keeps working until VERSION changes.
"""

from dataclasses import dataclass
from typing import Any

import numpy as np

from foretell.bots.net import layout as in_view
from foretell.kernel.state.codes import KINDS, SEATS, TRICK_COUNTS

__all__ = ["ACTIONS", "ACTION_PARTS", "FEATURES", "INPUTS", "VERSION", "Feature", "as_bits"]

VERSION = in_view.VERSION
INPUTS = in_view.WORDS * in_view.WORD_BITS
ACTIONS = in_view.ACTIONS


@dataclass(frozen=True, slots=True)
class Feature:
    """Some bits of a word; where there is a word for each of several seats, of each of `words` words."""

    name: str
    word: int
    words: int
    bit: int
    bits: int
    means: str

    def inputs(self, place: int = 0) -> slice:
        """The inputs of this feature, for the seat at this place."""
        start = in_view.WORD_BITS * (self.word + place) + self.bit
        return slice(start, start + self.bits)


def _cards(name: str, word: int, words: int, means: str) -> Feature:
    return Feature(name, word, words, 0, KINDS, means)


def _seat(name: str, bit: int, bits: int, means: str) -> Feature:
    return Feature(name, in_view.SEAT, SEATS, bit, bits, means)


def _tally(name: str, words: int, bit: int, bits: int, means: str) -> Feature:
    return Feature(name, in_view.TALLY, words, bit, bits, means)


def _table(name: str, bit: int, bits: int, means: str) -> Feature:
    return Feature(name, in_view.TABLE, 1, bit, bits, means)


def _sums(name: str, bit: int, bits: int, means: str) -> Feature:
    return Feature(name, in_view.SUMS, 1, bit, bits, means)


def _rules(name: str, bit: int, bits: int, means: str) -> Feature:
    return Feature(name, in_view.RULES, 1, bit, bits, means)


COPIES = in_view.COPY_BITS

FEATURES = (
    _cards("hand", in_view.HAND, 1, "your hand; empty while you bid without seeing it"),
    _cards("played", in_view.PLAYED, SEATS, "the cards played in this round, by seat"),
    _cards("trick", in_view.TRICK, 1, "the cards of the trick on the table"),
    _cards("best", in_view.BEST, 1, "the card that wins it so far"),
    _cards("known", in_view.KNOWN, SEATS - 1, "cards that each other seat is known to hold"),
    _cards("turned_up", in_view.TURNED_UP, 1, "the turned-up card"),
    _cards("takes", in_view.TAKES, 1, "the cards that may be played and would win the trick so far"),
    _seat("present", in_view.SEAT_PRESENT, 1, "there is such a seat"),
    _seat("deals", in_view.SEAT_DEALS, 1, "it is the dealer"),
    _seat("bid", in_view.SEAT_BID, TRICK_COUNTS, "its bid, if known: 0 to 20"),
    _seat("bid_known", in_view.SEAT_BID_KNOWN, 1, "its bid is known"),
    _seat("needs", in_view.SEAT_NEEDS, 13, "tricks it still needs: -3 to 9"),
    _seat("cloud", in_view.SEAT_CLOUD, 1, "it must change its bid (Cloud)"),
    _seat("werewolf", in_view.SEAT_WEREWOLF, 1, "it exchanged the Werewolf"),
    _seat("void", in_view.SEAT_VOID, 5, "shown to hold none of four colours; no Wizard"),
    _seat("void_before", in_view.SEAT_VOID_BEFORE, 5, "the same, before cards were passed"),
    _seat("wins", in_view.SEAT_WINS, 1, "its card wins the trick so far"),
    _seat("leads", in_view.SEAT_LEADS, 1, "it leads the trick"),
    _seat("has_played", in_view.SEAT_HAS_PLAYED, 1, "it has played to the trick"),
    _seat("fell_short", in_view.SEAT_SHORT, in_view.SHORT_STEPS,
          "tricks missing to its bids in earlier rounds, in steps; 0 for you"),
    _seat("went_over", in_view.SEAT_OVER, in_view.OVER_STEPS,
          "tricks beyond its bids in earlier rounds, in steps; 0 for you"),
    _tally("won", SEATS, in_view.TALLY_WON, TRICK_COUNTS, "tricks it has won: 0 to 20"),
    _tally("lead", SEATS, in_view.TALLY_SCORE, in_view.SCORE_STEPS,
           "its score less yours, in steps of 20, from -170 to 169"),
    _tally("played_copies", SEATS, in_view.TALLY_PLAYED_COPIES, COPIES,
           "Wizards, then Jesters it has played: two, three, four or more"),
    _tally("held_copies", SEATS, in_view.TALLY_HELD_COPIES, COPIES,
           "the same in its hand, where that is seen"),
    _tally("trick_copies", 1, in_view.TALLY_TRICK_COPIES, COPIES, "the same in the trick"),
    _table("phase", in_view.TABLE_PHASE, 6,
           "trump, bid, play, declaration, pass, change of a bid"),
    _table("demand", in_view.TABLE_DEMAND, 6, "four colours, free, undecided"),
    _table("acted", in_view.TABLE_ACTED, SEATS, "cards in the trick, or bids made: 0 to 5"),
    _table("has_trump", in_view.TABLE_HAS_TRUMP, 1, "there is a trump: it is the first colour"),
    _table("players", in_view.TABLE_PLAYERS, 4, "3 to 6"),
    _table("hand_size", in_view.TABLE_HAND_SIZE, 20, "cards dealt to each: 1 to 20"),
    _table("tricks_left", in_view.TABLE_TRICKS_LEFT, 20, "1 to 20"),
    _sums("bids", in_view.SUMS_BIDS, 2 * in_view.MOST_OVERBID + 1,
          "known bids less tricks of the round: -10 to 10"),
    _sums("contested", in_view.SUMS_NEEDS, 2 * in_view.MOST_CONTESTED + 1,
          "tricks needed less tricks left: -8 to 8"),
    _sums("rounds_left", in_view.SUMS_ROUNDS_LEFT, 20, "after this one: 0 to 19"),
    _sums("rounds_scored", in_view.SUMS_SCORED, 3, "rounds scored: one, four, seven or more"),
    _rules("plus_minus_one", in_view.RULES_PLUS_MINUS_ONE, 1, "V1"),
    _rules("bids_at_once", in_view.RULES_BIDS_AT_ONCE, 1, "V2, V3"),
    _rules("secret", in_view.RULES_SECRET, 1, "V3"),
    _rules("unicolor", in_view.RULES_UNICOLOR, 1, "V6"),
    _rules("barred", in_view.RULES_BARRED, 1, "F1"),
    _rules("specials", in_view.RULES_SPECIALS, 7, "the special cards of C4 in the deck"),
    _rules("foresight", in_view.RULES_FORESIGHT, 1, "V4, V5: in this round"),
    _rules("unseen_hand", in_view.RULES_UNSEEN_HAND, 1, "you do not see your hand now"),
    _rules("declaring", in_view.RULES_DECLARING, 3, "the card that waits for its declaration"),
    _rules("best_declared", in_view.RULES_BEST_DECLARED, 6, "how the best card was declared"),
    _rules("effects", in_view.RULES_EFFECTS, 5, "effects of the cards in the trick"),
    _rules("passed", in_view.RULES_PASSED, 1, "cards were passed in this round (X7)"),
    _cards("legal", in_view.LEGAL, 1, "the legal actions, from the first one of the phase on"),
)  # fmt: skip
"""Every feature of an observation, in the order of the words.

Seats are counted from yours, which is 0.  Colours are in the order of your hand: trump first, then the longest colour
as it was dealt.  The bits of cards are 13 numbers of each colour, Wizard, Jester, and the special cards of C4.
"""

ACTION_PARTS = {
    "play": (in_view.ACTION_PLAY, KINDS),
    "pass": (in_view.ACTION_PASS, KINDS),
    "bid": (in_view.ACTION_BID, TRICK_COUNTS),
    "trump": (in_view.ACTION_TRUMP, 5),
    "declare": (in_view.ACTION_DECLARE, 6),
    "change": (in_view.ACTION_CHANGE, 2),
}
"""Where the actions of each kind begin among the 160, and how many there are."""


def as_bits(
    observations: np.ndarray[Any, Any], out: np.ndarray[Any, Any] | None = None
) -> np.ndarray[Any, Any]:
    """Observations as arrays of 2,048 numbers, 0 or 1, of type uint8."""
    bits = np.unpackbits(
        np.ascontiguousarray(observations, dtype="<i8").view(np.uint8), axis=-1, bitorder="little"
    )
    if out is None:
        return bits
    out[...] = bits
    return out
