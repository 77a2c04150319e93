"""The lobby: its list is always current, players find their games again, and nothing accumulates in memory."""

import asyncio
import threading
from dataclasses import replace
from pathlib import Path

import pytest

from foretell.client import Connection
from foretell.deals import Dealing
from foretell.server.game.live_game import fair_dealing
from foretell.server.keys import random_keys
from foretell.server.store.interface import Setup
from foretell.server.table.services import Timeouts
from foretell.server.table.table import Table
from foretell.server.wire import protocol as p
from server.rooms import SHORT, Room, all_in, eventually, made, open_room, played, ready_and_start

pytestmark = pytest.mark.anyio


async def watching(room: Room) -> tuple[Connection, p.Lobby]:
    connection = await room.remote.connect()
    await connection.send(p.WatchLobby(id=1, version=p.VERSION))
    return connection, await listed(connection)


async def listed(connection: Connection) -> p.Lobby:
    found = await asyncio.wait_for(connection.receive(), 5)
    assert isinstance(found, p.Lobby)
    return found


async def test_a_list_that_equals_an_earlier_one_is_sent_again(tmp_path: Path) -> None:
    async with open_room(tmp_path / "t.sqlite3", timeouts=Timeouts(sleep=0.5)) as room:
        connection, first = await watching(room)
        await room.table(is_public=True)
        assert (len(first.tables), len((await listed(connection)).tables)) == (0, 1)
        assert (await listed(connection)).tables == ()  # the table sleeps; this is the last update
        await connection.close()
        await eventually(lambda: not room.app.lobby.public.watchers)
        await room.table(is_public=True)  # nobody is subscribed
        connection, first = await watching(room)
        assert len(first.tables) == 1
        assert (await listed(connection)).tables == ()
        await connection.close()


