"""What the score sheet says about each player: does it bid too much, too little, at random, or as `counting` does?

The sheet has the bids and tricks of the earlier rounds, but not the hands.  That is enough: a player who bids above its
cards takes fewer tricks than it bid, round after round.  A player who bids at random misses by several tricks much more
often than anybody else.  A counting player misses its bid more often than a search does, and with few players at the
table it takes more tricks than it bid.
"""

from collections.abc import Sequence
from math import exp, log

from foretell.bots.search import arrays
from foretell.engine import View
from foretell.engine.game import ScoredRound
from foretell.kernel.backend.compiled import Floats

__all__ = ["counts_of", "habit_of", "note_habits", "oddity_of"]

_ROUNDS = 5.0  # the estimates start as if this many average rounds had been played already
_SHOWN = 1.3  # a bid that is one trick too high is missed by less than one trick, since its player tries to meet it
_AT_RANDOM = 0.05  # the share of players who bid at random
_BELIEVED = 0.6  # how far the sheet is believed when it says that a player counts
# How often other players miss their bid by 0, 1, 2, … tricks in each direction.
_OFF = (0.62, 0.13, 0.04, 0.012, 0.005)


def note_habits(seen: View, x: Floats) -> None:
    """Changes the search's model of each seat from that of an unknown player to what the sheet says about it."""
    for seat in range(seen.seats):
        x[arrays.COUNTS + seat] = counts_of(seen.sheet, seat, x[arrays.COUNTS + seat])
        x[arrays.HABIT + seat] = habit_of(seen.sheet, seat)
        x[arrays.ODDITY + seat] += (0.9 - x[arrays.ODDITY + seat]) * oddity_of(seen.sheet, seat)


def habit_of(sheet: Sequence[ScoredRound], seat: int) -> float:
    """How many tricks too many this player bids; a miss counts as two tricks at most."""
    off = sum(max(-2, min(2, line.bids[seat] - line.won[seat])) for line in sheet)
    return _SHOWN * off / (len(sheet) + _ROUNDS)


def oddity_of(sheet: Sequence[ScoredRound], seat: int) -> float:
    """The chance that this player bids at random."""
    odds = log(_AT_RANDOM / (1.0 - _AT_RANDOM))
    for line in sheet:
        off = abs(line.bids[seat] - line.won[seat])
        odds -= log(_OFF[min(off, len(_OFF) - 1)] * (sum(line.won) + 1))
    return 1.0 / (1.0 + exp(min(50.0, -odds)))


def counts_of(sheet: Sequence[ScoredRound], seat: int, before: float) -> float:
    """The chance that this is a counting player; `before` is that chance before the first round.

    How much likelier each miss is for a counting player than for a search was fitted to 8,640 bids of both (logistic
    regression on the miss, the cards and the players).  There are other kinds of player as well, so the sheet is
    believed only in part.
    """
    told = 0.0
    for line in sheet:
        off = max(-3, min(3, line.bids[seat] - line.won[seat]))
        met, miss = float(off == 0), abs(off)
        cards, players = min(12, sum(line.won)) / 10, len(line.won) - 4
        told += 0.42 - 0.47 * met - 0.32 * miss - 0.46 * off
        told += cards * (0.32 * miss - 0.12 * met - 0.22 * off - 0.34)
        told += players * (0.32 * off + 0.30 * miss + 0.05)
    odds = before / (1.0 - before) * exp(max(-2.5, min(2.0, _BELIEVED * told)))
    return odds / (1.0 + odds)
