"""`foretell migrate-data`: games go from SQLite to PostgreSQL and back; a running one is played on each time."""

import contextlib
import sqlite3
from pathlib import Path

import psycopg
import pytest
from click.testing import CliRunner, Result

from foretell.cli import main
from foretell.server.coach.advice import OddsCoach
from foretell.server.store.data_folder import exclusive_data_folder
from server.postgresql import Postgresql
from server.rooms import open_room, played
from server.test_reviews import finished, reviewed

pytestmark = pytest.mark.anyio


def migrated(folder: Path, url: str, *more: str) -> Result:
    command = ["migrate-data", "--data", str(folder), "--database", url, *more]
    return CliRunner().invoke(main, command)


async def test_a_game_goes_to_postgresql_and_back(
    database_server: Postgresql, tmp_path: Path
) -> None:
    here, back, url = tmp_path / "here", tmp_path / "back", database_server.new_database()
    rules = {"rounds": [1, 2, 3]}
    async with open_room(here / "foretell.sqlite3") as room:
        (seat,) = await room.table(seats=3, bots=["random", "random"], rules=rules)
        async with room.player(seat) as ada:
            await ada.start()
            seen = await ada.turn()
            assert seen is not None
            await ada.act(seen.legal[0])
            first = await ada.turn()
    assert migrated(here, url).output == "1 game copied.\n"
    async with open_room(url) as room, room.player(seat) as ada:
        assert await ada.turn() == first
        assert first is not None
        await ada.act(first.legal[0])
        second = await ada.turn()
        refused = migrated(back, url, "--back")
        assert "a Foretell server uses" in refused.output
    assert migrated(back, url, "--back").output == "1 game copied.\n"
    async with open_room(back / "foretell.sqlite3") as room, room.player(seat) as ada:
        assert await ada.turn() == second
        assert (await played(ada)).phase == "over"


async def test_a_finished_game_keeps_its_record_and_its_review(
    database_server: Postgresql, tmp_path: Path
) -> None:
    here, back, url = tmp_path / "here", tmp_path / "back", database_server.new_database()
    async with open_room(here / "foretell.sqlite3", coach=OddsCoach(), seconds=120) as room:
        game = await finished(room, rounds=[2])
        record, made = await room.remote.record(game), await reviewed(room, game)
    # Its table is deleted long before the game.
    with contextlib.closing(sqlite3.connect(here / "foretell.sqlite3")) as file, file:
        file.execute("DELETE FROM tables")
        file.execute("DELETE FROM tokens")
    for target, *more in ((here,), (back, "--back")):
        assert migrated(target, url, *more).output == "1 game copied.\n"
    for place in (url, back / "foretell.sqlite3"):
        async with open_room(place, coach=OddsCoach()) as room:
            assert await room.remote.record(game) == record
            # It is there at once: the coach need not make it again.
            assert (await room.remote.review(game)).review == made.review


@pytest.mark.parametrize("kept", ["games", "reviews"])
async def test_games_without_a_table_are_games_too(
    database_server: Postgresql, tmp_path: Path, kept: str
) -> None:
    """Nothing is written over, or mixed with, what is there."""
    url, other = database_server.new_database(), database_server.new_database()
    async with open_room(tmp_path / "foretell.sqlite3", coach=OddsCoach(), seconds=120) as room:
        game = await finished(room, rounds=[1])
        await reviewed(room, game)
    assert migrated(tmp_path, url).exit_code == 0
    file = tmp_path / "foretell.sqlite3"
    with contextlib.closing(sqlite3.connect(file)) as here, here, psycopg.connect(url) as there:
        for name in {"tables", "tokens", "actions", "games", "reviews"} - {kept}:
            here.execute(f"DELETE FROM {name}")
            there.execute(f"DELETE FROM {name}")
    for address, *more in ((url,), (other, "--back")):
        refused = migrated(tmp_path, address, *more)
        assert refused.exit_code == 1
        assert "is not empty" in refused.output


async def test_a_server_may_have_run_there_before(
    database_server: Postgresql, tmp_path: Path
) -> None:
    """It has noted when it looked for old games, and nothing else."""
    url = database_server.new_database()
    async with open_room(tmp_path / "foretell.sqlite3") as room:
        await room.table()
        await room.services.store.set_pruning_time(5.0)
    async with open_room(url) as room:
        await room.services.store.set_pruning_time(7.0)
    assert migrated(tmp_path, url).output == "0 games copied.\n"


async def test_games_go_only_where_there_are_none(
    database_server: Postgresql, tmp_path: Path
) -> None:
    url = database_server.new_database()
    async with open_room(tmp_path / "foretell.sqlite3") as room:
        await room.table()
    assert migrated(tmp_path, url).exit_code == 0
    for more in ((), ("--back",)):
        refused = migrated(tmp_path, url, *more)
        assert refused.exit_code == 1
        assert "is not empty" in refused.output
    with exclusive_data_folder(tmp_path):
        assert "another Foretell server" in migrated(tmp_path, url).output
