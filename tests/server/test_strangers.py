"""What strangers do not get: the seat or the cards of another table, a word in it, or a way to a private one."""

import asyncio
import contextlib
from collections.abc import AsyncIterator
from pathlib import Path
from typing import NamedTuple

import pytest

from foretell.client import Connection
from foretell.server.coach.advice import OddsCoach
from foretell.server.wire import protocol as p
from server.rooms import (
    SHORT,
    Room,
    all_in,
    fetched,
    open_room,
    played,
    ready_and_start,
    settled,
)

pytestmark = pytest.mark.anyio


async def asked(connection: Connection, message: p.FromClient) -> p.FromServer:
    await connection.send(message)
    while True:
        found = await asyncio.wait_for(connection.receive(), 5)
        if getattr(found, "id", None) == message.id:
            return found


async def test_a_wrong_token_gives_no_seat_after_a_right_one_at_another_table(
    tmp_path: Path,
) -> None:
    async with open_room(tmp_path / "t.sqlite3") as room:
        (victim,) = await room.table(seats=3, bots=["random"], **SHORT)
        (mine,) = await room.table(seats=3, **SHORT)  # the host in seat 0, like the victim
        connection = await room.remote.connect()
        welcome = await asked(
            connection, p.Hello(id=1, version=1, table=mine.table, token=mine.token)
        )
        assert isinstance(welcome, p.Welcome)
        wrong = p.Hello(id=2, version=1, table=victim.table, token="x" * 32)
        assert isinstance(await asked(connection, wrong), p.Refusal)
        tried: list[p.FromClient] = [
            p.Start(id=10, level="random"),
            p.Empty(id=11, seat=2),
            p.Leave(id=12),
            p.AskCoach(id=13, decision="1:bid:0"),
        ]
        for message in tried:
            answer = await asked(connection, message)
            assert isinstance(answer, p.Refusal)
            assert answer.error.code == "spectator"
        await connection.close()
        assert room.app.lobby.tables[victim.table].state.phase == "gathering"


async def test_a_socket_whose_hello_was_refused_cannot_talk_or_take_a_seat(tmp_path: Path) -> None:
    """It would have a seat, but receive no messages about its game; and whom the host removed could go on talking."""
    async with open_room(tmp_path / "t.sqlite3") as room:
        (seat,) = await room.table(seats=3)
        connection = await room.remote.connect()
        wrong = p.Hello(id=1, version=1, table=seat.table, token="x" * 32, name="Zoe")
        assert isinstance(await asked(connection, wrong), p.Refusal)
        answer = await asked(connection, p.TakeSeat(id=2, name="Zoe"))
        assert isinstance(answer, p.Refusal)
        assert answer.error.code == "no_hello"
        answer = await asked(connection, p.Chat(id=5, text="hello?"))
        assert isinstance(answer, p.Refusal)
        assert answer.error.code == "no_hello"
        welcome = await asked(connection, p.Hello(id=3, version=1, table=seat.table))
        assert isinstance(welcome, p.Welcome)
        assert isinstance(await asked(connection, p.TakeSeat(id=4, name="Zoe")), p.Seated)
        await connection.close()


class Restless(NamedTuple):
    """A second connection of the player in seat 2, at a table where all bid at once.

    `elsewhere` is a hello to another table, where the same person has seat 0.  Here Ada has seat 0.
    """

    room: Room
    table: str
    connection: Connection
    decision: str
    elsewhere: p.Hello


@contextlib.asynccontextmanager
async def restless(folder: Path) -> AsyncIterator[Restless]:
    async with open_room(folder / "t.sqlite3", dealing=settled) as room:
        seats = await room.table(3, seats=3, rules={"bids": "hidden", "rounds": [3]})
        (mine,) = await room.table(seats=3, **SHORT)
        elsewhere = p.Hello(id=9, version=1, table=mine.table, token=mine.token)
        async with all_in([room.player(one) for one in seats]) as players:
            await ready_and_start(players)
            connection = await room.remote.connect()
            hello = p.Hello(id=1, version=1, table=seats[2].table, token=seats[2].token)
            welcome = await asked(connection, hello)
            assert isinstance(welcome, p.Welcome)
            assert welcome.snapshot is not None
            decision = welcome.snapshot.view.decision or ""
            yield Restless(room, seats[2].table, connection, decision, elsewhere)
            await connection.close()


async def test_a_table_the_socket_has_left_never_shows_it_the_cards_of_another_seat(
    tmp_path: Path,
) -> None:
    """The socket says hello to another table while the first one is still storing its action."""
    async with restless(tmp_path) as (_, _, connection, decision, elsewhere):
        await connection.send(p.Act(id=2, decision=decision, action="bid 0"))
        await connection.send(elsewhere)
        await connection.send(p.Ping(id=4))
        received: list[p.FromServer] = []
        while not {2, 4, elsewhere.id} <= {getattr(one, "id", None) for one in received}:
            received.append(await asyncio.wait_for(connection.receive(), 5))
        shown = [one.view.seat for one in received if isinstance(one, p.Snapshot)]
        assert set(shown) <= {2}
        assert any(isinstance(one, p.Done) and one.id == 2 for one in received)


async def test_a_waiting_action_is_made_for_the_seat_from_which_it_was_sent(tmp_path: Path) -> None:
    async with restless(tmp_path) as (room, table, connection, decision, elsewhere):
        # The first action is stored; the second waits in the inbox while the socket gets seat 0 at the other table.
        await connection.send(p.Act(id=2, decision=decision, action="bid 0"))
        await connection.send(p.Act(id=3, decision=decision, action="bid 3"))
        await asked(connection, elsewhere)
        await asyncio.sleep(0.2)
        playing = room.app.lobby.tables[table].playing
        assert playing is not None
        log = await room.services.store.log(playing.id)
        assert [(one.seat, one.action) for one in log] == [(2, "bid 0")]


async def test_a_link_to_a_finished_game_does_not_open_its_table(tmp_path: Path) -> None:
    """People share replays.  The id of a private table is as good a key as its code."""
    async with open_room(tmp_path / "t.sqlite3", coach=OddsCoach()) as room:
        (seat,) = await room.table(seats=3, bots=["random"] * 2, rules={"rounds": [1]})
        async with room.player(seat) as ada:
            await ada.start()
            await played(ada)
            assert ada.table is not None
            game = f"{room.address}/api/games/{ada.table.game}"
        bodies = [(await fetched(game + path))[1] for path in ("", "/record", "/replay/1")]
        bodies.append((await fetched(f"{game}/review", {}))[1])
        for body in bodies:
            assert seat.table.encode() not in body
            assert seat.code.encode() not in body
