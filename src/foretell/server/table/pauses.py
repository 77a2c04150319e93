"""How long a bot waits before it acts, so that people can follow the game.  The time says nothing about its hand.

The pause is drawn before the bot thinks, from the same range for every decision, and the bot thinks while it runs.  It
is longer than a bot of this level usually thinks, so that a forced card takes as long as a chosen one.  A bot that has
not decided when the pause ends acts at one of a few regular moments after that.  They show that the bot or the server
was slow, but hardly by how much.

A table may choose a pause of 0, and then the time of an action shows how long the bot has thought.  That harms nobody
if one person or one home plays against bots.  Where strangers may be at the table, there is always a short pause.
"""

import math
from random import Random

from foretell.server.store.interface import TableState
from foretell.server.table.seating import people

__all__ = ["acts_after", "drawn_pause", "table_pause"]

_SHORTEST, _LONGEST = 0.8, 1.2  # of the pause that the table has chosen
_STEP = 0.5  # seconds between the moments at which a late bot may act

# Seconds, more than a choice takes even on a busy server: the champion thinks for about half a second at most.
_FLOORS = {"champion": 0.7}
_FLOOR = 0.1


def table_pause(state: TableState) -> float:
    """The pause of bots at a table, in seconds: what it has chosen, but not 0 among people who may be strangers."""
    chosen = state.options.bot_pause_ms / 1000
    return max(chosen, _FLOOR) if _may_be_strangers(state) else chosen


def _may_be_strangers(state: TableState) -> bool:
    """Whether others than one person, or one home, are at the table or may come to it at any time."""
    homes = {state.places[seat].address for seat in people(state)}
    return state.options.is_public or len(homes) > 1


def drawn_pause(pause: float, level: str, random: Random) -> float:
    """The seconds that a bot of this level waits at a table that has chosen this pause."""
    if pause <= 0:
        return 0.0
    chosen = max(pause, _FLOORS.get(level, _FLOOR) / _SHORTEST)
    return chosen * random.uniform(_SHORTEST, _LONGEST)


def acts_after(pause: float, thought: float) -> float:
    """The seconds after which a bot acts that has `thought` for so long, and whose pause this is."""
    if pause <= 0 or thought <= pause:
        return max(pause, thought)
    return pause + math.ceil((thought - pause) / _STEP) * _STEP
