"""A file of finished pieces: work that was interrupted goes on from it.

The first line says what the work is; each other line is the result of one piece, as JSON.
"""

from pathlib import Path
from typing import Any, Generic, TypeVar

import msgspec

from foretell.errors import NotAGame

__all__ = ["Journal"]

Result = TypeVar("Result")


class Journal(Generic[Result]):
    """The results of the pieces that are done, or of none if there is no file."""

    def __init__(self, file: Path | None, work: object, kind: Any, *, refusal: str) -> None:
        """Reads the file, or begins it; the file of other work is refused by the error with this code."""
        self.file = file
        self.results: list[Result] = []
        if file is None:
            return
        head = msgspec.json.encode(work)
        if not file.exists() or not file.stat().st_size:
            file.write_bytes(head + b"\n")
            return
        first, *lines = file.read_bytes().split(b"\n")
        if first != head:
            raise NotAGame(refusal, file=str(file))
        whole = first + b"\n"
        for line in lines:
            try:
                self.results.append(msgspec.json.decode(line, type=kind))
            except msgspec.DecodeError:
                continue  # cut off when the work was interrupted
            whole += line + b"\n"
        file.write_bytes(whole)

    def add(self, result: Result) -> None:
        """Writes down a finished piece."""
        self.results.append(result)
        if self.file is not None:
            with self.file.open("ab") as log:
                log.write(msgspec.json.encode(result) + b"\n")
