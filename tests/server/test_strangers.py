"""A socket that goes from table to table takes nothing along: no seat, no view of anyone's cards."""

import asyncio
import contextlib
from collections.abc import AsyncIterator
from pathlib import Path
from typing import NamedTuple

import pytest

from foretell.client import Connection
from foretell.server.wire import protocol as p
from server.rooms import SHORT, Room, all_in, open_room, ready_and_start, settled

pytestmark = pytest.mark.anyio


async def asked(line: Connection, message: p.FromClient) -> p.FromServer:
    await line.send(message)
    while True:
        found = await asyncio.wait_for(line.receive(), 5)
        if getattr(found, "id", None) == message.id:
            return found


async def test_a_wrong_key_after_a_right_one_elsewhere_opens_nothing(tmp_path: Path) -> None:
    async with open_room(tmp_path / "t.sqlite3") as room:
        (victim,) = await room.table(seats=3, bots=["random"], **SHORT)
        (mine,) = await room.table(seats=3, **SHORT)  # host, in seat 0, as the victim is
        line = await room.remote.connect()
        welcome = await asked(line, p.Hello(id=1, version=1, table=mine.table, token=mine.token))
        assert isinstance(welcome, p.Welcome)
        wrong = p.Hello(id=2, version=1, table=victim.table, token="x" * 32)
        assert isinstance(await asked(line, wrong), p.Refusal)
        tried: list[p.FromClient] = [
            p.Start(id=10, level="random"),
            p.Empty(id=11, seat=2),
            p.Leave(id=12),
            p.AskCoach(id=13, decision="1:bid:0"),
        ]
        for message in tried:
            answer = await asked(line, message)
            assert isinstance(answer, p.Refusal)
            assert answer.error.code == "spectator"
        await line.close()
        assert room.app.lobby.tables[victim.table].state.phase == "gathering"


async def test_whose_hello_was_refused_takes_no_seat(tmp_path: Path) -> None:
    """It would sit there and hear nothing of its own game."""
    async with open_room(tmp_path / "t.sqlite3") as room:
        (seat,) = await room.table(seats=3)
        line = await room.remote.connect()
        wrong = p.Hello(id=1, version=1, table=seat.table, token="x" * 32)
        assert isinstance(await asked(line, wrong), p.Refusal)
        answer = await asked(line, p.TakeSeat(id=2, name="Zoe"))
        assert isinstance(answer, p.Refusal)
        assert answer.error.code == "no_hello"
        welcome = await asked(line, p.Hello(id=3, version=1, table=seat.table))
        assert isinstance(welcome, p.Welcome)
        assert isinstance(await asked(line, p.TakeSeat(id=4, name="Zoe")), p.Seated)
        await line.close()


class Restless(NamedTuple):
    """A second line of who has seat 2 at a table where all bid at once; and seat 0 at another, where Ada has it here."""

    room: Room
    table: str
    line: Connection
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
            line = await room.remote.connect()
            hello = p.Hello(id=1, version=1, table=seats[2].table, token=seats[2].token)
            welcome = await asked(line, hello)
            assert isinstance(welcome, p.Welcome)
            assert welcome.snapshot is not None
            decision = welcome.snapshot.view.decision or ""
            yield Restless(room, seats[2].table, line, decision, elsewhere)
            await line.close()


async def test_cards_of_a_table_left_behind_are_not_shown_as_another_seats(tmp_path: Path) -> None:
    """While an action of the old table is being stored, the socket says hello at the next."""
    async with restless(tmp_path) as (_, _, line, decision, elsewhere):
        await line.send(p.Act(id=2, decision=decision, action="bid 0"))
        await line.send(elsewhere)
        await line.send(p.Ping(id=4))
        heard: list[p.FromServer] = []
        while not {2, 4, elsewhere.id} <= {getattr(one, "id", None) for one in heard}:
            heard.append(await asyncio.wait_for(line.receive(), 5))
        shown = [one.view.seat for one in heard if isinstance(one, p.Snapshot)]
        assert set(shown) <= {2}
        assert any(isinstance(one, p.Done) and one.id == 2 for one in heard)


async def test_what_waits_at_a_table_left_behind_is_done_by_its_own_seat(tmp_path: Path) -> None:
    async with restless(tmp_path) as (room, table, line, decision, elsewhere):
        # The first is stored; the second waits in the inbox while the socket takes seat 0 elsewhere.
        await line.send(p.Act(id=2, decision=decision, action="bid 0"))
        await line.send(p.Act(id=3, decision=decision, action="bid 3"))
        await asked(line, elsewhere)
        await asyncio.sleep(0.2)
        playing = room.app.lobby.tables[table].playing
        assert playing is not None
        log = await room.services.store.log(playing.id)
        assert [(one.seat, one.action) for one in log] == [(2, "bid 0")]
