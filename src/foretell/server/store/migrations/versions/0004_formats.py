"""The newest format of tables that a process can read."""

import sqlalchemy as sa
from alembic import op

revision = "0004"
down_revision = "0003"
branch_labels = None
depends_on = None


def upgrade() -> None:
    # With a default: processes of the version before still add rows while this one is deployed.
    op.add_column("processes", sa.Column("format", sa.Integer, nullable=False, server_default="1"))
