"""`foretell review FILE`: what each choice in a finished game cost."""

import sys
from pathlib import Path

import click
import msgspec

from foretell.bots.levels import STRONGEST
from foretell.coach.review import Review, SeatReview, choices_of, judged, summed_up
from foretell.commands.plain_python import load_bots
from foretell.commands.progress import progress
from foretell.commands.records import line_option, recorded
from foretell.i18n import say as _say
from foretell.i18n import texts
from foretell.scorepad.width import fit, shown, width


@click.command("review", help="cli.review.help")
@click.argument("file", type=click.Path(path_type=Path, dir_okay=False))
@line_option
@click.option(
    "--worlds",
    type=click.IntRange(min=2),
    default=200,
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
@click.option("--json", "as_json", is_flag=True, help="cli.review.json")
def command(file: Path, number: int | None, worlds: int, worst: int, as_json: bool) -> None:
    game = recorded(file, number)[0].game
    asked = list(choices_of(game))
    load_bots([STRONGEST])
    found = [
        one
        for before, seat, chosen in progress(asked, len(asked), _say("cli.review.label"))
        if (one := judged(before, seat, chosen, worlds)) is not None
    ]
    told = summed_up(game, found, worlds, worst)
    if as_json:
        sys.stdout.buffer.write(msgspec.json.encode(told) + b"\n")
        return
    _show(told)


def _show(told: Review) -> None:
    widest = max(width(one.name) for one in told.seats)
    keys = ("points", "cards", "mistakes", "fortune", "luck")
    heads = [_say(f"review.{key}") for key in keys]
    click.echo(" " * widest + "".join(f"  {head:>9}" for head in heads))
    for one in told.seats:
        cells = [f"{texts().number(getattr(one, key), is_signed=True):>9}" for key in keys]
        click.echo(fit(one.name, widest) + "".join(f"  {cell}" for cell in cells))
    click.echo(_say("review.legend"))
    for one in told.seats:
        click.echo("")
        for line in _worst(one):
            click.echo(line)


def _worst(one: SeatReview) -> list[str]:
    lines = [
        _say(
            "review.seat",
            name=shown(one.name),
            choices=one.choices,
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
