"""The folder in which Numba keeps compiled functions.

It is in the user's cache, because an install may be read-only.  Its name is a hash of all sources that may be
compiled into one another.  Numba itself looks only at the file of each function, and would keep using old machine code
after a change in another file.
"""

import hashlib
import os
import shutil
import stat
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

from platformdirs import user_cache_path

from foretell.kernel.backend.source_files import fingerprint

__all__ = ["FOLDER"]

MONTH = 30 * 24 * 3600


def _name() -> str:
    """A name made from all sources that may be compiled into one another, and from the version of Python."""
    sources = fingerprint(Path(__file__).parents[2])
    return hashlib.sha256(f"{sources} {sys.version}".encode()).hexdigest()[:16]


def _writable(folder: Path) -> bool:
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=folder):
            return True
    except OSError:
        return False


def _private_temporary_folder() -> Path | None:
    """A private temporary folder.  Nobody else may write to it, because the code in a cache is run."""
    if not hasattr(os, "getuid"):
        return None
    try:
        folder = Path(tempfile.gettempdir()) / f"foretell-{os.getuid()}"
        folder.mkdir(mode=0o700, exist_ok=True)
        found = folder.lstat()
    except OSError:
        return None
    is_own = stat.S_ISDIR(found.st_mode) and found.st_uid == os.getuid()
    return folder if is_own and not found.st_mode & (stat.S_IWGRP | stat.S_IWOTH) else None


def _possible_homes() -> Iterator[Path | None]:
    """The folders to choose from, best first; a folder is made only if those before it cannot be used."""
    named = os.environ.get("NUMBA_CACHE_DIR")
    yield Path(named) if named else None
    yield user_cache_path("foretell", appauthor=False)
    yield _private_temporary_folder()


def _chosen_folder() -> Path | None:
    name = _name()
    for home in _possible_homes():
        if home is None:
            continue
        folder = home / "kernel" / name
        is_new = not folder.exists()
        if _writable(folder):
            if is_new:
                _delete_old(folder)
            return folder
    return None


def _delete_old(new: Path) -> None:
    """Deletes what other versions have compiled, if nothing has been added to it for a month."""
    for folder in new.parent.iterdir():
        with suppress(OSError):
            if folder != new and time.time() - folder.stat().st_mtime > MONTH:
                shutil.rmtree(folder)


FOLDER = _chosen_folder()
"""None if nothing can be written; then functions are compiled each time."""
