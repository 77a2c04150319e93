"""Makes sure that only one server at a time uses a data folder.

Two servers with the same games would not learn of each other's moves.
"""

import contextlib
import sqlite3
from collections.abc import Callable, Iterator
from pathlib import Path

from foretell.errors import NotAllowed

__all__ = ["exclusive_data_folder"]


@contextlib.contextmanager
def exclusive_data_folder(folder: Path) -> Iterator[Callable[[str], None]]:
    """Locks the folder while the server runs; refuses if another server has locked it.

    The context is a function that stores this server's address, so that a second server can show it in its refusal.
    """
    # Only the user who runs the server may read the file: it will contain secrets.
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    address_file = folder / "serving.txt"
    with contextlib.closing(_lock(folder, address_file)):
        address_file.unlink(missing_ok=True)  # a server that was killed leaves it behind

        def publish(address: str) -> None:
            address_file.write_text(address, encoding="utf-8")

        try:
            yield publish
        finally:
            address_file.unlink(missing_ok=True)


def _lock(folder: Path, address_file: Path) -> sqlite3.Connection:
    """Locks an empty file with SQLite.  Its lock works on every system, and ends with the process."""
    try:
        lock = sqlite3.connect(folder / "serving.lock", timeout=0, isolation_level=None)
        lock.execute("BEGIN EXCLUSIVE")
    except sqlite3.OperationalError as error:
        if error.sqlite_errorcode != sqlite3.SQLITE_BUSY:
            raise OSError(None, str(error), str(folder)) from error
        address = address_file.read_text(encoding="utf-8") if address_file.exists() else None
        raise NotAllowed("folder_in_use", data=folder, address=address) from None
    return lock
