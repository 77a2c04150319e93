"""One expression of Python as TypeScript.

Only what the pad and its rules use is supported; anything else raises `Untranslatable` with its line.  Where the two
languages differ, the translation calls a function of web/src/pad/python.ts: an empty tuple is false, tuples with equal
items are equal, a text is a sequence of code points.
"""

import ast
import json
from collections.abc import Iterable
from dataclasses import dataclass, replace

from foretell.scorepad.page.sources import ERRORS

__all__ = ["Names", "Untranslatable", "expression", "named", "test"]

# Reserved in JavaScript, but not in Python.
_RESERVED = {
    "case", "const", "default", "delete", "do", "enum", "export", "function", "let", "new", "switch", "this", "throw",
    "typeof", "var", "void",
}  # fmt: skip
# Methods of Python's own types, which are functions in python.ts.
_METHODS = frozenset({"casefold", "count", "get", "index", "items", "join", "split"})
_COMPARED: dict[type[ast.cmpop], str] = {
    ast.Lt: "<", ast.LtE: "<=", ast.Gt: ">", ast.GtE: ">=", ast.Is: "===", ast.IsNot: "!==",
}  # fmt: skip
_COMPUTED: dict[type[ast.operator], str] = {ast.Add: "+", ast.Sub: "-"}
_CHANGING = "replace"
"""A function whose keywords are the names of fields: `replace(pad, rounds=...)`."""


class Untranslatable(Exception):
    """Python that this translator does not know."""

    def __init__(self, node: ast.AST, why: str = "") -> None:
        super().__init__(f"line {getattr(node, 'lineno', '?')}: {why or type(node).__name__}")


@dataclass(frozen=True, slots=True)
class Names:
    """The names that an expression may use: those of the module, and those of the function around it."""

    known: frozenset[str]
    parameters: dict[str, list[str]]  # of each function, method and class
    classes: frozenset[str]
    enums: frozenset[str]
    local: frozenset[str] = frozenset()

    def inside(self, local: Iterable[str]) -> "Names":
        """The names inside a function or a loop that has these of its own."""
        return replace(self, local=self.local | frozenset(local))


def named(name: str) -> str:
    """A name that JavaScript allows."""
    return f"{name}_" if name in _RESERVED else name


def test(node: ast.expr, names: Names) -> str:
    """An expression that is only asked whether it is true."""
    match node:
        case ast.UnaryOp(op=ast.Not(), operand=operand):
            return f"!{_grouped(test(operand, names))}"
        case ast.BoolOp(op=op, values=values):
            sign = " && " if isinstance(op, ast.And) else " || "
            return "(" + sign.join(test(one, names) for one in values) + ")"
        case ast.Compare():
            return expression(node, names)
    return f"truth({expression(node, names)})"


def expression(node: ast.expr, names: Names) -> str:
    match node:
        case ast.Constant(value=value):
            return _constant(node, value)
        case ast.Name(id=name):
            if name not in names.known | names.local:
                raise Untranslatable(node, f"{name} is not translated")
            return "this" if name == "self" else named(name)
        case ast.Attribute(value=value, attr=attr):
            return f"{expression(value, names)}.{attr}"
        case ast.Tuple(elts=items) | ast.List(elts=items):
            return "[" + ", ".join(expression(one, names) for one in items) + "]"
        case ast.Dict(keys=keys, values=values):
            pairs = (
                f"[{expression(key, names)}]: {expression(value, names)}"
                for key, value in zip(keys, values, strict=True)
                if key
            )
            return "{ " + ", ".join(pairs) + " }"
        case ast.Starred(value=value):
            return f"...list({expression(value, names)})"
        case ast.Subscript(value=value, slice=place):
            return _item(value, place, names)
        case ast.UnaryOp(op=ast.Not()):
            return test(node, names)
        case ast.UnaryOp(op=ast.USub(), operand=operand):
            return f"-{expression(operand, names)}"
        case ast.UnaryOp(op=ast.UAdd(), operand=operand):
            return expression(operand, names)
        case ast.BinOp():
            return _computed(node, names)
        case ast.BoolOp(op=ast.Or(), values=[one, other]) if not isinstance(one, ast.Compare):
            # both are computed: nothing that is translated has an effect
            return f"or({expression(one, names)}, {expression(other, names)})"
        case ast.BoolOp():
            return test(node, names)
        case ast.Compare():
            return _compared(node, names)
        case ast.IfExp(test=asked, body=body, orelse=other):
            return (
                f"({test(asked, names)} ? {expression(body, names)} : {expression(other, names)})"
            )
        case ast.NamedExpr(target=target, value=value):
            return f"({named(target.id)} = {expression(value, names)})"
        case ast.Lambda(args=given, body=body):
            taken = [one.arg for one in given.args]
            return f"(({', '.join(map(named, taken))}) => {expression(body, names.inside(taken))})"
        case (
            ast.GeneratorExp(elt=item, generators=loops) | ast.ListComp(elt=item, generators=loops)
        ):
            return _listed(item, loops, names)
        case ast.JoinedStr(values=parts):
            return "`" + "".join(_written(one, names) for one in parts) + "`"
        case ast.Call():
            return _called(node, names)
    raise Untranslatable(node)


def _grouped(text: str) -> str:
    return text if text.startswith(("(", "truth(")) else f"({text})"


def _constant(node: ast.expr, value: object) -> str:
    if value is None:
        return "null"
    if isinstance(value, bool | int | str):
        return json.dumps(value, ensure_ascii=False)
    raise Untranslatable(node, repr(value))


