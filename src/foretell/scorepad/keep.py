"""Stores pads in files, one file for each pad, written completely or not at all.

A pad is first written to a second file, which then replaces the first, so that a full disk or a power cut leaves either
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
    """Stores one pad in one file, and notices when another program has changed the file."""

    def __init__(self, path: Path) -> None:
        self.path = _real(path)
        self._last: bytes | None = (
            None  # what was last read or written here; None if there was no file
        )

    def read(self) -> Pad | None:
        """The pad in the file, or None if there is no file yet."""
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
        """Writes the pad to the file; if this raises, the file is as it was before."""
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
            # Someone deleted the file: write it again.  We have the pad, and nothing else is lost.
            return self._last


def pads_folder() -> Path:
    """The folder for this user's pads."""
    from platformdirs import user_data_path  # noqa: PLC0415 - needed only here

    return user_data_path("foretell", appauthor=False) / "pads"


def newest_path(folder: Path) -> Path | None:
    """The pad that was begun last; file names contain the time."""
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
    """The path with links resolved: the file that a link points to is replaced, not the link."""
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
    with suppress(OSError):  # not every system can open a folder; the file itself is safe
        folder = os.open(path.parent, os.O_RDONLY)
        try:
            os.fsync(folder)
        finally:
            os.close(folder)
