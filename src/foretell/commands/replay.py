"""`foretell replay`: a recorded game, told trick by trick."""

from pathlib import Path

import click

from foretell.commands.records import line_option, recorded
from foretell.i18n import say as _say
from foretell.i18n import texts
from foretell.terminal.replaying import replayed


@click.command("replay", help="cli.replay.help")
@line_option
@click.argument("file", type=click.Path(path_type=Path))
def command(file: Path, number: int | None) -> None:
    record, games = recorded(file, number)
    for text in replayed(record, texts()):
        click.echo(text)
    if games > 1:
        click.echo(_say("cli.replay.others", count=games), err=True)
