"""Runs the kernel's functions as plain Python, over lists."""

import platform
import sys
from array import array
from collections.abc import Callable, MutableSequence
from math import frexp, ldexp
from typing import Any, TypeVar

__all__ = [
    "ONE",
    "add_rows8",
    "add_rows16",
    "at_address",
    "described",
    "exponent",
    "floats",
    "inlined",
    "ints",
    "jit",
    "kth",
    "lowest",
    "narrow_ints",
    "part",
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


def narrow_ints(stored: bytes | memoryview, size: int) -> "array[int]":
    """The signed integers in these bytes, each of `size` bytes, the lowest byte first."""
    found = array({1: "b", 2: "h", 4: "i"}[size])
    found.frombytes(stored)
    if sys.byteorder == "big":
        found.byteswap()
    return found


def at_address(address: int, count: int, size: int) -> Any:
    """The `count` signed integers of `size` bytes that lie at this address; whoever owns them must keep them."""
    import ctypes  # noqa: PLC0415 - a browser's Python may be without it

    found: Any = memoryview((ctypes.c_byte * (count * size)).from_address(address))
    return found.cast("B").cast({1: "b", 2: "h", 4: "i", 8: "q"}[size])


def part(words: Any, start: int) -> Any:
    """The words from `start` on, in the same memory: not for lists, whose parts are copies."""
    return memoryview(words)[start:]


def _add_rows(
    desk: MutableSequence[int],
    weights: MutableSequence[int],
    start: int,
    width: int,
    sums: int,
    inputs: int,
    count: int,
) -> None:
    """Adds rows of a matrix, each times a factor, to the sums in `desk` (prelude.h)."""
    total = list(desk[sums : sums + width])
    for pair in range(inputs, inputs + 2 * count, 2):
        row, factor = start + desk[pair] * width, desk[pair + 1]
        total = [
            so_far + weight * factor
            for so_far, weight in zip(total, weights[row : row + width], strict=True)
        ]
    desk[sums : sums + width] = array("i", total)


add_rows8 = add_rows16 = _add_rows
