"""The coach says what each choice is worth before it is made, and what it cost afterwards (docs/coach.md).

The coach knows what the seat knows, and nothing else.  Importing this is cheap: the kernel is loaded for the first
answer.
"""

from random import Random
from typing import TYPE_CHECKING

from foretell.coach.odds import Odds, Option

if TYPE_CHECKING:
    from foretell.engine import View

__all__ = ["Odds", "Option", "odds"]

WORLDS = 60


def odds(view: "View", *, worlds: int = WORLDS, random: Random | None = None) -> Odds:
    """The expected points of each legal action, and its chances of taking 0, 1, 2, … tricks.

    The same view gives the same answer, unless another source of randomness is passed in.
    """
    from foretell.coach.odds import weighed_up

    return weighed_up(view, worlds, random or Random(0))
