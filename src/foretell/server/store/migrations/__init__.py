"""The migrations of the server's database.  They are part of the package, and run when a server starts."""

from importlib.resources import files

import sqlalchemy as sa
from alembic import command
from alembic.config import Config

__all__ = ["upgrade"]


def upgrade(connection: sa.Connection) -> None:
    """Brings the database to the newest schema, inside the caller's transaction."""
    config = Config()
    # A percent sign in a path would be read as interpolation.
    config.set_main_option("script_location", str(files(__name__)).replace("%", "%%"))
    config.attributes["connection"] = connection
    command.upgrade(config, "head")
