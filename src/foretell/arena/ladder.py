"""The ladder: all levels play each other at random tables, and each gets a rank: its points per game above `counting`.

Each deal set seats as many different levels as there are seats, in every seating.  The ranks are fitted by least
squares to the differences in points between every two levels at a table; `counting` has rank 0.
"""

import random
from collections.abc import Callable, Sequence
from pathlib import Path

import msgspec

from foretell.arena.match import GameResult, Match
from foretell.arena.run import Interval, played
from foretell.errors import Unreadable
from foretell.rules import Rules
from foretell.workers import ALL_CORES, Workers
from foretell.workers.journal import Journal

__all__ = ["Rung", "check_levels", "climb", "plot", "table"]

_RESAMPLES = 300
_ZERO = "counting"

Difference = tuple[str, str, float]
PlayedSet = tuple[int, tuple[GameResult, ...]]


class Rung(msgspec.Struct, frozen=True):
    """The rank of a level with this number of players."""

    players: int
    name: str
    points: Interval


def check_levels(levels: Sequence[str], players: int) -> None:
    """Refuses fewer levels than seats: a table has a different one in each."""
    if (count := len(set(levels))) < players:
        raise Unreadable("few_levels", count=count, players=players)


def climb(
    rules: Rules,
    levels: Sequence[str],
    players: int,
    *,
    sets: int,
    seed: int,
    workers: Workers = ALL_CORES,
    file: Path | None = None,
    done: Callable[[int], None] = lambda _sets: None,
) -> tuple[Rung, ...]:
    """Plays `sets` deal sets at random tables of these levels; returns their rungs, the highest first.

    Sets that are in the file already are not played again; new ones are added to it.
    """
    check_levels(levels, players)
    chance = random.Random(f"{seed}/{players}/ladder")
    tables: list[tuple[str, ...]] = []
    while len(tables) < sets:
        # Every level gets about equally many seats: tables are filled from shuffled lists of all levels.
        order = [name for _ in range(players) for name in chance.sample(list(levels), len(levels))]
        for start in range(0, len(order) - players + 1, players):
            seats = tuple(order[start : start + players])
            if len(set(seats)) == players:
                tables.append(seats)
    tasks = [
        (Match(rules=rules, entrants=seats, sets=1, seed=seed * 10007 + number), 0)
        for number, seats in enumerate(tables[:sets])
    ]
    journal = Journal[PlayedSet](
        file,
        {"rules": rules, "levels": levels, "players": players, "seed": seed},
        PlayedSet,
        refusal="other_work",
    )
    finished = {number for number, _ in journal.results if number < sets}
    done(len(finished))
    left = [task for task in tasks if task[0].seed - seed * 10007 not in finished]
    for (match, _), games in played(left, workers):
        journal.add((match.seed - seed * 10007, games))
        done(1)
    by_set = sorted(
        _differences(tasks[number][0].entrants, games)
        for number, games in journal.results
        if number < sets
    )
    return rungs(levels, players, by_set)


def _differences(seats: Sequence[str], results: Sequence[GameResult]) -> list[Difference]:
    made = []
    for one in results:
        for a, name in enumerate(seats):
            for b in range(a + 1, len(seats)):
                made.append((name, seats[b], float(one.points[a] - one.points[b])))
    return made


def rungs(
    levels: Sequence[str], players: int, by_set: Sequence[Sequence[Difference]]
) -> tuple[Rung, ...]:
    """Least squares over all pairs, with intervals by bootstrap over deal sets."""
    found = _fitted(levels, [pair for one in by_set for pair in one])
    chance = random.Random(0)
    again: dict[str, list[float]] = {name: [] for name in levels}
    for _ in range(_RESAMPLES):
        drawn = chance.choices(by_set, k=len(by_set))
        for name, points in _fitted(levels, [pair for one in drawn for pair in one]).items():
            again[name].append(points)
    made = []
    for name in levels:
        spread = sorted(again[name])
        low, high = spread[int(0.025 * _RESAMPLES)], spread[int(0.975 * _RESAMPLES) - 1]
        made.append(Rung(players, name, Interval(found[name], low, high)))
    return tuple(sorted(made, key=lambda one: -one.points.mean))


