"""The SQL statements of all stores.  SQLAlchemy generates them once, when this module is loaded.

They are written for SQLite, and PostgreSQL understands all of them.

The INSERT for actions is in `action_rows`, since it takes any number of rows.
"""

import sqlalchemy as sa
from sqlalchemy.dialects import sqlite as dialect

from foretell.server.store import schema

__all__ = [
    "CLEAR_TOKENS",
    "DROP_OLD_REVIEWS",
    "FINISH_GAME",
    "GAME",
    "LOG",
    "NO_CHANGE",
    "PUT_GAME",
    "PUT_NEW_TABLE",
    "PUT_REVIEW",
    "PUT_TABLE",
    "PUT_TOKEN",
    "RENAME_GAME",
    "REVIEW",
    "SEAT",
    "TABLE",
]


def _sql(statement: sa.ClauseElement) -> str:
    return str(statement.compile(dialect=dialect.dialect(paramstyle="named")))


_t, _g, _a, _k = schema.tables, schema.games, schema.actions, schema.tokens
_r = schema.reviews

# Writing

PUT_TABLE = _sql(
    (put := dialect.insert(_t)).on_conflict_do_update(
        index_elements=[_t.c.id],
        set_={c: put.excluded[c] for c in ("phase", "state", "changed")},
    )
)
PUT_NEW_TABLE = _sql(dialect.insert(_t).on_conflict_do_nothing())
CLEAR_TOKENS = _sql(sa.delete(_k).where(_k.c.table_id == sa.bindparam("id")))
PUT_TOKEN = _sql(dialect.insert(_k).on_conflict_do_nothing())
PUT_GAME = _sql(sa.insert(_g))
FINISH_GAME = _sql(
    sa.update(_g)
    .where(_g.c.id == sa.bindparam("game"))
    .values(finished=sa.bindparam("at"), record=sa.bindparam("game_record"))
)
RENAME_GAME = _sql(
    sa.update(_g).where(_g.c.id == sa.bindparam("game")).values(setup=sa.bindparam("new_setup"))
)

PUT_REVIEW = _sql(
    (put_review := dialect.insert(_r)).on_conflict_do_update(
        index_elements=[_r.c.game_id],
        set_={c: put_review.excluded[c] for c in ("made", "review")},
    )
)
# All but the newest.  If there are not too many, the comparison is with NULL, and nothing is deleted.
DROP_OLD_REVIEWS = _sql(
    sa.delete(_r).where(
        _r.c.made
        <= sa.select(_r.c.made)
        .order_by(_r.c.made.desc())
        .limit(sa.literal_column("1"))
        .offset(sa.bindparam("most"))
        .scalar_subquery()
    )
)

# Sets a row to the value that it already has; SQLite still writes a page.  An UPDATE that matches no row would
# write nothing, and would succeed on a full disk.
NO_CHANGE = "UPDATE alembic_version SET version_num = version_num"

# Reading

TABLE = _sql(
    sa.select(_t.c.state).where(
        sa.or_(_t.c.id == sa.bindparam("key"), _t.c.code == sa.bindparam("key"))
    )
)
GAME = _sql(
    sa.select(_g.c.id, _g.c.table_id, _g.c.setup, _g.c.started, _g.c.finished, _g.c.record).where(
        _g.c.id == sa.bindparam("game")
    )
)
LOG = _sql(
    sa.select(_a.c.number, _a.c.seat, _a.c.action, _a.c.by_bot, _a.c.at)
    .where(_a.c.game_id == sa.bindparam("game"))
    .order_by(_a.c.number)
)
SEAT = _sql(
    sa.select(_t.c.state, _k.c.seat, _t.c.changed)
    .join_from(_k, _t, _t.c.id == _k.c.table_id)
    .where(_k.c.hash == sa.bindparam("hash"))
)
REVIEW = _sql(sa.select(_r.c.review).where(_r.c.game_id == sa.bindparam("game")))
