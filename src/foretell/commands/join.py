"""`foretell join`: a game at a table on a server, in the terminal."""

import sys

import click

from foretell.i18n import say as _say
from foretell.i18n import texts
from foretell.terminal.lines import Left
from foretell.terminal.together import play_together


@click.command("join", help="cli.join.help")
@click.argument("link")
@click.option("--name", default=None, help="cli.play.name")
def command(*, link: str, name: str | None) -> None:
    try:
        play_together(link, name or _say("play.you"), texts(), _line, click.echo)
    except (Left, KeyboardInterrupt, click.Abort, EOFError):
        click.echo(_say("play.left"))


def _line() -> str:
    line = sys.stdin.readline()
    if not line:
        raise EOFError
    return line.rstrip("\n")
