"""Every rule of docs/rules.md is cited by a test of the rulebook, and code and tests cite only rules that exist."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from foretell.rules import DECISIONS

ROOT = Path(__file__).parents[2]
ID = re.compile(r"\b([CDTBPKSVFX]\d+)\b")
WORD = re.compile(r"(?:^|_|\b)([CDTBPKSVFX]\d+)(?=_|\b)")


def rules_of_the_book() -> list[str]:
    """The ids that docs/rules.md defines, each at the beginning of its paragraph."""
    text = (ROOT / "docs" / "rules.md").read_text(encoding="utf-8")
    return re.findall(r"^- \*\*([A-Z]\d+)\b", text, flags=re.MULTILINE)


def cited_in(path: Path) -> Iterator[str]:
    """The ids in the names of tests and in the ids of their cases; comments do not count."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.FunctionDef) and node.name.startswith("test_"):
            yield from WORD.findall(node.name)
        if isinstance(node, ast.Call):
            for keyword in node.keywords:
                if keyword.arg == "id" and isinstance(keyword.value, ast.Constant):
                    yield from ID.findall(str(keyword.value.value))


CITED = {
    path.relative_to(ROOT): set(cited_in(path))
    for folder in ("rulebook", "variants")
    for path in sorted((ROOT / "tests" / folder).glob("test_*.py"))
}


def test_the_book_counts_the_rules_of_each_chapter_from_1_without_a_gap() -> None:
    rules = rules_of_the_book()
    for letter in "CDTBPKSVFX":
        numbers = sorted(int(rule[1:]) for rule in rules if rule[0] == letter)
        assert numbers == list(range(1, len(numbers) + 1))
        assert numbers


def test_no_test_cites_a_rule_that_does_not_exist() -> None:
    known = set(rules_of_the_book())
    for path, cited in CITED.items():
        assert cited <= known, f"{path} cites {cited - known}"


def test_every_choice_of_a_table_has_a_rule_of_the_book() -> None:
    known = set(rules_of_the_book())
    assert {choice.rule for one in DECISIONS for choice in one.choices} <= known


@pytest.mark.parametrize("rule", rules_of_the_book())
def test_every_rule_is_cited_by_at_least_one_test(rule: str) -> None:
    assert any(rule in cited for cited in CITED.values()), f"no test of tests/rulebook names {rule}"


def rules_named_in(path: Path) -> Iterator[str]:
    """The ids that the code passes as `rule=...`."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.keyword) and node.arg == "rule":
            yield from (
                part.value
                for part in ast.walk(node.value)
                if isinstance(part, ast.Constant) and isinstance(part.value, str)
            )


def test_every_rule_that_an_error_names_is_a_rule_of_the_book() -> None:
    known = {*rules_of_the_book(), "FAIR", "FORMAT"}  # the last two are in docs/record.md
    for path in sorted((ROOT / "src" / "foretell").rglob("*.py")):
        named = {rule for rule in rules_named_in(path) if ID.fullmatch(rule) or rule.isupper()}
        assert named <= known, f"{path.name} names {named - known}"


@pytest.mark.parametrize("part", ["cards", "rules", "engine"])
def test_no_docstring_of_the_game_cites_a_rule_that_does_not_exist(part: str) -> None:
    known = set(rules_of_the_book())
    place = ROOT / "src" / "foretell" / part
    for path in [place] if place.suffix else sorted(place.rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.FunctionDef | ast.ClassDef | ast.Module):
                cited = set(re.findall(r"(?<![`\w])[DTPKSVFX]\d+\b", ast.get_docstring(node) or ""))
                assert cited <= known, f"{path.name} cites {cited - known}"
