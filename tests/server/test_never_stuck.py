"""A game never gets stuck: clocks, absent players, "be right back", stuck bots, sleeping tables."""

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


def seat_info(player: Player, seat: int) -> p.Seat:
    assert player.table is not None
    return player.table.seats[seat]


def may_be_taken(player: Player, seat: int) -> bool:
    """Whether a person's seat may be taken by anyone."""
    return seat_info(player, seat).kind == "person" and seat_info(player, seat).may_be_taken


async def test_when_the_clock_runs_out_a_bot_plays_until_the_player_acts(tmp_path: Path) -> None:
    async with open_room(tmp_path / "t.sqlite3") as room:
        seats = await room.table(2, seats=3, bots=["random"], clock_s=1, rules={"rounds": [2]})
        async with all_in([room.player(one) for one in seats]) as (ada, bo):
            await ready_and_start([ada, bo])
            # Bo sits there and does nothing; Ada plays on.
            playing = asyncio.ensure_future(played(ada))
            await ada.until(lambda me: seat_info(me, 1).is_away)
            assert seat_info(ada, 1).is_played_by_bot
            assert seat_info(ada, 1).is_connected
            await playing
            await bo.ask(p.Back())
            assert not seat_info(bo, 1).is_away


async def test_a_player_who_returns_after_a_timeout_keeps_their_seat(tmp_path: Path) -> None:
    """The bot makes the decision whose time is up, unless the player is faster.  The player makes the next one."""
    async with open_room(tmp_path / "t.sqlite3", dealing=settled) as room:
        pause = {"clock_s": 1, "bot_pause_ms": 500}
        (seat,) = await room.table(
            seats=3, bots=["random", "random"], **pause, rules={"rounds": [3]}
        )
        async with room.player(seat) as ada:
            await ada.start()
            first = await ada.turn()
            assert first is not None
            await ada.until(lambda me: seat_info(me, 0).is_away)
            await ada.ask(p.Back())
            await ada.until(lambda me: me.view is not None and me.view.decision != first.decision)
            assert not seat_info(ada, 0).is_away
            second = await ada.turn()
            assert second is not None
            await ada.act(second.legal[0])
            assert not seat_info(ada, 0).is_away
        log = await room.services.store.log(game_of(ada))
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


async def test_a_player_who_was_away_gets_the_seat_back_at_once(tmp_path: Path) -> None:
    async with open_room(tmp_path / "t.sqlite3") as room:
        seats = await room.table(2, seats=3, bots=["random"], **SHORT)
        async with all_in([room.player(one) for one in seats]) as (ada, bo):
            await ready_and_start([ada, bo])
            await bo.ask(p.Away())
            assert seat_info(bo, 1).is_played_by_bot
            seen = await ada.turn()
            while seen is not None and len(seen.sheet) < 1:
                await ada.act(seen.legal[0])
                seen = await ada.turn()
            await bo.ask(p.Back())
            assert not seat_info(bo, 1).is_played_by_bot
            await asyncio.gather(played(ada), played(bo))


async def test_a_seat_in_a_game_is_free_again_if_its_new_player_never_connects(
    tmp_path: Path,
) -> None:
    timeouts = Timeouts(arrival=0.1)
    async with open_room(tmp_path / "t.sqlite3", timeouts=timeouts, dealing=settled) as room:
        (host,) = await room.table(seats=3, bots=["random"] * 2, rules={"rounds": [1, 2, 3]})
        async with room.player(host) as ada:
            await ada.start()
            nobody = await room.elsewhere(1).join(host.code, p.Join(name="Nobody", seat=1))
            await ada.until(lambda me: seat_info(me, 1).next_name == "Nobody")
            assert not seat_info(ada, 1).may_be_taken
            await ada.until(lambda me: seat_info(me, 1).next_name is None)
            assert seat_info(ada, 1).may_be_taken
            with pytest.raises(RefusedByTable, match="opens no seat"):
                async with room.player(nobody):
                    pass
            # Someone who connects in time keeps the seat.
            taken = await room.elsewhere(2).join(host.code, p.Join(name="Cy", seat=1))
            async with room.player(taken):
                await asyncio.sleep(0.2)
                assert seat_info(ada, 1).next_name == "Cy"


async def test_a_player_who_moves_to_a_seat_is_not_affected_by_its_old_timeout(
    tmp_path: Path,
) -> None:
    """The timer was started for someone who took the seat and never connected."""
    timeouts = Timeouts(arrival=0.3)
    async with open_room(tmp_path / "t.sqlite3", timeouts=timeouts, dealing=settled) as room:
        host, seat = await room.table(2, seats=3, rules={"rounds": [1, 2, 3]})
        nobody = await room.remote.join(host.code, p.Join(name="Nobody", seat=2))
        async with all_in([room.player(host), room.player(seat)]) as (ada, bo):
            await ada.ask(p.Remove(seat=nobody.seat))
            await bo.ask(p.Sit(seat=nobody.seat))
            await ready_and_start([ada, bo], "random")
            await asyncio.sleep(0.5)
            assert not may_be_taken(bo, nobody.seat)
            assert not seat_info(bo, nobody.seat).is_played_by_bot


