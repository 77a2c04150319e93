"""A progress bar for what takes long: on a terminal alone, and not before a second has gone by."""

import sys
import time
from collections.abc import Iterable, Iterator
from typing import TypeVar

import click

__all__ = ["progress"]

T = TypeVar("T")
_PATIENCE = 1.0


def progress(these: Iterable[T], length: int, label: str) -> Iterator[T]:
    """The same things, one after another, with a bar on the error stream once they keep someone waiting."""
    started = time.monotonic()
    walk = iter(these)
    done = 0
    for one in walk:
        yield one
        done += 1
        if time.monotonic() - started > _PATIENCE and sys.stderr.isatty():
            break
    else:
        return
    with click.progressbar(length=length, label=label, file=sys.stderr) as bar:
        bar.update(done)
        for one in walk:
            yield one
            bar.update(1)
