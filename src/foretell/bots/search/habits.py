"""What the score sheet tells of each player: bids too much, too little, at random; may be a counting one.

Only bids and tricks of the rounds before are known, not the hands; but whoever bids above its cards takes fewer tricks
than bid, round after round, and the bids of one who bids at random are far off far more often than anybody's.  A
counting player misses oftener than a search does, and with few at the table it takes more tricks than it bid.
"""

from collections.abc import Sequence
from math import exp, log

from foretell.bots.search import worlds as wo
from foretell.bots.search.bid_model import HABIT
from foretell.engine import View
from foretell.engine.game import ScoredRound
from foretell.kernel.backend.compiled import Floats

__all__ = ["counts_of", "habit_of", "note_habits", "oddity_of"]

_ROUNDS = 5.0  # so many rounds of nothing unusual are thought to lie before the first
_SHOWN = 1.3  # a trick more in the bid costs less than a whole trick, since it is played for
_AT_RANDOM = 0.05  # the part of players who bid at random
_BELIEVED = 0.6
_OFF = (0.62, 0.13, 0.04, 0.012, 0.005)  # how often others are so far off, each way


def note_habits(seen: View, x: Floats) -> None:
    """Moves each seat's place in the search's model from what is thought of anybody to what the sheet tells of it."""
    for seat in range(seen.seats):
        x[wo.COUNTS + seat] = counts_of(seen.sheet, seat, x[wo.COUNTS + seat])
        x[HABIT + seat] = habit_of(seen.sheet, seat)
        x[wo.ODDITY + seat] += (0.9 - x[wo.ODDITY + seat]) * oddity_of(seen.sheet, seat)


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


def counts_of(sheet: Sequence[ScoredRound], seat: int, before: float) -> float:
    """The chance that this is a counting player, from the one thought before the first round.

    How much likelier each miss is for a counting player than for a search was fitted to 8,640 bids of both (logistic
    regression on the miss, the cards and the players).  Others may miss as these two do not, so the sheet is believed
    in part, and never wholly.
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
