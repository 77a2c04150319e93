"""Compiles the kernel before anyone waits for it, and tells the person at the terminal why they wait."""

from collections.abc import Iterable, Iterator
from contextlib import contextmanager

import click

from foretell.bots import LEVELS
from foretell.bots.levels import CLOCKED
from foretell.i18n import catalogue

__all__ = ["compile_bots", "compiling"]

_BOTS = "bots"


@contextmanager
def compiling(use: str) -> Iterator[None]:
    """Wraps work that needs the kernel.  If the kernel must be compiled first, says so on standard error.

    `use` names the work ("bench", "bots", "simulate"): the kernel remembers for which uses it has been compiled.
    """
    from foretell.kernel.backend.compiled import IS_COMPILED, is_warm, warmed  # noqa: PLC0415 - Numba is slow to import

    if not is_warm(use):
        click.echo(catalogue().say("cli.compiling"), err=True)
    elif not IS_COMPILED:
        click.echo(catalogue().say("cli.not_compiled"), err=True)
    yield
    warmed(use)


def compile_bots(names: Iterable[str]) -> None:
    """Compiles what these bots need, unless none of them needs the kernel or it was compiled before."""
    if not any(name in LEVELS or name == "flat" or name.startswith(CLOCKED) for name in names):
        return
    from foretell.bots.search.search import Search  # noqa: PLC0415 - Numba is slow to import
    from foretell.deals import seeded  # noqa: PLC0415
    from foretell.engine import awaited_seats, deal, new_game, view  # noqa: PLC0415
    from foretell.kernel.backend.compiled import is_warm  # noqa: PLC0415
    from foretell.rules import Rules  # noqa: PLC0415

    with compiling(_BOTS):
        if not is_warm(_BOTS):
            game = new_game(Rules(rounds=(2,)), ("", "", ""))
            game, _ = deal(game, seeded(0)(game))
            Search(worlds=2).think(view(game, awaited_seats(game)[0]), 0, keep_all=True)
