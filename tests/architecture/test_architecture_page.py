"""docs/architecture.md names only what exists, and its map leaves no folder out."""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
SOURCE = ROOT / "src" / "foretell"
PAGE = (ROOT / "docs" / "architecture.md").read_text(encoding="utf-8")
FILES = [
    path.relative_to(ROOT).as_posix()
    for folder in ("src/foretell", "web/src", "docs", "bench", "tests")
    for path in (ROOT / folder).rglob("*")
    if path.is_file() and "__pycache__" not in path.parts and "static" not in path.parts
]


def named() -> list[str]:
    """What the page names in backticks and looks like a file or a folder."""
    words = re.findall(r"`([\w./\-]+)`", PAGE)
    return sorted(
        {word for word in words if "/" in word or re.search(r"\.(py|ts|svelte|md)$", word)}
    )


@pytest.mark.parametrize("name", named())
def test_what_the_page_names_is_there(name: str) -> None:
    """By its path, or by the end of it: `inbox.py` after `server/table/table.py`."""
    wanted = f"/{name.removesuffix('/')}"
    assert any(f"/{file}".endswith(wanted) or f"{wanted}/" in f"/{file}" for file in FILES), name


def mapped() -> Iterator[str]:
    """The paths in the map: a line of the tree begins with a name, indented under the folder it is in."""
    tree = PAGE.split("## The map")[1].split("```")[1]
    above: list[tuple[int, str]] = []
    for line in tree.splitlines():
        found = re.match(r"( *)([\w/.\-]+)( |$)", line)
        if found is None or len(found[1]) > 4:  # longer: the rest of a sentence
            continue
        indent, name = len(found[1]), found[2]
        above = [(depth, folder) for depth, folder in above if depth < indent]
        yield "".join(folder for _, folder in above) + name
        if name.endswith("/"):
            above.append((indent, name))


def test_the_map_shows_what_is_there() -> None:
    paths = list(mapped())
    assert len(paths) > 40
    for path in paths:
        assert (ROOT / path).exists(), path


@pytest.mark.parametrize(
    "folder",
    [
        "src/foretell",
        "src/foretell/server",
        "src/foretell/bots",
        "src/foretell/kernel",
        "web/src",
        "web/src/table",
    ],
)
def test_the_map_leaves_no_folder_out(folder: str) -> None:
    shown = set(mapped())
    for path in sorted((ROOT / folder).iterdir()):
        if path.is_dir() and path.name not in ("__pycache__", "static"):
            assert f"{folder}/{path.name}/" in shown, path.name
