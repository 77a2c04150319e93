"""Never stuck: clocks, absence, "be right back", stuck bots, sleeping tables."""

import asyncio
import contextlib
import sqlite3
import threading
import time
from collections.abc import AsyncIterator
from pathlib import Path
from random import Random
from typing import Any

import pytest

from foretell.bots import BOTS
from foretell.client import Player, RefusedByTable
from foretell.engine import Action, View, action
from foretell.server.table.internal_messages import SleepTimeout, TimeUp
from foretell.server.table.participants import BotParticipant, Participant
from foretell.server.table.services import Timeouts
from foretell.server.wire import protocol as p
from server.rooms import SHORT, all_in, eventually, open_room, played, ready_and_start, settled

pytestmark = pytest.mark.anyio

HASTY = Timeouts(grace=0.15, host=0.2, sleep=0.2, thought=0.3)


def mark(player: Player, seat: int) -> p.Seat:
    assert player.table is not None
    return player.table.seats[seat]


def given_up(player: Player, seat: int) -> bool:
    """A person's seat that anyone may take."""
    return mark(player, seat).kind == "person" and mark(player, seat).may_be_taken


async def test_when_the_clock_runs_out_a_bot_plays_until_the_player_acts(tmp_path: Path) -> None:
    async with open_room(tmp_path / "t.sqlite3") as room:
        seats = await room.table(2, seats=3, bots=["random"], clock_s=1, rules={"rounds": [2]})
        async with all_in([room.player(one) for one in seats]) as (ada, bo):
            await ready_and_start([ada, bo])
            # Bo sits there and does nothing; Ada plays on.
            playing = asyncio.ensure_future(played(ada))
            await ada.until(lambda me: mark(me, 1).is_away)
            assert mark(ada, 1).is_played_by_bot
            assert mark(ada, 1).is_connected
            await playing
            await bo.ask(p.Back())
            assert not mark(bo, 1).is_away


async def test_who_is_back_after_their_time_ran_out_stays_back(tmp_path: Path) -> None:
    """The decision whose time is over is the bot's, unless the player is faster; the next is the player's."""
    async with open_room(tmp_path / "t.sqlite3", dealing=settled) as room:
        pause = {"clock_s": 1, "bot_pause_ms": 500}
        (seat,) = await room.table(
            seats=3, bots=["random", "random"], **pause, rules={"rounds": [3]}
        )
        async with room.player(seat) as ada:
            await ada.start()
            first = await ada.turn()
            assert first is not None
            await ada.until(lambda me: mark(me, 0).is_away)
            await ada.ask(p.Back())
            await ada.until(lambda me: me.view is not None and me.view.decision != first.decision)
            assert not mark(ada, 0).is_away
            second = await ada.turn()
            assert second is not None
            await ada.act(second.legal[0])
            assert not mark(ada, 0).is_away
        log = await room.services.store.log(room_game(ada))
        assert [one.by_bot for one in log if one.seat == 0] == [True, False]


async def test_the_clock_is_shown_to_everyone(tmp_path: Path) -> None:
    async with open_room(tmp_path / "t.sqlite3", dealing=settled) as room:
        seats = await room.table(2, seats=3, bots=["random"], clock_s=30, rules={"bids": "hidden"})
        async with all_in([room.player(one) for one in seats]) as (ada, bo):
            await ready_and_start([ada, bo])
            assert ada.snapshot is not None
            shown = {one.seat: one.left_ms for one in ada.snapshot.clocks}
            assert set(shown) >= {0, 1}
            assert all(29_000 < (shown[seat] or 0) <= 30_000 for seat in (0, 1))


async def test_be_right_back_and_the_seat_is_handed_back_at_once(tmp_path: Path) -> None:
    async with open_room(tmp_path / "t.sqlite3") as room:
        seats = await room.table(2, seats=3, bots=["random"], **SHORT)
        async with all_in([room.player(one) for one in seats]) as (ada, bo):
            await ready_and_start([ada, bo])
            await bo.ask(p.Away())
            assert mark(bo, 1).is_played_by_bot
            seen = await ada.turn()
            while seen is not None and len(seen.sheet) < 1:
                await ada.act(seen.legal[0])
                seen = await ada.turn()
            await bo.ask(p.Back())
            assert not mark(bo, 1).is_played_by_bot
            await asyncio.gather(played(ada), played(bo))


