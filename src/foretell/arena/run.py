"""Runs a match on all cores, continues one that was interrupted, and adds up its results."""

import multiprocessing
import os
import random
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, ProcessPoolExecutor, wait
from pathlib import Path
from statistics import fmean

import msgspec

from foretell.arena.match import Entrants, GameResult, Match, play_set
from foretell.errors import NotAGame

__all__ = ["Interval", "Standing", "Task", "bootstrap", "played", "run_match", "standings"]

_RESAMPLES = 1000

Task = tuple[Match, int]
"""A match and the number of one of its deal sets."""

_entrants: dict[Match, Entrants] = {}
"""The players of the match that a process of the pool is working on."""


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
    processes: int | None = None,
    file: Path | None = None,
    done: Callable[[int], None] = lambda _sets: None,
) -> list[GameResult]:
    """All games of the match.  Sets that are in the file already are not played again; new ones are added to it."""
    results = _resumed(match, file)
    finished = {one.number for one in results}
    left = [number for number in range(match.sets) if number not in finished]
    done(len(finished))
    for _, games in played([(match, number) for number in left], processes):
        results += games
        if file is not None:
            with file.open("ab") as log:
                log.write(msgspec.json.encode(games) + b"\n")
        done(1)
    return sorted(results, key=lambda one: (one.number, one.turn))


def played(
    tasks: Sequence[Task], processes: int | None = None
) -> Iterator[tuple[Task, tuple[GameResult, ...]]]:
    """The games of each task, in the order in which they end."""
    count = min(processes or os.cpu_count() or 1, len(tasks))
    if count < 2:
        entrants: dict[Match, Entrants] = {}
        try:
            for task in tasks:
                match, number = task
                yield task, play_set(match, number, entrants.setdefault(match, Entrants.of(match)))
        finally:
            for players in entrants.values():
                players.close()
        return
    # Processes are spawned, not forked: compiled code and its threads do not survive a fork on every system.
    context = multiprocessing.get_context("spawn")
    with ProcessPoolExecutor(count, context) as pool:
        waiting = {pool.submit(_play_task, task): task for task in tasks}
        try:
            while waiting:
                ended, _ = wait(waiting, return_when=FIRST_COMPLETED)
                for one in ended:
                    yield waiting.pop(one), one.result()
        finally:
            for one in waiting:
                one.cancel()


def _play_task(task: Task) -> tuple[GameResult, ...]:
    """Plays one task in a process of the pool; the process makes the players of a match only once."""
    match, number = task
    if match not in _entrants:
        for one in _entrants.values():
            one.close()
        _entrants.clear()
        _entrants[match] = Entrants.of(match)
    return play_set(match, number, _entrants[match])


def _resumed(match: Match, file: Path | None) -> list[GameResult]:
    """The results already in the file; the file of another match is refused, and an incomplete line is dropped."""
    if file is None:
        return []
    head = msgspec.json.encode(msgspec.structs.replace(match, sets=1))
    if not file.exists() or not file.stat().st_size:
        file.write_bytes(head + b"\n")
        return []
    first, *lines = file.read_bytes().split(b"\n")
    if first != head:
        raise NotAGame("another_match", file=str(file))
    results: list[GameResult] = []
    whole = first + b"\n"
    for line in lines:
        try:
            games = msgspec.json.decode(line, type=tuple[GameResult, ...])
        except msgspec.DecodeError:
            continue
        whole += line + b"\n"
        results += [one for one in games if one.number < match.sets]
    file.write_bytes(whole)
    return results


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
