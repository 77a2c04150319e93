"""The files of the page: those that the build has put into the package, and the weights of the net.

`foretell serve` sends them, `foretell site` writes them into a folder.
"""

import json
from pathlib import Path

__all__ = ["COMPRESSED", "STATIC", "is_for_good", "page_files"]

STATIC = Path(__file__).with_name("static")
COMPRESSED = {".br": "br", ".gz": "gzip"}
"""What the build adds to the name of a file that it has compressed, and the content coding."""
_PACKAGE = Path(__file__).parents[1]
_ENGINE = "engine/engine.json"


def page_files(folder: Path = STATIC) -> dict[str, Path]:
    """Each file by its path in the URL; compressed copies are not listed."""
    if not folder.is_dir():
        return {}
    found = {
        path.relative_to(folder).as_posix(): path
        for path in sorted(folder.rglob("*"))
        if path.is_file() and path.suffix not in COMPRESSED
    }
    if _ENGINE in found:
        for one in json.loads(found[_ENGINE].read_bytes())["files"]:
            if "into" in one:  # engine_build.py leaves it where the package has it
                found[f"engine/{one['path']}"] = _PACKAGE.parent / one["into"]
    return found


def is_for_good(path: str) -> bool:
    """Whether the name contains a hash of the content, so that the file never changes."""
    return path.startswith(("assets/", "engine/")) and path != _ENGINE
