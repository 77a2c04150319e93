"""Compiled functions keep to a plain subset of Python, so that they can be translated to C."""

import ast
from pathlib import Path

import pytest

import foretell
from foretell.kernel.backend.source_files import Compiled, Sources

FILES = {
    "kernel.backend.exponentials",
    "kernel.state.turn_loop",
    "kernel.state.trick_outcome",
    "kernel.state.random_numbers",
    "kernel.state.perft",
    "kernel.hidden.redealing",
    "kernel.bulk.policies",
    "kernel.bulk.noted_games",
    "kernel.bulk.playouts",
    "kernel.bulk.recorded_games",
    "kernel.bulk.totals",
    "bots.net.belief_drawing",
    "bots.net.colours",
    "bots.net.encoding",
    "bots.net.evaluation",
    "bots.net.playing_out",
    "bots.net.plays",
    "envs.loop.game_loop",
}
PLAIN = (
    ast.arg, ast.arguments, ast.Assign, ast.AugAssign, ast.AnnAssign, ast.If, ast.While, ast.For,
    ast.Return, ast.Expr, ast.BinOp, ast.UnaryOp, ast.BoolOp, ast.Compare, ast.IfExp, ast.Subscript,
    ast.Name, ast.Constant, ast.Attribute, ast.Call, ast.operator, ast.unaryop, ast.boolop,
    ast.cmpop, ast.expr_context, ast.Break, ast.Continue, ast.Tuple,
)  # fmt: skip
WORDS_OF_C = {"auto", "case", "char", "const", "default", "do", "double", "enum", "float", "goto", "int", "long",
              "register", "short", "signed", "static", "struct", "switch", "typedef", "union", "void"}  # fmt: skip
LAYOUTS = {
    "codes",
    "in_state",
    "in_lookup",
    "in_plan",
    "in_scratch",
    "in_view",
    "in_net",
    "in_belief",
    "in_game",
}  # modules of constants
GIVEN = {"range", "min", "max", "abs", "int", "popcount", "lowest", "kth", "scaled", "exponent", "sqrt", "add_rows8", "add_rows16", "part"}  # fmt: skip
FUNCTIONS = Sources(Path(foretell.__file__).parent).functions()
NAMES = {function.name for function in FUNCTIONS} | GIVEN


def test_there_are_compiled_functions_in_each_file() -> None:
    assert {one.module.name.removeprefix("foretell.") for one in FUNCTIONS} == FILES
    assert len(FUNCTIONS) > 110


@pytest.mark.parametrize("function", FUNCTIONS, ids=lambda one: one.name)
def test_a_compiled_function_is_plain(function: Compiled) -> None:
    node = function.node
    assert not {one.arg for one in node.args.args} & WORDS_OF_C
    for statement in node.body:
        for one in ast.walk(statement):
            where = f"{function.module.name}.{node.name}, line {getattr(one, 'lineno', '?')}"
            check(one, where)


def check(node: ast.AST, where: str) -> None:
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
