"""Everything that is said has its text, made of exactly the values that come with it; and every text is said."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from foretell import errors
from foretell.cards import Colour
from foretell.errors import NotAllowed
from foretell.i18n import Term, catalogue
from foretell.server.wire.error_messages import error_from, error_message

ROOT = Path(__file__).parents[2]
SOURCES = sorted((ROOT / "src" / "foretell").rglob("*.py"))
PAGE = [path for path in sorted((ROOT / "web" / "src").rglob("*.*")) if path.suffix != ".json"]
TEXTS = catalogue().texts

# `error.pad_misses_{awaits}`: what stands before the part that is filled in.
_BEGINNING = re.compile(r"[\"'`]([a-z]+\.[a-z_.]*)\$?\{")


def _said(path: Path) -> Iterator[tuple[int, str, set[str] | None]]:
    """Each text said by its whole name, with the names of its values; None for those that are handed on unseen."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if not isinstance(node, ast.Call) or not node.args:
            continue
        first, called = node.args[0], node.func
        name = called.attr if isinstance(called, ast.Attribute) else getattr(called, "id", "")
        if not isinstance(first, ast.Constant) or not isinstance(first.value, str):
            continue
        if name in errors.__all__:
            key, own = f"error.{first.value}", {"rule"}
        elif name in ("say", "_say") and "." in first.value:
            key, own = first.value, set()
        else:
            continue
        values = {word.arg for word in node.keywords if word.arg is not None}
        is_seen = all(word.arg is not None for word in node.keywords)
        yield node.lineno, key, values | own if is_seen else None


def test_there_is_much_to_look_at() -> None:
    assert sum(len(list(_said(path))) for path in SOURCES) > 300


@pytest.mark.parametrize("path", SOURCES, ids=lambda path: str(path.relative_to(ROOT)))
def test_what_is_said_has_its_text_and_its_values(path: Path) -> None:
    for line, key, values in _said(path):
        forms = [TEXTS[form] for form in (key, f"{key}_one", f"{key}_other") if form in TEXTS]
        assert forms, f"line {line}: no text for {key}"
        for text in forms if values is not None else ():
            assert set(re.findall(r"{(\w+)}", text)) <= (values or set()), f"line {line}: {key}"


def test_every_text_is_said_somewhere() -> None:
    """By its whole name, as an error's code, or by a beginning to which the rest is added."""
    written = "\n".join(path.read_text(encoding="utf-8") for path in (*SOURCES, *PAGE))
    words = set(re.findall(r"[\w.\-]+", written))
    beginnings = tuple(set(_BEGINNING.findall(written)) - {"error."})
    codes = {"won", "points", "totals"}, {"bids", "tricks", "cloud"}
    made = {f"wrong_{key}" for key in codes[0]} | {f"pad_misses_{key}" for key in codes[1]}
    for key in TEXTS:
        name = re.sub("_(one|other)$", "", key)
        code = name.removeprefix("error.")
        is_error = code != name and (code in words or code in made)
        assert name in words or is_error or name.startswith(beginnings), f"nobody says {key}"


def test_an_error_is_the_same_after_it_has_travelled() -> None:
    colour = Term(f"colour.{Colour.RED}")
    before = NotAllowed(
        "must_follow", rule="P3", seat=1, colour=colour, allowed="R2, R9", tried="Y5"
    )
    after = error_from(error_message(before))
    assert str(after) == str(before) == "seat 1 must follow red (P3): R2, R9; not Y5"
    assert (after.code, after.rule, after.values) == (before.code, before.rule, before.values)
