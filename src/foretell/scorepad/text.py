"""A pad as JSON text, `foretell-pad/1` (docs/scorepad.md).  Reading checks everything: anyone may have written it."""

from typing import Any

import msgspec

from foretell.errors import ForetellError, NotAGame, Unreadable
from foretell.rules import Rules
from foretell.scorepad.entries import Entry
from foretell.scorepad.pad import Pad, enter, new_pad

__all__ = ["FORMAT", "from_json", "to_json"]

FORMAT = "foretell-pad/1"


class _Written(msgspec.Struct, forbid_unknown_fields=True):
    format: str
    names: tuple[str, ...]
    rules: dict[str, Any]
    first_dealer: int
    entries: tuple[Entry, ...]


class _Form(msgspec.Struct):
    """Just the format, which is checked first."""

    format: str


def to_json(pad: Pad) -> str:
    """The pad as text, one entry on each line; ends with a line break."""
    head = {
        "format": FORMAT,
        "names": pad.names,
        "rules": pad.rules,
        "first_dealer": pad.first_dealer,
    }
    parts = [f'"{key}": {as_json(value)}' for key, value in head.items()]
    entries = ",\n  ".join(as_json(entry) for entry in pad.entries)
    last = f'"entries": [\n  {entries}\n]' if entries else '"entries": []'
    return "{" + ",\n".join([*parts, last]) + "}\n"


def as_json(value: object) -> str:
    """A value on one line."""
    return msgspec.json.encode(value).decode()


def from_json(text: str | bytes) -> Pad:
    """The pad in a text that `to_json` wrote.  Every entry is checked by the rules again; an error names the entry."""
    written = _read(text)
    try:
        rules = msgspec.convert(written.rules, Rules)
    except msgspec.ValidationError as error:
        raise Unreadable("not_a_pad", why=str(error)) from error
    unknown = [key for key in sorted(written.rules) if key not in Rules.__struct_fields__]
    if unknown:
        raise Unreadable("pad_unknown_rules", keys=", ".join(unknown))
    pad = new_pad(written.names, rules, first_dealer=written.first_dealer)
    for place, entry in enumerate(written.entries, start=1):
        try:
            pad = enter(pad, entry)
        except ForetellError as error:
            raise NotAGame("pad_entry", rule=error.rule, entry=place, why=str(error)) from error
    return pad


def _read(text: str | bytes) -> _Written:
    try:
        found = msgspec.json.decode(text, type=_Form).format
        if found != FORMAT:
            raise Unreadable("pad_version", found=found, known=FORMAT)
        return msgspec.json.decode(text, type=_Written)
    except (msgspec.MsgspecError, UnicodeError, RecursionError) as error:
        raise Unreadable("not_a_pad", why=str(error)) from error
