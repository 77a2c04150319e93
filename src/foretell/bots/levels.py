"""The levels: players by name, from a beginner to the strongest search.

How strong a level is follows from a number of worlds, never from a clock, so that the same seed gives the same game on
every machine.  The strongest can be given a clock all the same: `champion@0.3` thinks for 0.3 seconds at most.  What
needs the kernel is imported when such a player is made, not before.
"""

from collections.abc import Callable
from typing import TYPE_CHECKING

from foretell.bots.odd_bidders import BidsAside, BidsAtRandom
from foretell.bots.simple.counting import Counting
from foretell.errors import Unreadable

if TYPE_CHECKING:
    from foretell.bots import Bot
    from foretell.bots.search.search import Search

__all__ = ["CLOCKED", "FLAT", "LEVELS", "STRANGE", "STRONGEST", "clocked"]


def _by_rote(slips: float) -> "Callable[[], Bot]":
    def made() -> "Bot":
        from foretell.bots.search.policy_bot import ByRote

        return ByRote(slips=slips)

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


# A point that all the others miss is worth as much to it as one made.  The others, as it imagines them, do not always
# play what the policy would: a choice must stand whatever they do, or it is hit off in the rollouts and missed at the
# table.
_champion = _search(1200, knows_habits=True, is_close=True, whim=1.0, of_mean=1.0)

LEVELS: "dict[str, Callable[[], Bot]]" = {
    "beginner": _by_rote(0.25),
    "casual": _by_rote(0.05),
    "skilled": _search(20),
    "expert": _search(56),
    "master": _search(120, knows_habits=True),
    "champion": _champion,
}
"""From the weakest to the strongest; the catalogue has a sentence for each, `bot.<name>.about`."""

STRONGEST = "champion"

FLAT = _search(400, is_weighted=False)
"""What a search without inference makes: uniform worlds, everybody taken for the policy.  A yardstick, not a level."""

STRANGE: "dict[str, Callable[[], Bot]]" = {
    "overbidder": lambda: BidsAside(_by_rote(0.0)(), 1),
    "underbidder": lambda: BidsAside(Counting(), -1),
    "random-bidder": lambda: BidsAtRandom(Counting()),
}
"""Players whom no search expects: a field in which the levels must stand the test.  Not levels either."""

CLOCKED = f"{STRONGEST}@"


def clocked(name: str) -> "Search":
    """`champion@0.3`: the strongest level with so many seconds for each choice, and as many worlds as fit in."""
    from dataclasses import replace

    try:
        seconds = float(name.removeprefix(CLOCKED))
    except ValueError:
        seconds = 0.0
    if not 0.0 < seconds <= 60.0:
        raise Unreadable("not_a_clock", name=name)
    return replace(_champion(), worlds=20_000, seconds=seconds)
