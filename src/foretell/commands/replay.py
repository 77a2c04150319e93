"""`foretell replay`: a recorded game, told trick by trick."""

from pathlib import Path

import click

from foretell.i18n import catalogue
from foretell.record import loads
from foretell.terminal.replaying import replayed

_texts = catalogue()
_say = _texts.say


@click.command("replay", help=_say("cli.replay.help"))
@click.option(
    "--line",
    "number",
    type=click.IntRange(min=1),
    default=1,
    show_default=True,
    help=_say("cli.replay.line"),
)
@click.argument("file", type=click.Path(path_type=Path))
def command(file: Path, number: int) -> None:
    try:
        lines = file.read_bytes().splitlines()
    except OSError as error:
        raise click.ClickException(_say("cli.unreadable", file=file, why=error.strerror)) from error
    if number > len(lines):
        raise click.ClickException(
            _say("cli.replay.no_such_line", file=file, number=number, count=len(lines))
        )
    for text in replayed(loads(lines[number - 1]), _texts):
        click.echo(text)
    if len(lines) > 1:
        click.echo(_say("cli.replay.others", count=len(lines)), err=True)
