"""The format of what is stored about a table, so that an older process never overwrites what it does not understand.

While a new version is deployed, processes of both versions share the database.  A process of the old one would read a
table of the new one without the fields that it does not know, and would lose them when it saves the table.  So it does
not take such a table: a process of the new version does (docs/processes.md).

Raise FORMAT with every change of what a table, its rules or its game consist of, and with every new RULES_VERSION:
`tests/server/test_formats.py` fails until that is done.
"""

import msgspec
from msgspec.structs import replace

from foretell.engine.codec import decoded
from foretell.server.store.interface import NewerTable, TableState

__all__ = ["FORMAT", "in_our_format", "read_state", "readable_part"]

FORMAT = 1


class _Header(msgspec.Struct):
    id: str
    format: int = 1


_header = msgspec.json.Decoder(_Header)
_state: msgspec.json.Decoder[TableState] = msgspec.json.Decoder(TableState, dec_hook=decoded)


def read_state(text: bytes) -> TableState:
    """A stored table; raises NewerTable if it is of a newer version."""
    header = _header.decode(text)
    if header.format > FORMAT:
        raise NewerTable(header.id, header.format)
    return _state.decode(text)


def readable_part(text: bytes) -> TableState | None:
    """What we understand of a table, only to be shown; None if that is nothing."""
    try:
        return _state.decode(text)
    except msgspec.DecodeError:
        return None


def in_our_format(state: TableState) -> TableState:
    """The table as it is to be stored."""
    return state if state.format == FORMAT else replace(state, format=FORMAT)
