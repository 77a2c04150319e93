"""Tables are taken out of the store a few at a time, those of players first, in threads that bots do not use."""

import asyncio
import contextlib
import threading
import time
from collections.abc import AsyncIterator
from functools import partial
from itertools import pairwise
from pathlib import Path

import pytest

from foretell.client import Player
from foretell.errors import NotAllowed
from foretell.server.game import live_game
from foretell.server.table.services import Timeouts
from foretell.server.table.table import Table
from foretell.server.wakeups import Wakeups, Waking
from foretell.server.wire import protocol as p
from server.rooms import SHORT, Room, eventually, open_room

pytestmark = pytest.mark.anyio


@contextlib.asynccontextmanager
async def sleeping_tables(path: Path, count: int) -> AsyncIterator[tuple[Room, list[p.Seated]]]:
    """A server that has just been started, with games that had begun before."""
    async with open_room(path, timeouts=Timeouts(sleep=0.05)) as room:
        seats = [(await room.table(seats=3, bots=["random"] * 2, **SHORT))[0] for _ in range(count)]
        for seat in seats:
            async with room.player(seat) as ada:
                await ada.start()
    async with open_room(path) as room:
        yield room, seats


@contextlib.asynccontextmanager
async def no_turns(wakeups: Wakeups) -> AsyncIterator[None]:
    """Inside this context no table is woken."""
    async with wakeups.turn("one", Waking.FOR_PLAYER), wakeups.turn("other", Waking.FOR_PLAYER):
        yield


@pytest.mark.parametrize("comes_later", [False, True])
async def test_tables_of_players_are_woken_first(tmp_path: Path, comes_later: bool) -> None:
    """A player comes to a table that nobody wanted, or for which a spectator waits already."""
    async with sleeping_tables(tmp_path / "t.sqlite3", 4) as (room, seats):
        awake = room.app.lobby.tables
        visited = seats if comes_later else seats[:3]
        async with contextlib.AsyncExitStack() as stack:
            async with no_turns(room.services.wakeups):
                visits = [
                    asyncio.ensure_future(stack.enter_async_context(Player(room.remote, one.table)))
                    for one in visited
                ]
                await eventually(lambda: len(room.app.lobby._waking) == len(visited))
                returns = asyncio.ensure_future(stack.enter_async_context(room.player(seats[3])))
                urgent = room.services.wakeups._all.queue._classes[Waking.FOR_PLAYER]
                await eventually(lambda: bool(urgent))
                assert not awake
            await asyncio.gather(returns, *visits)
            assert next(iter(awake)) == seats[3].table
            assert len(awake) == 4


async def test_bots_and_messages_do_not_wait_for_replays(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """While the thread that replays games is stuck, a game at another table is begun and played."""
    async with sleeping_tables(tmp_path / "t.sqlite3", 12) as (room, seats):
        real, gate = live_game.resumed, threading.Event()

        def slow(*args: object) -> object:
            gate.wait(20)
            return real(*args)  # type: ignore[arg-type]

        monkeypatch.setattr(live_game, "resumed", slow)
        async with contextlib.AsyncExitStack() as stack:
            returns = [
                asyncio.ensure_future(stack.enter_async_context(room.player(one))) for one in seats
            ]
            await eventually(lambda: len(room.app.lobby._waking) == 12)
            (new,) = await room.table(seats=3, bots=["counting"] * 2, **SHORT)
            async with room.player(new) as ada:
                await ada.start()
                assert await asyncio.wait_for(ada.turn(), 5) is not None
                # asyncio's own threads, which name servers and files use, are free too.
                assert await asyncio.wait_for(asyncio.to_thread(lambda: 1), 5) == 1
            gate.set()
            await asyncio.gather(*returns)


async def test_many_tables_of_one_address_do_not_hold_up_the_table_of_another(
    tmp_path: Path,
) -> None:
    """An attacker has players at many sleeping tables, and has asked for the honest table too, as a visitor."""
    async with sleeping_tables(tmp_path / "t.sqlite3", 8) as (room, seats):
        *attacked, honest = seats
        lobby, woken = room.app.lobby, list[str]()
        real = lobby._add

        def noting(table: Table) -> None:
            woken.append(table.state.id)
            real(table)

        lobby._add = noting  # type: ignore[method-assign]

        def has_asked(count: int) -> bool:
            return len(lobby._waking) >= count

        async with contextlib.AsyncExitStack() as stack:
            async with no_turns(room.services.wakeups):
                eve, ada = room.elsewhere(1), room.elsewhere(2)
                guests = [
                    Player(eve, honest.table),
                    *(Player(eve, one.table, one.token, make_word=None) for one in attacked),
                    Player(ada, honest.table, honest.token, make_word=None),
                ]
                comes = []
                for one in guests:
                    comes.append(asyncio.ensure_future(stack.enter_async_context(one)))
                    await eventually(partial(has_asked, min(len(comes), 8)))
                urgent = room.services.wakeups._all.queue._classes[Waking.FOR_PLAYER]
                await eventually(lambda: sum(map(len, urgent.values())) == 8)
            await asyncio.gather(*comes)
        assert woken.index(honest.table) < 2


async def test_look_ups_of_one_address_do_not_hold_up_those_of_another() -> None:
    wakeups, done = Wakeups(), list[str]()
    async with no_turns(wakeups):
        asked = []
        for game, payer in [*((f"game {n}", "Eve") for n in range(20)), ("g", "Ada")]:
            work = partial(done.append, payer)
            asked.append(asyncio.ensure_future(wakeups.look_up(game, work, payer)))
            await asyncio.sleep(0)
    await asyncio.gather(*asked)
    assert done.index("Ada") <= 2
    wakeups.close()


async def test_a_turn_that_is_given_up_is_not_lost() -> None:
    wakeups = Wakeups()

    async def wake() -> None:
        async with wakeups.turn("t", Waking.FOR_VISITOR):
            pass

    async with no_turns(wakeups):
        waiting = [asyncio.ensure_future(wake()) for _ in range(3)]
        await asyncio.sleep(0)
        waiting[0].cancel()
        await asyncio.sleep(0)
    waiting[1].cancel()  # its turn has come, but it has not noticed yet
    await asyncio.wait_for(waiting[2], 5)
    await asyncio.gather(*waiting, return_exceptions=True)
    async with no_turns(wakeups):
        pass
    assert wakeups._all.free == 2
    wakeups.close()


async def test_one_game_cannot_be_looked_up_too_often_at_once() -> None:
    wakeups = Wakeups()
    async with no_turns(wakeups):
        asked = [asyncio.ensure_future(wakeups.look_up("g", lambda: 1)) for _ in range(1 + 16)]
        await asyncio.sleep(0)
        with pytest.raises(NotAllowed) as refused:
            await wakeups.look_up("g", lambda: 1)
        assert refused.value.code == "too_many_requests"
    assert await asyncio.gather(*asked) == [1] * 17
    wakeups.close()


async def test_look_ups_leave_most_of_the_time_to_others() -> None:
    """Whoever asks without end gets one answer after the other, but with a rest after each."""
    wakeups = Wakeups()
    times: list[tuple[float, float]] = []

    def work() -> None:
        begun = time.perf_counter()
        time.sleep(0.02)
        times.append((begun, time.perf_counter()))

    await asyncio.gather(*(wakeups.look_up("g", work) for _ in range(4)))
    for (begun, ended), (next_begun, _) in pairwise(times):
        assert next_begun - ended > 2.5 * (ended - begun)
    wakeups.close()
