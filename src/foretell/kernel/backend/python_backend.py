"""Runs the kernel's functions as plain Python, over lists."""

from collections.abc import Callable
from typing import Any, TypeVar

__all__ = ["ONE", "floats", "inlined", "ints", "jit", "kth", "lowest", "popcount", "version"]

F = TypeVar("F", bound=Callable[..., Any])

ONE = 1
version = "plain"


def jit(function: F) -> F:
    """Leaves the function as it is."""
    return function


def inlined(function: F) -> F:
    """Leaves the function as it is."""
    return function


def popcount(mask: int) -> int:
    """How many bits are set."""
    return mask.bit_count()


def lowest(mask: int) -> int:
    """The place of the lowest bit that is set; the mask must not be empty."""
    return (mask & -mask).bit_length() - 1


def kth(mask: int, k: int) -> int:
    """The place of the k-th bit that is set, counted from 0."""
    for _ in range(k):
        mask &= mask - 1
    return lowest(mask)


def ints(count: int) -> list[int]:
    """A new list of `count` zeros."""
    return [0] * count


def floats(count: int) -> list[float]:
    """A new list of `count` zeros."""
    return [0.0] * count