async def test_the_list_is_encoded_once_for_everyone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Many changes within a moment are one update, and only the tables that changed are encoded again."""
    encoded: list[str] = []
    listed_ = Table.listed

    def counted(table: Table) -> p.LobbyTable:
        encoded.append(table.state.id)
        return listed_(table)

    monkeypatch.setattr(Table, "listed", counted)
    async with open_room(tmp_path / "t.sqlite3") as room:
        seats = [(await room.table(is_public=True))[0] for _ in range(5)]
        watchers = [(await watching(room))[0] for _ in range(20)]
        assert sorted(encoded) == sorted(one.table for one in seats)
        encoded.clear()
        async with room.player(seats[0]) as ada:
            for number in range(30):
                await ada.ask(p.ChangeOptions(options=made(is_public=True, clock_s=30 + number)))
            updates = [await listed(one) for one in watchers]
        assert len(encoded) < 10  # far fewer than one for each change or each watcher
        assert set(encoded) == {seats[0].table}
        assert all(len(one.tables) == 5 for one in updates)
        for one in watchers:
            await one.close()


async def test_the_encoded_list_is_what_the_protocol_writes(tmp_path: Path) -> None:
    async with open_room(tmp_path / "t.sqlite3") as room:
        for count in range(3):
            public = room.app.lobby.public
            tables = tuple(one.listed() for one in room.app.lobby.tables.values())
            assert len(tables) == count
            assert public.as_body() == p.write(p.LobbyList(tables=tables))
            for id_ in (None, 7):
                assert public.as_answer(id_) == p.write(p.Lobby(tables=tables, id=id_))
            await room.table(is_public=True)


async def test_an_update_for_many_watchers_leaves_time_for_players(tmp_path: Path) -> None:
    async with open_room(tmp_path / "t.sqlite3") as room:
        public = room.app.lobby.public
        heard: list[int] = []
        turns = [0]
        for number in range(120):
            public.watch(lambda _text, number=number: heard.append(turns[0]))  # type: ignore[misc]
        await room.table(is_public=True)
        while len(heard) < 120:
            turns[0] += 1
            await asyncio.sleep(0)
        most = max(heard.count(turn) for turn in set(heard))
        assert most == 50


async def test_a_table_that_is_no_longer_public_leaves_the_list(tmp_path: Path) -> None:
    async with open_room(tmp_path / "t.sqlite3") as room:
        (seat,) = await room.table(is_public=True)
        connection, first = await watching(room)
        shown = [len(first.tables)]
        async with room.player(seat) as ada:
            await ada.ask(p.ChangeOptions(options=made(is_public=False)))
            while shown[-1]:
                shown.append(len((await listed(connection)).tables))
        assert shown[0] == 1
        await connection.close()


async def test_a_sleeping_table_leaves_nothing_in_memory(tmp_path: Path) -> None:
    async with open_room(tmp_path / "t.sqlite3", timeouts=Timeouts(sleep=0.1)) as room:
        (seat,) = await room.table(seats=3, bots=["random", "random"], rules={"rounds": [1]})
        async with room.player(seat) as ada:
            await ada.start()
            await played(ada)
            await ada.ask(p.Rematch())
            await ada.until(lambda me: me.table is not None and me.table.phase == "playing")
        lobby = room.app.lobby
        await eventually(lambda: not lobby.tables)
        assert not any((lobby._codes, lobby._taking, lobby.public._public, lobby.public._entries))


async def test_a_code_that_is_taken_is_drawn_again(tmp_path: Path) -> None:
    codes = iter(["AAAAAA", "AAAAAA", "AAAAAA", "BBBBBB"])
    keys = replace(random_keys, code=lambda: next(codes))
    async with open_room(tmp_path / "t.sqlite3", keys=keys) as room:
        tables = [(await room.table())[0] for _ in range(2)]
        assert [one.code for one in tables] == ["AAAAAA", "BBBBBB"]
        async with room.player(tables[1]) as ada:
            assert ada.table is not None
            assert ada.table.code == "BBBBBB"


async def test_whose_turn_it_is_in_a_game_that_sleeps(tmp_path: Path) -> None:
    """The game is replayed only once, and not in the thread of the event loop, which all tables share."""
    path = tmp_path / "t.sqlite3"
    replays: list[bool] = []

    def dealing(setup: Setup) -> Dealing:
        replays.append(threading.current_thread() is threading.main_thread())
        return fair_dealing(setup)

    async with open_room(path) as room:
        seats = await room.table(2, seats=3, bots=["random"], **SHORT)
        async with all_in([room.player(one) for one in seats]) as players:
            await ready_and_start(players)
            # Wait until a person has to decide: then nothing more happens by itself.
            await players[0].until(lambda me: me.view is not None and 2 not in me.view.awaited)
            assert players[0].view is not None
            expected = [seat in players[0].view.awaited for seat in (0, 1)]
    assert any(expected)
    async with open_room(path, dealing=dealing, timeouts=Timeouts(sleep=0.1)) as room:
        for _ in range(2):
            found = await room.remote.mine(tuple(one.token for one in seats))
            turns = {one.seat: one.is_my_turn for one in found.games}
            assert [turns[seat] for seat in (0, 1)] == expected
        assert replays == [False]
        # The cached answer is not used once the game has moved on.
        async with all_in([room.player(one) for one in seats]) as players:
            asked = players[expected.index(True)]
            seen = await asked.turn()
            assert seen is not None
            await asked.act(seen.legal[0])
            game = room.app.lobby.tables[seats[0].table]
            await eventually(lambda: game.playing is not None and 2 not in game.playing.awaited)
            assert game.playing is not None
            expected = [seat in game.playing.awaited for seat in (0, 1)]
        await eventually(lambda: not room.app.lobby.tables)
        found = await room.remote.mine(tuple(one.token for one in seats))
        turns = {one.seat: one.is_my_turn for one in found.games}
        assert [turns[seat] for seat in (0, 1)] == expected
