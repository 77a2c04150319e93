"""The levels: bots by name, from a beginner to the strongest.

All are made from the trained nets (docs/training.md).  `master` is the large net alone, `champion` adds a search, and
the weaker levels are the small net with a person's faults.  The effort of a choice is a number and not a time, so the
same seed gives the same game on every machine that is fast enough.  The strongest level can be given a time limit:
`champion@0.3` thinks for 0.3 seconds at most.  The kernel is imported only when a bot that needs it is made.
"""

from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING, Any

from foretell.errors import Unreadable

if TYPE_CHECKING:
    from foretell.bots import Bot
    from foretell.bots.net.net_search import NetSearch

__all__ = ["CLOCKED", "COACH_NETS", "LEVELS", "NETS", "STRONGEST", "clocked"]


def _imperfect(**faults: Any) -> "Bot":
    from foretell.bots.net.imperfect_player import ImperfectPlayer

    return ImperfectPlayer(**faults)


def _master() -> "Bot":
    from foretell.bots.net.net_player import NetPlayer

    return NetPlayer()


def _champion(**settings: Any) -> "NetSearch":
    from foretell.bots.net.net_search import NetSearch

    return NetSearch(**settings)


LEVELS: "dict[str, Callable[[], Bot]]" = {
    "beginner": partial(
        _imperfect, remembers_from=15, hears_bids=False, optimism=2.4, eagerness=3.2, doubt=17.0, sense=5.5
    ),
    "casual": partial(
        _imperfect, remembers_from=14, hears_bids=False, optimism=1.1, eagerness=1.7, doubt=9.0, sense=4.7
    ),
    "skilled": partial(
        _imperfect, remembers_from=11, hears_bids=False, optimism=0.7, eagerness=1.0, doubt=5.5, sense=4.0
    ),
    "expert": partial(_imperfect, doubt=2.8, sense=3.1),
    "master": _master,
    "champion": _champion,
}  # fmt: skip
"""From the weakest to the strongest; the catalogue has a sentence for each, `bot.<name>.about`."""

STRONGEST = "champion"

NETS: dict[str, tuple[str, ...]] = {
    **dict.fromkeys(("beginner", "casual", "skilled", "expert"), ("small.bin",)),
    "master": ("weights.bin",),
    "champion": ("weights.bin", "belief.bin", "value.bin"),
}
"""The files of nets that each level reads (`net/weights.py`).  A browser loads them before the level's first choice."""

COACH_NETS = ("weights.bin", "small.bin", "belief.bin")
"""The same for the coach."""

CLOCKED = f"{STRONGEST}@"


def clocked(name: str) -> "NetSearch":
    """`champion@0.3`: the strongest level, with as many worlds as it can play out in 0.3 seconds."""
    try:
        seconds = float(name.removeprefix(CLOCKED))
    except ValueError:
        seconds = 0.0
    if not 0.0 < seconds <= 60.0:
        raise Unreadable("not_a_clock", name=name)
    return _champion(seconds=seconds, evaluations=1_000_000)
