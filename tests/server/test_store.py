"""The SQLite store: what is acknowledged is on disk; migrations, and backups of a running server."""

import asyncio
import json
import sqlite3
import subprocess
import sys
from collections.abc import Callable
from contextlib import closing
from importlib.resources import files
from pathlib import Path
from random import Random
from typing import Any

import msgspec
import pytest
import sqlalchemy as sa
from alembic import command
from alembic.autogenerate import compare_metadata
from alembic.config import Config
from alembic.migration import MigrationContext

from foretell.client import Player, RefusedByTable
from foretell.deals import Dealing, seeded
from foretell.engine import view
from foretell.engine.codec import encoded
from foretell.server.keys import hashed, random_keys
from foretell.server.store.interface import GameRow, LoggedAction
from foretell.server.store.schema import NEWEST_REVISION, metadata
from foretell.server.store.sqlite import SqliteStore, backup
from foretell.server.table.seating import new_table
from foretell.server.table.services import Timeouts
from foretell.server.wire import protocol as p
from server.rooms import SHORT, all_in, eventually, open_room, played, ready_and_start, settled
from server.stores import a_game, an_action

pytestmark = pytest.mark.anyio


async def test_the_database_settings_survive_a_power_cut(tmp_path: Path) -> None:
    store = SqliteStore(tmp_path / "s.sqlite3")
    found = await store._write(
        lambda connection: [
            connection.execute(f"PRAGMA {name}").fetchone()[0]
            for name in ("journal_mode", "synchronous", "fullfsync", "checkpoint_fullfsync")
        ]
    )
    assert found == ["wal", 2, 1, 1]  # 2: FULL; the last two matter on macOS
    await store.close()


async def test_another_process_reads_what_was_written(tmp_path: Path) -> None:
    path = tmp_path / "s.sqlite3"
    store = SqliteStore(path)
    state, token = new_table(p.NewTable(name="Ada"), random_keys, 5.0)
    row = a_game(state.id)
    await store.save(state, begun=row)
    assert await store.append(row.id, LoggedAction(0, 1, "bid 0", False, 2.0)).stored
    assert await store.append(row.id, LoggedAction(1, 2, "bid 1", True, 3.0)).stored
    await store.close()
    again = SqliteStore(path)
    assert await again.table(state.code) == await again.table(state.id) == state
    assert await again.game(row.id) == row
    assert [one.action for one in await again.log(row.id)] == ["bid 0", "bid 1"]
    assert await again.seats_of([hashed(token), "x"]) == {hashed(token): (state, 0, 5.0)}
    await again.close()


async def test_only_one_action_gets_a_number(tmp_path: Path) -> None:
    store = SqliteStore(tmp_path / "s.sqlite3")
    row = a_game()
    state, _ = new_table(p.NewTable(name="Ada"), random_keys, 5.0)
    await store.save(state, begun=row)
    tried = [LoggedAction(0, seat, f"bid {seat}", False, 2.0) for seat in range(3)]
    done = await asyncio.gather(*(store.append(row.id, one).stored for one in tried))
    assert sorted(done) == [False, False, True]
    assert len(await store.log(row.id)) == 1
    await store.close()


async def _with_a_game(folder: Path) -> tuple[SqliteStore, GameRow, list[int]]:
    """A store with a game, and the number of writes in each of its commits."""
    commits: list[int] = []
    store = SqliteStore(
        folder / "s.sqlite3", on_commit=lambda writes, _seconds: commits.append(writes)
    )
    row = a_game()
    state, _ = new_table(p.NewTable(name="Ada"), random_keys, 5.0)
    await store.save(state, begun=row)
    return store, row, commits


async def test_writes_that_wait_share_a_commit(tmp_path: Path) -> None:
    store, row, commits = await _with_a_game(tmp_path)
    await asyncio.gather(*(store.append(row.id, an_action(n)).stored for n in range(500)))
    assert sum(commits) == 501
    assert len(commits) < 100
    await store.close()


async def test_writes_in_turns_right_after_each_other_share_a_commit(tmp_path: Path) -> None:
    store, row, commits = await _with_a_game(tmp_path)
    asked = []
    for number in range(5):
        asked.append(store.append(row.id, an_action(number)).stored)
        await asyncio.sleep(0)
    assert await asyncio.gather(*asked) == [True] * 5
    assert commits == [1, 5]
    await store.close()


async def test_the_migrations_make_the_schema(tmp_path: Path) -> None:
    path = tmp_path / "s.sqlite3"
    await SqliteStore(path).close()
    engine = sa.create_engine(f"sqlite:///{path}", poolclass=sa.NullPool)
    with engine.connect() as connection:
        context = MigrationContext.configure(connection)
        assert compare_metadata(context, metadata) == []
        assert context.get_current_revision() == NEWEST_REVISION
    engine.dispose()


