"""The data folder belongs to one server at a time: two on the same games would not hear each other's moves."""

import contextlib
import sqlite3
from collections.abc import Callable, Iterator
from pathlib import Path

from foretell.errors import NotAllowed

__all__ = ["claimed"]


@contextlib.contextmanager
def claimed(folder: Path) -> Iterator[Callable[[str], None]]:
    """Holds the folder while the server runs.  What is given wants the address, for whoever comes second."""
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)  # it will hold secrets
    where = folder / "serving.txt"
    with contextlib.closing(_lock(folder, where)):
        where.unlink(missing_ok=True)  # of a server that was killed

        def tell(address: str) -> None:
            where.write_text(address, encoding="utf-8")

        try:
            yield tell
        finally:
            where.unlink(missing_ok=True)


def _lock(folder: Path, where: Path) -> sqlite3.Connection:
    """SQLite's own lock on a file with nothing in it: the same on every system, and gone with the process."""
    try:
        lock = sqlite3.connect(folder / "serving.lock", timeout=0, isolation_level=None)
        lock.execute("BEGIN EXCLUSIVE")
    except sqlite3.OperationalError as error:
        if error.sqlite_errorcode != sqlite3.SQLITE_BUSY:
            raise OSError(None, str(error), str(folder)) from error
        address = where.read_text(encoding="utf-8") if where.exists() else None
        raise NotAllowed("folder_in_use", data=folder, address=address) from None
    return lock
