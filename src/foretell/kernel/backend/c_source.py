"""Translates the kernel's compiled functions to C, for a C compiler or for a GPU (`__device__` functions of CUDA).

Every integer is 64 bits wide and every array is a pointer; the annotation of a parameter says which it is.  Only
a small part of Python is supported; tests/kernel/test_subset.py checks that the compiled functions keep to it.
"""

import ast
import inspect
from collections.abc import Callable, Sequence
from types import ModuleType
from typing import Any

__all__ = ["PRELUDE", "c_source"]

TYPES = {"int": "i64", "bool": "i64", "float": "double", "Ints": "i64*", "Floats": "double*"}
OPERATORS: dict[type[ast.AST], str] = {
    ast.Add: "+", ast.Sub: "-", ast.FloorDiv: "/", ast.Mod: "%", ast.LShift: "<<", ast.RShift: ">>",
    ast.BitAnd: "&", ast.BitOr: "|", ast.BitXor: "^", ast.Invert: "~", ast.USub: "-", ast.Not: "!",
    ast.And: "&&", ast.Or: "||", ast.Eq: "==", ast.NotEq: "!=", ast.Lt: "<", ast.LtE: "<=",
    ast.Gt: ">", ast.GtE: ">=",
}  # fmt: skip

PRELUDE = """typedef long long i64;
#ifdef __CUDACC__
#define FN __device__ static inline
FN i64 popcount(i64 m) { return __popcll(m); }
FN i64 lowest(i64 m) { return __ffsll(m) - 1; }
#else
#define FN static inline
FN i64 popcount(i64 m) { return __builtin_popcountll(m); }
FN i64 lowest(i64 m) { return __builtin_ctzll(m); }
#endif
FN i64 kth(i64 m, i64 k) { while (k-- > 0) m &= m - 1; return lowest(m); }
FN i64 least(i64 a, i64 b) { return a < b ? a : b; }
FN i64 most(i64 a, i64 b) { return a > b ? a : b; }
FN i64 product(i64 a, i64 b) { return (i64)((unsigned long long)a * (unsigned long long)b); }
"""
RENAMED = {"min": "least", "max": "most"}


