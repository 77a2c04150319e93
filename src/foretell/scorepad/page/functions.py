"""Functions and classes of Python as TypeScript, with their docstrings and the types of their parameters."""

import ast
import dataclasses
import inspect
import textwrap
from collections.abc import Iterator
from types import FunctionType
from typing import Any

import msgspec

from foretell.scorepad.page.constants import constant, shape, type_name
from foretell.scorepad.page.expressions import Names, Untranslatable, expression, named, test
from foretell.scorepad.page.sources import KEPT

__all__ = ["class_text", "field_names", "function_text", "parameters_of"]

_GETTERS = ("property", "cached_property")


def function_text(one: FunctionType, names: Names) -> str:
    node = _tree(one)
    is_public = not node.name.startswith("_")
    head = "export function " if is_public else "function "
    return _comment(node, "") + head + _function(node, names, "")


def class_text(one: type, names: Names) -> str:
    """A class: its fields, a constructor that takes them in their order, its properties and methods."""
    node = _tree(one)
    assert isinstance(node, ast.ClassDef)
    fields = list(_fields(one))
    methods = [
        each for each in node.body if isinstance(each, ast.FunctionDef) and _is_kept(one, each.name)
    ]
    exported = "" if one.__name__.startswith("_") else "export "
    lines = [_comment(node, "") + f"{exported}class {one.__name__} {{"]
    if issubclass(one, msgspec.Struct):
        lines.append(f"  static readonly shape = {shape(one)}")
        lines.append(f"  static readonly __struct_fields__ = {constant(one.__struct_fields__)}")
    if fields:
        taken = ", ".join(
            f"public readonly {name}: {kind}{default}" for name, kind, default in fields
        )
        is_checked = any(method.name == "__post_init__" for method in methods)
        lines.append(f"  constructor({taken}) {{{' this.__post_init__() ' if is_checked else ''}}}")
    for method in methods:
        is_getter = any(
            isinstance(each, ast.Name) and each.id in _GETTERS for each in method.decorator_list
        )
        lines.append(
            _comment(method, "  ")
            + "  "
            + ("get " if is_getter else "")
            + _function(method, names, "  ")
        )
    return "\n".join([*lines, "}"])


def field_names(one: type) -> list[str]:
    """The parameters of a translated class's constructor."""
    return [name for name, _, _ in _fields(one)]


def parameters_of(one: FunctionType | type) -> Iterator[tuple[str, list[str]]]:
    """The name of a function, or of each method of a class, with its parameters."""
    if isinstance(one, FunctionType):
        yield one.__name__, list(inspect.signature(one).parameters)
        return
    for name, method in vars(one).items():
        if isinstance(method, FunctionType) and _is_kept(one, name) and not name.startswith("__"):
            yield name, list(inspect.signature(method).parameters)[1:]


def _is_kept(one: type, name: str) -> bool:
    return one.__name__ not in KEPT or name in KEPT[one.__name__]


def _tree(one: Any) -> Any:
    return ast.parse(textwrap.dedent(inspect.getsource(one))).body[0]


def _fields(one: type) -> Iterator[tuple[str, str, str]]:
    """Name, type and default of each field, ready to be written into a constructor."""
    node = _tree(one)
    annotated = {
        each.target.id: each.annotation
        for each in node.body
        if isinstance(each, ast.AnnAssign) and isinstance(each.target, ast.Name)
    }
    defaults = dict(_defaults(one))
    for name, annotation in annotated.items():
        if _is_kept(one, name):
            default = f" = {constant(defaults[name])}" if name in defaults else ""
            yield name, type_name(annotation), default


def _defaults(one: type) -> Iterator[tuple[str, Any]]:
    if issubclass(one, msgspec.Struct):
        for field in msgspec.structs.fields(one):
            if not field.required:
                yield field.name, field.default
    elif dataclasses.is_dataclass(one):
        for each in dataclasses.fields(one):
            if each.default is not dataclasses.MISSING:
                yield each.name, each.default


def _comment(node: Any, indent: str) -> str:
    text = ast.get_docstring(node)
    if not text:
        return ""
    lines = [line.replace("*/", "* /") for line in text.splitlines()]
    if len(lines) == 1:
        return f"{indent}/** {lines[0]} */\n"
    inner = "".join(f"{indent} * {line}".rstrip() + "\n" for line in lines)
    return f"{indent}/**\n{inner}{indent} */\n"


