"""The files of the web page, read once when the server starts.  No request can reach any other file."""

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
_COMPRESSIBLE = (".js", ".html", ".css", ".svg", ".json", ".webmanifest", ".txt")


@dataclass(frozen=True, slots=True)
class File:
    """A file as it is sent.  `kind` is its media type, `tag` its ETag."""

    body: bytes
    gzipped: bytes | None
    kind: str
    tag: str
    never_changes: bool  # its name contains a hash of its content


def web_files(folder: Path) -> dict[str, File]:
    """Each file by its path in the URL.  index.html is also at `/`."""
    found: dict[str, File] = {}
    for path in sorted(folder.rglob("*")) if folder.is_dir() else ():
        if path.is_file():
            name = "/" + path.relative_to(folder).as_posix()
            found[name] = _read(path, never_changes=name.startswith("/assets/"))
    if "/index.html" in found:
        found["/"] = found["/index.html"]
    return found


def _read(path: Path, *, never_changes: bool) -> File:
    body = path.read_bytes()
    gzipped = gzip.compress(body, 9, mtime=0) if path.suffix in _COMPRESSIBLE else None
    kind = (
        _TYPES.get(path.suffix) or mimetypes.guess_type(path.name)[0] or "application/octet-stream"
    )
    tag = f'"{hashlib.sha256(body).hexdigest()[:16]}"'
    return File(body, gzipped, kind, tag, never_changes)
