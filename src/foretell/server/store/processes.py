"""The living processes, as the database knows them: each has a row, and a lease that it renews."""

from typing import NamedTuple

from foretell.server.store import formats
from foretell.server.store.database import DatabaseConnection
from foretell.server.store.interface import NewerTable, Peer
from foretell.server.store.ownership import CLOCK

__all__ = ["Process", "is_first", "leave", "listings", "living", "publish", "reader_of", "renew"]

_FORGOTTEN = 86400  # seconds after which the row of a process that has ended is deleted


class Process(NamedTuple):
    """A process: its id, the address at which the others reach it, and the key that they show there."""

    id: str
    address: str
    key: str
    lease: float  # seconds


def renew(connection: DatabaseConnection, process: Process) -> bool:
    """Renews the lease; False if it had run out, so that others may have taken tables of this process."""
    row = connection.execute(
        "INSERT INTO processes AS p (id, address, key, until, listed, format)"
        f" VALUES (:id, :address, :key, {CLOCK} + :lease, '', :format)"
        " ON CONFLICT (id) DO UPDATE SET until = excluded.until"
        f" RETURNING (SELECT q.until > {CLOCK} FROM processes q WHERE q.id = p.id)",
        {
            "id": process.id,
            "address": process.address,
            "key": process.key,
            "lease": process.lease,
            "format": formats.FORMAT,
        },
    ).fetchone()
    connection.execute(
        f"DELETE FROM processes WHERE until < {CLOCK} - :forgotten", {"forgotten": _FORGOTTEN}
    )
    return bool(row[0])  # NULL if the process is new


def leave(connection: DatabaseConnection, process: str) -> None:
    """Ends a process: nothing of it remains."""
    values = {"id": process}
    connection.execute("UPDATE ownership SET owner = NULL WHERE owner = :id", values)
    connection.execute("DELETE FROM processes WHERE id = :id", values)


def is_first(connection: DatabaseConnection, process: str) -> bool:
    """Whether this is the first of the living processes, by their ids."""
    row = connection.execute(f"SELECT min(id) FROM processes WHERE until > {CLOCK}").fetchone()
    return bool(row[0] == process)


def publish(connection: DatabaseConnection, process: str, listed: bytes) -> None:
    """Stores the public tables of this process."""
    connection.execute(
        "UPDATE processes SET listed = :listed WHERE id = :id", {"id": process, "listed": listed}
    )


def listings(connection: DatabaseConnection, process: str) -> list[bytes]:
    """The public tables of the other living processes."""
    rows = connection.execute(
        f"SELECT listed FROM processes WHERE id <> :id AND until > {CLOCK} AND listed <> ''",
        {"id": process},
    )
    return [bytes(row[0]) for row in rows]


def living(connection: DatabaseConnection) -> list[Peer]:
    """All living processes."""
    rows = connection.execute(f"SELECT id, address, key FROM processes WHERE until > {CLOCK}")
    return [Peer(*row) for row in rows]


def reader_of(connection: DatabaseConnection, newer: NewerTable) -> Peer | None:
    """A living process that can read a table of this format: its owner, if it has one."""
    row = connection.execute(
        "SELECT p.id, p.address, p.key FROM processes p"
        " LEFT JOIN ownership o ON o.owner = p.id AND o.table_id = :id"
        f" WHERE p.until > {CLOCK} AND p.format >= :format"
        " ORDER BY o.table_id IS NULL, random() LIMIT 1",
        {"id": newer.table, "format": newer.format},
    ).fetchone()
    return None if row is None else Peer(*row)
