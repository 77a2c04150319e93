"""Which process a table belongs to: the statements that take, fence and release tables (docs/processes.md).

A row of `ownership` is the one place where this is decided.  Every write of a table changes its row first, and only if
the epoch is the writer's.  So a process that has lost a table cannot write to it, whatever it believes.
"""

from collections.abc import Iterator, Sequence

import msgspec

from foretell.server.store.database import DatabaseConnection
from foretell.server.store.interface import Lease, LoggedAction, Peer

__all__ = [
    "Row",
    "add",
    "adopt",
    "insert_actions",
    "is_free",
    "may_save",
    "owner_of",
    "release",
    "row_of",
    "take",
]

Row = tuple[str, str, int, int, int, str, bool, float]
"""An action to append: its table, game, epoch and number, its seat, the action, whether by a bot, and the time."""

CLOCK = "extract(epoch FROM clock_timestamp())::float8"
"""The database's clock, in seconds since 1970.  Leases are measured by no other."""

_HAS_LIVING_OWNER = f"""
    EXISTS (SELECT 1 FROM processes p WHERE p.id = o.owner AND p.until > {CLOCK})"""

_APPEND = """
    WITH given AS (
        SELECT * FROM json_to_recordset(CAST(:rows AS json)) AS g(
            table_id text, game_id text, epoch bigint, number int,
            seat int, action text, by_bot bool, at float8
        )
    ), fenced AS (
        UPDATE ownership o SET number = o.number + 1 FROM given g
        WHERE o.table_id = g.table_id AND o.game_id = g.game_id
            AND o.epoch = g.epoch AND o.number = g.number
        RETURNING g.game_id, g.number, g.seat, g.action, g.by_bot, g.at
    )
    INSERT INTO actions (game_id, number, seat, action, by_bot, at)
    SELECT * FROM fenced RETURNING game_id, number"""


class _Given(msgspec.Struct):
    """A row as JSON.  One JSON text costs a third of the processor time of eight arrays (`bench/drivers.py`)."""

    table_id: str
    game_id: str
    epoch: int
    number: int
    seat: int
    action: str
    by_bot: bool
    at: float


_encode = msgspec.json.Encoder().encode


def row_of(lease: Lease, game: str, action: LoggedAction) -> Row:
    """An action as the values that `insert_actions` takes."""
    return (
        lease.table,
        game,
        lease.epoch,
        action.number,
        action.seat,
        action.action,
        action.by_bot,
        action.at,
    )


def insert_actions(connection: DatabaseConnection, rows: Sequence[Row]) -> Iterator[bool]:
    """Appends actions of different games, and yields for each whether it fitted.

    A table waits for its action before it appends the next.  If there are several of one game all the same, they go
    one after another, since a statement can change a row only once.
    """
    answers = [False] * len(rows)
    left = list(enumerate(rows))
    while left:
        now = {row[1]: (place, row) for place, row in reversed(left)}  # the first of each game
        left = [one for one in left if one not in now.values()]
        given = _encode([_Given(*row) for _, row in now.values()]).decode()
        found = connection.execute(_APPEND, {"rows": given})
        stored = {tuple(one) for one in found}
        for place, row in now.values():
            answers[place] = (row[1], row[3]) in stored
    return iter(answers)


def may_save(connection: DatabaseConnection, lease: Lease, begun: str | None = None) -> bool:
    """Fences a transaction that saves a table: False if the table is no longer this lease's, or was saved since.

    `begun` is the id of a game that begins.
    """
    begins = "" if begun is None else ", game_id = :begun, number = 0"
    values = {"id": lease.table, "epoch": lease.epoch, "version": lease.version}
    changed = connection.execute(
        f"UPDATE ownership SET version = version + 1{begins}"
        " WHERE table_id = :id AND epoch = :epoch AND version = :version",
        values if begun is None else {**values, "begun": begun},
    )
    return changed.rowcount == 1


def add(connection: DatabaseConnection, table: str, process: str) -> None:
    """The row of a new table."""
    connection.execute(
        "INSERT INTO ownership (table_id, owner, epoch, version, number)"
        " VALUES (:id, :process, 1, 0, 0)",
        {"id": table, "process": process},
    )


def adopt(connection: DatabaseConnection, table: str, game: str | None) -> None:
    """The row of a table that came from another database, and belongs to nobody yet."""
    connection.execute(
        "INSERT INTO ownership (table_id, epoch, version, game_id, number)"
        " SELECT CAST(:id AS varchar), 0, 0, CAST(:game AS varchar),"
        " (SELECT count(*) FROM actions WHERE game_id = :game)"
        " WHERE NOT EXISTS (SELECT 1 FROM ownership WHERE table_id = :id) ON CONFLICT DO NOTHING",
        {"id": table, "game": game},
    )


def take(connection: DatabaseConnection, table: str, process: str) -> Lease | None:
    """Takes a table whose owner's lease has run out, or that has none; None if it was not to be had.

    A table of this process can be taken too: what an earlier lease of its has under way is refused from then on.
    """
    row = connection.execute(
        "UPDATE ownership o SET owner = :process, epoch = epoch + 1 WHERE table_id = :id"
        f" AND (owner IS NULL OR owner = :process OR NOT {_HAS_LIVING_OWNER})"
        " RETURNING epoch, version",
        {"id": table, "process": process},
    ).fetchone()
    return None if row is None else Lease(table, row[0], row[1])


def owner_of(connection: DatabaseConnection, table: str) -> Peer | None:
    """The living process that has this table."""
    row = connection.execute(
        "SELECT p.id, p.address, p.key FROM ownership o JOIN processes p ON p.id = o.owner"
        f" WHERE o.table_id = :id AND p.until > {CLOCK}",
        {"id": table},
    ).fetchone()
    return None if row is None else Peer(*row)


def release(connection: DatabaseConnection, leases: Sequence[Lease]) -> None:
    """Gives tables back, with one statement for all.  One that was taken in the meantime stays as it is."""
    connection.execute(
        "UPDATE ownership o SET owner = NULL FROM unnest("
        "CAST(:tables AS text[]), CAST(:epochs AS bigint[])) AS g(table_id, epoch)"
        " WHERE o.table_id = g.table_id AND o.epoch = g.epoch",
        {"tables": [one.table for one in leases], "epochs": [one.epoch for one in leases]},
    )


def is_free(connection: DatabaseConnection, table: str) -> bool:
    """Whether no living process has this table.  Until the end of the transaction, none can take it."""
    row = connection.execute(
        f"SELECT {_HAS_LIVING_OWNER} FROM ownership o WHERE table_id = :id FOR UPDATE",
        {"id": table},
    ).fetchone()
    return row is None or not row[0]
