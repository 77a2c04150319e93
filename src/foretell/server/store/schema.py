"""The tables of the database, in terms that SQLite and PostgreSQL share.  Every change here needs a migration.

A game is its row in `games` (rules, names, secret) and its rows in `actions`; everything else about it follows from
these.  `tables.state` is a JSON document with the people at a table; `tokens` finds a seat by the hash of its token.
`reviews` has the coach's reviews of finished games, and `pruning` the time by which old data was last deleted.
`ownership` and `processes` say which process a table belongs to (docs/processes.md); SQLite does not use them.
"""

import sqlalchemy as sa

__all__ = [
    "NEWEST_REVISION",
    "actions",
    "games",
    "metadata",
    "ownership",
    "processes",
    "pruning",
    "reviews",
    "tables",
    "tokens",
]

NEWEST_REVISION = "0004"
"""Of the migrations.  It is here so that a server whose database is up to date need not import them."""

metadata = sa.MetaData()

tables = sa.Table(
    "tables",
    metadata,
    sa.Column("id", sa.String(32), primary_key=True),
    sa.Column("code", sa.String(16), nullable=False, unique=True),
    sa.Column("phase", sa.String(16), nullable=False),
    sa.Column("state", sa.LargeBinary, nullable=False),
    sa.Column("created", sa.Float, nullable=False),
    sa.Column("changed", sa.Float, nullable=False),
    sa.Index("ix_tables_phase_changed", "phase", "changed"),
)

tokens = sa.Table(
    "tokens",
    metadata,
    sa.Column("hash", sa.String(64), primary_key=True),
    sa.Column("table_id", sa.String(32), nullable=False, index=True),
    sa.Column("seat", sa.Integer, nullable=False),
)

games = sa.Table(
    "games",
    metadata,
    sa.Column("id", sa.String(32), primary_key=True),
    sa.Column("table_id", sa.String(32), nullable=False, index=True),
    sa.Column("setup", sa.LargeBinary, nullable=False),
    sa.Column("started", sa.Float, nullable=False),
    sa.Column("finished", sa.Float, index=True),
    sa.Column("record", sa.Text),
)

actions = sa.Table(
    "actions",
    metadata,
    sa.Column("game_id", sa.String(32), primary_key=True),
    sa.Column("number", sa.Integer, primary_key=True, autoincrement=False),
    sa.Column("seat", sa.Integer, nullable=False),
    sa.Column("action", sa.String(32), nullable=False),
    sa.Column("by_bot", sa.Boolean, nullable=False),
    sa.Column("at", sa.Float, nullable=False),
    sqlite_with_rowid=False,
)

reviews = sa.Table(
    "reviews",
    metadata,
    sa.Column("game_id", sa.String(32), primary_key=True),
    sa.Column("made", sa.Float, nullable=False, index=True),
    sa.Column("review", sa.LargeBinary, nullable=False),
)

pruning = sa.Table(
    "pruning",
    metadata,
    sa.Column("id", sa.Integer, primary_key=True),
    sa.Column("time", sa.Float, nullable=False),
)

# One narrow row for each table, which every write of the table changes.
ownership = sa.Table(
    "ownership",
    metadata,
    sa.Column("table_id", sa.String(32), primary_key=True),
    sa.Column("owner", sa.String(32), index=True),
    sa.Column("epoch", sa.BigInteger, nullable=False),
    sa.Column("version", sa.BigInteger, nullable=False),
    sa.Column("game_id", sa.String(32)),
    sa.Column("number", sa.Integer, nullable=False),
    postgresql_with={"fillfactor": 50},
)

processes = sa.Table(
    "processes",
    metadata,
    sa.Column("id", sa.String(32), primary_key=True),
    sa.Column("address", sa.String(255), nullable=False),
    sa.Column("key", sa.String(64), nullable=False),
    sa.Column("until", sa.Float, nullable=False),
    sa.Column("listed", sa.LargeBinary, nullable=False),
    sa.Column("format", sa.Integer, nullable=False, server_default="1"),
)
