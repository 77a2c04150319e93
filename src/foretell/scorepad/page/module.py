"""The whole generated module, in the order of `sources.TRANSLATED`."""

from enum import Enum
from types import FunctionType

from foretell.scorepad.page.constants import constant
from foretell.scorepad.page.expressions import Names
from foretell.scorepad.page.functions import class_text, field_names, function_text, parameters_of
from foretell.scorepad.page.sources import GIVEN, TRANSLATED, functions_and_classes, module_names

__all__ = ["pad_typescript"]

_HEAD = """\
// Translated from Python by `python -m foretell.server.wire.generate` (src/foretell/scorepad/page). Do not edit.
// @ts-nocheck - mypy has checked the types in Python; the types here are for the files that import this one.
import {{ {given} }} from './python'

"""


def pad_typescript() -> str:
    """The text of web/src/pad/generated.ts."""
    known = functions_and_classes()
    parameters: dict[str, list[str]] = {}
    for name, one in known.items():
        for called, taken in parameters_of(one):
            if parameters.setdefault(called, taken) != taken:
                parameters[
                    called
                ] = []  # of different functions: it must be called without keywords
        if isinstance(one, type) and not issubclass(one, Enum):
            parameters[name] = field_names(one)
    classes = {name for name, one in known.items() if isinstance(one, type)}
    enums = {name for name in classes if issubclass(known[name], Enum)}
    known_names = frozenset({*module_names(), *GIVEN})
    names = Names(known_names, parameters, frozenset(classes - enums), frozenset(enums))
    parts = [
        _text(name, getattr(module, name), names)
        for module, wanted in TRANSLATED
        for name in wanted
    ]
    body = "\n\n".join(parts) + "\n"
    return _HEAD.format(given=", ".join(_imported())) + body


def _text(name: str, one: object, names: Names) -> str:
    if isinstance(one, FunctionType):
        return function_text(one, names)
    if isinstance(one, type) and issubclass(one, Enum):
        members = ", ".join(f"{each.name}: {constant(each)}" for each in one)
        return f"export const {name} = {{ {members} }} as const"
    if isinstance(one, type):
        return class_text(one, names)
    exported = "" if name.startswith("_") else "export "
    return f"{exported}const {name} = {constant(one)}"


def _imported() -> list[str]:
    """Functions of python.ts: those that the source names, and those that stand for operators and methods."""
    own = "assign casefold contains count equal get index items join modulo or repeated slice split truth"
    return sorted({*GIVEN, *own.split()})
