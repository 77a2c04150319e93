"""Compiled functions keep to a plain subset of Python, so that they can be translated to C."""

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

import foretell.kernel

FOLDER = Path(foretell.kernel.__file__).parent
FILES = (
    "state/turn_loop",
    "state/trick_outcome",
    "state/random_numbers",
    "state/perft",
    "hidden/redealing",
    "bulk/policies",
    "bulk/playouts",
    "bulk/recorded_games",
    "bulk/totals",
)
PLAIN = (
    ast.arg, ast.arguments, ast.Assign, ast.AugAssign, ast.AnnAssign, ast.If, ast.While, ast.For,
    ast.Return, ast.Expr, ast.BinOp, ast.UnaryOp, ast.BoolOp, ast.Compare, ast.IfExp, ast.Subscript,
    ast.Name, ast.Constant, ast.Attribute, ast.Call, ast.operator, ast.unaryop, ast.boolop,
    ast.cmpop, ast.expr_context,
)  # fmt: skip
WORDS_OF_C = {"auto", "case", "char", "const", "default", "do", "double", "enum", "float", "goto", "int", "long",
              "register", "short", "signed", "static", "struct", "switch", "typedef", "union", "void"}  # fmt: skip
LAYOUTS = {"codes", "in_state", "in_lookup", "in_plan", "in_scratch"}  # modules of constants
GIVEN = {"range", "min", "max", "popcount", "lowest", "kth"}


def compiled() -> Iterator[tuple[str, ast.FunctionDef]]:
    for name in FILES:
        for node in ast.parse((FOLDER / f"{name}.py").read_text("utf-8")).body:
            if isinstance(node, ast.FunctionDef) and any(
                isinstance(one, ast.Name) and one.id in ("jit", "inlined")
                for one in node.decorator_list
            ):
                yield name, node


FUNCTIONS = list(compiled())
NAMES = {function.name for _, function in FUNCTIONS} | GIVEN


def test_there_are_compiled_functions_in_each_file() -> None:
    assert {name for name, _ in FUNCTIONS} == set(FILES)
    assert len(FUNCTIONS) > 40


@pytest.mark.parametrize(("file", "function"), FUNCTIONS, ids=lambda one: getattr(one, "name", one))
def test_a_compiled_function_is_plain(file: str, function: ast.FunctionDef) -> None:
    assert not {one.arg for one in function.args.args} & WORDS_OF_C
    for statement in function.body:
        for node in ast.walk(statement):
            where = f"{file}.{function.name}, line {getattr(node, 'lineno', '?')}"
            assert isinstance(node, PLAIN), f"{where}: {type(node).__name__}"
            if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
                assert node.id not in WORDS_OF_C, f"{where}: {node.id}"
            if isinstance(node, ast.Attribute):
                assert isinstance(node.value, ast.Name), where
                assert node.value.id in LAYOUTS, where
            if isinstance(node, ast.Call):
                assert isinstance(node.func, ast.Name), where
                assert node.func.id in NAMES, f"{where}: {node.func.id}"
                assert not node.keywords, where
            if isinstance(node, ast.Compare):
                assert len(node.ops) == 1, where
                assert not isinstance(node.ops[0], ast.In | ast.Is | ast.IsNot | ast.NotIn), where
            if isinstance(node, ast.For):
                assert isinstance(node.iter, ast.Call), where
                assert isinstance(node.iter.func, ast.Name), where
                assert node.iter.func.id == "range", where
            if isinstance(node, ast.Subscript):
                assert not isinstance(node.slice, ast.Slice | ast.Tuple), where
            if isinstance(node, ast.BinOp):
                assert not isinstance(node.op, ast.Pow | ast.MatMult), where
