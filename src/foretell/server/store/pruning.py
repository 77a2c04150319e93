"""How long tables and games are kept, and the deletion of those that are too old."""

import sqlite3

import msgspec

__all__ = ["Keep", "pruned"]

_DAY = 86400.0


class Keep(msgspec.Struct, frozen=True):
    """How long things are kept, in days since they last changed."""

    gathering: float = 2
    unfinished: float = 30
    finished: float = 365


def pruned(connection: sqlite3.Connection, keep: Keep, now: float, awake: frozenset[str]) -> int:
    """Deletes old tables and games, and returns how many.

    A table is deleted together with its tokens and an unfinished game.  A finished game stays longer than its table, as
    a record.
    """
    old_tables = [
        table
        for phase, days in (
            ("gathering", keep.gathering),
            ("playing", keep.unfinished),
            ("over", keep.unfinished),
        )
        for table in _unchanged_tables(connection, phase, since=now - days * _DAY)
        if table not in awake
    ]
    for table in old_tables:
        _delete_table(connection, table)
    finished_before = now - keep.finished * _DAY
    old_games = _ids(connection, "SELECT id FROM games WHERE finished < ?", finished_before)
    for game in old_games:
        connection.execute("DELETE FROM actions WHERE game_id = ?", (game,))
        connection.execute("DELETE FROM games WHERE id = ?", (game,))
    return len(old_tables) + len(old_games)


def _unchanged_tables(connection: sqlite3.Connection, phase: str, *, since: float) -> list[str]:
    statement = "SELECT id FROM tables WHERE phase = ? AND changed < ?"
    if phase != "playing":
        return _ids(connection, statement, phase, since)
    # The row of a table is written when its people change, but not when a card is played.
    statement += (
        " AND NOT EXISTS (SELECT 1 FROM actions a JOIN games g ON g.id = a.game_id"
        " WHERE g.table_id = tables.id AND a.at >= ?)"
    )
    return _ids(connection, statement, phase, since, since)


def _delete_table(connection: sqlite3.Connection, table: str) -> None:
    unfinished = "table_id = ? AND finished IS NULL"
    for statement in (
        "DELETE FROM tokens WHERE table_id = ?",
        f"DELETE FROM actions WHERE game_id IN (SELECT id FROM games WHERE {unfinished})",
        f"DELETE FROM games WHERE {unfinished}",
        "DELETE FROM tables WHERE id = ?",
    ):
        connection.execute(statement, (table,))


def _ids(connection: sqlite3.Connection, statement: str, *values: object) -> list[str]:
    return [row[0] for row in connection.execute(statement, values)]
