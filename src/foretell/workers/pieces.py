"""Gives pieces of work to whoever does them, and yields what they bring back."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import TypeVar

from foretell.workers.local_pool import in_processes

__all__ = ["ALL_CORES", "ONE_PROCESS", "Workers", "in_order", "results"]

Piece = TypeVar("Piece")
Result = TypeVar("Result")


@dataclass(frozen=True, slots=True)
class Workers:
    """Who does the work: processes of this machine (by default one for each core), or a cluster."""

    processes: int | None = None
    is_cluster: bool = False


ALL_CORES = Workers()
ONE_PROCESS = Workers(processes=1)


def results(
    work: Callable[[Piece], Result], pieces: Sequence[Piece], workers: Workers
) -> Iterator[tuple[int, Result]]:
    """The place of each piece and its result, in the order in which they are finished.

    `work` is a function of a module, since other processes import it.
    """
    if workers.is_cluster:
        from foretell.workers.on_ray import on_cluster  # noqa: PLC0415 - Ray takes seconds to import

        yield from on_cluster(work, pieces)
    else:
        yield from in_processes(work, pieces, workers.processes)


def in_order(found: Iterable[tuple[int, Result]]) -> Iterator[Result]:
    """The same results in the order of the pieces; one that is early waits for those before it."""
    early: dict[int, Result] = {}
    place = 0
    for at, result in found:
        early[at] = result
        while place in early:
            yield early.pop(place)
            place += 1