def _fitted(levels: Sequence[str], pairs: Sequence[Difference]) -> dict[str, float]:
    """Each level's mean difference to its opponents plus their rank, repeated until nothing changes."""
    met: dict[str, dict[str, int]] = {name: {} for name in levels}
    sums = dict.fromkeys(levels, 0.0)
    for a, b, points in pairs:
        met[a][b] = met[a].get(b, 0) + 1
        met[b][a] = met[b].get(a, 0) + 1
        sums[a] += points
        sums[b] -= points
    at = dict.fromkeys(levels, 0.0)
    for _ in range(200):
        for name in levels:
            count = sum(met[name].values())
            if count:
                at[name] = (
                    sums[name] + sum(n * at[other] for other, n in met[name].items())
                ) / count
    zero = at.get(_ZERO, 0.0)
    return {name: points - zero for name, points in at.items()}


def table(found: Sequence[Rung], levels: Sequence[str]) -> str:
    """The ladder as a Markdown table: a row for each level, a column for each number of players."""
    counts = sorted({one.players for one in found})
    at = {(one.name, one.players): one.points for one in found}
    order = sorted(levels, key=lambda name: -sum(at[name, n].mean for n in counts))
    lines = [
        "| level | " + " | ".join(f"{n} players" for n in counts) + " |",
        "| --- |" + " --- |" * len(counts),
    ]
    for name in order:
        cells = [
            f"{at[name, n].mean:+.0f} ({at[name, n].low:+.0f} … {at[name, n].high:+.0f})"
            for n in counts
        ]
        lines.append(f"| `{name}` | " + " | ".join(cells) + " |")
    return "\n".join(lines) + "\n"


def plot(found: Sequence[Rung], levels: Sequence[str]) -> str:
    """The ladder as an SVG picture: a dot with its interval for each level and number of players."""
    counts = sorted({one.players for one in found})
    at = {(one.name, one.players): one.points for one in found}
    order = sorted(levels, key=lambda name: -sum(at[name, n].mean for n in counts))
    colours = dict(zip((3, 4, 5, 6), ("#1f6fb4", "#b3372f", "#2e7d4f", "#a6761d"), strict=True))
    low = min(0.0, *(one.points.low for one in found))
    high = max(one.points.high for one in found)
    left, width, line = 130, 560, 16 * len(counts) + 14
    height = 40 + line * len(order) + 40

    def x(points: float) -> float:
        return left + (points - low) / (high - low) * width

    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {left + width + 30} {height}" '
        'font-family="sans-serif" font-size="13" fill="#333">',
        f'<rect width="{left + width + 30}" height="{height}" fill="#fff"/>',
    ]
    step = 100 if high - low < 900 else 200
    for tick in range(int(low // step + 1) * step, int(high) + 1, step):
        weight = "#999" if tick == 0 else "#e3e3e3"
        parts.append(
            f'<path d="M{x(tick):.1f} 30V{height - 36}" stroke="{weight}"/>'
            f'<text x="{x(tick):.1f}" y="{height - 20}" text-anchor="middle">{tick:+d}</text>'
        )
    for place, n in enumerate(counts):
        parts.append(
            f'<circle cx="{left + 10 + place * 110}" cy="14" r="5" fill="{colours[n]}"/>'
            f'<text x="{left + 20 + place * 110}" y="18">{n} players</text>'
        )
    for row, name in enumerate(order):
        top = 40 + row * line
        parts.append(
            f'<text x="{left - 10}" y="{top + line / 2 + 1:.0f}" text-anchor="end">{name}</text>'
        )
        for place, n in enumerate(counts):
            points, y = at[name, n], top + 8 + place * 16
            parts.append(
                f'<path d="M{x(points.low):.1f} {y}H{x(points.high):.1f}" stroke="{colours[n]}" stroke-width="2"/>'
                f'<circle cx="{x(points.mean):.1f}" cy="{y}" r="5" fill="{colours[n]}"/>'
            )
    parts.append(
        f'<text x="{left + width / 2:.0f}" y="{height - 4}" text-anchor="middle">points a game above counting</text>'
    )
    return "\n".join([*parts, "</svg>", ""])
