"""The levels: bots by name, from a beginner to the strongest search.

The strength of a level follows from a number of worlds and not from a clock, so the same seed gives the same game on
every machine.  The strongest level can be given a time limit: `champion@0.3` thinks for 0.3 seconds at most.  The
kernel is imported only when a bot that needs it is made.
"""

from collections.abc import Callable
from typing import TYPE_CHECKING

from foretell.bots.simple.counting import Counting
from foretell.bots.unusual_bidders import BidsAtRandom, ShiftedBids
from foretell.errors import Unreadable

if TYPE_CHECKING:
    from foretell.bots import Bot
    from foretell.bots.search.search import Search

__all__ = [
    "CLOCKED",
    "FLAT",
    "LEVELS",
    "STRONGEST",
    "UNUSUAL_BIDDERS",
    "clocked",
    "net",
    "net_search",
]


def _heuristic(error_rate: float) -> "Callable[[], Bot]":
    def made() -> "Bot":
        from foretell.bots.search.heuristic_bot import HeuristicBot

        return HeuristicBot(error_rate=error_rate)

    return made


def _search(
    worlds: int,
    *,
    is_weighted: bool = True,
    knows_habits: bool = False,
    is_close: bool = False,
    whim: float = 0.0,
    of_mean: float = 0.5,
) -> "Callable[[], Search]":
    def made() -> "Search":
        from foretell.bots.search.search import Search

        return Search(
            worlds=worlds,
            is_weighted=is_weighted,
            knows_habits=knows_habits,
            is_close=is_close,
            whim=whim,
            of_mean=of_mean,
        )

    return made


# The champion values a point lost by all others as highly as a point of its own (`of_mean`).  In its rollouts the
# others do not always make the play that the heuristic prefers (`whim`).  So a choice must be good whatever they do;
# otherwise it would succeed in the rollouts and fail at the table.
_champion = _search(1200, knows_habits=True, is_close=True, whim=1.0, of_mean=1.0)

LEVELS: "dict[str, Callable[[], Bot]]" = {
    "beginner": _heuristic(0.25),
    "casual": _heuristic(0.05),
    "skilled": _search(20),
    "expert": _search(56),
    "master": _search(120, knows_habits=True),
    "champion": _champion,
}
"""From the weakest to the strongest; the catalogue has a sentence for each, `bot.<name>.about`."""

STRONGEST = "champion"

FLAT = _search(400, is_weighted=False)
"""A search without inference: all worlds have the same weight, and every player is assumed to follow the heuristic.

It is not a level; other searches are measured against it.
"""


def net() -> "Bot":
    """The trained net without any search (docs/training.md).  It is stronger than every level."""
    from foretell.bots.net.net_player import NetPlayer

    return NetPlayer()


def net_search() -> "Bot":
    """A search on top of the net."""
    from foretell.bots.net.net_search import NetSearch

    return NetSearch()


UNUSUAL_BIDDERS: "dict[str, Callable[[], Bot]]" = {
    "overbidder": lambda: ShiftedBids(_heuristic(0.0)(), 1),
    "underbidder": lambda: ShiftedBids(Counting(), -1),
    "random-bidder": lambda: BidsAtRandom(Counting()),
}
"""Opponents that no search expects, to measure levels against.  These are not levels either."""

CLOCKED = f"{STRONGEST}@"


def clocked(name: str) -> "Search":
    """`champion@0.3`: the strongest level, with as many worlds as it can play out in 0.3 seconds."""
    from dataclasses import replace

    try:
        seconds = float(name.removeprefix(CLOCKED))
    except ValueError:
        seconds = 0.0
    if not 0.0 < seconds <= 60.0:
        raise Unreadable("not_a_clock", name=name)
    return replace(_champion(), worlds=20_000, seconds=seconds)
