"""A word on the error stream when the kernel is about to be compiled, which takes seconds, once."""

from collections.abc import Iterator
from contextlib import contextmanager

import click

from foretell.i18n import catalogue

__all__ = ["compiling"]


@contextmanager
def compiling(use: str) -> Iterator[None]:
    """Around a use of the kernel; each use has a name, and what it needs is compiled once."""
    from foretell.kernel.backend.compiled import IS_COMPILED, is_warm, warmed  # noqa: PLC0415 - Numba is slow to import

    if not is_warm(use):
        click.echo(catalogue().say("cli.compiling"), err=True)
    elif not IS_COMPILED:
        click.echo(catalogue().say("cli.not_compiled"), err=True)
    yield
    warmed(use)
