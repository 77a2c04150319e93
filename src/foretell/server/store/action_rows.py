"""Rows of the table `actions`, and the only statement that inserts them."""

import sqlite3
from collections.abc import Sequence
from functools import cache
from itertools import chain

from foretell.server.store import schema
from foretell.server.store.interface import LoggedAction

__all__ = ["MOST_ROWS", "Row", "insert_actions", "row_of"]

Row = tuple[str, int, int, str, bool, float]
"""An action as the values of its columns, in the order of the schema."""

# SQLite compiles a statement for each number of rows, and Python keeps it in memory: so the number is limited.
MOST_ROWS = 32


def row_of(game: str, action: LoggedAction) -> Row:
    return (game, action.number, action.seat, action.action, action.by_bot, action.at)


def insert_actions(connection: sqlite3.Connection, rows: Sequence[Row]) -> list[bool]:
    """Inserts up to MOST_ROWS rows with one statement, and returns for each whether it was inserted.

    A row is not inserted if the number of its action is taken.  For a single row, the answer is then False.  For
    several rows it raises an IntegrityError and inserts none of them: SQLite does not say which number was taken.
    """
    values = list(chain.from_iterable(rows))
    inserted = connection.execute(_statement(len(rows)), values).rowcount
    return [True] * inserted or [False]


@cache
def _statement(rows: int) -> str:
    columns = schema.actions.c.keys()
    one_row = f"({', '.join('?' * len(columns))})"
    if_taken = " ON CONFLICT DO NOTHING" if rows == 1 else ""
    values = ", ".join([one_row] * rows)
    return f"INSERT INTO actions ({', '.join(columns)}) VALUES {values}{if_taken}"
