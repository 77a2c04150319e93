"""Where pads are kept: a file each, written whole or not at all.

A pad is written to a file beside it first, which then takes its place, so that a full disk or a power cut leaves either
the old pad or the new one.
"""

import os
from contextlib import suppress
from datetime import datetime
from pathlib import Path

from foretell.errors import ForetellError
from foretell.scorepad.pad import Pad
from foretell.scorepad.text import from_json, to_json

__all__ = ["Keeper", "fresh_path", "newest_path", "pads_folder"]

_PATTERN = "pad-*.json"


class Keeper:
    """Holds one pad in one file, and notices when another program has written there meanwhile."""

    def __init__(self, path: Path) -> None:
        self.path = _real(path)
        self._last: bytes | None = None  # what we read or wrote here; None: there was no file

    def read(self) -> Pad | None:
        """The pad in the file; None if there is no file yet."""
        try:
            if self.path.exists() and not self.path.is_file():
                raise ForetellError("pad_not_a_file", path=str(self.path))
            self._last = self.path.read_bytes()
        except FileNotFoundError:
            return None
        except OSError as error:
            raise ForetellError(
                "pad_unreadable", path=str(self.path), why=error.strerror
            ) from error
        try:
            return from_json(self._last)
        except ForetellError as error:
            raise ForetellError("pad_unreadable", path=str(self.path), why=str(error)) from error

    def write(self, pad: Pad) -> None:
        """The pad is in the file when this returns; if it raises, the file is as it was."""
        text = to_json(pad).encode()
        try:
            if self._now() not in (self._last, text):
                raise ForetellError("pad_changed_elsewhere", path=str(self.path))
            _replace(self.path, text)
        except OSError as error:
            raise ForetellError(
                "pad_unwritable", path=str(self.path), why=error.strerror
            ) from error
        self._last = text

    def _now(self) -> bytes | None:
        try:
            return self.path.read_bytes()
        except FileNotFoundError:
            # A file deleted under our hands is written again: the pad is here, nobody else's is lost.
            return self._last


def pads_folder() -> Path:
    """The folder that this person's pads are in."""
    from platformdirs import user_data_path  # noqa: PLC0415 - only who keeps a pad needs it

    return user_data_path("foretell", appauthor=False) / "pads"


def newest_path(folder: Path) -> Path | None:
    """The pad begun last: the names tell the time."""
    try:
        return max(folder.glob(_PATTERN), default=None)
    except OSError:
        return None


def fresh_path(folder: Path, now: datetime) -> Path:
    """A file for a pad begun now."""
    path = folder / _PATTERN.replace("*", f"{now:%Y-%m-%d-%H%M%S}")
    while path.exists():
        path = path.with_stem(path.stem + "b")
    return path


def _real(path: Path) -> Path:
    """Where a link points: the file is replaced there, and the link stays one."""
    try:
        return path.expanduser().resolve()
    except (OSError, RuntimeError) as error:
        raise ForetellError("pad_unreadable", path=str(path), why=str(error)) from error


def _replace(path: Path, text: bytes) -> None:
    beside = path.with_name(f".{path.name}.{os.getpid()}")
    try:
        with beside.open("wb") as file:
            file.write(text)
            file.flush()
            os.fsync(file.fileno())
        beside.replace(path)
    except BaseException:
        with suppress(OSError):
            beside.unlink()
        raise
    with suppress(OSError):  # not every system lets a folder be opened; the file itself is safe
        folder = os.open(path.parent, os.O_RDONLY)
        try:
            os.fsync(folder)
        finally:
            os.close(folder)