async def test_a_seat_is_free_again_after_the_table_slept(tmp_path: Path) -> None:
    path, timeouts = tmp_path / "t.sqlite3", Timeouts(arrival=0.2)
    async with open_room(path, dealing=settled) as room:
        (host,) = await room.table(seats=3, bots=["random"] * 2, rules={"rounds": [1, 2, 3]})
        async with room.player(host) as ada:
            await ada.start()
            await room.elsewhere().join(host.code, p.Join(name="Nobody", seat=1))
    async with (
        open_room(path, timeouts=timeouts, dealing=settled) as room,
        room.player(host) as ada,
    ):
        assert seat_info(ada, 1).next_name == "Nobody"
        await ada.until(lambda me: seat_info(me, 1).next_name is None)


async def test_a_bot_does_not_play_for_a_player_who_moves_to_the_seat_of_an_absent_one(
    tmp_path: Path,
) -> None:
    """Someone takes a seat in a game and disconnects: a bot plays for them, and only in that game."""
    timeouts = Timeouts(grace=0.01)
    async with open_room(tmp_path / "t.sqlite3", timeouts=timeouts, dealing=settled) as room:
        host, seat = await room.table(2, seats=3, bots=["random"], rules={"rounds": [2, 3]})
        async with all_in([room.player(host), room.player(seat)]) as (ada, bo):
            await ready_and_start([ada, bo])
            late = await room.elsewhere().join(host.code, p.Join(name="Late", seat=2))
            async with room.player(late):
                pass
            await asyncio.gather(played(ada), played(bo))
            log = await room.services.store.log(game_of(ada))
            assert {one.by_bot for one in log if one.seat == 2} == {True}
            await ada.ask(p.Remove(seat=2))
            await ada.ask(p.Empty(seat=2))  # the bot was back
            await bo.ask(p.Sit(seat=2))
            await asyncio.gather(ada.ask(p.Rematch()), bo.ask(p.Rematch()))
            await ada.until(lambda me: me.table is not None and me.table.phase == "playing")
            assert not seat_info(ada, 2).is_played_by_bot
            await asyncio.gather(played(ada), played(bo))
        log = await room.services.store.log(game_of(ada))
        assert {one.by_bot for one in log if one.seat == 2} == {False}


async def test_a_timeout_from_before_the_player_returned_is_ignored(tmp_path: Path) -> None:
    async with open_room(tmp_path / "t.sqlite3", dealing=settled) as room:
        (seat,) = await room.table(seats=3, bots=["random"] * 2, clock_s=60, **SHORT)
        async with room.player(seat) as ada:
            await ada.start()
            seen = await ada.turn()
            assert seen is not None
            table = room.app.lobby.tables[seat.table]
            table.post(Participant(), TimeUp(0, seen.decision or "", room.services.now() - 1))
            await ada.say("still here")
            assert not seat_info(ada, 0).is_away


async def test_the_host_lets_a_bot_play_for_a_player_who_does_not_act(tmp_path: Path) -> None:
    async with open_room(tmp_path / "t.sqlite3", dealing=settled) as room:
        seats = await room.table(2, seats=3, bots=["random"], **SHORT)
        async with all_in([room.player(one) for one in seats]) as (ada, bo):
            await ready_and_start([ada, bo])
            with pytest.raises(RefusedByTable, match="more seconds of waiting"):
                await bo.ask(p.Away(seat=0))
            with pytest.raises(RefusedByTable):
                await ada.ask(p.Away(seat=2))
            await ada.ask(p.Away(seat=1))
            await played(ada)  # Bo does nothing
            assert seat_info(ada, 1).is_away


async def test_a_seat_before_a_game_is_free_again_if_its_player_never_connects(
    tmp_path: Path,
) -> None:
    async with open_room(tmp_path / "t.sqlite3", timeouts=Timeouts(arrival=0.05)) as room:
        host, bo, cy = await room.table(3, seats=4)
        async with all_in([room.player(host), room.player(cy)]) as (ada, _cy):
            await ada.until(lambda me: seat_info(me, bo.seat).kind == "open")
            with pytest.raises(RefusedByTable, match="opens no seat"):
                async with room.player(bo):
                    pass
            # Someone who has been there once keeps the seat.
            await _cy.close()
            await asyncio.sleep(0.1)
            assert seat_info(ada, cy.seat).kind == "person"


async def test_a_bot_plays_for_a_disconnected_player_until_they_reconnect(
    tmp_path: Path,
) -> None:
    async with open_room(tmp_path / "t.sqlite3", timeouts=HASTY) as room:
        seats = await room.table(2, seats=3, bots=["random"], rules={"rounds": [1, 2, 3]})
        async with room.player(seats[0]) as ada:
            bo = room.player(seats[1])
            async with bo:
                await ready_and_start([ada, bo])
            await ada.until(lambda me: not seat_info(me, 1).is_connected)
            # Not at once: the player may reconnect in a moment.
            assert not seat_info(ada, 1).is_played_by_bot
            seen = await ada.turn()
            while seen is not None and len(seen.sheet) < 1:
                await ada.act(seen.legal[0])
                seen = await ada.turn()
            assert seat_info(ada, 1).is_played_by_bot
            async with room.player(seats[1]) as again:
                assert not seat_info(again, 1).is_played_by_bot
                await asyncio.gather(played(ada), played(again))


