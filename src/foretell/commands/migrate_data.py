"""`foretell migrate-data`: moves to PostgreSQL with all games, or back."""

from pathlib import Path

import click

from foretell.commands.serve import data_folder, require_psycopg
from foretell.i18n import say as _say
from foretell.server.store.data_folder import exclusive_data_folder


@click.command("migrate-data", help="cli.migrate-data.help")
@click.option("--data", type=click.Path(path_type=Path), default=None, help="cli.serve.data")
@click.option(
    "--database", required=True, envvar="FORETELL_DATABASE", help="cli.migrate-data.database"
)
@click.option("--back", is_flag=True, help="cli.migrate-data.back")
def command(*, data: Path | None, database: str, back: bool) -> None:
    require_psycopg()
    from foretell.server.store.copying import copy_games  # noqa: PLC0415  psycopg is an extra

    folder = data or data_folder()
    with exclusive_data_folder(folder):  # no server uses the file
        count = copy_games(folder / "foretell.sqlite3", database, back=back)
    click.echo(_say("cli.migrate-data.done", count=count))
