"""`make prove ARGS='-m prove'` leaves out no test that has more to do there: each of them has the marker `prove`."""

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

TESTS = Path(__file__).parents[1]
MODULES = sorted(set(TESTS.rglob("test_*.py")) - {Path(__file__)})

# The names by which a module learns that this is `make prove`.
READ = {"FORETELL_PROVE"}
IMPORTED = {"proofs": {"TIMES"}, "tables": {"PROVING"}, "hypothesis": {"given"}}


def is_marker(node: ast.expr) -> bool:
    return any(isinstance(one, ast.Attribute) and one.attr == "prove" for one in ast.walk(node))


def names_in(node: ast.AST) -> set[str]:
    """Every name and every string that this piece of a module mentions, with the fixtures it asks for."""
    found = {one.id for one in ast.walk(node) if isinstance(one, ast.Name)}
    found |= {one.arg for one in ast.walk(node) if isinstance(one, ast.arg)}
    strings = (one.value for one in ast.walk(node) if isinstance(one, ast.Constant))
    return found | {one for one in strings if isinstance(one, str)}


def named(node: ast.stmt) -> set[str]:
    """What a statement of a module defines."""
    match node:
        case ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name) | ast.ClassDef(name=name):
            return {name}
        case ast.Assign(targets=targets):
            return {
                one.id
                for target in targets
                for one in ast.walk(target)
                if isinstance(one, ast.Name)
            }
        case ast.AnnAssign(target=ast.Name(id=name)):
            return {name}
    return set()


def unmarked(source: str) -> Iterator[str]:
    """The tests of a module that depend on FORETELL_PROVE, however indirectly, and lack the marker."""
    tree = ast.parse(source)
    depends = set(READ)
    for node in tree.body:
        if isinstance(node, ast.ImportFrom):
            known = IMPORTED.get(node.module or "", set())
            depends |= {one.asname or one.name for one in node.names if one.name in known}
    before = -1
    while len(depends) > before:
        before = len(depends)
        for node in tree.body:
            if names_in(node) & depends:
                depends |= named(node)
    for node in tree.body:
        if isinstance(node, ast.Assign) and "pytestmark" in named(node) and is_marker(node.value):
            return
    for node in tree.body:
        match node:
            case ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name):
                is_marked = any(map(is_marker, node.decorator_list))
                if name.startswith("test") and name in depends and not is_marked:
                    yield name


@pytest.mark.parametrize("path", MODULES, ids=lambda path: str(path.relative_to(TESTS)))
def test_a_test_with_a_count_has_the_marker(path: Path) -> None:
    assert not list(unmarked(path.read_text(encoding="utf-8")))


def test_a_missing_marker_is_found() -> None:
    source = """
import os
import pytest
from proofs import TIMES as OFTEN
MANY = 9 if os.environ.get("FORETELL_PROVE") else 1
def helper(): return MANY
def test_a(): helper()
@pytest.mark.parametrize("n", range(OFTEN))
def test_b(n): pass
@pytest.mark.prove
def test_c(): helper()
def test_d(): pass
"""
    assert list(unmarked(source)) == ["test_a", "test_b"]
    assert not list(unmarked(source + "\npytestmark = [pytest.mark.anyio, pytest.mark.prove]\n"))