async def test_a_seat_in_a_game_is_free_again_where_its_new_player_never_came(
    tmp_path: Path,
) -> None:
    timeouts = Timeouts(arrival=0.1)
    async with open_room(tmp_path / "t.sqlite3", timeouts=timeouts, dealing=settled) as room:
        (host,) = await room.table(seats=3, bots=["random"] * 2, rules={"rounds": [1, 2, 3]})
        async with room.player(host) as ada:
            await ada.start()
            nobody = await room.remote.join(host.code, p.Join(name="Nobody", seat=1))
            await ada.until(lambda me: given_up(me, 1))
            # Should they come after all, it is still theirs; and once they were here it stays so.
            async with room.player(nobody) as late:
                assert not given_up(late, 1)
            await asyncio.sleep(0.2)
            assert not given_up(ada, 1)
            # Who took it and did not come finds someone else there.
            again = await room.remote.join(host.code, p.Join(name="Nobody", seat=2))
            await ada.until(lambda me: given_up(me, 2))
            taken = await room.remote.join(host.code, p.Join(name="Cy", seat=2))
            async with room.player(taken) as cy:
                await ada.until(lambda me: mark(me, 2).is_connected)
                assert cy.seat == 2
                with pytest.raises(RefusedByTable, match="opens no seat"):
                    async with room.player(again):
                        pass


async def test_who_sits_where_someone_never_came_is_here(tmp_path: Path) -> None:
    """The bell is another's."""
    timeouts = Timeouts(arrival=0.3)
    async with open_room(tmp_path / "t.sqlite3", timeouts=timeouts, dealing=settled) as room:
        host, seat = await room.table(2, seats=3, rules={"rounds": [1, 2, 3]})
        nobody = await room.remote.join(host.code, p.Join(name="Nobody", seat=2))
        async with all_in([room.player(host), room.player(seat)]) as (ada, bo):
            await ada.ask(p.Remove(seat=nobody.seat))
            await bo.ask(p.Sit(seat=nobody.seat))
            await ready_and_start([ada, bo], "random")
            await asyncio.sleep(0.5)
            assert not given_up(bo, nobody.seat)
            assert not mark(bo, nobody.seat).is_played_by_bot


async def test_a_seat_is_free_again_after_the_table_slept(tmp_path: Path) -> None:
    path, timeouts = tmp_path / "t.sqlite3", Timeouts(arrival=0.2)
    async with open_room(path, dealing=settled) as room:
        (host,) = await room.table(seats=3, bots=["random"] * 2, rules={"rounds": [1, 2, 3]})
        async with room.player(host) as ada:
            await ada.start()
            await room.remote.join(host.code, p.Join(name="Nobody", seat=1))
    async with (
        open_room(path, timeouts=timeouts, dealing=settled) as room,
        room.player(host) as ada,
    ):
        await ada.until(lambda me: given_up(me, 1))


async def test_who_moves_to_the_seat_of_someone_gone_plays_for_themselves(tmp_path: Path) -> None:
    """Someone takes a bot's seat and is never here: a bot plays, in that game and for that one alone."""
    timeouts = Timeouts(grace=0.01, arrival=0.5)
    async with open_room(tmp_path / "t.sqlite3", timeouts=timeouts, dealing=settled) as room:
        host, seat = await room.table(2, seats=3, bots=["random"], rules={"rounds": [3, 4]})
        async with all_in([room.player(host), room.player(seat)]) as (ada, bo):
            await ready_and_start([ada, bo])
            await room.remote.join(host.code, p.Join(name="Nobody", seat=2))
            while not mark(
                ada, 2
            ).is_played_by_bot:  # until that seat was asked, and its time ran out
                for one in (ada, bo):
                    if one.view is not None and one.view.decision is not None:
                        await one.act(one.view.legal[0])
                await asyncio.sleep(0.005)
            await ada.until(lambda me: given_up(me, 2))
            await asyncio.gather(played(ada), played(bo))
            assert mark(ada, 2).kind == "open"
            await bo.ask(p.Sit(seat=2))
            await asyncio.gather(ada.ask(p.Rematch()), bo.ask(p.Rematch()))
            await ada.until(lambda me: me.table is not None and me.table.phase == "playing")
            assert not mark(ada, 2).is_played_by_bot
            await asyncio.gather(played(ada), played(bo))
        log = await room.services.store.log(room_game(ada))
        assert {one.by_bot for one in log if one.seat == 2} == {False}