async def test_a_file_of_the_first_schema_is_brought_up_to_date(tmp_path: Path) -> None:
    """With a game whose setup was stored before games had a version of the rules."""
    path = tmp_path / "s.sqlite3"
    state, _ = new_table(p.NewTable(name="Ada"), random_keys, 5.0)
    row = a_game(state.id)
    with closing(_of_the_first_schema(path)) as old:
        setup = json.loads(msgspec.json.encode(row.setup, enc_hook=encoded))
        del setup["rules_version"]
        values = (row.id, row.table, json.dumps(setup).encode(), row.started)
        old.execute("INSERT INTO games (id, table_id, setup, started) VALUES (?, ?, ?, ?)", values)
    store = SqliteStore(path)
    found = await store.game(row.id)
    assert found == row
    assert found.setup.rules_version == 1
    await store.save_review(row.id, b"x", 1.0)
    assert await store.review(row.id) == b"x"
    await store.close()


def _of_the_first_schema(path: Path) -> sqlite3.Connection:
    config = Config()
    config.set_main_option("script_location", str(files("foretell.server.store.migrations")))
    engine = sa.create_engine(f"sqlite:///{path}", poolclass=sa.NullPool)
    with engine.begin() as connection:
        config.attributes["connection"] = connection
        command.upgrade(config, "0001")
    engine.dispose()
    return sqlite3.connect(path, isolation_level=None)


_STARTED_AGAIN = """
import sys
from pathlib import Path
from foretell.server.store.sqlite import SqliteStore
SqliteStore(Path(sys.argv[1]))
print("alembic" in sys.modules)
"""


def test_only_the_first_start_imports_the_migrations(tmp_path: Path) -> None:
    """They take a third of the time that a server needs to start."""
    script = [sys.executable, "-c", _STARTED_AGAIN, str(tmp_path / "a % file.sqlite3")]
    starts = [subprocess.run(script, check=True, capture_output=True, text=True) for _ in "12"]
    assert [one.stdout.strip() for one in starts] == ["True", "False"]


_KILLED = """
import os, sys
from pathlib import Path
import sqlalchemy as sa
from foretell.server.store.sqlite import SqliteStore
left = [int(sys.argv[2])]
@sa.event.listens_for(sa.engine.Engine, "after_cursor_execute")
def after(connection, cursor, statement, *more):
    left[0] -= "CREATE TABLE" in statement
    if not left[0]:
        os._exit(9)
SqliteStore(Path(sys.argv[1]))
"""


@pytest.mark.parametrize("after", [1, 3, 5])
async def test_a_server_killed_during_the_migration_leaves_no_half_schema(
    tmp_path: Path, after: int
) -> None:
    path = tmp_path / "t.sqlite3"
    killed = subprocess.run([sys.executable, "-c", _KILLED, str(path), str(after)], check=False)
    assert killed.returncode == 9
    async with open_room(path) as room:
        await room.table()


async def test_a_backup_during_a_game_is_complete(tmp_path: Path) -> None:
    async with open_room(tmp_path / "t.sqlite3") as room:
        (seat,) = await room.table(seats=3, bots=["random", "random"], **SHORT)
        async with room.player(seat) as ada:
            await ada.start()
            seen = await ada.turn()
            assert seen is not None
            await asyncio.to_thread(backup, tmp_path / "t.sqlite3", tmp_path / "copy.sqlite3")
            await ada.act(seen.legal[0])
            await played(ada)
    async with open_room(tmp_path / "copy.sqlite3") as room, room.player(seat) as ada:
        assert await ada.turn() == seen
        await played(ada)


async def test_a_backup_finishes_while_others_write(tmp_path: Path) -> None:
    path = tmp_path / "t.sqlite3"
    await SqliteStore(path).close()
    with closing(sqlite3.connect(path, isolation_level=None)) as writing:
        writing.execute("CREATE TABLE ballast AS SELECT zeroblob(1000) AS z")
        for _ in range(15):
            writing.execute("INSERT INTO ballast SELECT z FROM ballast")  # 32 MB
        copying = asyncio.ensure_future(asyncio.to_thread(backup, path, tmp_path / "copy"))
        async with asyncio.timeout(20):  # it takes a second if nobody writes
            while not copying.done():
                writing.execute("UPDATE alembic_version SET version_num = version_num")
                await asyncio.sleep(0.001)
        await copying


async def test_a_thousand_sleeping_tables_are_only_in_the_store(tmp_path: Path) -> None:
    async with open_room(tmp_path / "t.sqlite3", timeouts=Timeouts(sleep=0.05)) as room:
        seats = [await room.app.lobby.make(p.NewTable(name="Ada")) for _ in range(1000)]
        await eventually(lambda: not room.app.lobby.tables)
        async with Player(room.remote, seats[777].code, seats[777].token) as ada:
            assert ada.seat == 0
            assert len(room.app.lobby.tables) == 1