def _function(node: ast.FunctionDef, names: Names, indent: str) -> str:
    given = [*node.args.args, *node.args.kwonlyargs]
    defaults: list[ast.expr | None] = [None] * (len(node.args.args) - len(node.args.defaults))
    defaults += [*node.args.defaults, *node.args.kw_defaults]
    taken = [
        f"{named(one.arg)}: {type_name(one.annotation)}"
        + (f" = {expression(default, names)}" if default else "")
        for one, default in zip(given, defaults, strict=True)
        if one.arg != "self"
    ]
    parameters = [one.arg for one in given]
    assigned = sorted(set(_assigned(node)) - set(parameters))
    within = names.inside([*parameters, *assigned])
    body = [line for one in node.body for line in _statement(one, within, indent + "  ")]
    declared = [f"{indent}  let {', '.join(map(named, assigned))}"] if assigned else []
    answer = type_name(node.returns)
    answer = "void" if answer == "null" else answer
    if any(isinstance(each, ast.Name) and each.id in _GETTERS for each in node.decorator_list):
        taken = []
    return "\n".join(
        [f"{node.name}({', '.join(taken)}): {answer} {{", *declared, *body, indent + "}"]
    )


def _assigned(node: ast.FunctionDef) -> Iterator[str]:
    """The names that a function assigns to, except in loops and comprehensions, which have their own."""
    for each in ast.walk(node):
        match each:
            case ast.Assign(targets=[target]):
                yield from (one.id for one in ast.walk(target) if isinstance(one, ast.Name))
            case ast.AnnAssign(target=ast.Name(id=name)) | ast.NamedExpr(target=ast.Name(id=name)):
                yield name


def _statement(node: ast.stmt, names: Names, indent: str) -> Iterator[str]:
    match node:
        case ast.Expr(value=ast.Constant(value=str())):
            return  # a docstring
        case ast.Expr(
            value=ast.Call(
                func=ast.Attribute(attr="force_setattr"),
                args=[owner, ast.Constant(value=field), value],
            )
        ):
            yield f"{indent}assign({expression(owner, names)}, {constant(field)}, {expression(value, names)})"
        case ast.Expr(value=value):
            yield indent + expression(value, names)
        case ast.Assign(targets=[ast.Tuple(elts=items)], value=value):
            yield f"{indent};[{', '.join(expression(one, names) for one in items)}] = {expression(value, names)}"
        case ast.Assign(targets=[ast.Name() as target], value=value):
            yield f"{indent}{expression(target, names)} = {expression(value, names)}"
        case ast.AnnAssign(target=ast.Name() as target, value=ast.expr() as value):
            yield f"{indent}{expression(target, names)} = {expression(value, names)}"
        case ast.Return(value=value):
            yield f"{indent}return {expression(value, names) if value else ''}".rstrip()
        case ast.Raise(exc=ast.expr() as error):
            yield f"{indent}throw {expression(error, names)}"
        case ast.If():
            yield from _if(node, names, indent)
        case ast.For(target=target, iter=items, body=body, orelse=[]):
            found = [one.id for one in ast.walk(target) if isinstance(one, ast.Name)]
            within = names.inside(found)
            yield f"{indent}for (const {expression(target, within)} of list({expression(items, names)})) {{"
            yield from _block(body, within, indent)
            yield indent + "}"
        case ast.Try(body=body, handlers=[handler], orelse=[], finalbody=[]):
            yield from _try(body, handler, names, indent)
        case ast.Match(subject=subject, cases=cases):
            yield from _match(subject, cases, names, indent)
        case _:
            raise Untranslatable(node)


def _block(body: list[ast.stmt], names: Names, indent: str) -> Iterator[str]:
    for one in body:
        yield from _statement(one, names, indent + "  ")


def _if(node: ast.If, names: Names, indent: str) -> Iterator[str]:
    yield f"{indent}if ({test(node.test, names)}) {{"
    yield from _block(node.body, names, indent)
    if node.orelse:
        yield f"{indent}}} else {{"
        yield from _block(node.orelse, names, indent)
    yield indent + "}"


def _try(
    body: list[ast.stmt], handler: ast.ExceptHandler, names: Names, indent: str
) -> Iterator[str]:
    assert handler.type is not None
    caught = handler.name or "error"
    kinds = handler.type.elts if isinstance(handler.type, ast.Tuple) else [handler.type]
    yield indent + "try {"
    yield from _block(body, names, indent)
    yield f"{indent}}} catch ({caught}) {{"
    known = " || ".join(f"{caught} instanceof {expression(kind, names)}" for kind in kinds)
    yield f"{indent}  if (!({known})) throw {caught}"
    yield from _block(handler.body, names.inside([caught]), indent)
    yield indent + "}"


def _match(
    subject: ast.expr, cases: list[ast.match_case], names: Names, indent: str
) -> Iterator[str]:
    """Cases of classes with the names of their first fields: `case Bid(seat, tricks):`."""
    asked = expression(subject, names)
    for case in cases:
        match case.pattern:
            case ast.MatchClass(cls=ast.Name(id=name), patterns=patterns, kwd_patterns=[]) if (
                name in names.classes
            ):
                found = [one.name for one in patterns if isinstance(one, ast.MatchAs) and one.name]
            case _:
                raise Untranslatable(case.pattern)
        yield f"{indent}if ({asked} instanceof {name}) {{"
        for local, field in zip(found, names.parameters[name], strict=False):
            yield f"{indent}  const {named(local)} = {asked}.{field}"
        yield from _block(case.body, names.inside(found), indent)
        yield indent + "}"
