"""Reads what people type as answers: numbers, names, and commands that work at every question."""

from collections.abc import Sequence

from foretell.errors import Unreadable
from foretell.scorepad.width import fit, width

__all__ = ["COMMANDS", "Again", "Quit", "echo", "entries", "numbers", "row", "seat_called"]

COMMANDS = ("help", "undo", "fix", "sheet", "save", "quit")
"""The word to type for each is in the catalogue, under `score.word`."""

_LONGEST_ECHO = 30
_UNKNOWN = ("-", "−", "–")


class Again(Exception):
    """The pad has changed, or a correction was dropped: ask again for what the pad needs now."""


class Quit(Exception):
    """The person leaves."""


def numbers(text: str) -> tuple[int, ...]:
    """One number, `2`, or several at once, `2 0 1` or `2,0,1`."""
    words = text.replace(",", " ").split()
    return tuple(map(_number, words))


def entries(names: Sequence[str], seats: Sequence[int], text: str) -> list[tuple[int, int]]:
    """Seats and their numbers: `2` is for the first of `seats`, `2 0 1` for the first three, `Bruno 2` for Bruno."""
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
    """One number for each seat, or `-` where nothing is known yet."""
    words = text.replace(",", " ").split()
    if len(words) != seats:
        raise Unreadable("pad_row_length", rule="D1", count=seats)
    return tuple(None if word in _UNKNOWN else _number(word) for word in words)


def _number(word: str) -> int:
    if not word.isdecimal() or len(word) > 3:
        raise Unreadable("not_a_number", text=echo(word))
    return int(word)


def seat_called(names: Sequence[str], text: str) -> int:
    """The seat meant: by its name, by the beginning of a name or of a word in it if only one fits, or by its number."""
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
    """What was typed, made short and safe to show again."""
    return fit(text, min(width(text), _LONGEST_ECHO))
