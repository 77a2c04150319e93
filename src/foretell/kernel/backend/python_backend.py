"""The kernel's functions as they are, in CPython, over lists."""

from collections.abc import Callable
from typing import Any, TypeVar

__all__ = ["ONE", "floats", "inlined", "ints", "jit", "kth", "lowest", "popcount", "version"]

F = TypeVar("F", bound=Callable[..., Any])

ONE = 1
version = "plain"


def jit(function: F) -> F:
    """Leaves it alone."""
    return function


def inlined(function: F) -> F:
    """Leaves it alone."""
    return function


def popcount(mask: int) -> int:
    """How many bits are set."""
    return mask.bit_count()


def lowest(mask: int) -> int:
    """The place of the lowest bit that is set; a mask of nothing has none."""
    return (mask & -mask).bit_length() - 1


def kth(mask: int, k: int) -> int:
    """The place of the k-th set bit, from 0."""
    for _ in range(k):
        mask &= mask - 1
    return lowest(mask)


def ints(count: int) -> list[int]:
    """So many zeros."""
    return [0] * count


def floats(count: int) -> list[float]:
    """So many zeros."""
    return [0.0] * count
