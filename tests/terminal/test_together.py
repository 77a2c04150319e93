"""`foretell join`: a person at a terminal, at a table on a real server."""

import asyncio
import contextlib
import queue
import re
from collections.abc import AsyncIterator
from pathlib import Path

import click
import pytest

from foretell.client import Player
from foretell.errors import NotAllowed
from foretell.i18n import catalogue
from foretell.server.table.services import Timeouts
from foretell.server.wire import protocol as p
from foretell.terminal.lines import Left
from foretell.terminal.together import play_together
from server.rooms import Room, all_in, eventually, open_room, played, settled

pytestmark = pytest.mark.anyio


@pytest.fixture
def anyio_backend() -> str:
    return "asyncio"


class Terminal:
    """A screen, and a person who types what the test wants, and otherwise the first answer that is offered."""

    def __init__(self, room: Room, code: str) -> None:
        self.screen: list[str] = []
        self._typed: queue.Queue[str | None] = queue.Queue()
        link = f"{room.address}/#/t/{code}"
        self.playing = asyncio.ensure_future(
            asyncio.to_thread(play_together, link, "Zoe", catalogue(), self._read, self._show)
        )

    def _show(self, text: str) -> None:
        text = click.unstyle(text)
        self.screen.append(text)
        question = re.fullmatch(r".*\((\S+).*\) >", text)
        if question is not None:
            self.type(question[1])

    def _read(self) -> str:
        typed = self._typed.get()
        if typed is None:
            raise EOFError
        return typed

    def type(self, text: str | None) -> None:
        self._typed.put(text)

    async def until_shown(self, text: str) -> None:
        await eventually(lambda: any(text in line for line in self.screen))


@contextlib.asynccontextmanager
async def terminal(room: Room, code: str) -> AsyncIterator[Terminal]:
    """Someone who joins the table; at the end they quit, if they are still there."""
    person = Terminal(room, code)
    try:
        yield person
    finally:
        person.type("quit")
        person.type(None)
        with contextlib.suppress(Left):
            await person.playing


async def test_a_person_at_a_terminal_takes_over_a_seat_with_the_next_deal(tmp_path: Path) -> None:
    async with open_room(tmp_path / "t.sqlite3", dealing=settled) as room:
        bots = ["random"] * 2
        (seat,) = await room.table(seats=3, bots=bots, rules={"rounds": [1, 2]}, approval=True)
        async with room.player(seat) as ada:
            await ada.start()
            async with terminal(room, seat.code) as zoe:
                await zoe.until_shown("Ada decides whether you can sit down.")
                await ada.until(lambda me: bool(me.table and me.table.requests))
                assert ada.table is not None
                request = ada.table.requests[0].request
                await ada.ask(p.AnswerRequest(request=request, is_admitted=True))
                await zoe.until_shown("You take over Merlin's seat with the next deal.")
                zoe.type("what now")
                await zoe.until_shown("bot NAME")
                await played(ada)
                await zoe.playing
            await zoe.until_shown("This is your seat now.")
            assert any("Your card?" in line for line in zoe.screen)
            assert ada.view is not None
            assert ada.view.names == ("Ada", "Zoe", "Morgana")


async def test_a_host_at_a_terminal_answers_and_removes_and_anyone_lets_a_bot_play(
    tmp_path: Path,
) -> None:
    timeouts = Timeouts(patience=0.3)
    async with open_room(tmp_path / "t.sqlite3", dealing=settled, timeouts=timeouts) as room:
        rules = {"rounds": [2, 3], "bids": "hidden"}
        (seat,) = await room.table(seats=3, bots=["random"], rules=rules, approval=True)
        async with room.player(seat) as ada, terminal(room, seat.code) as zoe:
            await ada.until(lambda me: bool(me.table and me.table.requests))
            assert ada.table is not None
            request = ada.table.requests[0].request
            await ada.ask(p.AnswerRequest(request=request, is_admitted=True))
            await zoe.until_shown("The host starts the game.")
            await ada.start()
            await zoe.until_shown("Ada has kept the table waiting for two minutes")
            zoe.type("bot ada")
            await ada.until(lambda me: bool(me.table and me.table.seats[0].is_played_by_bot))
            await ada.ask(p.Back())
            await ada.ask(p.PassHost(seat=1))
            eve = Player(room.elsewhere(), seat.code, name="Eve", key="a-browser-key-of-eve")
            async with all_in([eve]):
                await eve.ask(p.TakeSeat(name="Eve", seat=2))
                await zoe.until_shown("Eve would like to sit down: type yes Eve, or no Eve.")
                zoe.type("yes Eve")
                await eve.until(lambda me: me.next_seat == 2)
                await zoe.until_shown("Eve takes over Merlin's seat with the next deal.")
                zoe.type("remove eve")
                await eve.until(lambda me: me.next_seat is None)
                assert ada.table.removed == ("Eve",)


async def test_a_player_at_a_terminal_replaces_a_host_who_never_starts(tmp_path: Path) -> None:
    timeouts = Timeouts(patience=0.3)
    async with open_room(tmp_path / "t.sqlite3", dealing=settled, timeouts=timeouts) as room:
        (seat,) = await room.table(seats=3, bots=["random"], rules={"rounds": [2]})
        async with room.player(seat) as ada, terminal(room, seat.code) as zoe:
            await zoe.until_shown("Ada has kept the table waiting for two minutes")
            zoe.type("start")  # only a host may do that
            zoe.type("bot ada")
            await zoe.until_shown("You are the host now: type start to begin the game.")
            assert ada.table is not None
            assert (ada.table.host, ada.table.phase) == (1, "gathering")
            zoe.type("start")
            await ada.until(lambda me: bool(me.table and me.table.phase == "playing"))
            assert ada.table.seats[0].is_played_by_bot


def nothing() -> str:
    """A keyboard on which nobody types."""
    raise EOFError


async def test_a_link_that_leads_nowhere_is_refused_with_a_reason(tmp_path: Path) -> None:
    async with open_room(tmp_path / "t.sqlite3") as room:
        for link, why in (
            ("nonsense", "not the link of a table"),
            (f"{room.address}/#/t/QQQQQQ", "no table"),
            ("http://127.0.0.1:9/#/t/QQQQQQ", "no answer"),
        ):
            with pytest.raises(NotAllowed, match=why):
                await asyncio.to_thread(play_together, link, "Zoe", catalogue(), nothing, print)
