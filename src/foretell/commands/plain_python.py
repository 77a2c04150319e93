"""Loads the kernel before anyone waits for it, and tells the person at the terminal if it is slow."""

from collections.abc import Iterable

import click

from foretell.bots import LEVELS
from foretell.bots.levels import CLOCKED
from foretell.i18n import say as _say

__all__ = ["load_bots", "tell_if_slow"]


def tell_if_slow() -> None:
    """Says on standard error that the kernel runs as plain Python, if it does."""
    from foretell.kernel.backend.compiled import IS_COMPILED  # noqa: PLC0415 - `--help` answers without it

    if not IS_COMPILED:
        click.echo(_say("cli.not_compiled"), err=True)


def load_bots(names: Iterable[str]) -> None:
    """Imports what these bots need, unless none of them needs the kernel; says so if it is slow."""
    if any(name in LEVELS or name.startswith(CLOCKED) for name in names):
        import foretell.bots.net.net_search  # noqa: F401, PLC0415 - a bot imports it with its first choice

        tell_if_slow()
