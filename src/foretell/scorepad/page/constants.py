"""Values, types and the shapes of structs as TypeScript."""

import ast
import dataclasses
import json
from collections.abc import Mapping
from enum import Enum
from types import FunctionType
from typing import Any, get_args

import msgspec
from msgspec import inspect as shapes

from foretell.scorepad.page.sources import ERRORS, KEPT, functions_and_classes, module_names

__all__ = ["constant", "shape", "type_name"]

_TYPES = {
    "int": "number",
    "str": "string",
    "bool": "boolean",
    "bytes": "string",
    "None": "null",
    "object": "unknown",
}
_SEQUENCES = ("tuple", "Sequence", "Iterable", "list")


def constant(value: Any) -> str:
    """A value: what is made of translated classes is written as they are made; anything else is left out, as null."""
    match value:
        case None | bool() | int() | str():
            # an enum's member is its text
            return json.dumps(value.value if isinstance(value, Enum) else value, ensure_ascii=False)
        case tuple() | list() | range() | frozenset():
            return "[" + ", ".join(map(constant, value)) + "]"
        case Mapping():
            pairs = (f"{json.dumps(str(key))}: {constant(one)}" for key, one in value.items())
            return "{ " + ", ".join(pairs) + " }"
    kind, known = type(value), functions_and_classes()
    if isinstance(value, FunctionType | type):
        name = value.__name__
        is_made = isinstance(value, type)
        return (
            f"(...given: any[]) => new ({name} as any)(...given)"
            if name in known and is_made
            else name
            if name in known
            else "null"
        )
    if known.get(kind.__name__) is not kind:
        return constant(list(get_args(value))) if get_args(value) else "null"
    is_struct = isinstance(value, msgspec.Struct)
    fields = (
        [*kind.__struct_fields__] if is_struct else [one.name for one in dataclasses.fields(value)]
    )
    kept = [name for name in fields if name in KEPT.get(kind.__name__, fields)]
    return f"new {kind.__name__}({', '.join(constant(getattr(value, name)) for name in kept)})"


def type_name(node: ast.expr | None) -> str:
    """The TypeScript type of an annotation; `any` for what is not translated, such as a Protocol."""
    match node:
        case ast.Constant(value=None):
            return "null"
        case ast.Constant(value=str(name)):
            return type_name(ast.parse(name, mode="eval").body)
        case ast.Name(id=name):
            known = functions_and_classes()
            if get_args(module_names().get(name)):  # a Literal with a name
                return " | ".join(map(constant, get_args(module_names()[name])))
            is_value = (
                name in known and isinstance(known[name], type) and issubclass(known[name], Enum)
            )
            is_type = name in known or name in ERRORS
            return _TYPES.get(name, "string" if is_value else name if is_type else "any")
        case ast.BinOp(left=left, op=ast.BitOr(), right=right):
            return " | ".join(dict.fromkeys([type_name(left), type_name(right)]))
        case ast.Subscript(value=ast.Name(id="Literal"), slice=items):
            given = items.elts if isinstance(items, ast.Tuple) else [items]
            return " | ".join(constant(ast.literal_eval(one)) for one in given)
        case ast.Subscript(value=ast.Name(id=name), slice=items) if name in _SEQUENCES:
            first = items.elts[0] if isinstance(items, ast.Tuple) else items
            inner = type_name(first)
            return f"readonly ({inner})[]" if " " in inner else f"readonly {inner}[]"
        case ast.Subscript(value=ast.Name(id="dict")):
            return "Record<string, any>"
    return "any"


def shape(struct: type[msgspec.Struct]) -> str:
    """What a struct's JSON looks like: for reading a file, which anyone may have written, and for writing it."""
    found = shapes.type_info(struct)
    assert isinstance(found, shapes.StructType)
    fields = ", ".join(
        f"[{json.dumps(one.encode_name)}, {_kind(one.type)}, {json.dumps(one.required)}]"
        for one in found.fields
    )
    config = struct.__struct_config__
    tag = json.dumps([found.tag_field, found.tag]) if found.tag_field else "null"
    return (
        f"{{ tag: {tag}, fields: [{fields}], isClosed: {json.dumps(found.forbid_unknown_fields)}, "
        f"omitsDefaults: {json.dumps(config.omit_defaults)} }} as const"
    )


def _kind(one: shapes.Type) -> str:
    match one:
        case shapes.IntType():
            return '"int"'
        case shapes.StrType():
            return '"str"'
        case shapes.BoolType():
            return '"bool"'
        case shapes.NoneType():
            return '"none"'
        case shapes.LiteralType(values=values):
            return f"{{ values: {constant(tuple(values))} }}"
        case shapes.VarTupleType(item_type=item):
            return f"{{ each: {_kind(item)} }}"
        case shapes.UnionType(types=types):
            return f"{{ any: [{', '.join(map(_kind, types))}] }}"
        case shapes.StructType(cls=cls):
            return f"{{ struct: () => {cls.__name__} }}"
        case shapes.DictType(key_type=shapes.StrType(), value_type=shapes.AnyType()):
            return '"object"'
    raise TypeError(f"no shape for {one}")
