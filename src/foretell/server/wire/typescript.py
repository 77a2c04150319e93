"""The TypeScript types of the page, generated from the structs of the protocol.

A type that the server sends has all its fields, because the encoder writes defaults too.  In a type that only clients
send, a field with a default is optional.  If such a type contains one that the server sends as well, all fields with
defaults are optional there too: `Partial<TableOptions>`.
"""

import inspect
from collections.abc import Iterator
from typing import Any, get_args

import msgspec
from msgspec import inspect as shapes

from foretell.cards import Card, Face
from foretell.engine.actions import Action
from foretell.server.wire import protocol

__all__ = ["typescript"]

_BODIES_IN = (protocol.NewTable, protocol.Join, protocol.Mine)
_BODIES_OUT = (
    protocol.MyGames,
    protocol.LobbyList,
    protocol.TableForm,
    protocol.GameSummary,
    protocol.Replay,
    protocol.GameReview,
    protocol.Health,
    protocol.Failure,
)
_TEXTS = {
    Card: "A card's code: `R5`, `ZB`, `NG`, `DRAGON`.",
    Face: "A card as it lies in the trick: `R5`, `JUGGLER:R`, `SHAPESHIFTER:Z`.",
    Action: "An action: `bid 2`, `play R5`, `trump none`, `pass G3`, `change +1`.",
}
_PLAIN: dict[type[shapes.Type], str] = {
    shapes.StrType: "string",
    shapes.IntType: "number",
    shapes.FloatType: "number",
    shapes.BoolType: "boolean",
    shapes.NoneType: "null",
}
_HEAD = """\
// Generated from src/foretell/server/wire/protocol.py by `python -m foretell.server.wire.generate`. Do not edit.

export const PROTOCOL_VERSION = {version};
"""


def typescript() -> str:
    """The text of the generated file."""
    client = get_args(protocol.FromClient)
    server = get_args(protocol.FromServer)
    incoming, outgoing = (*client, *_BODIES_IN), (*server, *_BODIES_OUT)
    sent = set(_structs(outgoing))
    parts = [_HEAD.format(version=protocol.VERSION)]
    parts += [_alias(kind.__name__, "string", text) for kind, text in _TEXTS.items()]
    for kind in dict.fromkeys([*_structs(incoming), *_structs(outgoing)]):
        parts.append(_interface(kind, sent))
    for name, kinds in (("FromClient", client), ("FromServer", server)):
        union = "".join(f"\n  | {kind.__name__}" for kind in kinds)
        parts.append(f"export type {name} ={union};\n")
    events = [kind for kind in sent if kind.__struct_config__.tag_field == "event"]
    names = sorted(kind.__name__ for kind in events)
    parts.append("export type GameEvent =" + "".join(f"\n  | {name}" for name in names) + ";\n")
    return "\n".join(parts)


def _structs(kinds: tuple[type, ...]) -> Iterator[type[msgspec.Struct]]:
    """These structs and all structs inside them.  Each comes before the structs that it contains."""
    seen: dict[type[msgspec.Struct], None] = {}

    def visit(shape: shapes.Type) -> None:
        if isinstance(shape, shapes.StructType):
            if shape.cls in seen:
                return
            seen[shape.cls] = None
        for part in _parts(shape):
            visit(part)

    for kind in kinds:
        visit(shapes.type_info(kind))
    return iter(seen)


def _parts(shape: shapes.Type) -> list[shapes.Type]:
    match shape:
        case shapes.StructType():
            return [field.type for field in shape.fields]
        case shapes.UnionType():
            return list(shape.types)
        case shapes.VarTupleType() | shapes.ListType():
            return [shape.item_type]
        case shapes.TupleType():
            return list(shape.item_types)
        case shapes.DictType():
            return [shape.value_type]
        case shapes.Metadata():
            return [shape.type]
        case _:
            return []


def _interface(kind: type[msgspec.Struct], sent: set[type[msgspec.Struct]]) -> str:
    shape = shapes.type_info(kind)
    assert isinstance(shape, shapes.StructType)
    config = kind.__struct_config__
    is_sent = kind in sent
    lines = []
    if shape.tag is not None:
        lines.append(f'  {shape.tag_field}: "{shape.tag}";')
    for field in shape.fields:
        is_optional = not field.required and (not is_sent or config.omit_defaults)
        mark = "?" if is_optional else ""
        lines.append(f"  {field.encode_name}{mark}: {_type(field.type, sent, whole=is_sent)};")
    body = "\n".join(lines)
    return f"{_comment(kind)}export interface {kind.__name__} {{\n{body}\n}}\n"


def _type(shape: shapes.Type, sent: set[type[msgspec.Struct]], *, whole: bool) -> str:
    match shape:
        case shapes.StructType():
            has_defaults = any(not field.required for field in shape.fields)
            name = shape.cls.__name__
            return f"Partial<{name}>" if not whole and shape.cls in sent and has_defaults else name
        case shapes.CustomType():
            return shape.cls.__name__
        case shapes.Metadata():
            return _type(shape.type, sent, whole=whole)
        case shapes.UnionType():
            return " | ".join(dict.fromkeys(_type(t, sent, whole=whole) for t in shape.types))
        case shapes.VarTupleType() | shapes.ListType():
            item = _type(shape.item_type, sent, whole=whole)
            return f"({item})[]" if "|" in item else f"{item}[]"
        case shapes.DictType():
            return f"Record<string, {_type(shape.value_type, sent, whole=whole)}>"
        case shapes.LiteralType():
            return " | ".join(f'"{value}"' for value in shape.values)
        case shapes.EnumType():
            return " | ".join(f'"{one.value}"' for one in shape.cls)
        case _:
            return _PLAIN[type(shape)]


def _comment(kind: type[Any]) -> str:
    text = inspect.cleandoc(kind.__dict__.get("__doc__") or "")
    if not text:
        return ""
    lines = text.splitlines()
    if len(lines) == 1:
        return f"/** {lines[0]} */\n"
    inner = "\n".join(f" * {line}".rstrip() for line in lines)
    return f"/**\n{inner}\n */\n"


def _alias(name: str, target: str, text: str) -> str:
    return f"/** {text} */\nexport type {name} = {target};\n"
