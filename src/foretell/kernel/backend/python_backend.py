"""Runs the kernel's functions as plain Python, over lists."""

import platform
from collections.abc import Callable
from math import frexp, ldexp
from typing import Any, TypeVar

__all__ = [
    "ONE",
    "described",
    "exponent",
    "floats",
    "inlined",
    "ints",
    "jit",
    "kth",
    "lowest",
    "popcount",
    "scaled",
]

F = TypeVar("F", bound=Callable[..., Any])

ONE = 1


def described() -> str:
    """Nothing but Python is needed."""
    return platform.python_implementation()


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


def exponent(x: float) -> int:
    """The k for which x / 2^k is at least 1/2 and less than 1."""
    return frexp(x)[1]


scaled = ldexp
"""x times 2 to the power of k."""


def ints(count: int) -> list[int]:
    """A new list of `count` zeros."""
    return [0] * count


def floats(count: int) -> list[float]:
    """A new list of `count` zeros."""
    return [0.0] * count
