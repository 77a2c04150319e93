"""The files of the web page, listed once when the server starts.  No request can reach any other file."""

import base64
import gzip
import hashlib
import mimetypes
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from foretell.server.page_files import COMPRESSED, STATIC, is_for_good, page_files

__all__ = ["File", "content", "inline_hashes", "pieces", "size", "web_files"]

_TYPES = {
    ".js": "text/javascript; charset=utf-8",
    ".mjs": "text/javascript; charset=utf-8",
    ".html": "text/html; charset=utf-8",
    ".css": "text/css; charset=utf-8",
    ".svg": "image/svg+xml",
    ".png": "image/png",
    ".json": "application/json",
    ".webmanifest": "application/manifest+json",
    ".woff2": "font/woff2",
    ".wasm": "application/wasm",
    ".zip": "application/zip",
    ".whl": "application/zip",
}
_COMPRESSIBLE = (".js", ".html", ".css", ".svg", ".json", ".webmanifest", ".txt")
_LARGE = 1_000_000  # bytes; such a file is read each time, because few people load it, and each only once
_PIECE = 65_536  # bytes


@dataclass(frozen=True, slots=True)
class File:
    """A file as it is sent.  `kind` is its media type, `tag` its ETag."""

    body: bytes | Path
    compressed: tuple[tuple[str, bytes | Path], ...]  # by content coding, the smallest first
    kind: str
    tag: str
    never_changes: bool  # its name contains a hash of its content


def content(body: bytes | Path) -> bytes:
    """The bytes of a file that is kept in memory, or on the disk."""
    return body.read_bytes() if isinstance(body, Path) else body


def size(body: bytes | Path) -> int:
    return body.stat().st_size if isinstance(body, Path) else len(body)


def pieces(body: bytes | Path) -> Iterator[bytes]:
    """The bytes of a file, a large one in pieces: however many clients load it slowly, it fills no memory."""
    if isinstance(body, bytes):
        yield body
        return
    with body.open("rb") as file:
        while piece := file.read(_PIECE):
            yield piece


def web_files(folder: Path = STATIC) -> dict[str, File]:
    """Each file by its path in the URL.  index.html is also at `/`."""
    found = {f"/{name}": _file(name, path) for name, path in page_files(folder).items()}
    if "/index.html" in found:
        found["/"] = found["/index.html"]
    return found


def _file(name: str, path: Path) -> File:
    body = _kept(path)
    # The build has compressed scripts, stylesheets and the engine.
    compressed = [
        (coding, _kept(copy))
        for suffix, coding in COMPRESSED.items()
        if (copy := path.with_name(path.name + suffix)).is_file()
    ]
    if isinstance(body, bytes) and path.suffix in _COMPRESSIBLE:
        compressed.append(("gzip", gzip.compress(body, 9, mtime=0)))
    kind = (
        _TYPES.get(path.suffix) or mimetypes.guess_type(path.name)[0] or "application/octet-stream"
    )
    # The name of a large file has its hash.
    tag = hashlib.sha256(body if isinstance(body, bytes) else name.encode()).hexdigest()
    return File(body, tuple(compressed), kind, f'"{tag[:16]}"', is_for_good(name))


def _kept(path: Path) -> bytes | Path:
    return path if path.stat().st_size > _LARGE else path.read_bytes()


_INLINE = re.compile(rb"<(script|style)>(.*?)</\1>", re.DOTALL)


def inline_hashes(page: bytes) -> dict[str, str]:
    """The sources that a Content-Security-Policy needs for what is written in the page itself, by directive.

    The first paint needs a little style and script before any other file has arrived.  Their hashes allow exactly these
    and nothing that an attacker might add.
    """
    sources: dict[str, str] = {}
    for tag, text in _INLINE.findall(page):
        digest = base64.b64encode(hashlib.sha256(text).digest()).decode()
        directive = f"{tag.decode()}-src"
        sources[directive] = f"{sources.get(directive, '')} 'sha256-{digest}'"
    return sources
