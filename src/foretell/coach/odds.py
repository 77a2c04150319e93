"""The odds of every legal action, computed in the worlds of the search."""

from random import Random

import msgspec

from foretell.engine import View
from foretell.errors import NotAGame

__all__ = ["Odds", "Option", "weighed_up"]


class Option(msgspec.Struct, frozen=True, kw_only=True):
    """One legal action: its expected points in this round, and how certain they are."""

    action: str
    points: float
    error: float  # one standard error of the points
    behind: float  # points behind the best option, in the same worlds
    behind_error: float
    chance: float  # that the bid is met
    tricks: tuple[float, ...]  # the chance of taking 0, 1, 2, … tricks


class Odds(msgspec.Struct, frozen=True, kw_only=True):
    """All legal actions, the best first."""

    decision: str
    worlds: int
    effective: float  # how many worlds of equal weight would say as much
    options: tuple[Option, ...]

    @property
    def best(self) -> Option:
        return self.options[0]

    def of(self, action: object) -> Option:
        """The option for this action."""
        return next(one for one in self.options if one.action == str(action))


def weighed_up(view: View, worlds: int, random: Random) -> Odds:
    """The odds, judged only by the points of this seat: neither the others' points nor the score of the game counts."""
    from foretell.bots.search.search import Search

    if not view.legal or view.decision is None:
        raise NotAGame("nothing_asked")
    search = Search(worlds=worlds, of_mean=0.0, of_win=0.0)
    thought = search.think(view, random.getrandbits(60), keep_all=True)
    options = [
        Option(
            action=str(action),
            points=one.points,
            error=one.error,
            behind=one.behind,
            behind_error=one.behind_error,
            chance=one.chance,
            tricks=one.tricks,
        )
        for one in thought.weighed
        for action in one.candidate.actions
    ]
    options.sort(key=lambda one: -one.points)
    return Odds(
        decision=view.decision,
        worlds=thought.worlds,
        effective=thought.effective,
        options=tuple(options),
    )