async def test_a_bell_set_before_the_player_was_back_means_nothing(tmp_path: Path) -> None:
    async with open_room(tmp_path / "t.sqlite3", dealing=settled) as room:
        (seat,) = await room.table(seats=3, bots=["random"] * 2, clock_s=60, **SHORT)
        async with room.player(seat) as ada:
            await ada.start()
            seen = await ada.turn()
            assert seen is not None
            table = room.app.lobby.tables[seat.table]
            table.post(Participant(), TimeUp(0, seen.decision or "", room.services.now() - 1))
            await ada.say("still here")
            assert not mark(ada, 0).is_away


async def test_the_host_lets_a_bot_play_for_who_does_not_answer(tmp_path: Path) -> None:
    async with open_room(tmp_path / "t.sqlite3", dealing=settled) as room:
        seats = await room.table(2, seats=3, bots=["random"], **SHORT)
        async with all_in([room.player(one) for one in seats]) as (ada, bo):
            await ready_and_start([ada, bo])
            with pytest.raises(RefusedByTable, match="host"):
                await bo.ask(p.Away(seat=0))
            with pytest.raises(RefusedByTable):
                await ada.ask(p.Away(seat=2))
            await ada.ask(p.Away(seat=1))
            await played(ada)  # Bo does nothing
            assert mark(ada, 1).is_away


async def test_a_seat_before_a_game_waits_for_its_player(tmp_path: Path) -> None:
    async with open_room(tmp_path / "t.sqlite3", timeouts=Timeouts(arrival=0.05)) as room:
        host, bo = await room.table(2, seats=3)
        async with room.player(host) as ada:
            await asyncio.sleep(0.2)
            assert mark(ada, bo.seat).kind == "person"
            await ada.start("random")
            await asyncio.sleep(0.2)
            assert not given_up(ada, bo.seat)


async def test_gone_without_a_word_a_bot_plays_and_hello_takes_the_seat_back(
    tmp_path: Path,
) -> None:
    async with open_room(tmp_path / "t.sqlite3", timeouts=HASTY) as room:
        seats = await room.table(2, seats=3, bots=["random"], rules={"rounds": [1, 2, 3]})
        async with room.player(seats[0]) as ada:
            bo = room.player(seats[1])
            async with bo:
                await ready_and_start([ada, bo])
            await ada.until(lambda me: not mark(me, 1).is_connected)
            assert not mark(
                ada, 1
            ).is_played_by_bot  # not at once: the line may be back in a moment
            seen = await ada.turn()
            while seen is not None and len(seen.sheet) < 1:
                await ada.act(seen.legal[0])
                seen = await ada.turn()
            assert mark(ada, 1).is_played_by_bot
            async with room.player(seats[1]) as again:
                assert not mark(again, 1).is_played_by_bot
                await asyncio.gather(played(ada), played(again))


async def test_a_host_who_stays_away_is_host_no_longer(tmp_path: Path) -> None:
    async with open_room(tmp_path / "t.sqlite3", timeouts=HASTY) as room:
        seats = await room.table(2, seats=3)
        async with room.player(seats[1]) as bo:
            async with room.player(seats[0]):
                pass
            await bo.until(lambda me: me.table is not None and me.table.host == 1)


