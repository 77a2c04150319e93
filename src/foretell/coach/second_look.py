"""A second look at what seems to be a mistake: by the search, the strongest evaluation that there is.

The coach judges a game in few worlds, played out by the small net, and the search takes ten times as long.  But the
small net does not see the point of every good move.  So a choice is called a mistake only if the search finds it
behind, too, and it says by how much.
"""

from typing import NamedTuple

from foretell.engine import Action, View

__all__ = ["SecondLook", "second_look"]

_EVALUATIONS = 3000  # a quarter of what the strongest level takes for a choice
_PRIOR = 8.0  # the deviation, in points, of how far a person's choice may be behind: the net need not find it likely


class SecondLook(NamedTuple):
    """What the search says of a choice: the best action, how far the choice is behind it, and the deviation of that."""

    best: Action
    behind: float
    deviation: float


def second_look(view: View, made: Action, seed: int) -> SecondLook | None:
    """None where the search cannot say anything: in plain Python, and of an action that it does not try."""
    from foretell.bots.net.leads import expected
    from foretell.bots.net.net_search import NetSearch
    from foretell.kernel.backend.compiled import IS_COMPILED

    if not IS_COMPILED:
        return None
    trials = NetSearch(evaluations=_EVALUATIONS, seconds=60.0).think(view, seed)
    for place, candidate in enumerate(trials.candidates):
        if made in candidate.alike:
            best = trials.best(least_lead=0.0)
            lead, deviation = expected(*trials.lead(place, best), _PRIOR)
            return SecondLook(trials.candidates[best].action, -lead, deviation)
    return None