async def test_a_disconnected_host_is_replaced(tmp_path: Path) -> None:
    async with open_room(tmp_path / "t.sqlite3", timeouts=HASTY) as room:
        seats = await room.table(2, seats=3)
        async with room.player(seats[1]) as bo:
            async with room.player(seats[0]):
                pass
            await bo.until(lambda me: me.table is not None and me.table.host == 1)


@pytest.mark.parametrize("how", ["slept", "never came", "went first", "was given the role"])
async def test_an_absent_host_is_replaced_whatever_the_reason(tmp_path: Path, how: str) -> None:
    async with open_room(tmp_path / "t.sqlite3", timeouts=HASTY) as room:
        seats = await room.table(3, seats=3)
        players = [room.player(one) for one in seats]
        match how:
            case "slept":
                async with all_in(players):
                    pass
                await eventually(lambda: not room.app.lobby.tables)
            case "went first":  # at the timeout, nobody was connected who could become host
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


async def test_an_empty_table_sleeps_and_wakes_up_unchanged(tmp_path: Path) -> None:
    async with open_room(tmp_path / "t.sqlite3", timeouts=HASTY) as room:
        (seat,) = await room.table(seats=3, bots=["random", "counting"], **SHORT)
        async with room.player(seat) as ada:
            await ada.start()
            before = await ada.turn()
        await eventually(lambda: not room.app.lobby.tables)
        async with room.player(seat) as ada:
            assert await ada.turn() == before
            await played(ada)


async def test_a_game_pauses_while_no_player_is_connected(tmp_path: Path) -> None:
    async with open_room(tmp_path / "t.sqlite3", timeouts=HASTY) as room:
        (seat,) = await room.table(seats=3, bots=["random", "counting"], **SHORT)
        async with Player(room.remote, seat.table) as spectator:
            async with room.player(seat) as ada:
                await ada.start()
                await ada.turn()
            await spectator.until(lambda me: not seat_info(me, 0).is_connected)
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
    """Thinks until it is stopped."""

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


async def test_a_bot_that_is_still_thinking_does_not_play_for_a_player_who_is_back(
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
            await asyncio.sleep(0.05)  # the slow bot is thinking now
            await ada.act(seen.legal[-1])
            assert ada.snapshot is not None
            assert not seat_info(ada, 0).is_played_by_bot
            await played(ada)
        log = await room.services.store.log(game_of(ada))
        assert [one.by_bot for one in log if one.seat == 0] == [False, False]


@contextlib.asynccontextmanager
async def full_disk(store: Any) -> AsyncIterator[None]:
    """Inside this context, nothing can be stored."""
    writer: list[sqlite3.Connection] = []
    await store._write(writer.append)
    writer[0].execute("PRAGMA query_only=ON")
    yield
    writer[0].execute("PRAGMA query_only=OFF")


async def test_a_bot_chooses_again_if_its_choice_could_not_be_stored(tmp_path: Path) -> None:
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


async def test_a_bot_acts_soon_after_its_choice_could_not_be_stored(tmp_path: Path) -> None:
    """As after a restart of the database: nobody waits until the bot counts as stuck, which takes half a minute."""
    async with open_room(tmp_path / "t.sqlite3", dealing=settled) as room:
        (seat,) = await room.table(seats=3, bots=["random", "random"], bot_pause_ms=100, **SHORT)
        async with room.player(seat) as ada:
            await ada.start()
            seen = await ada.turn()
            assert seen is not None
            await ada.act(seen.legal[0])
            async with full_disk(room.services.store):
                await eventually(lambda: room.app.lobby.tables[seat.table].inbox.has_timer("bot 1"))
            await asyncio.wait_for(played(ada), 10)


async def test_a_timeout_that_could_not_be_stored_is_tried_again(
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
            assert not seat_info(ada, 1).is_away
            await asyncio.wait_for(ada.until(lambda me: seat_info(me, 1).is_away), 10)


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
                await ada.turn()  # Bo has to decide later, after the clock is set back
            await ada.until(lambda me: not seat_info(me, 1).is_connected)
            ahead[0] = 0.0
            await asyncio.wait_for(played(ada), 10)


async def test_a_message_while_a_table_falls_asleep_does_not_keep_it_awake_for_ever(
    tmp_path: Path,
) -> None:
    async with open_room(tmp_path / "t.sqlite3", timeouts=HASTY) as room:
        (seat,) = await room.table(seats=3)
        table = room.app.lobby.tables[seat.table]
        table.inbox.stop_timer("sleep")
        table.post(Participant(), SleepTimeout())
        # By HTTP: takes a seat, and never says hello.
        table.post(Participant(), p.TakeSeat(name="Bo"))
        await eventually(lambda: not room.app.lobby.tables)


def game_of(player: Player) -> str:
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
                await ada.say(" ")  # answered after the action of the bot
            assert ada.view == seen
