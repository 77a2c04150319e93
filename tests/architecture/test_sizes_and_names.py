"""Modules stay short enough to read, and a name means one thing."""

import ast
from collections import defaultdict
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
SOURCE = ROOT / "src" / "foretell"
PYTHON = sorted(SOURCE.rglob("*.py"))
PAGE = [
    path for path in sorted((ROOT / "web" / "src").rglob("*")) if path.suffix in (".ts", ".svelte")
]

MOST_LINES = 400
LONG = {
    SOURCE / "server" / "wire" / "protocol.py",  # every message in one place: it is read as a list
    ROOT / "web" / "src" / "protocol.ts",  # generated from it
    ROOT / "web" / "src" / "pad" / "generated.ts",  # translated from the pad and its rules
}

# A class may share its name with another one only if both are the same thing, seen from two sides.
SAME_CLASS_NAME = {
    "Bid": "the tricks that a seat bids: as an action in the engine, as an entry on the score pad",
    "Lobby": "the public tables: what keeps them, and the message that lists them",
    "Review": "the coach's review of a game, and the message that carries it",
    "SeatReview": "one seat's part of that review, and of that message",
    "Table": "a running table, and the message that describes it",
    "Tricks": "the rules of a trick, and the tricks won as an entry on the score pad, beside Bid and Cloud",
}

# A module may share its name with another one for the same reason; a command has the name of what it runs.
SAME_FILE_NAME = {
    "actions.py": "what a player may do: in the engine as values, in the kernel as numbers",
    "odds.py": "`foretell odds`, what a card is worth, and the coach's odds of a choice",
    "replay.py": "`foretell replay`, and the server's replay of a finished game",
    "review.py": "`foretell review`, and the coach's review that it prints",
    "serve.py": "`foretell serve`, and the server that it starts",
}


def test_there_are_modules_to_look_at() -> None:
    assert len(PYTHON) > 100
    assert len(PAGE) > 50
    assert all(path.exists() for path in LONG)


@pytest.mark.parametrize("path", [*PYTHON, *PAGE], ids=lambda path: str(path.relative_to(ROOT)))
def test_no_module_is_too_long_to_read(path: Path) -> None:
    lines = path.read_text(encoding="utf-8").count("\n")
    assert lines <= MOST_LINES or path in LONG, f"{lines} lines: split it by what it does"


def test_a_class_name_means_one_thing() -> None:
    places = defaultdict[str, list[str]](list)
    for path in PYTHON:
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.ClassDef):
                places[node.name].append(str(path.relative_to(SOURCE)))
    shared = {name: found for name, found in places.items() if len(found) > 1}
    assert shared.keys() <= SAME_CLASS_NAME.keys(), shared
    assert shared.keys() >= SAME_CLASS_NAME.keys(), "remove from the list what is no longer shared"


def test_a_module_name_means_one_thing() -> None:
    places = defaultdict[str, list[str]](list)
    for path in PYTHON:
        if path.name != "__init__.py":
            places[path.name].append(str(path.relative_to(SOURCE)))
    shared = {name: found for name, found in places.items() if len(found) > 1}
    assert shared.keys() <= SAME_FILE_NAME.keys(), shared
    assert shared.keys() >= SAME_FILE_NAME.keys(), "remove from the list what is no longer shared"
