"""Questions in plain lines, with commands that work at every one of them."""

from collections.abc import Sequence

from foretell.errors import Unreadable
from foretell.scorepad.width import fit, width

__all__ = ["COMMANDS", "Again", "Leave", "echo", "entries", "numbers", "row", "seat_called"]

COMMANDS = ("help", "undo", "fix", "sheet", "save", "quit")
"""Each is typed as the catalogue has it, under `score.word`."""

_LONGEST_ECHO = 30
_UNKNOWN = ("-", "−", "–")


class Again(Exception):
    """The pad has changed, or a dialogue was dropped: ask anew for what it awaits now."""


class Leave(Exception):
    """Enough for now."""


def numbers(text: str) -> tuple[int, ...]:
    """`2`, or several at once: `2 0 1` or `2,0,1`."""
    words = text.replace(",", " ").split()
    return tuple(map(_number, words))


def entries(names: Sequence[str], seats: Sequence[int], text: str) -> list[tuple[int, int]]:
    """Seats and their numbers: `2` for the first of `seats`, `2 0 1` for it and the next ones, or `Bruno 2`."""
    name, _, last = text.rpartition(" ")
    if last.isdecimal() and not all(word.isdecimal() for word in name.replace(",", " ").split()):
        return [(seat_called(names, name), _number(last))]
    told = numbers(text)
    if not told:
        raise Unreadable("not_a_number", text=echo(text))
    if len(told) > len(seats):
        raise Unreadable("pad_too_many", count=len(told), players=len(seats))
    return list(zip(seats, told, strict=False))


def row(text: str, seats: int) -> tuple[int | None, ...]:
    """A number for each seat; `-` where nothing is known yet."""
    words = text.replace(",", " ").split()
    if len(words) != seats:
        raise Unreadable("pad_row_length", rule="D1", count=seats)
    return tuple(None if word in _UNKNOWN else _number(word) for word in words)


def _number(word: str) -> int:
    if not word.isdecimal() or len(word) > 3:
        raise Unreadable("not_a_number", text=echo(word))
    return int(word)


def seat_called(names: Sequence[str], text: str) -> int:
    """The player meant: a name, the beginning of only one, that of a word in only one, or a place from 1."""
    wanted = " ".join(text.split()).casefold()
    exact = [seat for seat, name in enumerate(names) if name.casefold() == wanted]
    begins = [seat for seat, name in enumerate(names) if name.casefold().startswith(wanted)]
    within = [seat for seat, name in enumerate(names) if f" {wanted}" in name.casefold()]
    for found in (exact, begins, within):
        if len(found) == 1 and wanted:
            return found[0]
    if wanted.isdecimal() and len(wanted) == 1 and 1 <= int(wanted) <= len(names):
        return int(wanted) - 1
    raise Unreadable("pad_who", text=echo(text), names=", ".join(names))


def echo(text: str) -> str:
    """What was typed, fit to be shown again."""
    return fit(text, min(width(text), _LONGEST_ECHO))
