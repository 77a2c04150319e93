"""What the score sheet tells of how each player bids: too much, too little, or without a look at the cards.

Only bids and tricks of the rounds before are known, not the hands; but whoever bids above its cards takes fewer tricks
than bid, round after round, and the bids of one who bids at random are far off far more often than anybody's.
"""

from collections.abc import Sequence
from math import exp, log

from foretell.bots import worlds as wo
from foretell.engine import View
from foretell.engine.game import ScoredRound
from foretell.kernel.compiled import Floats

__all__ = ["habit_of", "note_habits", "oddity_of"]

_ROUNDS = 5.0  # so many rounds of nothing unusual are thought to lie before the first
_SHOWN = 1.3  # a trick more in the bid costs less than a whole trick, since it is played for
_AT_RANDOM = 0.05  # the part of players who bid at random
_OFF = (0.62, 0.13, 0.04, 0.012, 0.005)  # how often others are so far off, each way


def note_habits(seen: View, x: Floats, odd_bids: float) -> None:
    """Writes down each seat's habits in the search's model."""
    for seat in range(seen.seats):
        x[wo.HABIT + seat] = habit_of(seen.sheet, seat)
        x[wo.ODDITY + seat] = odd_bids + (0.9 - odd_bids) * oddity_of(seen.sheet, seat)


def habit_of(sheet: Sequence[ScoredRound], seat: int) -> float:
    """How many tricks this player bids above what it should; misses count up to two."""
    off = sum(max(-2, min(2, line.bids[seat] - line.won[seat])) for line in sheet)
    return _SHOWN * off / (len(sheet) + _ROUNDS)


def oddity_of(sheet: Sequence[ScoredRound], seat: int) -> float:
    """The chance that this player bids at random."""
    odds = log(_AT_RANDOM / (1.0 - _AT_RANDOM))
    for line in sheet:
        off = abs(line.bids[seat] - line.won[seat])
        odds -= log(_OFF[min(off, len(_OFF) - 1)] * (sum(line.won) + 1))
    return 1.0 / (1.0 + exp(min(50.0, -odds)))
