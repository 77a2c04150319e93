"""Which process a table belongs to; and room for the codes of tables, whose length PostgreSQL checks."""

import sqlalchemy as sa
from alembic import op

revision = "0003"
down_revision = "0002"
branch_labels = None
depends_on = None


def upgrade() -> None:
    with op.batch_alter_table("tables") as tables:
        tables.alter_column("code", type_=sa.String(16), existing_nullable=False)
    op.create_table(
        "ownership",
        sa.Column("table_id", sa.String(32), primary_key=True),
        sa.Column("owner", sa.String(32), index=True),
        sa.Column("epoch", sa.BigInteger, nullable=False),
        sa.Column("version", sa.BigInteger, nullable=False),
        sa.Column("game_id", sa.String(32)),
        sa.Column("number", sa.Integer, nullable=False),
        # Each action changes a row, and no index: with room on its page, the new row replaces the old one there.
        postgresql_with={"fillfactor": 50},
    )
    op.create_table(
        "processes",
        sa.Column("id", sa.String(32), primary_key=True),
        sa.Column("address", sa.String(255), nullable=False),
        sa.Column("key", sa.String(64), nullable=False),
        sa.Column("until", sa.Float, nullable=False),
        sa.Column("listed", sa.LargeBinary, nullable=False),
    )
