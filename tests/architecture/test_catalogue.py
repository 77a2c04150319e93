"""Every refusal of the server can be said: its code has a text, made of exactly the values that come with it."""

import ast
import re
from pathlib import Path

import pytest

import foretell.client
import foretell.server
from foretell.i18n import catalogue

SOURCES = [
    path
    for package in (foretell.server, foretell.client)
    for path in sorted(Path(package.__path__[0]).glob("*.py"))
]


def refusals(path: Path) -> list[tuple[str, set[str]]]:
    """The code and the names of the values of each `NotAllowed(...)` in a file."""
    found = []
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if not isinstance(node, ast.Call) or getattr(node.func, "id", "") != "NotAllowed":
            continue
        if node.args and isinstance(node.args[0], ast.Constant):
            names = {word.arg for word in node.keywords if word.arg is not None}
            found.append((str(node.args[0].value), names))
    return found


def test_there_are_refusals_to_look_at() -> None:
    assert sum(len(refusals(path)) for path in SOURCES) > 40


@pytest.mark.parametrize("path", SOURCES, ids=lambda path: path.stem)
def test_every_refusal_has_its_text(path: Path) -> None:
    texts = catalogue().texts
    for code, names in refusals(path):
        text = texts.get(f"error.{code}") or texts.get(f"error.{code}_other")
        assert text is not None, code
        assert set(re.findall(r"{(\w+)}", text)) <= names | {"rule"}, code
