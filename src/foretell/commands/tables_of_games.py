"""`foretell simulate --format parquet`: the games as tables in a folder."""

from collections.abc import Callable, Iterator
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING

import click

from foretell.commands.progress import progress
from foretell.i18n import say as _say
from foretell.rules import Rules
from foretell.workers import Workers, results

if TYPE_CHECKING:
    from foretell.datasets import Chunk

__all__ = ["chunked", "write_tables"]

_Place = tuple["Chunk", Path]


def chunked(rules: Rules, players: int, name: str, *, seed: int, games: int) -> "Iterator[Chunk]":
    """The chunks of these games."""
    from foretell.datasets import chunks_of  # noqa: PLC0415 - an extra

    return chunks_of(rules, players, name, seed, games)


def _write(place: _Place) -> int:
    """Writes a chunk where it belongs, and returns its number of games."""
    from foretell.datasets import write_chunk  # noqa: PLC0415

    chunk, folder = place
    return write_chunk(chunk, folder).count


def write_tables(
    chunks: "Callable[[], Iterator[Chunk]]",
    out: Path | None,
    workers: Workers,
    *,
    is_resumed: bool,
) -> None:
    """Plays the games and writes their tables into a folder; with several workers, all of them must reach it."""
    if find_spec("pyarrow") is None:  # refused at once, not after a thousand games
        raise click.ClickException(_say("cli.simulate.no_tables"))
    if out is None or str(out) == "-":
        raise click.ClickException(_say("cli.simulate.needs_folder"))
    if not is_resumed and any(out.glob("*/*.parquet")):
        raise click.ClickException(_say("cli.simulate.has_tables", folder=out))
    from foretell.datasets import is_written, written  # noqa: PLC0415

    left = [chunk for chunk in chunks() if not is_written(chunk, out)]
    try:
        if workers == Workers(processes=1):
            made = (chunk.count for chunk in written(iter(left), out))
        else:
            made = (count for _, count in results(_write, [(one, out) for one in left], workers))
        for _ in progress(made, len(left), _say("cli.simulate.label")):
            pass
    except OSError as error:
        why = _say("cli.unwritable", file=out, why=error.strerror)
        raise click.ClickException(why) from error
