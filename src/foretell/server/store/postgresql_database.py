"""Connections to PostgreSQL, what their errors mean, and the migrations."""

import math
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cache
from typing import Any

import psycopg
import sqlalchemy as sa

from foretell.errors import NotAllowed
from foretell.server.store.database import Work
from foretell.server.store.schema import NEWEST_REVISION

__all__ = [
    "TIMEOUT",
    "PostgresqlConnection",
    "PostgresqlDatabase",
    "connect",
    "is_connection_lost",
    "migrate",
    "shown",
    "sqlalchemy_url",
]

_MIGRATION_LOCK = 4170  # any number that nothing else in this database locks
TIMEOUT = 10.0
"""Seconds to connect, and for one statement."""
# Seconds in a transaction without a statement: the database then ends it.  A process that sleeps in the middle of a
# write must not keep a table locked that another one has to take.
_MOST_IDLE = 3
_MOST_DEADLOCKS = 3  # in a row


@cache
def _converted(statement: str) -> str:
    """The statement with psycopg's names for values.  A double colon is a cast."""
    return re.sub(r"(?<!:):([a-z_]+)", r"%(\1)s", statement)


class PostgresqlConnection:
    """A connection that takes the same statements as SQLite's.  Each is its own transaction, unless one was begun.

    `timeout` is for the connection to be made, and for one statement.
    """

    def __init__(self, url: str, timeout: float = TIMEOUT) -> None:
        self.raw = psycopg.connect(
            url,
            autocommit=True,
            prepare_threshold=0,  # the same few statements are used again and again
            connect_timeout=max(2, math.ceil(timeout)),  # less than 2 counts as 2
            # A database that does not answer must not stop a process for longer than it takes to replace it.
            # A commit that is acknowledged survives a power cut, whatever the database's own setting is.
            options=f"-c statement_timeout={round(timeout * 1000)} -c synchronous_commit=on"
            f" -c idle_in_transaction_session_timeout={_MOST_IDLE * 1000}",
            keepalives_idle=5,
            keepalives_interval=2,
            keepalives_count=3,
            tcp_user_timeout=round(timeout * 1000),
            application_name="foretell",
        )

    def execute(
        self, statement: str, values: Mapping[str, Any] | None = None, /
    ) -> psycopg.Cursor[Any]:
        return self.raw.execute(_converted(statement), values or {}, binary=True)

    def close(self) -> None:
        self.raw.close()


def connect(url: str, timeout: float = TIMEOUT) -> PostgresqlConnection:
    return PostgresqlConnection(url, timeout)


def is_connection_lost(error: BaseException) -> bool:
    """Whether the connection, and not a statement, has failed.  What it was doing may have been done or not."""
    if not isinstance(error, psycopg.Error):
        return False
    if error.sqlstate is None:  # no answer has come at all
        return isinstance(error, psycopg.OperationalError | psycopg.InterfaceError)
    # Class 57P: the server is shutting down or has crashed.  25P03: the transaction was idle for too long.
    return error.sqlstate[:2] == "08" or error.sqlstate[:3] == "57P" or error.sqlstate == "25P03"


class PostgresqlDatabase:
    """How a group of writes is committed to PostgreSQL.  `insert` inserts rows of actions with one statement."""

    def __init__(
        self,
        url: str,
        insert: Callable[[PostgresqlConnection, Sequence[tuple[Any, ...]]], Iterator[bool]],
    ) -> None:
        self._url, self._insert = url, insert

    def connect(self) -> PostgresqlConnection:
        return connect(self._url)

    def commit(
        self, connection: PostgresqlConnection, writes: Sequence[Work[PostgresqlConnection]]
    ) -> list[Any]:
        for _ in range(_MOST_DEADLOCKS):
            try:
                return self._commit(connection, writes)
            except psycopg.errors.DeadlockDetected:
                pass  # nothing was stored: a migration wanted what this had, and has come first
        return self._commit(connection, writes)

    def _commit(
        self, connection: PostgresqlConnection, writes: Sequence[Work[PostgresqlConnection]]
    ) -> list[Any]:
        rows = [one for one in writes if isinstance(one, tuple)]
        if len(rows) == len(writes):
            return list(self._insert(connection, rows))  # one statement is a transaction
        with connection.raw.transaction():
            inserted = self._insert(connection, rows)
            return [next(inserted) if isinstance(one, tuple) else one(connection) for one in writes]

    def roll_back(self, connection: PostgresqlConnection) -> bool:
        return connection.raw.info.transaction_status == psycopg.pq.TransactionStatus.IDLE

    def close(self, connection: PostgresqlConnection) -> None:
        connection.close()

    def is_outcome_unknown(self, error: BaseException) -> bool:
        return is_connection_lost(error)

    def is_timeout(self, error: BaseException) -> bool:
        return isinstance(error, psycopg.errors.QueryCanceled | psycopg.errors.ConnectionTimeout)


def migrate(url: str) -> None:
    """Creates the schema, or brings it up to date.  Processes that start together wait for the first."""
    if _is_up_to_date(url):
        return
    from alembic.util import CommandError  # noqa: PLC0415  slow to import, and seldom needed

    from foretell.server.store.migrations import upgrade  # noqa: PLC0415

    engine = sa.create_engine(sqlalchemy_url(url), poolclass=sa.NullPool)
    try:
        with engine.begin() as connection:
            connection.exec_driver_sql(f"SELECT pg_advisory_xact_lock({_MIGRATION_LOCK})")
            upgrade(connection)
    except CommandError as error:  # written by a newer version
        raise NotAllowed("games_unusable", file=shown(url), why=error) from error
    finally:
        engine.dispose()


def _is_up_to_date(url: str) -> bool:
    try:
        connection = connect(url)
    except psycopg.Error as error:
        why = str(error).strip().splitlines()[0]
        raise NotAllowed("games_unusable", file=shown(url), why=why) from error
    try:
        found = connection.execute("SELECT version_num FROM alembic_version").fetchall()
    except psycopg.errors.UndefinedTable:
        return False
    finally:
        connection.close()
    return found == [(NEWEST_REVISION,)]


def sqlalchemy_url(url: str) -> str:
    """The address of the database, for SQLAlchemy: it has to name the driver."""
    return "postgresql+psycopg://" + url.partition("://")[2]


def shown(url: str) -> str:
    """The address without a password."""
    return re.sub(r"(?<=://)([^:@/]*):[^@/]*@", r"\1@", url)
