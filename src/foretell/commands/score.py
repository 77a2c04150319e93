"""`foretell score`: the Block of Truth for a table with real cards."""

import sys
from contextlib import suppress
from datetime import datetime
from pathlib import Path
from shutil import get_terminal_size
from textwrap import fill
from typing import Any

import click

from foretell.i18n import catalogue
from foretell.options import rule_options, rules_from
from foretell.scorepad.asking import Leave
from foretell.scorepad.keep import pads_folder
from foretell.scorepad.prompts import Scribe
from foretell.scorepad.setup import Setup
from foretell.scorepad.sheet import ASCII, SIGNS
from foretell.scorepad.width import width

_say = catalogue().say


@click.command("score", help=_say("cli.score.help"))
@click.argument("names", nargs=-1, metavar="[NAME]...")
@click.option("--file", type=click.Path(path_type=Path), help=_say("cli.score.file"))
@click.option("--dealer", metavar="NAME", help=_say("cli.score.dealer"))
@click.option("--new", "is_new", is_flag=True, help=_say("cli.score.new"))
@rule_options
@click.pass_context
def command(
    ctx: click.Context,
    /,
    names: tuple[str, ...],
    file: Path | None,
    dealer: str | None,
    is_new: bool,
    **options: Any,
) -> None:
    given = click.core.ParameterSource.COMMANDLINE
    are_rules_given = any(ctx.get_parameter_source(name) is given for name in options)
    rules = rules_from(**options) if are_rules_given else None
    _bear_any_sign()
    setup = Setup(_read, _write)
    _write(_say("score.title"))
    try:
        if file is not None:
            pad, keeper = setup.from_file(file, rules, names, dealer)
        else:
            folder, now = pads_folder(), datetime.now()
            pad, keeper = setup.from_folder(folder, rules, names, dealer, is_new=is_new, now=now)
    except (Leave, EOFError, KeyboardInterrupt):
        click.echo()
        return  # nothing was written yet
    signs = SIGNS if _can_print(SIGNS.met) else ASCII
    if not Scribe(pad, keeper, _read, _write, signs=signs).run():
        sys.exit(1)


def _read(question: str) -> str:
    if sys.stdin is None or sys.stdout is None:  # closed: nobody is there
        raise EOFError
    return input(question)


def _write(text: str) -> None:
    """On a terminal long sentences are broken between words; the sheet is never wider than 80 cells."""
    if sys.stdout is not None and sys.stdout.isatty():
        room = max(80, get_terminal_size().columns)
        text = "\n".join(_broken(line, room) for line in text.split("\n"))
    click.echo(text)


def _broken(line: str, room: int) -> str:
    if width(line) <= room:
        return line
    return fill(line, room, subsequent_indent="  ", break_long_words=False, break_on_hyphens=False)


def _bear_any_sign() -> None:
    """A stray byte typed, or a name that this terminal has no sign for, must not end the evening."""
    for stream in (sys.stdin, sys.stdout):
        with suppress(AttributeError):
            stream.reconfigure(errors="replace")  # type: ignore[union-attr]
    with suppress(ImportError):
        import readline  # noqa: F401, PLC0415 - its import gives `input` a line that can be edited


def _can_print(sign: str) -> bool:
    try:
        sign.encode(getattr(sys.stdout, "encoding", None) or "ascii")
    except UnicodeEncodeError:
        return False
    return True