class _Function:
    """One function, and its translation."""

    def __init__(self, function: Callable[..., Any], floats: set[str]) -> None:
        plain = getattr(function, "py_func", function)
        module = inspect.getmodule(plain)
        assert module is not None
        self.module: ModuleType = module
        self.floats = floats  # the names of functions that return a float
        node = ast.parse(inspect.getsource(plain)).body[0]
        assert isinstance(node, ast.FunctionDef)
        self.node = node
        self.loops = 0
        self.arguments = {one.arg: _type(one.annotation) for one in node.args.args}
        self.answer = "void" if _annotation_text(node.returns) == "None" else _type(node.returns)
        self.locals = self._local_types()

    def head(self) -> str:
        given = ", ".join(f"{kind} {name}" for name, kind in self.arguments.items())
        return f"FN {self.answer} {self.node.name}({given})"

    def text(self) -> str:
        declared = "".join(f"  {kind} {name} = 0;\n" for name, kind in sorted(self.locals.items()))
        body = "".join(self._statement(one, 1) for one in self.node.body)
        return f"{self.head()} {{\n{declared}{body}}}\n"

    def _local_types(self) -> dict[str, str]:
        """The type of each local variable: a float if any value assigned to it is one."""
        given: dict[str, list[ast.expr]] = {}
        for node in ast.walk(self.node):
            if isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name):
                given.setdefault(node.targets[0].id, []).append(node.value)
            elif isinstance(node, ast.AnnAssign | ast.AugAssign) and isinstance(
                node.target, ast.Name
            ):
                given.setdefault(node.target.id, []).extend([node.value] if node.value else [])
            elif isinstance(node, ast.For) and isinstance(node.target, ast.Name):
                given.setdefault(node.target.id, [])
        self.locals = {name: "i64" for name in given if name not in self.arguments}
        for _ in given:
            for name, values in given.items():
                if name in self.locals and any(map(self._is_float, values)):
                    self.locals[name] = "double"
        return self.locals

    def _is_float(self, node: ast.expr) -> bool:
        match node:
            case ast.Constant(value=value):
                return isinstance(value, float)
            case ast.Name(id=name):
                return "double" in (self.locals.get(name), self.arguments.get(name))
            case ast.Subscript(value=ast.Name(id=name)):
                return self.arguments.get(name) == "double*"
            case ast.Call(func=ast.Name(id=name)):
                return name in self.floats
            case ast.BinOp(left=left, op=op, right=right):
                return isinstance(op, ast.Div) or self._is_float(left) or self._is_float(right)
            case ast.UnaryOp(operand=operand):
                return self._is_float(operand)
            case ast.IfExp(body=body, orelse=orelse):
                return self._is_float(body) or self._is_float(orelse)
        return False

    def _constant(self, name: str) -> str:
        """A name that is neither a parameter nor a local variable is a constant of its module, such as ONE."""
        value = getattr(self.module, name)
        return f"{int(value)}LL"

    def _expression(self, node: ast.expr) -> str:
        to = self._expression
        match node:
            case ast.Constant(value=bool(value)):
                return str(int(value))
            case ast.Constant(value=float(value)):
                return repr(value)
            case ast.Constant(value=int(value)):
                return f"{value}LL"
            case ast.Name(id=name):
                is_own = name in self.arguments or name in self.locals
                return name if is_own else self._constant(name)
            case ast.Attribute(value=ast.Name(id=module), attr=name):
                return f"{int(getattr(getattr(self.module, module), name))}LL"
            case ast.Subscript(value=value, slice=place):
                return f"{to(value)}[{to(place)}]"
            case ast.BinOp(left=left, op=ast.Div(), right=right):
                return f"((double){to(left)} / {to(right)})"
            case ast.BinOp(left=left, op=ast.Mult(), right=right):
                if self._is_float(left) or self._is_float(right):
                    return f"({to(left)} * {to(right)})"
                return f"product({to(left)}, {to(right)})"
            case ast.BinOp(left=left, op=op, right=right):
                return f"({to(left)} {OPERATORS[type(op)]} {to(right)})"
            case ast.UnaryOp(op=op, operand=operand):
                return f"({OPERATORS[type(op)]}{to(operand)})"
            case ast.BoolOp(op=op, values=values):
                return "(" + f" {OPERATORS[type(op)]} ".join(map(to, values)) + ")"
            case ast.Compare(left=left, ops=[op], comparators=[right]):
                return f"({to(left)} {OPERATORS[type(op)]} {to(right)})"
            case ast.IfExp(test=test, body=body, orelse=orelse):
                return f"({to(test)} ? {to(body)} : {to(orelse)})"
            case ast.Call(func=ast.Name(id=name), args=given):
                return f"{RENAMED.get(name, name)}({', '.join(map(to, given))})"
        raise SyntaxError(f"{self.node.name}, line {node.lineno}: {ast.unparse(node)}")

    def _statement(self, node: ast.stmt, depth: int) -> str:
        to, space = self._expression, "  " * depth

        def block(body: Sequence[ast.stmt]) -> str:
            return "{\n" + "".join(self._statement(one, depth + 1) for one in body) + space + "}"

        match node:
            case ast.Assign(targets=[target], value=value):
                return f"{space}{to(target)} = {to(value)};\n"
            case ast.AnnAssign(target=target, value=ast.expr() as value):
                return f"{space}{to(target)} = {to(value)};\n"
            case ast.AugAssign(target=target, op=op, value=value):
                whole = ast.copy_location(ast.BinOp(target, op, value), node)
                return f"{space}{to(target)} = {to(whole)};\n"
            case ast.If(test=test, body=body, orelse=orelse):
                other = f" else {block(orelse)}" if orelse else ""
                return f"{space}if ({to(test)}) {block(body)}{other}\n"
            case ast.While(test=test, body=body):
                return f"{space}while ({to(test)}) {block(body)}\n"
            case ast.For(target=ast.Name(id=name), iter=ast.Call(args=span), body=body):
                return self._loop(name, [to(one) for one in span], block(body), space)
            case ast.Return(value=None):
                return f"{space}return;\n"
            case ast.Return(value=ast.expr() as value):
                return f"{space}return {to(value)};\n"
            case ast.Expr(value=ast.Constant()):
                return ""
            case ast.Expr(value=value):
                return f"{space}{to(value)};\n"
        raise SyntaxError(f"{self.node.name}, line {node.lineno}: {ast.unparse(node)}")

    def _loop(self, name: str, span: Sequence[str], body: str, space: str) -> str:
        """As in Python, the bounds are computed once, and the variable is set at the start of each iteration."""
        self.loops += 1
        i, end = f"i{self.loops}", f"end{self.loops}"
        first = span[0] if len(span) > 1 else "0LL"
        last = span[1] if len(span) > 1 else span[0]
        step = span[2] if len(span) > 2 else "1LL"
        goes_on = ">" if step.startswith("(-") else "<"
        head = f"for (i64 {i} = {first}, {end} = {last}; {i} {goes_on} {end}; {i} += {step})"
        return f"{space}{head} {{ {name} = {i};\n{space}{body}\n{space}}}\n"


def _annotation_text(annotation: ast.expr | None) -> str:
    return ast.unparse(annotation) if annotation is not None else "None"


def _type(annotation: ast.expr | None) -> str:
    return TYPES[_annotation_text(annotation)]


def c_source(functions: Sequence[Callable[..., Any]]) -> str:
    """These functions as C.  The functions that they call must be among them, in any order."""
    floats: set[str] = set()
    for function in functions:
        plain = getattr(function, "py_func", function)
        if plain.__annotations__.get("return") is float:
            floats.add(plain.__name__)
    made = [_Function(function, floats) for function in functions]
    heads = "".join(f"{one.head()};\n" for one in made)
    return PRELUDE + heads + "".join(one.text() for one in made)
