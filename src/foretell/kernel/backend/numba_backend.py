"""Compiles the kernel's functions with Numba when they are first called, and keeps the machine code in a cache.

This is for people who write compiled loops of their own around the kernel's functions (`pip install
'foretell[numba]'`, FORETELL_KERNEL=numba).
"""

import ctypes
from collections.abc import Callable
from typing import Any, TypeVar

import numba
import numpy as np
from llvmlite import binding, ir
from numba.core import cgutils, config, types
from numba.extending import intrinsic

from foretell.kernel.backend.cache import FOLDER

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

ONE = np.int64(1)


def _compiler(**options: Any) -> Callable[[F], F]:
    def compiled(function: F) -> F:
        # Reference counting makes the loop half as fast, so it is off; therefore no function may allocate.
        made: F = numba.njit(nogil=True, error_model="numpy", _nrt=False, **options)(function)
        # The cache folder is set for this call only; other users of Numba in this process keep theirs.
        before, config.CACHE_DIR = config.CACHE_DIR, str(FOLDER or "")
        try:
            if FOLDER is not None:
                made.enable_caching()  # type: ignore[attr-defined]
        except RuntimeError:
            pass  # a function typed at a prompt has no file, and is compiled each time
        finally:
            config.CACHE_DIR = before
        return made

    return compiled


jit = _compiler()
inlined = _compiler(inline="always")


@intrinsic  # type: ignore[untyped-decorator]
def popcount(_context: Any, mask: Any) -> Any:  # noqa: ARG001 - Numba counts the arguments
    """How many bits are set."""
    return types.int64(types.int64), lambda _c, build, _s, args: build.ctpop(args[0])


@intrinsic  # type: ignore[untyped-decorator]
def lowest(_context: Any, mask: Any) -> Any:  # noqa: ARG001
    """The place of the lowest bit that is set; the mask must not be empty."""
    yes = ir.Constant(ir.IntType(1), 1)
    return types.int64(types.int64), lambda _c, build, _s, args: build.cttz(args[0], yes)


@intrinsic  # type: ignore[untyped-decorator]
def _deposited(_context: Any, mask: Any, k: Any) -> Any:  # noqa: ARG001
    def code(_context: Any, build: Any, _signature: Any, args: Any) -> Any:
        word = ir.IntType(64)
        pdep = cgutils.get_or_insert_function(
            build.module, ir.FunctionType(word, [word, word]), "llvm.x86.bmi.pdep.64"
        )
        kth_alone = build.call(pdep, [build.shl(ir.Constant(word, 1), args[1]), args[0]])
        return build.cttz(kth_alone, ir.Constant(ir.IntType(1), 1))

    return types.int64(types.int64, types.int64), code


@inlined
def _kth_deposited(mask: int, k: int) -> int:
    return _deposited(mask, k)  # type: ignore[no-any-return]


@inlined
def _kth_counted(mask: int, k: int) -> int:
    for _ in range(k):
        mask &= mask - 1
    return lowest(mask)  # type: ignore[no-any-return]


# A user who names another CPU to Numba does not want this CPU's instructions.
_is_this_cpu = config.CPU_NAME is None and config.CPU_FEATURES is None
_has_pdep = _is_this_cpu and bool(binding.get_host_cpu_features().get("bmi2"))
kth = _kth_deposited if _has_pdep else _kth_counted
"""The place of the k-th bit that is set, counted from 0."""


@intrinsic  # type: ignore[untyped-decorator]
def scaled(_context: Any, x: Any, k: Any) -> Any:  # noqa: ARG001
    """x times 2 to the power of k; the result must be a normal number."""

    def code(_context: Any, build: Any, _signature: Any, args: Any) -> Any:
        word = ir.IntType(64)
        bits = build.shl(build.add(args[1], ir.Constant(word, 1023)), ir.Constant(word, 52))
        return build.fmul(args[0], build.bitcast(bits, ir.DoubleType()))

    return types.float64(types.float64, types.int64), code


@intrinsic  # type: ignore[untyped-decorator]
def exponent(_context: Any, x: Any) -> Any:  # noqa: ARG001
    """The k for which x / 2^k is at least 1/2 and less than 1; x must be a normal number above 0."""

    def code(_context: Any, build: Any, _signature: Any, args: Any) -> Any:
        word = ir.IntType(64)
        bits = build.lshr(build.bitcast(args[0], word), ir.Constant(word, 52))
        return build.sub(build.and_(bits, ir.Constant(word, 2047)), ir.Constant(word, 1022))

    return types.int64(types.float64), code


def described() -> str:
    """The version of Numba."""
    return str(numba.__version__)


def ints(count: int) -> Any:
    """A new array of `count` zeros."""
    return np.zeros(count, dtype=np.int64)


def floats(count: int) -> Any:
    """A new array of `count` zeros."""
    return np.zeros(count, dtype=np.float64)


def narrow_ints(stored: bytes | memoryview, size: int) -> Any:
    """The signed integers in these bytes, each of `size` bytes, the lowest byte first."""
    return np.frombuffer(stored, dtype=f"<i{size}").astype(f"i{size}")


def at_address(address: int, count: int, size: int) -> Any:
    """The `count` signed integers of `size` bytes that lie at this address; whoever owns them must keep them."""
    kind = {1: ctypes.c_int8, 2: ctypes.c_int16, 4: ctypes.c_int32, 8: ctypes.c_int64}[size]
    return np.ctypeslib.as_array((kind * count).from_address(address))


@inlined
def part(words: Any, start: int) -> Any:
    """The words from `start` on, in the same memory."""
    return words[start:]


@jit
def _add_rows(
    desk: Any, weights: Any, start: int, width: int, sums: int, inputs: int, count: int
) -> None:
    """Adds rows of a matrix, each times a factor, to the sums in `desk` (prelude.h)."""
    for pair in range(inputs, inputs + 2 * count, 2):
        row = start + desk[pair] * width
        factor = desk[pair + 1]
        for column in range(width):
            desk[sums + column] += weights[row + column] * factor


add_rows8 = add_rows16 = _add_rows
