"""Stored reviews, the time by which old data is deleted, and indexes that find it."""

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "reviews",
        sa.Column("game_id", sa.String(32), primary_key=True),
        sa.Column("made", sa.Float, nullable=False, index=True),
        sa.Column("review", sa.LargeBinary, nullable=False),
    )
    op.create_table(
        "pruning",
        sa.Column("id", sa.Integer, primary_key=True),
        sa.Column("time", sa.Float, nullable=False),
    )
    op.create_index("ix_games_finished", "games", ["finished"])
    op.create_index("ix_tables_phase_changed", "tables", ["phase", "changed"])
    op.drop_index("ix_tables_changed", "tables")
