"""The files of the web page, read once when the server starts.  No request can reach any other file."""

import base64
import gzip
import hashlib
import mimetypes
import re
from dataclasses import dataclass
from pathlib import Path

__all__ = ["File", "inline_hashes", "web_files"]

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
_BROTLI = ".br"


@dataclass(frozen=True, slots=True)
class File:
    """A file as it is sent.  `kind` is its media type, `tag` its ETag."""

    body: bytes
    compressed: tuple[tuple[str, bytes], ...]  # by content coding, the smallest first
    kind: str
    tag: str
    never_changes: bool  # its name contains a hash of its content


def web_files(folder: Path) -> dict[str, File]:
    """Each file by its path in the URL.  index.html is also at `/`."""
    found: dict[str, File] = {}
    for path in sorted(folder.rglob("*")) if folder.is_dir() else ():
        if path.is_file() and path.suffix != _BROTLI:
            name = "/" + path.relative_to(folder).as_posix()
            found[name] = _read(path, never_changes=name.startswith("/assets/"))
    if "/index.html" in found:
        found["/"] = found["/index.html"]
    return found


def _read(path: Path, *, never_changes: bool) -> File:
    body = path.read_bytes()
    brotli = path.with_name(path.name + _BROTLI)  # the build has compressed scripts and stylesheets
    compressed = [("br", brotli.read_bytes())] if brotli.is_file() else []
    if path.suffix in _COMPRESSIBLE:
        compressed.append(("gzip", gzip.compress(body, 9, mtime=0)))
    kind = (
        _TYPES.get(path.suffix) or mimetypes.guess_type(path.name)[0] or "application/octet-stream"
    )
    tag = f'"{hashlib.sha256(body).hexdigest()[:16]}"'
    return File(body, tuple(compressed), kind, tag, never_changes)


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
