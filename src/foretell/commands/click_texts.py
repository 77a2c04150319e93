"""Click's own words ("Usage:", "No such option") in the language that is spoken.

Click says everything through `gettext`, which wants compiled files in a folder of its own.  Here its texts are in the
catalogue like all others: the English text of `click.usage` is the one that Click asks for.
"""

import gettext
import re
from copy import copy
from types import ModuleType
from typing import Any

import click
from click import core, decorators, exceptions, formatting, parser, termui, types

from foretell.i18n import catalogue, texts

__all__ = ["in_words", "in_words_for_values", "translate_click", "values_named"]

_NAMES = (
    "aborted",
    "choose_from",
    "default",
    "did_you_mean_one",
    "did_you_mean_other",
    "directory",
    "does_not_exist",
    "error",
    "extra_argument_one",
    "extra_argument_other",
    "file",
    "invalid_value",
    "invalid_value_for",
    "is_a_directory",
    "is_a_file",
    "missing_argument",
    "missing_command",
    "missing_option",
    "needs_argument_one",
    "needs_argument_other",
    "no_such_command",
    "no_such_option",
    "not_a_choice_one",
    "not_a_choice_other",
    "not_a_number",
    "not_in_range",
    "not_readable",
    "not_writable",
    "options",
    "path",
    "required",
    "show_help",
    "takes_no_value",
    "try_help",
    "usage",
)
_SPEAKERS: tuple[ModuleType, ...] = (
    core, decorators, exceptions, formatting, parser, termui, types,
)  # fmt: skip


def in_words(text: str | None) -> str | None:
    """The help of a command or an option, which is a key of the catalogue, as a text."""
    return texts().say(text) if text is not None and text in texts().texts else text


def in_words_for_values(metavar: str) -> str:
    """What stands for a value, such as `[NAME]...`, in the language that is spoken."""
    spoken = texts().texts
    return re.sub(
        "[A-Z]{3,}", lambda word: spoken.get(f"cli.value.{word[0]}", word[0]).upper(), metavar
    )


def values_named(kind: click.ParamType[Any]) -> click.ParamType[Any]:
    """The same type, with a name in the language that is spoken: `--seed INTEGER`, "'x' is not a valid integer"."""
    match kind:
        case types.IntParamType():
            name = "INTEGER"
        case types.FloatParamType():
            name = "NUMBER"
        case types.StringParamType():
            name = "TEXT"
        case _:
            return kind
    named = copy(kind)
    named.name = texts().say(f"cli.value.{name}")
    return named


def translate_click() -> None:
    """Lets Click ask the catalogue for its texts.  Calling it again changes nothing."""
    for module in _SPEAKERS:
        if getattr(module, "_", None) is gettext.gettext:
            module.__dict__["_"] = _message
        if getattr(module, "ngettext", None) is gettext.ngettext:
            module.__dict__["ngettext"] = _counted


def _message(text: str) -> str:
    spoken = texts()
    if spoken.language == "en":
        return text
    english = catalogue("en").texts
    for name in _NAMES:
        if english[f"click.{name}"] == text:
            return spoken.texts[f"click.{name}"]
    return text


def _counted(one: str, other: str, count: int) -> str:
    return _message(one if texts().is_singular(count) else other)
