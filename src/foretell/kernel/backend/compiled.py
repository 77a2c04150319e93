"""How the kernel's functions run: compiled by Numba where it is installed, otherwise as plain Python.

Every function of the kernel is written once, and works on arrays or lists of numbers.  With Numba, `jit` and `inlined`
compile a function, `ints` and `floats` make arrays, and the bit functions are machine instructions.  Without it, a
function is left as it is, arrays are lists, and the bit functions are plain Python.  FORETELL_KERNEL=python chooses
plain Python even if Numba is installed.
"""

import os
from collections.abc import Callable, MutableSequence
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import Any, Protocol, TypeVar

__all__ = [
    "IS_COMPILED",
    "ONE",
    "Floats",
    "Ints",
    "cache_folder",
    "floats",
    "inlined",
    "ints",
    "is_warm",
    "jit",
    "kth",
    "lowest",
    "popcount",
    "warmed",
]

Ints = MutableSequence[int]
"""A list of integers, or an int64 array."""

Floats = MutableSequence[float]
"""A list of floats, or a float64 array."""

F = TypeVar("F", bound=Callable[..., Any])


class _Decorator(Protocol):
    def __call__(self, function: F) -> F: ...


IS_COMPILED = os.environ.get("FORETELL_KERNEL") != "python" and find_spec("numba") is not None

_backend = import_module(
    f"foretell.kernel.backend.{'numba_backend' if IS_COMPILED else 'python_backend'}"
)

ONE: int = _backend.ONE
jit: _Decorator = _backend.jit
inlined: _Decorator = _backend.inlined
popcount: Callable[[int], int] = _backend.popcount
lowest: Callable[[int], int] = _backend.lowest
kth: Callable[[int, int], int] = _backend.kth
ints: Callable[[int], Ints] = _backend.ints
floats: Callable[[int], Floats] = _backend.floats


def cache_folder() -> Path | None:
    """Where compiled functions are kept; None if nothing can be written, or nothing is compiled."""
    if not IS_COMPILED:
        return None
    folder: Path | None = import_module("foretell.kernel.backend.cache").FOLDER
    return folder


def _marker_file(use: str) -> Path | None:
    folder = cache_folder()
    return None if folder is None else folder / f"warm-{use}-{_backend.version}"


def is_warm(use: str) -> bool:
    """Whether the functions for this use were compiled before on this machine; compiling takes some seconds."""
    marker = _marker_file(use)
    return not IS_COMPILED or (marker is not None and marker.exists())


def warmed(use: str) -> None:
    """Remembers that the functions for this use have been compiled."""
    marker = _marker_file(use)
    if marker is not None:
        marker.touch()