_ON_A_FULL_DISK = """
import asyncio, resource, sys
from pathlib import Path
from foretell.server.store.sqlite import SqliteStore

async def main():
    store = SqliteStore(Path(sys.argv[1]))
    _, most = resource.getrlimit(resource.RLIMIT_FSIZE)
    for room in (most, 0, most):
        resource.setrlimit(resource.RLIMIT_FSIZE, (room, most))
        print(await store.is_well())
    await store.close()

asyncio.run(main())
"""


@pytest.mark.skipif(sys.platform == "win32", reason="needs a limit on files")
async def test_a_full_disk_is_noticed(tmp_path: Path) -> None:
    """No file may grow, so every write fails as on a full disk."""
    command = [sys.executable, "-c", _ON_A_FULL_DISK, str(tmp_path / "t.sqlite3")]
    said = subprocess.run(command, capture_output=True, text=True, check=True, timeout=60).stdout
    assert said.split() == ["True", "False", "True"]


async def test_an_action_that_cannot_be_stored_has_not_happened(tmp_path: Path) -> None:
    async with open_room(tmp_path / "t.sqlite3") as room:
        (seat,) = await room.table(seats=3, bots=["random", "random"], **SHORT)
        store = room.services.store
        assert isinstance(store, SqliteStore)
        async with room.player(seat) as ada:
            await ada.start()
            seen = await ada.turn()
            assert seen is not None
            writer: list[sqlite3.Connection] = []
            await store._write(writer.append)
            writer[0].execute("PRAGMA query_only=ON")
            with pytest.raises(RefusedByTable, match="the server has a problem"):
                await ada.act(seen.legal[0])
            assert ada.view == seen
            assert not await store.is_well()
            writer[0].execute("PRAGMA query_only=OFF")
            await ada.act(seen.legal[0])
            await played(ada)


async def test_snapshots_written_ahead_are_not_sent_if_the_action_is_not_stored(
    tmp_path: Path,
) -> None:
    """Each decision is first made while nothing can be stored, and then again, perhaps in another way."""

    def a_wizard_first(_setup: object) -> Dealing:
        return seeded(5)  # turns up a Wizard (T3): the dealer names the trump

    random = Random(1)
    async with open_room(tmp_path / "t.sqlite3", dealing=a_wizard_first) as room:
        seats = await room.table(3, seats=3, rules={"rounds": [3]})
        async with all_in([room.player(one) for one in seats]) as players:
            await ready_and_start(players)
            table, writer = room.app.lobby.tables[seats[0].table], list[sqlite3.Connection]()
            await room.services.store._write(writer.append)  # type: ignore[attr-defined]
            while table.playing is not None and not table.playing.game.is_over:
                seat, number = table.playing.awaited[0], table.playing.number
                await players[seat].until(_has_come_to(number))
                seen = players[seat].view
                assert seen is not None
                writer[0].execute("PRAGMA query_only=ON")
                with pytest.raises(RefusedByTable):
                    await players[seat].act(random.choice(seen.legal))
                writer[0].execute("PRAGMA query_only=OFF")
                await players[seat].act(random.choice(seen.legal))
                for one in players:
                    await one.until(_has_come_to(number + 1))
                    assert one.view == view(table.playing.game, one.seat)


def _has_come_to(number: int) -> Callable[[Player], bool]:
    return lambda me: me.snapshot is not None and me.snapshot.number == number


@pytest.mark.parametrize("failures", [1, 2])
async def test_a_snapshot_that_cannot_be_written_does_not_hide_that_the_action_is_stored(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, failures: int
) -> None:
    """The first failure is while the disk is at work, and harmless; the second is when the snapshot is to be sent."""
    async with open_room(tmp_path / "t.sqlite3", dealing=settled) as room:
        seats = await room.table(3, seats=3, rules={"rounds": [2]})
        async with all_in([room.player(one) for one in seats]) as players:
            await ready_and_start(players)
            table = room.app.lobby.tables[seats[0].table]
            assert table.playing is not None
            first = players[table.playing.awaited[0]]
            await first.until(_has_come_to(0))
            written, left = table.written, [failures]

            def failing(*args: Any) -> Any:
                if left[0]:
                    left[0] -= 1
                    raise ValueError("cannot be written")
                return written(*args)

            monkeypatch.setattr(table, "written", failing)
            if failures == 1:
                await first.act("bid 0")
                await first.until(_has_come_to(1))
            else:
                with pytest.raises(RefusedByTable, match="the server has a problem"):
                    await first.act("bid 0")
            assert left == [0]
            assert table.playing.number == len(await room.services.store.log(table.playing.id)) == 1
            second = players[table.playing.awaited[0]]
            await second.act("bid 0", table.playing.decision)
            for one in players:
                await one.until(_has_come_to(2))
                assert one.view == view(table.playing.game, one.seat)
