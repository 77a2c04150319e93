"""A word on the error stream when the kernel is about to be compiled, which takes seconds, once."""

from collections.abc import Iterator
from contextlib import contextmanager

import click

from foretell.i18n import catalogue

__all__ = ["compiling"]


@contextmanager
def compiling() -> Iterator[None]:
    """Around the first use of the kernel in a command."""
    from foretell.kernel.compiled import IS_COMPILED, is_warm, warmed  # noqa: PLC0415 - Numba is slow to import

    if not is_warm():
        click.echo(catalogue().say("cli.compiling"), err=True)
    elif not IS_COMPILED:
        click.echo(catalogue().say("cli.not_compiled"), err=True)
    yield
    warmed()
