"""In plain Python, a search takes fewer worlds where a choice would take more than about a second.

The limit follows from the view alone and not from a clock, so a seed still gives the same game on every machine.  The
numbers were measured: on two cores that are busy with other things, a first choice then takes about a second at most
(bench/first_choice.py).  The first time that a search takes fewer worlds, this is logged as a warning: a
server writes it to its log, and a command in a terminal writes it to standard error.
"""

import logging
from functools import lru_cache

from foretell.bots.search.situation import Situation
from foretell.engine import View

__all__ = ["world_limit"]

_log = logging.getLogger(__name__)

# Milliseconds of one core: for a choice, to make a world, and for one decision in a rollout.
PATIENCE, OF_WORLD, OF_DECISION = 500.0, 2.0, 0.021


def world_limit(seen: View, now: Situation, worlds: int, seconds: float | None) -> int:
    """The number of worlds, but no more than plain Python can play out in time (in `seconds`, if that is given)."""
    assert seen.now is not None
    decisions = len(now.candidates) * sum(seen.now.hand_sizes)
    patience = PATIENCE if seconds is None else max(PATIENCE, 1000.0 * seconds)
    limit = int(patience / (OF_WORLD + OF_DECISION * decisions))
    if limit < worlds and seconds is None:
        _tell()
    return min(worlds, limit)


@lru_cache(maxsize=1)
def _tell() -> None:
    _log.warning(
        "There is no native library: a level that would take more than a second for a choice plays out fewer worlds"
    )
