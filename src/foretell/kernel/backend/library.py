"""The native library: where it is, whether it may be used, and its functions.

The build (native_build.py) compiles the translated functions into one file, for several levels of CPU, and writes a
manifest beside it.  The manifest has a fingerprint of the sources and a hash of the file.  A library that was made from
other sources, or whose file is not the one that was built, is refused before it is loaded: loading a damaged file can
crash the process.
"""

import json
import os
import platform
from functools import lru_cache
from pathlib import Path
from typing import Any

__all__ = [
    "FOLDER",
    "LEVELS",
    "MANIFEST",
    "Library",
    "LibraryMissing",
    "LibraryRefused",
    "loaded",
    "machine",
]

FOLDER = Path(__file__).with_name("native")
MANIFEST = "manifest.json"
LEVELS = ("base", "fast")
"""The levels of CPU that one library serves: any CPU of the architecture, and one with the instructions for bits.

A library for another architecture than x86-64 has only the first.
"""


class LibraryMissing(Exception):
    """No library was built."""


class LibraryRefused(Exception):
    """There is a library, but it must not be used; the message says why."""


class Library:
    """The functions of the library in this folder, for this CPU or for the level given (FORETELL_CPU)."""

    def __init__(self, folder: Path = FOLDER, level: str | None = None) -> None:
        path, manifest = _checked(folder)
        try:
            import ctypes  # noqa: PLC0415 - not every Python has it, and without a library nothing needs it

            # A function called through the first releases Python's global interpreter lock, through the second not.
            self._releasing, self._holding = ctypes.CDLL(str(path)), ctypes.PyDLL(str(path))
            levels: list[str] = manifest["levels"]
            asked = level or os.environ.get("FORETELL_CPU") or levels[self._best(len(levels))]
            if asked not in levels:
                raise LibraryRefused(f"{path} has no level {asked!r}, only {', '.join(levels)}")
        except (ImportError, OSError, AttributeError) as error:
            raise LibraryRefused(f"{path} cannot be loaded: {error}") from error
        self.level = asked
        self.compiler: str = manifest["compiler"]
        self.signatures: dict[str, str] = manifest["functions"]

    def _best(self, count: int) -> int:
        """The highest level that this CPU has."""
        return min(int(self._holding.foretell_cpu_level()), count - 1)

    def function(self, name: str, *, is_short: bool) -> Any:
        """A function of the library.  A short one keeps Python's lock: releasing it would take longer."""
        library = self._holding if is_short else self._releasing
        return library[f"foretell_{name}_{self.level}"]


@lru_cache(maxsize=1)
def loaded() -> Library:
    """The library that is part of the package; raises LibraryMissing or LibraryRefused."""
    return Library()


def _checked(folder: Path) -> tuple[Path, dict[str, Any]]:
    """The file of the library and its manifest, if both are as they were built, from the sources as they are now."""
    if not (folder / MANIFEST).exists():
        raise LibraryMissing(str(folder))
    import hashlib  # noqa: PLC0415 - nothing of this takes time where there is no library

    from foretell.kernel.backend.source_files import fingerprint  # noqa: PLC0415

    try:
        manifest: dict[str, Any] = json.loads((folder / MANIFEST).read_bytes())
        path = folder / manifest["file"]
        if manifest["machine"] != machine():
            raise LibraryRefused(f"{path} was built for {manifest['machine']}, not {machine()}")
        if manifest["fingerprint"] != fingerprint(Path(__file__).parents[2]):
            raise LibraryRefused(f"{path} was built from other sources")
        if manifest["sha256"] != hashlib.sha256(path.read_bytes()).hexdigest():
            raise LibraryRefused(f"{path} is damaged")
    except FileNotFoundError as error:
        raise LibraryRefused(f"{error.filename} is missing") from None
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise LibraryRefused(f"{folder / MANIFEST} cannot be read: {error}") from error
    return path, manifest


def machine() -> str:
    """The operating system and the architecture, such as `linux-x86_64`."""
    return f"{platform.system()}-{platform.machine()}".lower()
