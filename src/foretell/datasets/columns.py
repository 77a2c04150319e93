"""The tables and their columns.  docs/data.md says what each column holds; a test compares the two."""

from typing import Any

import pyarrow as pa
import pyarrow.compute as pc

from foretell.cards import Colour
from foretell.kernel.state import codes
from foretell.kernel.state.card_numbers import FACE_LIST, KNOWN_KINDS

__all__ = ["FACE_CODES", "KIND_CODES", "TABLES", "colours", "faces", "kinds", "seats"]

_NAMES = {codes.WIZARD: "Z", codes.JESTER: "N"}
KIND_CODES = [
    _NAMES.get(kind, next(card.code for card, its in KNOWN_KINDS.items() if its == kind))
    for kind in range(codes.KINDS)
]
"""The code of each kind of card.  The four Wizards are one kind, and so are the four Jesters: Z and N."""

FACE_CODES = [
    "" if face is None else _NAMES.get(number, face.code) for number, face in enumerate(FACE_LIST)
]
"""The code of each card as it is played, with its declaration; the Werewolf is never played."""

COLOUR_CODES = [str(colour) for colour in Colour]
NO_COLOUR = len(COLOUR_CODES)

_CARD = pa.dictionary(pa.int8(), pa.string())
_COLOUR = pa.dictionary(pa.int8(), pa.string())
_SEAT, _SMALL, _POINTS, _GAME = pa.int8(), pa.int8(), pa.int16(), pa.int64()

TABLES: dict[str, Any] = {
    "games": pa.schema(
        {
            "game": _GAME,
            "players": _SMALL,
            "rounds": _SMALL,
            "first_dealer": _SEAT,
            "bot": pa.dictionary(pa.int8(), pa.string()),
            "points": pa.list_(_POINTS),
            "winners": pa.list_(_SEAT),
        }
    ),
    "rounds": pa.schema(
        {
            "game": _GAME,
            "round": _SMALL,
            "cards": _SMALL,
            "dealer": _SEAT,
            "turned_up": _CARD,
            "trump": _COLOUR,
            "named_by": _SEAT,
            "werewolf": _SEAT,
            "cloud_seat": _SEAT,
            "cloud_change": _SMALL,
        }
    ),
    "bids": pa.schema(
        {
            "game": _GAME,
            "round": _SMALL,
            "seat": _SEAT,
            "order": _SMALL,
            "bid": _SMALL,
            "final_bid": _SMALL,
            "tricks": _SMALL,
            "points": _POINTS,
            "total": _POINTS,
            "wizards": _SMALL,
            "jesters": _SMALL,
            "trumps": _SMALL,
        }
    ),
    "plays": pa.schema(
        {
            "game": _GAME,
            "round": _SMALL,
            "trick": _SMALL,
            "order": _SMALL,
            "seat": _SEAT,
            "card": _CARD,
            "is_trump": pa.bool_(),
            "takes": pa.bool_(),
        }
    ),
    "passes": pa.schema(
        {"game": _GAME, "round": _SMALL, "trick": _SMALL, "seat": _SEAT, "card": _CARD}
    ),
}
"""The columns of each table, with their types."""


def seats(column: Any) -> Any:
    """Seats, with nulls where there is none."""
    return _with_nulls(column, codes.NOBODY)


def kinds(column: Any) -> Any:
    """Cards by the numbers of their kinds, with nulls where there is none."""
    return pa.DictionaryArray.from_arrays(_with_nulls(column, codes.NO_CARD), pa.array(KIND_CODES))


def faces(column: Any) -> Any:
    """Cards as they were played, by the numbers of their faces."""
    return pa.DictionaryArray.from_arrays(column, pa.array(FACE_CODES))


def colours(column: Any) -> Any:
    """Trumps, with nulls for no trump."""
    return pa.DictionaryArray.from_arrays(_with_nulls(column, NO_COLOUR), pa.array(COLOUR_CODES))


def _with_nulls(column: Any, stands_for_none: int) -> Any:
    none = pa.scalar(stands_for_none, column.type)
    return pc.if_else(pc.equal(column, none), pa.scalar(None, column.type), column)
