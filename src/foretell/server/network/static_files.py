"""The web client's files, read once: a name that is not among them is not found, so no path can lead elsewhere."""

import gzip
import hashlib
import mimetypes
from dataclasses import dataclass
from pathlib import Path

__all__ = ["File", "web_files"]

_TYPES = {
    ".js": "text/javascript; charset=utf-8",
    ".html": "text/html; charset=utf-8",
    ".css": "text/css; charset=utf-8",
    ".svg": "image/svg+xml",
    ".json": "application/json",
    ".webmanifest": "application/manifest+json",
    ".woff2": "font/woff2",
}
_SHRINKS = (".js", ".html", ".css", ".svg", ".json", ".webmanifest", ".txt")


@dataclass(frozen=True, slots=True)
class File:
    body: bytes
    gzipped: bytes | None
    kind: str
    tag: str
    is_forever: bool  # its name holds a hash of what is in it


def web_files(folder: Path) -> dict[str, File]:
    """Each file by its path from the root; the first page also as `/`."""
    found: dict[str, File] = {}
    for path in sorted(folder.rglob("*")) if folder.is_dir() else ():
        if path.is_file():
            name = "/" + path.relative_to(folder).as_posix()
            found[name] = _read(path, is_forever=name.startswith("/assets/"))
    if "/index.html" in found:
        found["/"] = found["/index.html"]
    return found


def _read(path: Path, *, is_forever: bool) -> File:
    body = path.read_bytes()
    shrunk = gzip.compress(body, 9, mtime=0) if path.suffix in _SHRINKS else None
    kind = (
        _TYPES.get(path.suffix) or mimetypes.guess_type(path.name)[0] or "application/octet-stream"
    )
    tag = f'"{hashlib.sha256(body).hexdigest()[:16]}"'
    return File(body, shrunk, kind, tag, is_forever)
