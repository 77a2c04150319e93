"""Back-up and restore, as docs/hosting.md says: a copy is made in the middle of a game, and the game goes on from it."""

import asyncio
import os
import subprocess
import sys
from collections.abc import Awaitable, Callable
from pathlib import Path

import pytest

from foretell.client import Player
from foretell.server.wire import protocol as p
from server.postgresql import Postgresql
from server.rooms import Room, all_in, eventually, made, open_room, played, ready_and_start
from server.witness import check_records

pytestmark = pytest.mark.anyio

ROUNDS = {"rounds": [1, 2, 3]}


async def _copied_in_the_middle(room: Room, copy: Callable[[], Awaitable[None]]) -> list[p.Seated]:
    """Plays a game to its end; `copy` is called after five moves, while the players are at the table."""
    first = await room.remote.make(p.NewTable(name="Ada", options=made(seats=3, rules=ROUNDS)))
    more = [await room.remote.join(first.code, p.Join(name=name)) for name in ("Bo", "Cy")]
    players = [room.player(one) for one in (first, *more)]
    async with all_in(players):
        await ready_and_start(players)
        await _act(players, 5)
        await copy()
        await asyncio.gather(*(played(one) for one in players))
    return [first, *more]


async def _act(players: list[Player], moves: int) -> None:
    """The next moves of a game, one after another."""
    for number in range(1, moves + 1):
        asked = await _asked(players)
        assert asked.view is not None
        await asked.act(asked.view.legal[0])
        await eventually(
            lambda wanted=number: all(  # type: ignore[misc]
                one.snapshot is not None and one.snapshot.number >= wanted for one in players
            )
        )


async def _asked(players: list[Player]) -> Player:
    waiting = {asyncio.ensure_future(one.turn()): one for one in players}
    done, left = await asyncio.wait(waiting, return_when=asyncio.FIRST_COMPLETED)
    for task in left:
        task.cancel()
    return waiting[done.pop()]


async def _goes_on(room: Room, seats: list[p.Seated], folder: Path) -> None:
    """From the copy the same players finish their game; its record is right."""
    players = [room.player(one) for one in seats]
    async with all_in(players):
        game = players[0].snapshot
        assert game is not None
        assert game.number == 5
        last = await asyncio.gather(*(played(one) for one in players))
        assert len({one.totals for one in last}) == 1
    check_records([await room.remote.record(game.game)], folder)


async def test_a_copy_of_the_file_goes_on(tmp_path: Path) -> None:
    data, copy = tmp_path / "data", tmp_path / "copy"
    for folder in (data, copy):
        folder.mkdir()
    command = [sys.executable, "-m", "foretell", "serve", "--data", str(data)]
    into = copy / "foretell.sqlite3"

    async def back_up() -> None:
        done = await asyncio.to_thread(
            subprocess.run, [*command, "--backup", str(into)], capture_output=True, check=False
        )
        assert done.returncode == 0, done.stderr

    async with open_room(data / "foretell.sqlite3") as room:
        seats = await _copied_in_the_middle(room, back_up)
    async with open_room(into) as room:
        await _goes_on(room, seats, tmp_path)


async def test_a_dump_of_postgresql_goes_on(database_server: Postgresql, tmp_path: Path) -> None:
    url, fresh = database_server.new_database(), database_server.new_database()
    dump = tmp_path / "foretell.dump"

    async def back_up() -> None:
        await asyncio.to_thread(
            _run, database_server, "pg_dump", "--format=custom", "--file", str(dump), url
        )

    async with open_room(url, lease=1.0) as room:
        seats = await _copied_in_the_middle(room, back_up)
    _run(
        database_server, "pg_restore", "--no-owner", "--exit-on-error", "--dbname", fresh, str(dump)
    )
    async with open_room(fresh, lease=1.0) as room:
        await _goes_on(room, seats, tmp_path)


def _run(server: Postgresql, program: str, *arguments: str) -> None:
    done = subprocess.run(
        [str(server.programs / program), *arguments],
        capture_output=True,
        check=False,
        env=os.environ,
    )
    assert done.returncode == 0, done.stderr