@pytest.mark.parametrize("how", ["slept", "never came", "went first", "was given the role"])
async def test_an_absent_host_is_host_no_longer_however_it_came_about(
    tmp_path: Path, how: str
) -> None:
    async with open_room(tmp_path / "t.sqlite3", timeouts=HASTY) as room:
        seats = await room.table(3, seats=3)
        players = [room.player(one) for one in seats]
        match how:
            case "slept":
                async with all_in(players):
                    pass
                await eventually(lambda: not room.app.lobby.tables)
            case "went first":  # the bell rang, and nobody was there to be host
                async with Player(room.remote, seats[0].table):
                    async with players[0]:
                        pass
                    await asyncio.sleep(2 * HASTY.host)
            case "was given the role":
                async with players[1] as bo:
                    await bo.until(lambda me: me.table is not None and me.table.host == 1)
                    await bo.ask(p.PassHost(seat=2))
                    await bo.until(lambda me: me.table is not None and me.table.host == 1)
        async with room.player(seats[1]) as bo:
            await bo.until(lambda me: me.table is not None and me.table.host == 1)


async def test_a_table_with_nobody_left_sleeps_and_wakes_where_it_was(tmp_path: Path) -> None:
    async with open_room(tmp_path / "t.sqlite3", timeouts=HASTY) as room:
        (seat,) = await room.table(seats=3, bots=["random", "counting"], **SHORT)
        async with room.player(seat) as ada:
            await ada.start()
            before = await ada.turn()
        await eventually(lambda: not room.app.lobby.tables)
        async with room.player(seat) as ada:
            assert await ada.turn() == before
            await played(ada)


async def test_no_game_goes_on_without_a_player(tmp_path: Path) -> None:
    async with open_room(tmp_path / "t.sqlite3", timeouts=HASTY) as room:
        (seat,) = await room.table(seats=3, bots=["random", "counting"], **SHORT)
        async with Player(room.remote, seat.table) as spectator:
            async with room.player(seat) as ada:
                await ada.start()
                await ada.turn()
            await spectator.until(lambda me: not mark(me, 0).is_connected)
            assert spectator.snapshot is not None
            number = spectator.snapshot.number
            await asyncio.sleep(0.5)
            assert spectator.snapshot.number == number


class Failing:
    def choose(self, view: View, random: Random) -> Action:
        raise RuntimeError("a bug")


class Cheating:
    def choose(self, view: View, random: Random) -> Action:
        return action("bid 99")


class Endless:
    """Thinks until it is told to stop."""

    def __init__(self) -> None:
        self._stop = threading.Event()

    def choose(self, view: View, random: Random) -> Action:
        self._stop.wait(20)
        return view.legal[0]

    def cancel(self) -> None:
        self._stop.set()


@pytest.mark.parametrize("kind", [Failing, Cheating, Endless])
async def test_no_bot_can_hold_up_a_table(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, kind: type
) -> None:
    monkeypatch.setitem(BOTS, "broken", kind)
    async with open_room(tmp_path / "t.sqlite3", timeouts=HASTY) as room:
        (seat,) = await room.table(seats=3, bots=["broken", "random"], rules={"rounds": [1]})
        async with room.player(seat) as ada:
            await ada.start()
            await played(ada)


