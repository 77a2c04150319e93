"""The score sheet as text, in the form of the paper one: for each player the running total and the bid (S3).

    from foretell.scorepad.sheet import sheet
    print(sheet(view.names, view.sheet))

It knows neither the pad nor the engine: it shows anything that has the fields of a `Line`.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from foretell.i18n import catalogue
from foretell.scorepad.width import fit, width

__all__ = ["ASCII", "SIGNS", "Line", "Signs", "sheet", "signed"]

_SCREEN = 80
_GAP = 2


class Line(Protocol):
    """One round.  What is not known yet is None: bids that are not shown, tricks and points before the end."""

    @property
    def number(self) -> int: ...
    @property
    def dealer(self) -> int: ...
    @property
    def bids(self) -> Sequence[int | None]:
        """The bids that count, after the Cloud's change (X8)."""

    @property
    def won(self) -> Sequence[int | None]: ...
    @property
    def points(self) -> Sequence[int | None]: ...
    @property
    def totals(self) -> Sequence[int | None]: ...


@dataclass(frozen=True, slots=True)
class Signs:
    """The characters that a sheet is drawn with.  Met and missed bids differ in shape, so no colour is needed."""

    met: str
    missed: str
    dealer: str
    minus: str
    rule: str


SIGNS = Signs(met="✓", missed="✗", dealer="*", minus="−", rule="─")
ASCII = Signs(met="=", missed="x", dealer="*", minus="-", rule="-")
"""For a printer or a file that has only ASCII."""


def sheet(
    names: Sequence[str],
    lines: Sequence[Line],
    *,
    columns: int = _SCREEN,
    signs: Signs = SIGNS,
    language: str = "en",
) -> str:
    """The whole sheet as lines of text, at most `columns` cells wide, without a line break at the end.

    Three to six players always fit into 80 columns; long names are shortened.
    """
    number_cells = max([2, *(len(str(line.number)) for line in lines)])
    written = [_written(total, signs) for line in lines for total in line.totals]
    total_cells = max([3, *map(len, written)])
    cell_cells = total_cells + len(" ✓12*")
    room = (columns - number_cells) // len(names) - _GAP
    cells = [max(cell_cells, min(room, width(name))) for name in names]

    rows = [
        _row("", names, number_cells, cells),
        signs.rule * (number_cells + sum(cells) + _GAP * len(cells)),
    ]
    for line in lines:
        row = [_cell(line, seat, total_cells, signs) for seat in range(len(names))]
        rows.append(_row(str(line.number), row, number_cells, cells))
    legend = catalogue(language).say(
        "score.legend", met=signs.met, missed=signs.missed, dealer=signs.dealer
    )
    return "\n".join(row.rstrip() for row in [*rows, "", legend])


def signed(change: int, signs: Signs = SIGNS) -> str:
    """A number with its sign: +30, −10, 0."""
    return f"{change:+d}".replace("-", signs.minus) if change else "0"


def _row(number: str, row: Sequence[str], number_cells: int, cells: Sequence[int]) -> str:
    fitted = (fit(text, room) for text, room in zip(row, cells, strict=True))
    return (" " * _GAP).join([number.rjust(number_cells), *fitted])


def _cell(line: Line, seat: int, total_cells: int, signs: Signs) -> str:
    bid, won = line.bids[seat], line.won[seat]
    mark = " " if bid is None or won is None else signs.met if bid == won else signs.missed
    dealer = signs.dealer if seat == line.dealer else ""
    shown = "" if bid is None else str(bid)
    return f"{_written(line.totals[seat], signs):>{total_cells}} {mark}{shown:<2}{dealer}"


def _written(total: int | None, signs: Signs) -> str:
    return "" if total is None else str(total).replace("-", signs.minus)
