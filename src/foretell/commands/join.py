"""`foretell join`: a game at a table on a server, in the terminal."""

import sys

import click

from foretell.i18n import catalogue
from foretell.terminal.lines import Left
from foretell.terminal.together import play_together

_texts = catalogue()
_say = _texts.say


@click.command("join", help=_say("cli.join.help"))
@click.argument("link")
@click.option("--name", default=None, help=_say("cli.play.name"))
def command(*, link: str, name: str | None) -> None:
    try:
        play_together(link, name or _say("play.you"), _texts, _line, click.echo)
    except (Left, KeyboardInterrupt, click.Abort, EOFError):
        click.echo(_say("play.left"))


def _line() -> str:
    line = sys.stdin.readline()
    if not line:
        raise EOFError
    return line.rstrip("\n")
