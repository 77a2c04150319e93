"""The arrays that environments share with learning programs: made here, or given by the program."""

from collections.abc import Mapping
from typing import Any

import numpy as np

from foretell.kernel.backend.compiled import Ints, at_address

__all__ = ["given_or_new", "lent"]


def given_or_new(
    name: str, shape: tuple[int, ...], kind: str, given: Mapping[str, object]
) -> np.ndarray[Any, Any]:
    """The array that was given by this name, or a new one of zeros.

    Anything that speaks DLPack and lies in the memory of the CPU will do, such as a tensor of PyTorch.
    """
    if name not in given:
        return np.zeros(shape, dtype=kind)
    found: Any = given[name]
    if isinstance(found, np.ndarray) and not found.flags.writeable:
        raise ValueError(f"{name}: the array is read-only")
    # NumPy marks what comes by DLPack as read-only if its owner does not say otherwise; only the games write here.
    array: np.ndarray[Any, Any] = found if isinstance(found, np.ndarray) else np.from_dlpack(found)
    if array.shape != shape or array.dtype != np.dtype(kind):
        raise ValueError(
            f"{name}: needs {kind} of shape {shape}, not {array.dtype} of shape {array.shape}"
        )
    if not array.flags.c_contiguous:
        raise ValueError(f"{name}: the array must be contiguous, with the last axis innermost")
    return array


def lent(array: np.ndarray[Any, Any]) -> Ints:
    """The array as compiled functions take it, in the same memory; keep the array as long as this."""
    return at_address(array.ctypes.data, array.size, array.itemsize)
