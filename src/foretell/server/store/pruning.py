"""How long tables and games are kept, and the statements that find and delete those that are too old."""

from collections.abc import Iterable, Iterator

import msgspec

from foretell.server.store.database import DatabaseConnection

__all__ = [
    "Keep",
    "delete_old_games",
    "delete_old_tables",
    "old_tables",
    "pruning_time",
    "set_pruning_time",
]

_DAY = 86400.0


class Keep(msgspec.Struct, frozen=True):
    """How long things are kept, in days since they last changed."""

    gathering: float = 2
    unfinished: float = 30
    finished: float = 365

    def oldest(self, now: float) -> Iterator[tuple[str, float]]:
        """For each phase of a table, the time of the last change from which on it is kept."""
        for phase, days in (
            ("gathering", self.gathering),
            ("playing", self.unfinished),
            ("over", self.unfinished),
        ):
            yield phase, now - days * _DAY


_OLD = "phase = :phase AND changed < :oldest"
# The row of a table is written when its people change, but not when a card is played.
_NOT_PLAYED = """
    NOT EXISTS (
        SELECT 1 FROM games g WHERE g.table_id = tables.id AND :oldest <= (
            SELECT a.at FROM actions a WHERE a.game_id = g.id ORDER BY a.number DESC LIMIT 1))"""


def _condition(phase: str) -> str:
    return f"{_OLD} AND {_NOT_PLAYED}" if phase == "playing" else _OLD


def old_tables(
    connection: DatabaseConnection, keep: Keep, now: float, most: int
) -> list[tuple[str, str]]:
    """The ids and codes of tables that are too old, but at most so many."""
    found: list[tuple[str, str]] = []
    for phase, oldest in keep.oldest(now):
        statement = (
            f"SELECT id, code FROM tables WHERE {_condition(phase)} ORDER BY changed LIMIT :most"
        )
        values = {"phase": phase, "oldest": oldest, "most": most - len(found)}
        found += connection.execute(statement, values)
    return found


def delete_old_tables(
    connection: DatabaseConnection, keep: Keep, now: float, tables: Iterable[str]
) -> int:
    """Deletes those of these tables that are still too old, and returns how many.

    A table is deleted together with its tokens and an unfinished game.  A finished game stays longer than its table, as
    a record.
    """
    count = 0
    for table in tables:
        for phase, oldest in keep.oldest(now):
            statement = f"DELETE FROM tables WHERE id = :id AND {_condition(phase)}"
            values = {"id": table, "phase": phase, "oldest": oldest}
            if connection.execute(statement, values).rowcount:
                _delete_rest_of_table(connection, table)
                count += 1
    return count


def _delete_rest_of_table(connection: DatabaseConnection, table: str) -> None:
    unfinished = "table_id = :id AND finished IS NULL"
    for statement in (
        "DELETE FROM tokens WHERE table_id = :id",
        f"DELETE FROM actions WHERE game_id IN (SELECT id FROM games WHERE {unfinished})",
        f"DELETE FROM games WHERE {unfinished}",
        "DELETE FROM ownership WHERE table_id = :id",
    ):
        connection.execute(statement, {"id": table})


def delete_old_games(connection: DatabaseConnection, keep: Keep, now: float, most: int) -> int:
    """Deletes finished games that are too old, with their reviews, but at most so many; returns how many."""
    oldest = now - keep.finished * _DAY
    rows = connection.execute(
        "SELECT id FROM games WHERE finished < :oldest ORDER BY finished LIMIT :most",
        {"oldest": oldest, "most": most},
    ).fetchall()
    for row in rows:
        for statement in (
            "DELETE FROM actions WHERE game_id = :game",
            "DELETE FROM reviews WHERE game_id = :game",
            "DELETE FROM games WHERE id = :game",
        ):
            connection.execute(statement, {"game": row[0]})
    return len(rows)


def pruning_time(connection: DatabaseConnection) -> float | None:
    """The time by which old data was last deleted; before the first time, that of the newest change.  None if empty."""
    stored = connection.execute("SELECT time FROM pruning").fetchone()
    if stored is not None:
        return float(stored[0])
    newest = connection.execute(
        "SELECT max(newest) FROM (SELECT max(changed) AS newest FROM tables"
        " UNION ALL SELECT max(started) FROM games UNION ALL SELECT max(finished) FROM games) AS all_changes"
    ).fetchone()
    return None if newest[0] is None else float(newest[0])


def set_pruning_time(connection: DatabaseConnection, time: float) -> None:
    connection.execute(
        "INSERT INTO pruning (id, time) VALUES (1, :time)"
        " ON CONFLICT (id) DO UPDATE SET time = excluded.time",
        {"time": time},
    )
