"""A new version may add to the schema while processes of the version before still play; it takes nothing away."""

import asyncio
from importlib.resources import files
from itertools import pairwise

import psycopg
import pytest
import sqlalchemy as sa
from alembic import command
from alembic.config import Config
from alembic.migration import MigrationContext
from alembic.operations import Operations
from alembic.script import ScriptDirectory
from msgspec.structs import replace

from foretell.client import Player
from foretell.server.coach.advice import OddsCoach
from foretell.server.store.postgresql import PostgresqlStore
from foretell.server.store.postgresql_database import sqlalchemy_url
from foretell.server.store.processes import Process
from foretell.server.store.schema import metadata
from foretell.server.wire import protocol as p
from server.postgresql import Postgresql
from server.rooms import all_in, made, open_room, played, ready_and_start
from server.stores import an_action
from server.test_cut_commit import begun
from server.test_reviews import reviewed


def expand(url: str) -> None:
    """What a migration of the next version may do: a column in every table, a new table, a new index."""
    engine = sa.create_engine(sqlalchemy_url(url), poolclass=sa.NullPool)
    with engine.begin() as connection:
        operations = Operations(MigrationContext.configure(connection))
        for name in metadata.tables:
            operations.add_column(name, sa.Column("mood", sa.Text, nullable=True))
            operations.add_column(
                name, sa.Column("stars", sa.Integer, nullable=False, server_default="5")
            )
        operations.create_table("moods", sa.Column("id", sa.Integer, primary_key=True))
        operations.create_index("ix_games_mood", "games", ["mood"])
        connection.execute(sa.text("UPDATE alembic_version SET version_num = 'newer'"))
    engine.dispose()


@pytest.mark.anyio
async def test_a_process_goes_on_while_the_schema_of_the_next_version_is_applied(
    database_server: Postgresql,
) -> None:
    """Everything that it reads and writes was prepared before, and is used again afterwards."""
    url = database_server.new_database()
    async with open_room(url, coach=OddsCoach(), seconds=120) as room:
        options = made(seats=3, bots=["random"], rules={"rounds": [1, 2]}, is_public=True)
        seats = [await room.remote.make(p.NewTable(name="Ada", options=options))]
        seats.append(await room.remote.join(seats[0].code, p.Join(name="Bo")))

        async def everything(players: list[Player]) -> None:
            """A whole game, then all that can be asked about it and about others."""
            await asyncio.gather(*map(played, players))
            game = players[0].table.game if players[0].table else None
            await room.remote.record(game or "")
            assert (await reviewed(room, game or "")).review is not None
            assert len((await room.remote.mine((seats[0].token,))).games) == 1
            await room.services.store.set_pruning_time(5.0)
            assert await room.services.store.pruning_time() == 5.0
            other = await room.remote.make(p.NewTable(name="Cy", options=made(seats=3)))
            await room.remote.join(other.code, p.Join(name="Di"))

        async with all_in([room.player(one) for one in seats]) as players:
            await ready_and_start(players)
            await everything(players)
            for one in players:
                await one.ask(p.Rematch())
            await players[0].until(lambda me: bool(me.view and me.view.phase != "over"))
            playing = asyncio.ensure_future(everything(players))
            await players[1].until(lambda me: bool(me.snapshot and me.snapshot.number > 4))
            await asyncio.to_thread(expand, url)
            assert not playing.done()
            await playing
            assert all(one.reconnections == 0 for one in players)
            assert room.services.metrics.failures._value.get() == 0
    with psycopg.connect(url) as connection:
        rows = connection.execute("SELECT stars, finished IS NOT NULL FROM games").fetchall()
    assert rows == [(5, True)] * 2


@pytest.mark.anyio
async def test_a_write_that_waits_for_a_migration_which_waits_for_it_is_made_again(
    database_server: Postgresql,
) -> None:
    """A migration locks one table after the other, and so does a write: the database ends one of the two."""
    url = database_server.new_database()
    store = PostgresqlStore(url, Process("deadlock", "a:1", "key", 30.0))
    try:
        state, lease, game = await begun(store)
        async with await psycopg.AsyncConnection.connect(url) as migration:
            await migration.execute("LOCK TABLE games")
            over = replace(state, phase="over")
            last = store.append(game, an_action(0), lease=lease, state=over, record="{}")
            waiting = "SELECT 1 FROM pg_locks WHERE NOT granted"
            while not await (await migration.execute(waiting)).fetchall():
                await asyncio.sleep(0.01)
            await migration.execute("LOCK TABLE actions")
        assert await last.stored
        row = await store.game(game)
        assert row is not None
        assert (row.record, len(await store.log(game))) == ("{}", 1)
    finally:
        await store.close()


def holds(column: sa.types.TypeEngine[object], old: sa.types.TypeEngine[object]) -> bool:
    """Whether a column of this type holds what one of the old type holds: the same, or longer texts."""
    lengths = [getattr(one, "length", None) or 0 for one in (column, old)]
    return type(column) is type(old) and lengths[0] >= lengths[1]


def test_no_migration_takes_away_what_an_older_process_uses(database_server: Postgresql) -> None:
    """And what it adds may be left out, since an older process adds rows without it."""
    url = database_server.new_database()
    config = Config()
    config.set_main_option("script_location", str(files("foretell.server.store.migrations")))
    revisions = [one.revision for one in ScriptDirectory.from_config(config).walk_revisions()][::-1]
    engine = sa.create_engine(sqlalchemy_url(url), poolclass=sa.NullPool)
    found = []
    for revision in revisions:
        with engine.begin() as connection:
            config.attributes["connection"] = connection
            command.upgrade(config, revision)
            looked_at = sa.inspect(connection)
            names = set(looked_at.get_table_names()) - {"alembic_version"}
            found.append({one: looked_at.get_columns(one) for one in names})
    engine.dispose()
    assert len(found) > 3
    for before, after in pairwise(found):
        for table, columns in before.items():
            kept = {one["name"]: one for one in after[table]}
            for one in columns:
                assert holds(kept[one["name"]]["type"], one["type"])
                assert kept[one["name"]]["nullable"] >= one["nullable"]
            for name in kept.keys() - {one["name"] for one in columns}:
                assert kept[name]["nullable"] or kept[name]["default"] is not None
