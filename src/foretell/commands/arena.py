"""`foretell arena`: bots against bots, with confidence intervals; `foretell arena ladder`: all levels against each
other.
"""

import math
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import click
import msgspec

from foretell.arena import Match, Standing, run_match, standings
from foretell.arena.ladder import Rung, check_levels, climb, plot, table
from foretell.arena.run import Interval
from foretell.bots import LEVELS
from foretell.commands.plain_python import load_bots
from foretell.commands.player_counts import player_counts
from foretell.commands.worker_options import cluster_option
from foretell.errors import Unreadable
from foretell.i18n import say as _say
from foretell.i18n import texts
from foretell.options import rule_options, rules_from
from foretell.rules import Rules
from foretell.workers import Workers

_LADDER = "ladder"
_ON_LADDER = ("random", "counting", *LEVELS)


@click.command("arena", help="cli.arena.help")
@click.argument("names", nargs=-1, required=True, metavar="PLAYER...")
@click.option("--players", type=int, default=4, show_default=True, help="cli.players")
@click.option(
    "--games",
    type=click.IntRange(min=1),
    default=100,
    show_default=True,
    help="cli.arena.games",
)
@rule_options
@click.option("--seed", type=int, default=0, show_default=True, help="cli.seed")
@click.option("--json", "as_json", is_flag=True, help="cli.arena.json")
@click.option("--out", type=click.Path(path_type=Path, dir_okay=False), help="cli.arena.out")
@click.option("--processes", type=click.IntRange(min=1), help="cli.arena.processes")
@cluster_option
@click.option(
    "--limit",
    type=click.FloatRange(min=0.01),
    default=5.0,
    show_default=True,
    help="cli.arena.limit",
)
@click.option(
    "--folder",
    type=click.Path(path_type=Path, file_okay=False),
    default=Path("docs"),
    show_default=True,
    help="cli.arena.folder",
)
@click.option("--counts", default="3,4,5,6", show_default=True, help="cli.arena.counts")
def command(
    *,
    names: tuple[str, ...],
    players: int,
    games: int,
    seed: int,
    as_json: bool,
    out: Path | None,
    processes: int | None,
    is_cluster: bool,
    limit: float,
    folder: Path,
    counts: str,
    **chosen: Any,
) -> None:
    rules = rules_from(**chosen)
    workers = Workers(processes, is_cluster)
    if names[0] == _LADDER:
        levels = names[1:] or _ON_LADDER
        _ladder(
            rules=rules,
            levels=levels,
            counts=player_counts(rules, counts, "--counts"),
            games=games,
            seed=seed,
            workers=workers,
            file=out,
            folder=folder,
        )
        return
    if len(names) > players:
        raise Unreadable("entrants", count=len(names), players=players)
    entrants = (*names, *[names[-1]] * (players - len(names)))
    match = Match(
        rules=rules, entrants=entrants, sets=math.ceil(games / players), seed=seed, limit=limit
    )
    load_bots(entrants)
    try:
        with _bar(match.sets) as done:
            results = run_match(match, workers=workers, file=out, done=done)
    except OSError as error:
        if out is None:
            raise
        raise _unwritable(out, error) from error
    found = standings(match, results)
    if as_json:
        told = {"match": match, "games": len(results), "standings": found}
        sys.stdout.buffer.write(msgspec.json.encode(told) + b"\n")
        return
    click.echo(_say("cli.arena.told", games=len(results), sets=match.sets, players=players))
    for line in _table(found):
        click.echo(line)
    for one in found:
        for fault, count in one.faults.items():
            what = _say(f"cli.arena.fault.{fault}")
            told_once = one.told.get(fault, "")
            click.echo(
                _say("cli.arena.faults", name=one.name, count=count, fault=what, told=told_once)
            )


@contextmanager
def _bar(length: int) -> Iterator[Callable[[int], None]]:
    if not sys.stderr.isatty():
        yield lambda _sets: None
        return
    with click.progressbar(length=length, label=_say("cli.arena.label"), file=sys.stderr) as bar:
        yield bar.update


def _table(found: tuple[Standing, ...]) -> Iterator[str]:
    heads = [
        _say(f"cli.arena.head.{key}") for key in ("name", "points", "margin", "wins", "met", "time")
    ]
    rows = [
        [
            one.name if one.seats == 1 else f"{one.name} × {one.seats}",
            _half(one.points, 0),
            _half(one.margin, 1, is_signed=True),
            _half(one.wins, 1, scale=100) + " %",
            _half(one.met, 1, scale=100) + " %",
            texts().number(one.milliseconds, digits=1),
        ]
        for one in found
    ]
    widths = [max(len(row[place]) for row in [heads, *rows]) for place in range(len(heads))]
    for row in [heads, *rows]:
        first, *rest = [
            cell.ljust(width) if place == 0 else cell.rjust(width)
            for place, (cell, width) in enumerate(zip(row, widths, strict=True))
        ]
        yield "  ".join([first, *rest])


def _half(one: Interval, digits: int, *, is_signed: bool = False, scale: float = 1) -> str:
    half = (one.high - one.low) / 2 * scale
    mean = texts().number(one.mean * scale, digits=digits, is_signed=is_signed)
    return f"{mean} ± {texts().number(half, digits=digits)}"


def _unwritable(path: Path, error: OSError) -> click.ClickException:
    return click.ClickException(_say("cli.unwritable", file=path, why=error.strerror))


def _ladder(
    *,
    rules: Rules,
    levels: tuple[str, ...],
    counts: list[int],
    games: int,
    seed: int,
    workers: Workers,
    file: Path | None,
    folder: Path,
) -> None:
    for n in counts:
        check_levels(levels, n)  # before the first game, not after those of a smaller table
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise _unwritable(folder, error) from error
    load_bots(levels)
    found: list[Rung] = []
    with _bar(sum(math.ceil(games / n) for n in counts)) as done:
        for n in counts:
            found += climb(
                rules,
                levels,
                n,
                sets=math.ceil(games / n),
                seed=seed,
                workers=workers,
                # One file for each number of players.
                file=file and file.with_name(f"{file.name}-{n}"),
                done=done,
            )
    text = table(found, levels)
    (folder / "ladder.md").write_text(f"# The ladder\n\n{text}", encoding="utf-8")
    (folder / "ladder.svg").write_text(plot(found, levels), encoding="utf-8")
    click.echo(text, nl=False)
