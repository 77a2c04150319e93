"""Reads one game from a file of records, chosen by its line, counted as `foretell check` counts lines."""

from pathlib import Path

import click

from foretell.i18n import say as _say
from foretell.record import Record, loads

__all__ = ["line_option", "recorded"]


line_option = click.option(
    "--line", "number", type=click.IntRange(min=1), default=None, help="cli.record.line"
)


def recorded(file: Path, number: int | None) -> tuple[Record, int]:
    """The game on this line, or the first one in the file; and how many games the file holds."""
    try:
        lines = file.read_bytes().split(b"\n")
    except OSError as error:
        raise click.ClickException(_say("cli.unreadable", file=file, why=error.strerror)) from error
    games = {place: line for place, line in enumerate(lines, start=1) if line.strip()}
    if not games:
        raise click.ClickException(_say("cli.record.no_game", file=file))
    if number is None:
        number = min(games)
    if number not in games:
        last = max(games)
        raise click.ClickException(
            _say("cli.record.not_there", file=file, number=number, last=last)
        )
    return loads(games[number]), len(games)
