"""`foretell review FILE`: what each choice in a finished game cost."""

import sys
from functools import lru_cache
from operator import itemgetter
from pathlib import Path

import click
import msgspec

from foretell.bots.levels import STRONGEST
from foretell.coach.review import WORLDS, Judged, Review, SeatReview, choices_of, judged, summed_up
from foretell.commands.plain_python import load_bots
from foretell.commands.progress import progress
from foretell.commands.records import line_option, recorded
from foretell.commands.worker_options import cluster_option, processes_option
from foretell.engine import Action, Game
from foretell.i18n import say as _say
from foretell.i18n import texts
from foretell.record import dumps, loads
from foretell.scorepad.width import fit, shown, width
from foretell.workers import Workers, results
from foretell.workers.journal import Journal

_CHOICES = 8  # of a piece


class SomeChoices(msgspec.Struct, frozen=True):
    """Some choices of a game, to be judged."""

    record: str
    worlds: int
    first: int
    last: int


Verdicts = tuple[int, tuple[Judged, ...]]
"""The number of a piece's first choice, and what the coach says; nothing of choices that were none."""


@click.command("review", help="cli.review.help")
@click.argument("file", type=click.Path(path_type=Path, dir_okay=False))
@line_option
@click.option(
    "--worlds",
    type=click.IntRange(min=2),
    default=WORLDS,
    show_default=True,
    help="cli.review.worlds",
)
@click.option(
    "--worst",
    type=click.IntRange(min=0),
    default=3,
    show_default=True,
    help="cli.review.worst",
)
@click.option("--out", type=click.Path(path_type=Path, dir_okay=False), help="cli.review.out")
@processes_option
@cluster_option
@click.option("--json", "as_json", is_flag=True, help="cli.review.json")
def command(
    *,
    file: Path,
    number: int | None,
    worlds: int,
    worst: int,
    out: Path | None,
    processes: int,
    is_cluster: bool,
    as_json: bool,
) -> None:
    record = recorded(file, number)[0]
    line = dumps(record)
    choices = len(_choices(line))
    load_bots([STRONGEST])
    pieces = [
        SomeChoices(line, worlds, first, min(first + _CHOICES, choices))
        for first in range(0, choices, _CHOICES)
    ]
    try:
        found = _verdicts(pieces, Workers(processes, is_cluster), out)
    except OSError as error:
        why = _say("cli.unwritable", file=out, why=error.strerror)
        raise click.ClickException(why) from error
    told = summed_up(record.game, found, worlds, worst)
    if as_json:
        sys.stdout.buffer.write(msgspec.json.encode(told) + b"\n")
        return
    _show(told)


def _verdicts(pieces: list[SomeChoices], workers: Workers, out: Path | None) -> list[Judged]:
    """All verdicts, in the order of the choices; those that the file has already are not asked for again."""
    journal = Journal[Verdicts](out, pieces[:1], Verdicts, refusal="other_work")
    finished = {first for first, _ in journal.results}
    left = [piece for piece in pieces if piece.first not in finished]
    made = results(judge_piece, left, workers)
    for place, found in progress(made, len(left), _say("cli.review.label")):
        journal.add((left[place].first, found))
    return [one for _, found in sorted(journal.results, key=itemgetter(0)) for one in found]


def judge_piece(piece: SomeChoices) -> tuple[Judged, ...]:
    """The coach's verdicts on the choices of a piece."""
    return tuple(
        one
        for before, seat, chosen in _choices(piece.record)[piece.first : piece.last]
        if (one := judged(before, seat, chosen, piece.worlds)) is not None
    )


@lru_cache(maxsize=1)
def _choices(record: str) -> list[tuple[Game, int, Action]]:
    """All choices of a recorded game, found once for each process."""
    return list(choices_of(loads(record).game))


def _show(told: Review) -> None:
    widest = max(width(one.name) for one in told.seats)
    keys = ("points", "cards", "mistakes", "fortune", "luck")
    heads = [_say(f"review.{key}") for key in keys]
    click.echo(" " * widest + "".join(f"  {head:>11}" for head in heads))
    for one in told.seats:
        cells = [_with_error(one, key) for key in keys]
        click.echo(fit(one.name, widest) + "".join(f"  {cell:>11}" for cell in cells))
    click.echo(_say("review.legend"))
    for one in told.seats:
        click.echo("")
        for line in _worst(one):
            click.echo(line)


def _with_error(one: SeatReview, key: str) -> str:
    """A sum of the review, with twice its standard error where it has one."""
    error = getattr(one, f"{key}_error", None)
    told = texts().number(getattr(one, key), is_signed=True)
    return told if error is None else f"{told} ±{texts().number(2 * error)}"


def _worst(one: SeatReview) -> list[str]:
    lines = [
        _say(
            "review.seat",
            name=shown(one.name),
            count=one.choices,
            bids=texts().number(one.by_bids),
            plays=texts().number(one.by_plays),
        )
    ]
    for bad in one.worst:
        trick = int(bad.decision.rpartition(":")[2]) + 1
        lines.append(
            "  "
            + _say(
                "review.mistake",
                round=bad.round,
                trick=trick,
                action=bad.action,
                best=bad.best,
                cost=texts().number(bad.cost, digits=1),
            )
        )
    return lines
