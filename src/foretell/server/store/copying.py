"""Copies everything that is stored from SQLite to PostgreSQL, or back, while no server uses either."""

from pathlib import Path

import psycopg
import sqlalchemy as sa

from foretell.errors import NotAllowed
from foretell.server.store import schema
from foretell.server.store.ownership import CLOCK
from foretell.server.store.postgresql_database import connect, migrate, shown, sqlalchemy_url
from foretell.server.store.sqlite import migrate_file

__all__ = ["copy_games"]

# Which process has a table is not copied: nobody has it, until someone comes to it.
_GAMES = (schema.tables, schema.tokens, schema.games, schema.actions, schema.reviews)
_AT_ONCE = 1000  # rows


def copy_games(file: Path, url: str, *, back: bool) -> int:
    """Copies all games of a file into the database, or with `back` the other way; returns how many.

    The copy is complete, or there is none.  The place to which it goes must be empty.
    """
    migrate_file(file)
    migrate(url)
    _refuse_if_in_use(url)
    here = sa.create_engine(f"sqlite:///{file}", poolclass=sa.NullPool)
    there = sa.create_engine(sqlalchemy_url(url), poolclass=sa.NullPool)
    source, target = (there, here) if back else (here, there)
    try:
        with source.connect() as reading, target.begin() as writing:
            # A finished game and its review are kept longer than the table at which it was played.
            if any(writing.execute(sa.select(one).limit(1)).first() for one in _GAMES):
                raise NotAllowed("not_empty", where=file if back else shown(url))
            writing.execute(sa.delete(schema.pruning))  # of a server that has once run there
            for table in (*_GAMES, schema.pruning):
                _copy(table, reading, writing)
            counted = sa.select(sa.func.count()).select_from(schema.games)
            return int(writing.execute(counted).scalar_one())
    finally:
        here.dispose()
        there.dispose()


def _copy(table: sa.Table, reading: sa.Connection, writing: sa.Connection) -> None:
    rows = reading.execution_options(yield_per=_AT_ONCE).execute(sa.select(table))
    for some in rows.mappings().partitions(_AT_ONCE):
        writing.execute(sa.insert(table), [dict(one) for one in some])


def _refuse_if_in_use(url: str) -> None:
    connection = connect(url)
    try:
        found = connection.execute(f"SELECT 1 FROM processes WHERE until > {CLOCK}").fetchone()
    except psycopg.Error as error:
        raise NotAllowed("games_unusable", file=shown(url), why=error) from error
    finally:
        connection.close()
    if found is not None:
        raise NotAllowed("database_in_use", database=shown(url))
