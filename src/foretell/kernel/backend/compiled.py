"""How the kernel's functions run: in the native library, as plain Python, or compiled by Numba.

Every function of the kernel is written once, and works on arrays or lists of numbers.  `jit` and `inlined` return the
version of a function that the chosen backend runs, `ints` and `floats` make the arrays that it works on.

    native   the library that the build made (native_backend.py): the default
    python   the functions as they are, over lists, about a hundred times slower: the default where there is no library
    numba    compiled by Numba when they are first called (numba_backend.py), which takes half a minute: for people who
             write compiled loops of their own

All three make the same choices and play the same games.  The environment variable FORETELL_KERNEL chooses one of them.
Numba is never chosen by itself, even if it is installed: nobody should wait for it who has not asked for it.
"""

import logging
import os
from collections.abc import Callable, MutableSequence
from importlib import import_module
from typing import Any, Protocol, TypeVar

from foretell.kernel.backend import python_backend
from foretell.kernel.backend.library import LibraryMissing, LibraryRefused, loaded

__all__ = [
    "BACKEND",
    "IS_COMPILED",
    "ONE",
    "Floats",
    "Ints",
    "Ints8",
    "Ints16",
    "Ints32",
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

Ints = MutableSequence[int]
"""A list of integers, or an array of 64-bit integers."""

Ints8 = MutableSequence[int]
"""An array of 8-bit integers; the next two are the same with 16 and 32 bits.  `narrow_ints` makes them."""

Ints16 = MutableSequence[int]
Ints32 = MutableSequence[int]

Floats = MutableSequence[float]
"""A list of floats, or an array of 64-bit floats."""

F = TypeVar("F", bound=Callable[..., Any])
_log = logging.getLogger(__name__)


class _Decorator(Protocol):
    def __call__(self, function: F) -> F: ...


def _chosen() -> tuple[str, Any]:
    """The name of the backend and its module."""
    asked = os.environ.get("FORETELL_KERNEL", "")
    if asked not in ("", "native", "python", "numba"):
        raise ValueError(f"FORETELL_KERNEL={asked}: choose native, python or numba")
    if asked in ("", "native"):
        try:
            loaded()
            return "native", import_module("foretell.kernel.backend.native_backend")
        except (LibraryMissing, LibraryRefused) as reason:
            if asked:
                raise
            if isinstance(reason, LibraryRefused):
                _log.warning("%s: the bots run as plain Python (`make` builds it again)", reason)
    name = asked if asked == "numba" else "python"
    return name, import_module(f"foretell.kernel.backend.{name}_backend")


BACKEND, _backend = _chosen()
"""Which backend runs: `native`, `python` or `numba`."""

IS_COMPILED = BACKEND != "python"

jit: _Decorator = _backend.jit
inlined: _Decorator = _backend.inlined
ints: Callable[[int], Ints] = _backend.ints
floats: Callable[[int], Floats] = _backend.floats
narrow_ints: Callable[[bytes | memoryview, int], Ints] = _backend.narrow_ints
at_address: Callable[[int, int, int], Ints] = _backend.at_address

# The functions of the library have instructions for these.  Python itself is quicker without a call into the library.
_bits: Any = python_backend if BACKEND == "native" else _backend
ONE: int = _bits.ONE
popcount: Callable[[int], int] = _bits.popcount
lowest: Callable[[int], int] = _bits.lowest
kth: Callable[[int, int], int] = _bits.kth
scaled: Callable[[float, int], float] = _bits.scaled
exponent: Callable[[float], int] = _bits.exponent
add_rows8: Callable[[Ints32, Ints8, int, int, int, int, int], None] = _bits.add_rows8
add_rows16: Callable[[Ints32, Ints16, int, int, int, int, int], None] = _bits.add_rows16
part: Callable[[Ints, int], Ints] = _bits.part


def described() -> str:
    """What the backend depends on: the compiler of the library and the level of CPU, or the version of Numba."""
    found: str = _backend.described()
    return found
