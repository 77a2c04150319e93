"""Floats that decide are the same on every machine: nothing is asked of the C library that may differ in the last bit."""

import ast
from pathlib import Path

import pytest

SOURCE = Path(__file__).parents[2] / "src" / "foretell"
DECIDING = [
    path
    for folder in ("bots/net", "coach", "kernel", "envs")
    for path in sorted((SOURCE / folder).rglob("*.py"))
]
EXACT = {"sqrt", "fsum", "ceil", "floor", "lcm", "comb", "factorial", "prod", "frexp", "ldexp"}
"""Of `math`: the square root is rounded correctly everywhere, and the others are exact."""


def inexact(source: str) -> list[str]:
    """Powers of what may be a float, and functions of `math` whose last bit is not the same everywhere."""
    found = []
    for node in ast.walk(ast.parse(source)):
        match node:
            case ast.BinOp(op=ast.Pow(), left=left) if not _is_whole(left):
                found.append(f"{node.lineno}: a power; multiply, or use `sqrt`")
            case ast.ImportFrom(module="math", names=names):
                found += [f"{node.lineno}: {one.name}" for one in names if one.name not in EXACT]
            case ast.Import(names=names) if any(one.name == "math" for one in names):
                found.append(f"{node.lineno}: import from `math` by name")
    return found


def _is_whole(node: ast.expr) -> bool:
    """A whole number in the text: such as in 2**32."""
    return isinstance(node, ast.Constant) and isinstance(node.value, int)


@pytest.mark.parametrize("path", DECIDING, ids=lambda path: str(path.relative_to(SOURCE)))
def test_nothing_is_computed_that_differs_between_machines(path: Path) -> None:
    assert inexact(path.read_text(encoding="utf-8")) == []


def test_a_power_and_a_logarithm_are_found() -> None:
    source = "from math import log, sqrt\nx = count**1.5 + error**2 + 2**9\n"
    assert len(inexact(source)) == 3
