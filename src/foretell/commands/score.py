"""`foretell score`: the Block of Truth for a table with real cards."""

import sys
from contextlib import suppress
from datetime import datetime
from pathlib import Path
from shutil import get_terminal_size
from textwrap import fill
from typing import Any

import click

from foretell.i18n import say as _say
from foretell.i18n import texts
from foretell.options import rule_options, rules_from
from foretell.scorepad.asking import Quit
from foretell.scorepad.keep import pads_folder
from foretell.scorepad.prompts import Scribe
from foretell.scorepad.setup import PadSetup
from foretell.scorepad.sheet import ASCII, SIGNS
from foretell.scorepad.width import width


@click.command("score", help="cli.score.help")
@click.argument("names", nargs=-1, metavar="[NAME]...")
@click.option("--file", type=click.Path(path_type=Path), help="cli.score.file")
@click.option("--dealer", metavar="NAME", help="cli.score.dealer")
@click.option("--new", "is_new", is_flag=True, help="cli.score.new")
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
    _accept_any_character()
    setup = PadSetup(_read, _write, language=texts().language)
    _write(_say("score.title"))
    try:
        if file is not None:
            pad, keeper = setup.from_file(file, rules, names, dealer)
        else:
            folder, now = pads_folder(), datetime.now()
            pad, keeper = setup.from_folder(folder, rules, names, dealer, is_new=is_new, now=now)
    except (Quit, EOFError, KeyboardInterrupt):
        click.echo()
        return  # nothing was written yet
    signs = SIGNS if _can_print(SIGNS.met) else ASCII
    if not Scribe(pad, keeper, _read, _write, signs=signs, language=texts().language).run():
        sys.exit(1)


def _read(question: str) -> str:
    if sys.stdin is None or sys.stdout is None:  # closed: there is nobody to ask
        raise EOFError
    return input(question)


def _write(text: str) -> None:
    """Prints; on a terminal, long sentences are wrapped between words.  (The sheet is never wider than 80 cells.)"""
    if sys.stdout is not None and sys.stdout.isatty():
        columns = max(80, get_terminal_size().columns)
        text = "\n".join(_wrapped(line, columns) for line in text.split("\n"))
    click.echo(text)


def _wrapped(line: str, columns: int) -> str:
    if width(line) <= columns:
        return line
    return fill(
        line, columns, subsequent_indent="  ", break_long_words=False, break_on_hyphens=False
    )


def _accept_any_character() -> None:
    """A stray byte typed, or a name with a character that the terminal cannot show, must not end the program."""
    for stream in (sys.stdin, sys.stdout):
        with suppress(AttributeError):
            stream.reconfigure(errors="replace")  # type: ignore[union-attr]
    with suppress(ImportError):
        import readline  # noqa: F401, PLC0415 - importing it lets people edit the line that they type


def _can_print(character: str) -> bool:
    try:
        character.encode(getattr(sys.stdout, "encoding", None) or "ascii")
    except UnicodeEncodeError:
        return False
    return True
