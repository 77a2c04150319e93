"""Calls the kernel's functions in the native library, through ctypes.

An array is an array of ctypes: Python reads and writes its words as plain numbers, and C gets its address without a
copy.  ctypes converts an argument without a declared type much faster than one with, and takes the address of an array
by itself; but it would cut an undeclared integer to 32 bits.  So the functions of the library take their numbers first,
with declared types, and their arrays last, without.  `jit` puts the arguments in this order.
"""

import ctypes
import logging
from collections.abc import Callable
from functools import lru_cache
from typing import Any, TypeVar

from foretell.kernel.backend import python_backend
from foretell.kernel.backend.library import loaded

__all__ = ["described", "floats", "inlined", "ints", "jit", "narrow_ints"]

F = TypeVar("F", bound=Callable[..., Any])
_log = logging.getLogger(__name__)

_NUMBERS = {"q": ctypes.c_int64, "d": ctypes.c_double}
_ANSWERS: dict[str, Any] = {
    "q": ctypes.c_int64,
    "d": ctypes.c_double,
    "b": ctypes.c_bool,
    "-": None,
}
_NARROW = {1: ctypes.c_int8, 2: ctypes.c_int16, 4: ctypes.c_int32}
_OWN = ("foretell.kernel.", "foretell.bots.search.", "foretell.bots.net.")


def jit(function: F) -> F:
    """The library's version of this function; a function of somebody else stays plain Python, with a warning."""
    return _native(function, is_short=False)


def inlined(function: F) -> F:
    """The same for a short function."""
    return _native(function, is_short=True)


def _native(function: F, *, is_short: bool) -> F:
    library, name = loaded(), function.__name__
    if not function.__module__.startswith(_OWN) or name not in library.signatures:
        _log.warning("%s runs as plain Python; FORETELL_KERNEL=numba compiles it", name)
        return function
    given, _, answer = library.signatures[name].partition(">")
    called = library.function(name, is_short=is_short)
    called.argtypes = [_NUMBERS[letter] for letter in given if letter in _NUMBERS]
    called.restype = _ANSWERS[answer]
    names = function.__code__.co_varnames[: len(given)]
    numbers = [name for name, letter in zip(names, given, strict=True) if letter in _NUMBERS]
    arrays = [name for name, letter in zip(names, given, strict=True) if letter not in _NUMBERS]
    text = f"lambda {', '.join(names)}: called({', '.join(numbers + arrays)})"
    made: F = eval(text, {"called": called})
    made.__name__ = made.__qualname__ = name
    made.__module__, made.__doc__ = function.__module__, function.__doc__
    made.__wrapped__ = function  # type: ignore[attr-defined]
    return made


def described() -> str:
    """The compiler that made the library, and the level of CPU that it runs for."""
    return f"{loaded().compiler}, {loaded().level}"


@lru_cache(maxsize=1024)
def _array(kind: Any, count: int) -> Any:
    return kind * count


def ints(count: int) -> Any:
    """A new array of `count` zeros."""
    return _array(ctypes.c_int64, count)()


def floats(count: int) -> Any:
    """A new array of `count` zeros."""
    return _array(ctypes.c_double, count)()


def narrow_ints(stored: bytes | memoryview, size: int) -> Any:
    """The signed integers in these bytes, each of `size` bytes, the lowest byte first."""
    in_order = python_backend.narrow_ints(stored, size)
    return _array(_NARROW[size], len(in_order)).from_buffer(in_order)
