"""How long a bot waits before it acts, so that people can follow the game.  The time says nothing about its hand.

The pause is drawn before the bot thinks, from the same range for every decision, and the bot thinks while it runs.  It
is longer than a bot of this level usually thinks, so that a forced card takes as long as a chosen one.  A bot that has
not decided when the pause ends acts at one of a few regular moments after that.  They show that the bot or the server
was slow, but hardly by how much.

A table whose pause is 0 has no pauses at all: there the time of an action shows how long the bot has thought.
"""

import math
from random import Random

__all__ = ["acts_after", "drawn_pause"]

_SHORTEST, _LONGEST = 0.8, 1.2  # of the pause that the table has chosen
_STEP = 0.5  # seconds between the moments at which a late bot may act

# Seconds, several times the 99th percentile of a choice (docs/bots.md), since a server may be busy.
_FLOORS = {"champion": 0.25, "flat": 0.25}
_FLOOR = 0.1


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
