"""Every text that the code asks for is in the catalogue, with the right values; and every text is asked for."""

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

# A key with a part that is filled in, in the page's TypeScript: `web.card.${kind}`.
_FILLED_IN = re.compile(r"`([a-z]+\.[\w.\-]*\$\{[^`]*)`")
_QUOTED = re.compile(r"""[\"'`]([\w.\-]+)[\"'`]""")


def _said(path: Path) -> Iterator[tuple[int, str, set[str] | None]]:
    """Each text asked for by its whole key: line, key and the names of its values (None if they come as a dictionary)."""
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


def test_there_are_many_texts_to_check() -> None:
    assert sum(len(list(_said(path))) for path in SOURCES) > 300


@pytest.mark.parametrize("path", SOURCES, ids=lambda path: str(path.relative_to(ROOT)))
def test_what_is_said_has_its_text_and_its_values(path: Path) -> None:
    for line, key, values in _said(path):
        forms = [TEXTS[form] for form in (key, f"{key}_one", f"{key}_other") if form in TEXTS]
        assert forms, f"line {line}: no text for {key}"
        for text in forms if values is not None else ():
            assert set(re.findall(r"{(\w+)}", text)) <= (values or set()), f"line {line}: {key}"


def _keys_in_python(path: Path) -> Iterator[str]:
    """Every text and every f-string of a module, as patterns: what is filled in may be anything."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            yield re.escape(node.value)
        elif isinstance(node, ast.JoinedStr):
            parts = (
                re.escape(str(part.value)) if isinstance(part, ast.Constant) else ".+"
                for part in node.values
            )
            yield "".join(parts)


def _keys_in_page(path: Path) -> Iterator[str]:
    text = path.read_text(encoding="utf-8")
    yield from map(re.escape, _QUOTED.findall(text))
    for template in _FILLED_IN.findall(text):
        yield ".+".join(map(re.escape, re.split(r"\$\{[^}]*\}", template)))


def _asked_for() -> re.Pattern[str]:
    found = {key for path in SOURCES for key in _keys_in_python(path)}
    found |= {key for path in PAGE for key in _keys_in_page(path)}
    # `error.{code}` would fit every error: it is the codes that must be somewhere, whole or as `wrong_{key}`.
    keys = {key for key in found if re.match(r"[a-z]+\\\.", key)} - {r"error\..+"}
    codes = {key for key in found if re.fullmatch(r"[a-z_]+(_\.\+)?", key)}
    return re.compile(f"{'|'.join(keys)}|error\\.(?:{'|'.join(codes)})")


def test_every_text_is_asked_for_somewhere() -> None:
    """By its whole key, as the code of an error, or by a pattern with parts that are filled in."""
    asked_for = _asked_for()
    unused = [key for key in TEXTS if not asked_for.fullmatch(re.sub("_(one|other)$", "", key))]
    assert not unused


def test_an_error_is_the_same_after_it_has_travelled() -> None:
    colour = Term(f"colour.{Colour.RED}")
    before = NotAllowed(
        "must_follow", rule="P3", seat=1, colour=colour, allowed="R2, R9", tried="Y5"
    )
    after = error_from(error_message(before))
    assert str(after) == str(before) == "seat 1 must follow red (P3): R2, R9; not Y5"
    assert (after.code, after.rule, after.values) == (before.code, before.rule, before.values)
