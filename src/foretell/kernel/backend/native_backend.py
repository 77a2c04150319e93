"""Calls the kernel's functions in the native library, through ctypes.

An array is an array of ctypes: Python reads and writes its words as plain numbers, and C gets its address without a
copy.  ctypes converts an argument without a declared type much faster than one with, and takes the address of an array
by itself; but it would cut an undeclared integer to 32 bits.  So the functions of the library take their numbers first,
with declared types, and their arrays last, without.  `jit` puts the arguments in this order.

WebAssembly checks the types of a call.  So there the arrays are declared too, because ctypes would otherwise pass them
in the way of a function with a variable number of arguments; and a truth value is taken as the integer that C returns.
"""

import ctypes
import logging
import sys
from collections.abc import Callable
from functools import lru_cache
from typing import Any, TypeVar

from foretell.kernel.backend import python_backend
from foretell.kernel.backend.library import loaded

__all__ = ["at_address", "described", "floats", "inlined", "ints", "jit", "narrow_ints"]

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
_SIGNED = _NARROW | {8: ctypes.c_int64}
_IS_WEB_ASSEMBLY = sys.platform == "emscripten"
_OWN = ("foretell.kernel.", "foretell.bots.net.", "foretell.envs.loop.")


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
    if _IS_WEB_ASSEMBLY:
        called.argtypes += [ctypes.c_void_p] * (len(given) - len(called.argtypes))
    is_truth = _IS_WEB_ASSEMBLY and answer == "b"
    called.restype = _ANSWERS["q" if is_truth else answer]
    names = function.__code__.co_varnames[: len(given)]
    numbers = [name for name, letter in zip(names, given, strict=True) if letter in _NUMBERS]
    arrays = [name for name, letter in zip(names, given, strict=True) if letter not in _NUMBERS]
    call = f"called({', '.join(numbers + arrays)})"
    text = f"lambda {', '.join(names)}: {f'{call} != 0' if is_truth else call}"
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


def at_address(address: int, count: int, size: int) -> Any:
    """The `count` signed integers of `size` bytes that lie at this address; whoever owns them must keep them."""
    return _array(_SIGNED[size], count).from_address(address)