async def test_a_player_who_is_back_is_not_played_for_by_a_bot_still_thinking(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(BOTS, "slow", Endless)
    timeouts = Timeouts(thought=20)
    services: dict[str, Any] = {"timeouts": timeouts, "stand_in": "slow", "dealing": settled}
    async with open_room(tmp_path / "t.sqlite3", **services) as room:
        (seat,) = await room.table(seats=3, bots=["random", "random"], rules={"rounds": [1]})
        async with room.player(seat) as ada:
            await ada.start()
            seen = await ada.turn()
            assert seen is not None
            await ada.ask(p.Away())
            await asyncio.sleep(0.05)  # the slow bot is at it
            await ada.act(seen.legal[-1])
            assert ada.snapshot is not None
            assert not mark(ada, 0).is_played_by_bot
            await played(ada)
        log = await room.services.store.log(room_game(ada))
        assert [one.by_bot for one in log if one.seat == 0] == [False, False]


@contextlib.asynccontextmanager
async def full_disk(store: Any) -> AsyncIterator[None]:
    """Nothing can be stored meanwhile."""
    writer: list[sqlite3.Connection] = []
    await store._write(writer.append)
    writer[0].execute("PRAGMA query_only=ON")
    yield
    writer[0].execute("PRAGMA query_only=OFF")


async def test_a_bot_whose_choice_could_not_be_stored_makes_it_again(tmp_path: Path) -> None:
    async with open_room(tmp_path / "t.sqlite3", timeouts=HASTY, dealing=settled) as room:
        bots = ["random", "random"]
        (seat,) = await room.table(seats=3, bots=bots, bot_pause_ms=100, **SHORT)
        async with room.player(seat) as ada:
            await ada.start()
            seen = await ada.turn()
            assert seen is not None
            await ada.act(seen.legal[0])
            async with full_disk(room.services.store):
                await asyncio.sleep(4 * HASTY.thought)
            await asyncio.wait_for(played(ada), 10)


async def test_time_that_ran_out_while_nothing_could_be_stored_runs_out_later(
    tmp_path: Path,
) -> None:
    async with open_room(tmp_path / "t.sqlite3", timeouts=HASTY, dealing=settled) as room:
        rules = {"bids": "hidden", "rounds": [1]}
        seats = await room.table(2, seats=3, bots=["random"], clock_s=1, rules=rules)
        async with all_in([room.player(one) for one in seats]) as (ada, bo):
            await ready_and_start([ada, bo])
            await bo.turn()
            async with full_disk(room.services.store):
                await asyncio.sleep(1.3)
            assert not mark(ada, 1).is_away
            await asyncio.wait_for(ada.until(lambda me: mark(me, 1).is_away), 10)


async def test_a_clock_that_is_set_back_holds_up_nobody(tmp_path: Path) -> None:
    ahead = [7200.0]
    room_ = open_room(
        tmp_path / "t.sqlite3",
        timeouts=HASTY,
        dealing=settled,
        now=lambda: time.time() + ahead[0],
    )
    async with room_ as room:
        seats = await room.table(2, seats=3, bots=["random"], **SHORT)
        async with room.player(seats[0]) as ada:
            async with room.player(seats[1]) as bo:
                await ready_and_start([ada, bo])
                await ada.until(lambda me: me.view is not None and 2 not in me.view.awaited)
                assert ada.view is not None
                if 1 in ada.view.awaited:
                    seen = await bo.turn()
                    assert seen is not None
                    await bo.act(seen.legal[0])
                await ada.turn()  # Bo is asked later, by the other clock
            await ada.until(lambda me: not mark(me, 1).is_connected)
            ahead[0] = 0.0
            await asyncio.wait_for(played(ada), 10)


async def test_who_comes_by_as_a_table_falls_asleep_does_not_keep_it_awake_for_good(
    tmp_path: Path,
) -> None:
    async with open_room(tmp_path / "t.sqlite3", timeouts=HASTY) as room:
        (seat,) = await room.table(seats=3)
        table = room.app.lobby.tables[seat.table]
        table.inbox.stop_timer("sleep")
        table.post(Participant(), SleepTimeout())
        table.post(Participant(), p.TakeSeat(name="Bo"))  # by HTTP: sits down, and never says hello
        await eventually(lambda: not room.app.lobby.tables)


def room_game(player: Player) -> str:
    assert player.table is not None
    assert player.table.game is not None
    return player.table.game


async def test_a_bots_choice_that_comes_too_late_changes_nothing(tmp_path: Path) -> None:
    async with open_room(tmp_path / "t.sqlite3") as room:
        (seat,) = await room.table(seats=3, bots=["random", "random"], rules={"rounds": [1]})
        async with room.player(seat) as ada:
            await ada.start()
            seen = await ada.turn()
            assert seen is not None
            table = room.app.lobby.tables[seat.table]
            late = p.Act(decision=seen.decision or "", action=str(seen.legal[0]))
            table.post(BotParticipant(0), late)
            with pytest.raises(RefusedByTable, match="the message is empty"):
                await ada.say(" ")  # answered after the bot's letter
            assert ada.view == seen
