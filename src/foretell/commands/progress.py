"""A progress bar for long work: only on a terminal, and only after a second."""

import sys
import time
from collections.abc import Iterable, Iterator
from typing import TypeVar

import click

__all__ = ["progress"]

T = TypeVar("T")
_SECONDS_WITHOUT_BAR = 1.0


def progress(these: Iterable[T], length: int, label: str) -> Iterator[T]:
    """Yields the same things one after another, with a bar on standard error once a second has passed."""
    started = time.monotonic()
    walk = iter(these)
    done = 0
    for one in walk:
        yield one
        done += 1
        if time.monotonic() - started > _SECONDS_WITHOUT_BAR and sys.stderr.isatty():
            break
    else:
        return
    with click.progressbar(length=length, label=label, file=sys.stderr) as bar:
        bar.update(done)
        for one in walk:
            yield one
            bar.update(1)
