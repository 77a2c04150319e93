"""How the kernel's functions run: under Numba where it is installed, as they are in CPython where it is not.

Every function of the kernel is written once, over indexables of integers.  `jit` and `inlined` compile it or leave it
alone; `ints` and `floats` make what it works on, an array or a list; the bit helpers are machine instructions or plain
Python.  FORETELL_KERNEL=python asks for plain Python although Numba is there.

Numba stores what it has compiled.  Where that goes must not depend on a writable install, and a change in one file
must not leave another file's old machine code in use (Numba looks at the file of each function alone): so the folder
is the user's cache, with a name made of all the kernel's sources.
"""

import hashlib
import os
import shutil
import sys
import tempfile
import time
from collections.abc import Callable, MutableSequence
from contextlib import suppress
from importlib.util import find_spec
from pathlib import Path
from typing import Any, TypeVar

from platformdirs import user_cache_path

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

MONTH = 30 * 24 * 3600

IS_COMPILED = os.environ.get("FORETELL_KERNEL") != "python" and find_spec("numba") is not None


def _fingerprint() -> str:
    """Of all sources that may be compiled into one another, and of the Python that runs them."""
    digest = hashlib.sha256(sys.version.encode())
    package = Path(__file__).parents[1]
    for source in sorted((*package.glob("kernel/*.py"), *package.glob("bots/**/*.py"))):
        digest.update(source.read_bytes())
    return digest.hexdigest()[:16]


def _writable(folder: Path) -> bool:
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=folder):
            return True
    except OSError:
        return False


def _chosen_folder() -> Path | None:
    named = os.environ.get("NUMBA_CACHE_DIR")
    homes = [Path(named)] if named else []
    homes += [
        user_cache_path("foretell", appauthor=False),
        Path(tempfile.gettempdir()) / "foretell",
    ]
    name = _fingerprint()
    for home in homes:
        folder = home / "kernel" / name
        is_new = not folder.exists()
        if _writable(folder):
            if is_new:
                _forget_old(folder)
            return folder
    return None


def _forget_old(new: Path) -> None:
    """What a version compiled that nothing was added to for a month goes with the next new one."""
    for folder in new.parent.iterdir():
        with suppress(OSError):
            if folder != new and time.time() - folder.stat().st_mtime > MONTH:
                shutil.rmtree(folder)


if IS_COMPILED:
    import numba
    import numpy as np
    from llvmlite import binding, ir
    from numba.core import cgutils, config, types
    from numba.extending import intrinsic

    ONE: Any = np.int64(1)
    _FOLDER = _chosen_folder()

    def _compiler(**options: Any) -> Callable[[F], F]:
        def compiled(function: F) -> F:
            made: F = numba.njit(nogil=True, error_model="numpy", _nrt=False, **options)(function)
            # The place of the cache is settled here; other users of Numba in this process keep theirs.
            before, config.CACHE_DIR = config.CACHE_DIR, str(_FOLDER or "")
            try:
                if _FOLDER is not None:
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
    def popcount(_context: Any, mask: Any) -> Any:  # noqa: ARG001 - its name and number are all that count
        """How many bits are set."""
        return types.int64(types.int64), lambda _c, build, _s, args: build.ctpop(args[0])

    @intrinsic  # type: ignore[untyped-decorator]
    def lowest(_context: Any, mask: Any) -> Any:  # noqa: ARG001 - its name and number are all that count
        """The place of the lowest bit that is set; a mask of nothing has none."""
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

    # Who names another CPU to Numba may not have this one's instructions.
    _is_this_cpu = config.CPU_NAME is None and config.CPU_FEATURES is None
    if _is_this_cpu and binding.get_host_cpu_features().get("bmi2"):

        @inlined
        def kth(mask: int, k: int) -> int:
            """The place of the k-th set bit, from 0."""
            return _deposited(mask, k)  # type: ignore[no-any-return]
    else:

        @inlined
        def kth(mask: int, k: int) -> int:
            """The place of the k-th set bit, from 0."""
            for _ in range(k):
                mask &= mask - 1
            return lowest(mask)  # type: ignore[no-any-return]

    def ints(count: int) -> Ints:
        """So many zeros."""
        made: Any = np.zeros(count, dtype=np.int64)
        return made  # type: ignore[no-any-return]

    def floats(count: int) -> Floats:
        """So many zeros."""
        made: Any = np.zeros(count, dtype=np.float64)
        return made  # type: ignore[no-any-return]

else:
    ONE = 1
    _FOLDER = None

    def jit(function: F) -> F:
        return function

    def inlined(function: F) -> F:
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
        return lowest(mask)  # type: ignore[no-any-return]

    def ints(count: int) -> Ints:
        """So many zeros."""
        return [0] * count

    def floats(count: int) -> Floats:
        """So many zeros."""
        return [0.0] * count


def cache_folder() -> Path | None:
    """Where compiled functions are kept; None where nothing can be, or nothing is compiled."""
    return _FOLDER


def _mark(use: str) -> Path | None:
    if _FOLDER is None:
        return None
    return _FOLDER / f"warm-{use}-{numba.__version__}-{binding.get_host_cpu_name()}"


def is_warm(use: str) -> bool:
    """Whether what this use needs was compiled before on this machine; if not, it takes some seconds."""
    mark = _mark(use)
    return not IS_COMPILED or (mark is not None and mark.exists())


def warmed(use: str) -> None:
    """Remembers that what this use needs has been compiled."""
    mark = _mark(use)
    if mark is not None:
        mark.touch()
