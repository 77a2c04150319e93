"""Pieces of work in processes of this machine."""

import multiprocessing
import os
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from typing import TypeVar

__all__ = ["in_processes"]

Piece = TypeVar("Piece")
Result = TypeVar("Result")

_MOST_LOSSES = 5
"""How often in a row processes may be killed before any piece is finished; then a piece is what kills them."""


def in_processes(
    work: Callable[[Piece], Result], pieces: Sequence[Piece], processes: int | None
) -> Iterator[tuple[int, Result]]:
    """In so many processes, by default one for each core; with one, in this process."""
    count = min(processes or os.cpu_count() or 1, len(pieces))
    if count < 2:
        for place, piece in enumerate(pieces):
            yield place, work(piece)
        return
    left = set(range(len(pieces)))
    losses = 0
    while left:
        try:
            for place, result in _pool(work, pieces, sorted(left), count):
                left.remove(place)
                losses = 0
                yield place, result
        except BrokenProcessPool:  # a process was killed, and takes the whole pool with it
            losses += 1
            if losses > _MOST_LOSSES:
                raise


def _pool(
    work: Callable[[Piece], Result], pieces: Sequence[Piece], places: Sequence[int], count: int
) -> Iterator[tuple[int, Result]]:
    # Processes are spawned, not forked: compiled code and its threads do not survive a fork on every system.
    context = multiprocessing.get_context("spawn")
    with ProcessPoolExecutor(count, context) as pool:
        waiting: dict[Future[Result], int] = {
            pool.submit(work, pieces[place]): place for place in places
        }
        try:
            while waiting:
                ended, _ = wait(waiting, return_when=FIRST_COMPLETED)
                for one in ended:
                    yield waiting.pop(one), one.result()
        finally:
            for one in waiting:
                one.cancel()
