"""A family of six behind one router: each has two tabs, and a phone that loses its connection all the time.

They play a whole game as fast as programs can, and reach no limit.
"""

import asyncio
import contextlib
import re
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from foretell.client import Connection, ConnectionLost, Player
from foretell.client.transports import Remote
from foretell.server.network.limits import Limits
from foretell.server.wire import protocol as p
from server.rooms import Room, all_in, fetched, open_room, played, ready_and_start

pytestmark = pytest.mark.anyio

NAMES = ("Ada", "Bo", "Cy", "Di", "Ed", "Flo")


@contextlib.asynccontextmanager
async def reconnecting_phone(room: Room, seat: p.Seated, every: float) -> AsyncIterator[list[int]]:
    """A phone that connects, hears what happens, and loses the connection again."""
    welcomes: list[int] = []

    async def run() -> None:
        while True:
            async with Player(room.remote, seat.table, seat.token) as phone:
                welcomes.append(phone.reconnections)
                await phone.ask(p.Ping())
                await asyncio.sleep(every)

    running = asyncio.ensure_future(run())
    try:
        yield welcomes
    finally:
        running.cancel()
        await asyncio.gather(running, return_exceptions=True)


def refusals(room: Room) -> dict[str, float]:
    """Everything that was refused, and every socket that was dropped, by the metrics."""
    text = room.services.metrics.text().decode()
    found = re.findall(
        r'^foretell_(refused|sockets_dropped)_total\{\w+="(\w+)"\} (\S+)', text, re.M
    )
    return {f"{kind} {what}": float(count) for kind, what, count in found}


async def test_a_family_behind_one_router_reaches_no_limit(tmp_path: Path) -> None:
    async with open_room(tmp_path / "t.sqlite3", limits=Limits(), seconds=60) as room:
        # Everyone loads the page, twice; each page is some thirty files.
        paths = [path for path in room.app.files if "index" in path or path == "/"] * 12
        for path in paths[:40]:
            assert (await fetched(room.address + path))[0] == 200
        seats = await room.table(6, seats=6)
        first = [room.player(one) for one in seats]
        second = [room.player(one) for one in seats]
        async with contextlib.AsyncExitStack() as stack:
            await stack.enter_async_context(all_in(first))
            await stack.enter_async_context(all_in(second))
            phones = [
                await stack.enter_async_context(reconnecting_phone(room, one, every=0.3))
                for one in seats
            ]
            await ready_and_start(first)
            watch: Connection = await room.remote.connect()
            await watch.send(p.WatchLobby(version=1))
            for one in first:
                for _ in range(5):
                    await one.say("well played!")
            game = first[0].snapshot
            await asyncio.gather(*(played(one) for one in first))
            assert game is not None
            for tab in (*first, *second):
                for _ in range(2):  # the podium: the game and its rounds
                    await Remote(room.address).game(game.game)
                await tab.ask(p.Ping())
            reconnected = sum(map(len, phones))
            await watch.close()
        assert reconnected >= 12
        found = refusals(room)
        # Two tabs may answer at the same moment; nothing else was refused.
        assert {what: count for what, count in found.items() if what != "refused stale"} == {}
        account = room.app.door.account(("127.0.0.1", 1))
        budgets = room.app.door.budgets
        for budget in (budgets.messages, budgets.hellos, budgets.requests, budgets.chats):
            # They are not even near a limit: a third of each burst is left.
            assert account.wait(budget, budget.burst / 3) == 0, budget.name


async def test_after_a_restart_a_family_gets_in_at_once(tmp_path: Path) -> None:
    """Eighteen devices reconnect in the same moment."""
    async with open_room(tmp_path / "t.sqlite3", limits=Limits()) as room:
        seats = await room.table(6, seats=6)
        players = [room.player(one) for one in (*seats, *seats, *seats)]
        with contextlib.suppress(ConnectionLost):
            async with asyncio.timeout(10):
                await asyncio.gather(*(one.__aenter__() for one in players))
        assert [one.reconnections for one in players] == [0] * 18
        assert refusals(room) == {}
        for one in players:
            await one.close()
