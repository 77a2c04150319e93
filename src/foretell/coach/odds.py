"""The odds of every legal action: each is tried in the same worlds, and played out to the end of the round."""

from dataclasses import dataclass, field
from math import sqrt
from random import Random
from typing import TYPE_CHECKING

import msgspec

from foretell.bots.net.leads import expected, mean
from foretell.engine import Action, View
from foretell.errors import NotAGame

if TYPE_CHECKING:
    from foretell.bots.net.candidates import Candidate

__all__ = ["Odds", "Option", "weighed_up"]

_EACH = 40  # evaluations of the small net for each world that is asked for: large rounds get fewer worlds
_MORE = 3  # times as many for the review of a choice that is not the net's favourite
_FIRST = (
    8  # worlds in which every action is tried; after that, only those that are not clearly behind
)
_ALONE = 2  # worlds for a single action: there is nothing to compare
_SURE = 2.0  # standard deviations behind the best one
_LIKELY = 0.01  # the chance by the net from which on a review tries an action
# What the net rules out is expected to be behind, and may be so by far.
_RULED_OUT = 1e-5
_LEAD_OF_RULED_OUT, _PRIOR_OF_RULED_OUT = -8.0, 12.0


class Option(msgspec.Struct, frozen=True, kw_only=True):
    """One legal action: its expected points in this round, and how certain they are."""

    action: str
    points: float
    error: float  # one standard error of the points
    behind: float  # points behind the best option, in the same worlds
    behind_error: float  # the deviation of that
    chance: float  # that the bid is met
    tricks: tuple[float, ...]  # the chance of taking 0, 1, 2, … tricks
    worlds: int  # in which it was played out


class Odds(msgspec.Struct, frozen=True, kw_only=True):
    """The actions that were tried, the best first."""

    decision: str
    worlds: int
    options: tuple[Option, ...]

    @property
    def best(self) -> Option:
        return self.options[0]

    def of(self, action: object) -> Option:
        """The option for this action."""
        return next(one for one in self.options if one.action == str(action))


@dataclass(slots=True)
class _Tried:
    """A candidate, and by world its points and its tricks."""

    candidate: "Candidate"
    points: list[int] = field(default_factory=list)
    tricks: list[int] = field(default_factory=list)

    def lead(self, other: "_Tried") -> tuple[float, float]:
        """The points that it is ahead of another one, and their standard error.

        This is the difference in the worlds in which both were tried, or the difference of the two means, if that has
        the smaller error: a bid that is lost in all worlds needs no more of them.
        """
        by = [mine - its for mine, its in zip(self.points, other.points, strict=False)]
        (mine, error), (its, other_error) = mean(self.points), mean(other.points)
        apart = mine - its, sqrt(error * error + other_error * other_error)
        return min(mean(by), apart, key=lambda one: one[1])


class _Tries:
    """The candidates, the net's favourite first.  The others are measured by their lead over it."""

    def __init__(self, tried: list[_Tried]) -> None:
        self.all, self.alive, self.favourite = tried, tried, tried[0]

    def lead(self, one: _Tried) -> tuple[float, float]:
        """The lead over the favourite that has to be expected, and its deviation (`bots.net.leads`)."""
        if one is self.favourite:
            return 0.0, 0.0
        if one.candidate.chance < _RULED_OUT:
            return expected(*one.lead(self.favourite), _PRIOR_OF_RULED_OUT, _LEAD_OF_RULED_OUT)
        return expected(*one.lead(self.favourite))

    @property
    def best(self) -> _Tried:
        """The one with the greatest lead to be expected; of equals the likeliest."""
        return max(self.alive, key=lambda one: self.lead(one)[0])

    def behind(self, one: _Tried, best: _Tried) -> tuple[float, float]:
        """How far it is behind the best one, and the deviation of that: the greater one of their two leads."""
        (most, its_deviation), (lead, deviation) = self.lead(best), self.lead(one)
        return (0.0, 0.0) if one is best else (most - lead, max(deviation, its_deviation))

    def give_up_worse(self) -> None:
        """Goes on without those that are clearly behind.  The favourite stays: the others are compared with it."""
        best = self.best
        self.alive = [
            one
            for one in self.alive
            if one in (self.favourite, best) or not _is_clear(*self.behind(one, best))
        ]


def weighed_up(view: View, worlds: int, random: Random, *, made: Action | None = None) -> Odds:
    """The odds, judged only by the points of this seat: the others' points do not count.

    `worlds` are played out at most.  With `made`, only this action and those that the net finds likely are tried.
    """
    from foretell.bots.net.candidates import Position
    from foretell.coach.trials import playouts
    from foretell.kernel.state import state_layout as in_state

    now = view.now
    if not view.legal or view.decision is None or now is None:
        raise NotAGame("nothing_asked")
    position = Position(view)
    tried = [
        _Tried(one)
        for one in position.candidates(view, 0.0, len(view.legal))
        if made is None or made in one.alike or one.chance >= _LIKELY
    ]
    tries = _Tries(tried)
    if len(tried) == 1 and not view.is_bidding:
        worlds = _ALONE
    playing = playouts(view, position, random.getrandbits(60))
    of_playout = playing.of_card * sum(now.hand_sizes)
    left, done = float(_EACH * worlds), 0
    if made is not None and made not in tries.favourite.candidate.alike:
        left *= _MORE
    while done < worlds and (done < _FIRST or left > 0):
        world = playing.next_world()
        for one in tries.alive:
            playing.play_out(one.candidate, world)
            one.points.append(int(position.room[in_state.ROUND_POINTS + position.seat]))
            one.tricks.append(int(position.room[in_state.TRICKS_WON + position.seat]))
        done += 1
        left -= playing.of_world + of_playout * len(tries.alive)
        if playing.is_certain:
            break
        if done % _FIRST == 0:
            tries.give_up_worse()
    return Odds(decision=view.decision, worlds=done, options=_options(tries, now.hand_size))


def _is_clear(behind: float, deviation: float) -> bool:
    return behind > _SURE * deviation


def _options(tries: _Tries, tricks: int) -> tuple[Option, ...]:
    """All points are those of the favourite and a lead over it."""
    found = []
    best, reference = tries.best, mean(tries.favourite.points)[0]
    for one in tries.all:
        behind, behind_error = tries.behind(one, best)
        count = len(one.points)
        option = Option(
            action="",
            points=reference + tries.lead(one)[0],
            error=mean(one.points)[1],
            behind=behind,
            behind_error=behind_error,
            chance=sum(points > 0 for points in one.points) / count,  # S1, S2
            tricks=tuple(one.tricks.count(taken) / count for taken in range(tricks + 1)),
            worlds=count,
        )
        found += [msgspec.structs.replace(option, action=str(like)) for like in one.candidate.alike]
    return tuple(sorted(found, key=lambda option: option.behind))
