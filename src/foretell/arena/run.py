"""Runs a match, continues one that was interrupted, and adds up its results."""

import random
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from statistics import fmean

import msgspec

from foretell.arena.match import Entrants, GameResult, Match, play_set
from foretell.workers import ALL_CORES, Workers, results
from foretell.workers.journal import Journal

__all__ = ["Interval", "Standing", "Task", "bootstrap", "played", "run_match", "standings"]

_RESAMPLES = 1000

Task = tuple[Match, int]
"""A match and the number of one of its deal sets."""

_entrants: dict[Match, Entrants] = {}
"""The players of the match that this process is working on."""


class Interval(msgspec.Struct, frozen=True):
    """A mean and its 95 % interval."""

    mean: float
    low: float
    high: float


class Standing(msgspec.Struct, frozen=True, kw_only=True):
    """The results of one player, over all seats that it had."""

    name: str
    seats: int
    games: int
    points: Interval
    margin: Interval
    wins: Interval
    met: Interval
    milliseconds: float  # mean time for a choice
    faults: dict[str, int]
    told: dict[str, str]  # by kind of fault: the message of the first one


def run_match(
    match: Match,
    *,
    workers: Workers = ALL_CORES,
    file: Path | None = None,
    done: Callable[[int], None] = lambda _sets: None,
) -> list[GameResult]:
    """All games of the match.  Sets that are in the file already are not played again; new ones are added to it."""
    journal = Journal[tuple[GameResult, ...]](
        file,
        msgspec.structs.replace(match, sets=1),  # a match may be continued with more sets
        tuple[GameResult, ...],
        refusal="another_match",
    )
    finished = {games[0].number for games in journal.results if games[0].number < match.sets}
    left = [number for number in range(match.sets) if number not in finished]
    done(len(finished))
    for _, games in played([(match, number) for number in left], workers):
        journal.add(games)
        done(1)
    games_played = [one for games in journal.results for one in games if one.number < match.sets]
    return sorted(games_played, key=lambda one: (one.number, one.turn))


def played(
    tasks: Sequence[Task], workers: Workers = ALL_CORES
) -> Iterator[tuple[Task, tuple[GameResult, ...]]]:
    """The games of each task, in the order in which they end."""
    try:
        for place, games in results(_play_task, tasks, workers):
            yield tasks[place], games
    finally:
        _close_entrants()


def _play_task(task: Task) -> tuple[GameResult, ...]:
    """Plays one task; a process makes the players of a match only once."""
    match, number = task
    if match not in _entrants:
        _close_entrants()
        _entrants[match] = Entrants.of(match)
    return play_set(match, number, _entrants[match])


def _close_entrants() -> None:
    for one in _entrants.values():
        one.close()
    _entrants.clear()


def bootstrap(by_set: Sequence[float], seed: int = 0) -> Interval:
    """The mean over deal sets, and its 95 % interval by drawing sets again with replacement."""
    mean = fmean(by_set)
    if len(by_set) < 2:
        return Interval(mean, float("-inf"), float("inf"))
    chance = random.Random(seed)
    means = sorted(fmean(chance.choices(by_set, k=len(by_set))) for _ in range(_RESAMPLES))
    return Interval(mean, means[int(0.025 * _RESAMPLES)], means[int(0.975 * _RESAMPLES) - 1])


def standings(match: Match, results: Sequence[GameResult]) -> tuple[Standing, ...]:
    """One standing for each name, in the order of the entrants."""
    rows = []
    numbers = sorted({one.number for one in results})
    for name in dict.fromkeys(match.entrants):
        mine = [e for e, other in enumerate(match.entrants) if other == name]

        def over_sets(of: Callable[[GameResult, int], float], mine: list[int] = mine) -> Interval:
            by_set: dict[int, list[float]] = {number: [] for number in numbers}
            for one in results:
                by_set[one.number] += [of(one, e) for e in mine]
            return bootstrap([fmean(values) for values in by_set.values()])

        faults: Counter[str] = Counter()
        said: dict[str, str] = {}
        for one in results:
            for e in mine:
                faults.update(one.faults[e])
                if one.told:
                    said = {**one.told[e], **said}
        seconds = sum(one.seconds[e] for one in results for e in mine)
        moves = sum(one.moves[e] for one in results for e in mine)
        rows.append(
            Standing(
                name=name,
                seats=len(mine),
                games=len(results),
                points=over_sets(lambda one, e: one.points[e]),
                margin=over_sets(lambda one, e: one.margin(e)),
                wins=over_sets(lambda one, e: one.wins[e]),
                met=over_sets(lambda one, e: one.met[e] / one.rounds),
                milliseconds=1000 * seconds / max(1, moves),
                faults=dict(faults),
                told=said,
            )
        )
    return tuple(rows)