def _item(value: ast.expr, place: ast.expr, names: Names) -> str:
    whole = expression(value, names)
    match place:
        case ast.Slice(lower=lower, upper=upper, step=None):
            first = expression(lower, names) if lower else "0"
            return f"slice({whole}, {first}{', ' + expression(upper, names) if upper else ''})"
        case ast.UnaryOp(op=ast.USub()):
            return f"{whole}.at({expression(place, names)})!"
    return f"{whole}[{expression(place, names)}]!"


def _computed(node: ast.BinOp, names: Names) -> str:
    left, right = expression(node.left, names), expression(node.right, names)
    match node.op:
        case ast.Mult():
            is_row = isinstance(node.left, ast.Tuple)
            return f"repeated({left}, {right})" if is_row else f"({left} * {right})"
        case ast.Mod():
            return f"modulo({left}, {right})"
        case ast.FloorDiv():
            return f"Math.floor({left} / {right})"
    if type(node.op) not in _COMPUTED:
        raise Untranslatable(node)
    return f"({left} {_COMPUTED[type(node.op)]} {right})"


def _compared(node: ast.Compare, names: Names) -> str:
    sides = [node.left, *node.comparators]
    parts = [
        _one_compared(op, expression(one, names), expression(other, names))
        for op, one, other in zip(node.ops, sides, sides[1:], strict=False)
    ]
    return parts[0] if len(parts) == 1 else "(" + " && ".join(parts) + ")"


def _one_compared(op: ast.cmpop, one: str, other: str) -> str:
    match op:
        case ast.Eq():
            return f"equal({one}, {other})"
        case ast.NotEq():
            return f"!equal({one}, {other})"
        case ast.In():
            return f"contains({other}, {one})"
        case ast.NotIn():
            return f"!contains({other}, {one})"
    return f"({one} {_COMPARED[type(op)]} {other})"


def _target(node: ast.expr) -> tuple[str, list[str]]:
    """What a loop assigns to, and the names in it."""
    match node:
        case ast.Name(id=name):
            return named(name), [name]
        case ast.Tuple(elts=items):
            parts = [_target(one) for one in items]
            return f"[{', '.join(text for text, _ in parts)}]", [
                name for _, found in parts for name in found
            ]
    raise Untranslatable(node)


def _listed(item: ast.expr, loops: list[ast.comprehension], names: Names) -> str:
    """A list, made in one pass: a condition may compute what the item needs."""
    loop, *inner = loops
    target, found = _target(loop.target)
    within = names.inside(found)
    one = f"...{_listed(item, inner, within)}" if inner else expression(item, within)
    asked = " && ".join(test(each, within) for each in loop.ifs)
    made = f"({asked}) ? [{one}] : []" if asked else f"[{one}]"
    return f"list({expression(loop.iter, names)}).flatMap(({target}) => {made})"


def _written(node: ast.expr, names: Names) -> str:
    match node:
        case ast.Constant(value=str(value)):
            return (
                value.replace("\\", "\\\\")
                .replace("`", "\\`")
                .replace("${", "\\${")
                .replace("\n", "\\n")
            )
        case ast.FormattedValue(
            value=value, format_spec=ast.JoinedStr(values=[ast.Constant(value=spec)])
        ):
            return f"${{format({expression(value, names)}, {json.dumps(spec)})}}"
        case ast.FormattedValue(value=value, format_spec=None, conversion=-1):
            return f"${{{expression(value, names)}}}"
    raise Untranslatable(node)


def _called(node: ast.Call, names: Names) -> str:
    given = [expression(one, names) for one in node.args]
    words = [
        (one.arg or "", expression(one.value, names))
        for one in node.keywords
        if one.arg != "strict"
    ]
    match node.func:
        case ast.Attribute(value=ast.Constant(value=str()) as text, attr="join"):
            return f"join({expression(text, names)}, {given[0]})"
        case ast.Attribute(value=owner, attr=method) if (
            method in _METHODS and method not in names.parameters
        ):
            return f"{method}({', '.join([expression(owner, names), *given])})"
        case ast.Attribute(attr=name):
            called = expression(node.func, names)
        case ast.Name(id="getattr"):
            return f"{given[0]}[{given[1]}]"
        case ast.Name(id=name) if name in ERRORS:
            return _error(name, given, dict(words))
        case ast.Name(id=name) if name in names.enums:
            return given[0]  # a member is its value
        case ast.Name(id=name):
            called = expression(node.func, names)
        case _:
            raise Untranslatable(node.func)
    if name in names.classes:
        called = f"new {called}"
    if name == _CHANGING:
        return f"{called}({given[0]}, {_fields(dict(words))})"
    if name in names.parameters and words:
        given += _in_place(node, names.parameters[name][len(given) :], dict(words))
    else:
        given += [value for _, value in words]
    return f"{called}({', '.join(given)})"


def _error(name: str, given: list[str], words: dict[str, str]) -> str:
    rule = words.pop("rule", "null")
    return f"new {name}({given[0]}, {rule}, {_fields(words)})"


def _fields(words: dict[str, str]) -> str:
    return "{ " + ", ".join(f"{key}: {value}" for key, value in words.items()) + " }"


def _in_place(node: ast.Call, parameters: list[str], words: dict[str, str]) -> list[str]:
    """The keyword arguments in the order of the parameters, which is how TypeScript takes them."""
    if not words.keys() <= set(parameters):
        raise Untranslatable(node, f"unknown keywords among {sorted(words)}")
    last = max(parameters.index(word) for word in words)
    return [words.get(name, "undefined") for name in parameters[: last + 1]]
