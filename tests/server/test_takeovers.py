"""A seat that is taken in a running game is active with the next deal: nobody sees two hands of one round."""

import asyncio
import contextlib
import os
import sqlite3
from collections.abc import AsyncIterator
from pathlib import Path
from random import Random
from typing import Any

import msgspec
import pytest

from foretell.bots import BOTS
from foretell.client import Player, RefusedByTable, Remote
from foretell.engine import View, view
from foretell.errors import NotAllowed
from foretell.server.coach.advice import OddsCoach
from foretell.server.table.services import Timeouts
from foretell.server.wire import protocol as p
from server.attacker import BROWSER, Attacker
from server.courses import VARIANTS, variant
from server.rooms import (
    Pair,
    Room,
    all_in,
    eventually,
    made,
    open_room,
    played,
    ready_and_start,
    settled,
)
from server.test_never_stuck import Endless, game_of, seat_info
from tables import head_counts, with_rounds

pytestmark = pytest.mark.anyio

SCHEDULES, PIPED = (len(VARIANTS),) * 2 if os.environ.get("FORETELL_PROVE") else (6, 2)
KEY = "a-browser-key-of-zoe"


@contextlib.asynccontextmanager
async def game_with_bots(
    place: Path | Pair, seats: int = 4, rules: Any = None, level: str = "random", **more: Any
) -> AsyncIterator[tuple[Room, Player, p.Seated]]:
    """Ada plays with bots, and has to decide first of all."""
    path = place if isinstance(place, Pair) or place.suffix else place / "t.sqlite3"
    async with open_room(path, dealing=settled, **more) as room:
        bots = [level] * (seats - 1)
        (seat,) = await room.table(seats=seats, bots=bots, rules=rules or {"rounds": [2, 3]})
        async with room.player(seat) as ada:
            await ada.start()
            yield room, ada, seat


async def to_next_round(player: Player) -> View:
    """Plays the current round to its end."""
    assert player.view is not None
    before = len(player.view.sheet)

    def is_new(me: Player) -> bool:
        return me.view is not None and len(me.view.sheet) > before and me.view.phase != "deal"

    while not is_new(player):
        await player.until(lambda me: is_new(me) or bool(me.view and me.view.decision))
        if not is_new(player):
            await player.act(player.view.legal[0], player.view.decision)
    return player.view


def is_spectators(seen: View | None, room: Room, table: str) -> bool:
    """Whether this is exactly what a spectator sees of the game."""
    playing = room.app.lobby.tables[table].playing
    return playing is not None and seen == view(playing.game, None)


# What an attacker did before


@pytest.mark.parametrize("key", [None, BROWSER, "another-browser-0"])
async def test_a_second_tab_does_not_see_the_hands_of_bots(
    place: Path | Pair, key: str | None
) -> None:
    """It takes a bot's seat, looks, leaves, and takes the next one: by socket and by HTTP, from Ada's own address."""
    async with game_with_bots(place) as (room, ada, seat):
        eve = Attacker(room.remote, seat.code)
        for number in (1, 2, 3):
            tab = await eve.open(key=key)
            assert tab is not None
            await tab.ask(p.TakeSeat(name="Eve", seat=number))
            await tab.ask(p.Leave())
            token = await eve.join(number, key=key)
            if token is not None:
                assert await eve.open(token, key=key) is not None
        await eve.close_all()
        assert eve.seats_seen() == {}
        assert all(seen.hand == () for _, seen in eve.views)
        assert ada.view is not None
        assert len(ada.view.sheet) == 0


async def test_a_stranger_sees_no_hand_of_the_round_in_which_they_come(place: Path | Pair) -> None:
    async with game_with_bots(place) as (room, ada, seat):
        zoe = Player(room.elsewhere(), seat.code, name="Zoe", key=KEY)
        async with zoe:
            answer = await zoe.ask(p.TakeSeat(name="Zoe", seat=2))
            assert isinstance(answer, p.Seated)
            assert (answer.seat, answer.from_next_deal) == (2, True)
            await ada.until(lambda me: seat_info(me, 2).next_name == "Zoe")
            assert (seat_info(ada, 2).kind, seat_info(ada, 2).may_be_taken) == ("bot", False)
            assert (zoe.seat, zoe.next_seat) == (None, 2)
            assert is_spectators(zoe.view, room, seat.table)
            with pytest.raises(RefusedByTable, match="spectators can only watch"):
                await zoe.ask(p.AskCoach(decision=(ada.view and ada.view.decision) or ""))
            with pytest.raises(RefusedByTable, match="already"):
                await zoe.ask(p.TakeSeat(name="Zoe", seat=1))
            await to_next_round(ada)
            await zoe.until(lambda me: me.seat == 2)
            assert zoe.view is not None
            assert len(zoe.view.hand) == 3
            assert zoe.view.names[2] == "Zoe"
            assert zoe.next_seat is None
            await asyncio.gather(played(ada), played(zoe))
        log = await room.services.store.log(game_of(ada))
        by_bot = [one.by_bot for one in log if one.seat == 2]
        assert (
            by_bot == [True] * 3 + [False] * 4
        )  # two rounds: a bid and two cards, then a bid and three


async def test_the_end_of_the_round_is_shown_to_the_newcomer_as_to_a_spectator(
    tmp_path: Path,
) -> None:
    async with game_with_bots(tmp_path) as (room, ada, seat):
        heard: list[p.FromServer] = []
        zoe = Player(room.elsewhere(), seat.code, name="Zoe", on_message=heard.append)
        async with zoe:
            await zoe.ask(p.TakeSeat(name="Zoe", seat=2))
            await to_next_round(ada)
            await zoe.until(lambda me: me.seat == 2)
            shown = [one for one in heard if isinstance(one, p.Snapshot)]
            scored = next(n for n, one in enumerate(shown) if one.view.phase == "deal")
            assert shown[scored].view.seat is None
            assert shown[scored].view.names[2] != "Zoe"
            assert shown[scored + 1].view.seat == 2
            assert shown[scored + 1].events != ()
            assert shown[scored + 1].number == shown[scored].number


@pytest.mark.parametrize("foresight", ["first_round", "every_round"])
async def test_with_foresight_a_newcomer_does_not_see_the_other_hands(
    tmp_path: Path, foresight: str
) -> None:
    """V4, V5: a player sees all hands but their own, so a second seat would show their own."""
    rules = {"foresight": foresight, "rounds": [1, 2]}
    async with game_with_bots(tmp_path, rules=rules) as (room, ada, seat):
        assert ada.view is not None
        assert ada.view.now is not None
        assert ada.view.now.foreseen is not None
        async with Player(room.elsewhere(), seat.code, name="Zoe") as zoe:
            await zoe.ask(p.TakeSeat(name="Zoe", seat=1))
            assert zoe.view is not None
            assert zoe.view.now is not None
            assert not any(zoe.view.now.foreseen or ())
            assert is_spectators(zoe.view, room, seat.table)


async def test_a_player_who_changes_seats_sees_one_hand_in_each_round(place: Path | Pair) -> None:
    async with open_room(place, dealing=settled) as room:
        (host,) = await room.table(seats=4, bots=["random"] * 2, rules={"rounds": [2, 3, 4]})
        eve = Attacker(room.elsewhere(), host.code)
        token = await eve.join()
        tab = await eve.open(token)
        assert tab is not None
        async with room.player(host) as ada:
            await tab.ask(p.Ready())
            await ada.start()
            await tab.ask(p.Leave())
            assert isinstance(await tab.ask(p.TakeSeat(name="Eve", seat=2)), p.Seated)
            # The old seat cannot be had as well.
            assert await eve.open(token, key=None) is None or eve.tabs[-1].seat is None
            await to_next_round(ada)
            await eventually(lambda: tab.seat == 2)
            await eve.open(token)
            assert {one.seat for one in eve.tabs} == {2}
        await eve.close_all()
        assert [len(one) for one in eve.seats_seen().values()] == [1, 1]


async def test_a_player_returns_to_their_own_seat_at_once(place: Path | Pair) -> None:
    async with open_room(place, dealing=settled) as room:
        host, seat = await room.table(2, seats=3, bots=["random"], rules={"rounds": [2, 3]})
        async with all_in([room.player(host), room.player(seat)]) as (ada, bo):
            await ready_and_start([ada, bo])
            hand = bo.view.hand if bo.view is not None else ()
            await bo.ask(p.Leave())
            async with room.player(seat) as again:
                assert (again.seat, again.view and again.view.hand) == (1, hand)
                await again.ask(p.Leave())
            # Unless somebody else holds it.
            async with Player(room.elsewhere(), host.code, name="Zoe") as zoe:
                await zoe.ask(p.TakeSeat(name="Zoe", seat=1))
                with pytest.raises(RefusedByTable, match="opens no seat"):
                    async with room.player(seat):
                        pass


# When the newcomer gets the seat, and when not


async def test_a_restart_does_not_make_the_seat_active_early(tmp_path: Path) -> None:
    path = tmp_path / "t.sqlite3"
    async with game_with_bots(tmp_path) as (room, ada, seat):
        taken = await room.elsewhere().join(seat.code, p.Join(name="Zoe", seat=2, key=KEY))
        async with room.player(taken) as zoe:
            assert (zoe.seat, zoe.next_seat) == (None, 2)
    async with (
        open_room(path, dealing=settled) as room,
        all_in([room.player(seat), room.player(taken)]) as (ada, zoe),
    ):
        assert (zoe.seat, zoe.next_seat) == (None, 2)
        assert is_spectators(zoe.view, room, seat.table)
        mine = await room.remote.mine((taken.token,))
        assert [(one.name, one.is_my_turn) for one in mine.games] == [("Zoe", False)]
        await to_next_round(ada)
        await zoe.until(lambda me: me.seat == 2)
    # The names of the game are stored together with the first action of the new round.
    async with open_room(path, dealing=settled) as room, room.player(taken) as zoe:
        assert zoe.seat == 2
        assert zoe.view is not None
        assert zoe.view.names[2] == "Zoe"


async def test_in_the_last_round_the_newcomer_watches_and_plays_in_the_rematch(
    tmp_path: Path,
) -> None:
    async with (
        game_with_bots(tmp_path, rules={"rounds": [2]}) as (room, ada, seat),
        Player(room.elsewhere(), seat.code, name="Zoe") as zoe,
    ):
        await zoe.ask(p.TakeSeat(name="Zoe", seat=2))
        await played(ada)
        await zoe.until(lambda me: me.seat == 2)
        assert ada.view is not None
        assert ada.view.names[2] != "Zoe"  # who did not play in this game
        await ada.ask(p.Rematch())
        await zoe.ask(p.Rematch())
        await zoe.until(lambda me: bool(me.view and me.view.phase != "over"))
        assert zoe.view is not None
        assert (zoe.view.seat, zoe.view.names[2]) == (2, "Zoe")
        await asyncio.gather(played(ada), played(zoe))


async def test_a_bot_that_is_thinking_keeps_its_decision(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(BOTS, "slow", Endless)
    timeouts = Timeouts(thought=0.3)
    game = game_with_bots(tmp_path, level="slow", timeouts=timeouts, rules={"rounds": [1, 2]})
    async with game as (room, ada, seat):
        seen = await ada.turn()
        assert seen is not None
        await ada.act(seen.legal[0])
        await ada.until(lambda me: bool(me.view and me.view.awaited and 0 not in me.view.awaited))
        assert ada.view is not None
        (thinking,) = ada.view.awaited
        async with Player(room.elsewhere(), seat.code, name="Zoe") as zoe:
            await zoe.ask(p.TakeSeat(name="Zoe", seat=thinking))
            await to_next_round(ada)
            await zoe.until(lambda me: me.seat == thinking)
        log = await room.services.store.log(game_of(ada))
        assert {one.by_bot for one in log if one.seat == thinking} == {True}


async def test_the_game_goes_on_while_only_a_newcomer_is_there(tmp_path: Path) -> None:
    timeouts = Timeouts(grace=0.05)
    async with (
        game_with_bots(tmp_path, timeouts=timeouts) as (room, ada, seat),
        Player(room.elsewhere(), seat.code, name="Zoe") as zoe,
    ):
        await zoe.ask(p.TakeSeat(name="Zoe", seat=2))
        await ada.close()
        await zoe.until(lambda me: me.seat == 2)


async def test_the_bot_is_back_at_its_own_level_when_the_person_leaves(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    thought: list[str] = []
    rules = {"rounds": [1, 2, 3]}
    async with game_with_bots(tmp_path, rules=rules, level="counting") as (room, ada, seat):
        room.services.stand_in = "random"
        think = room.services.bot_threads.think

        def noted(level: str, *more: Any, **named: Any) -> Any:
            thought.append(level)
            return think(level, *more, **named)

        monkeypatch.setattr(room.services.bot_threads, "think", noted)
        async with Player(room.elsewhere(), seat.code, name="Zoe") as zoe:
            await zoe.ask(p.TakeSeat(name="Zoe", seat=2))
            await to_next_round(ada)
            await zoe.until(lambda me: me.seat == 2)
            await zoe.ask(p.Leave())
            await played(ada)
            assert set(thought) == {"counting"}
            assert (seat_info(ada, 2).kind, seat_info(ada, 2).level) == ("bot", "counting")


async def test_a_newcomer_may_give_up_before_the_deal(tmp_path: Path) -> None:
    async with (
        game_with_bots(tmp_path) as (room, ada, seat),
        Player(room.elsewhere(), seat.code, name="Zoe") as zoe,
    ):
        await zoe.ask(p.TakeSeat(name="Zoe", seat=2))
        await zoe.ask(p.Leave())
        assert (zoe.seat, zoe.next_seat) == (None, None)
        assert seat_info(ada, 2).next_name is None
        await to_next_round(ada)
        assert zoe.seat is None


# One seat for one browser


async def test_a_join_sent_twice_is_one_seat(tmp_path: Path) -> None:
    """Also when the first answer was lost, and after a restart."""
    path = tmp_path / "t.sqlite3"
    async with open_room(path) as room:
        (host,) = await room.table(seats=4)
        ask = p.Join(name="Zoe", key=KEY)
        both = await asyncio.gather(*(room.remote.join(host.code, ask) for _ in range(2)))
        assert both[0] == both[1]
    async with open_room(path) as room:
        again = await room.remote.join(host.code, p.Join(name="Zoe", seat=3, key=KEY))
        assert (again.seat, again.token) == (both[0].seat, both[0].token)
        async with room.player(again) as zoe:
            assert zoe.seat == again.seat
            assert [one.kind for one in zoe.table.seats] == ["person"] * 2 + ["open"] * 2  # type: ignore[union-attr]


async def test_a_second_tab_of_the_same_browser_gets_its_own_seat_back(tmp_path: Path) -> None:
    async with open_room(tmp_path / "t.sqlite3", dealing=settled) as room:
        ask = p.NewTable(name="Ada", key=KEY, options=p.TableOptions(seats=3, bots=("random",) * 2))
        host = await room.remote.make(ask)
        async with (
            room.player(host) as ada,
            Player(room.remote, host.code, name="Eve", key=KEY) as tab,
        ):
            await ada.start()
            answer = await tab.ask(p.TakeSeat(name="Eve", seat=2))
            assert isinstance(answer, p.Seated)
            assert (answer.seat, answer.token, tab.seat) == (0, host.token, 0)
            assert seat_info(ada, 2).next_name is None


async def test_one_browser_with_two_addresses_gets_one_seat(tmp_path: Path) -> None:
    """A phone that changes networks has two addresses.  The seats that Eve wants are those of players who left."""
    async with open_room(tmp_path / "t.sqlite3", dealing=settled) as room:
        seats = await room.table(3, seats=4, bots=["random"], rules={"rounds": [2, 3]})
        async with all_in([room.player(one) for one in seats]) as (ada, bo, cy):
            await ready_and_start([ada, bo, cy])
            await bo.ask(p.Leave())
            await cy.ask(p.Leave())
            tabs = [
                Player(room.elsewhere(number), seats[0].code, name="Eve", key=KEY)
                for number in (1, 2)
            ]
            async with all_in(tabs) as (one, other):
                first = await one.ask(p.TakeSeat(name="Eve", seat=1))
                second = await other.ask(p.TakeSeat(name="Eve", seat=2))
                third = await room.elsewhere(3).join(
                    seats[0].code, p.Join(name="Eve", seat=3, key=KEY)
                )
                assert isinstance(first, p.Seated)
                assert isinstance(second, p.Seated)
                assert [found.seat for found in (first, second, third)] == [1, 1, 1]
                await to_next_round(ada)
                await one.until(lambda me: me.seat is not None)
                await other.until(lambda me: me.seat is not None)
                assert (one.seat, other.seat) == (1, 1)


async def test_one_address_holds_a_limited_number_of_seats(tmp_path: Path) -> None:
    async with open_room(tmp_path / "t.sqlite3") as room:
        (host,) = await room.table(seats=6)
        for n in range(3):
            await room.elsewhere(1).join(host.code, p.Join(name="Eve", key=f"{KEY}{n}"))
        with pytest.raises(NotAllowed, match="your address"):
            await room.elsewhere(1).join(host.code, p.Join(name="Eve", key=f"{KEY}x"))
        await room.elsewhere(2).join(host.code, p.Join(name="Zoe"))
        await room.remote.join(host.code, p.Join(name="Bo"))  # at home with the host
        for n in range(37):
            (other,) = await room.table(seats=3)
            await room.elsewhere(1).join(other.code, p.Join(name="Eve", key=f"{KEY}{n}"))
        (other,) = await room.table(seats=3)
        with pytest.raises(NotAllowed, match="your address"):
            await room.elsewhere(1).join(other.code, p.Join(name="Eve"))


async def test_seats_count_again_after_a_restart(tmp_path: Path) -> None:
    """As soon as their players say hello, and each once.  A host's own tables do not count."""
    path, seats = tmp_path / "t.sqlite3", list[p.Seated]()
    async with open_room(path) as room:
        for n in range(40):
            (host,) = await room.table(seats=3)
            ask = p.Join(name="Eve", key=f"{KEY}{n}")
            seats.append(await room.elsewhere(1).join(host.code, ask))
    async with open_room(path) as room:
        own = await room.elsewhere(1).make(p.NewTable(name="Eve", options=made(seats=3)))
        (other,) = await room.table(seats=3)
        eve = [Player(room.elsewhere(1), one.table, one.token) for one in (*seats[1:], own)]
        async with all_in([*eve, Player(room.elsewhere(1), seats[1].table, seats[1].token)]):
            one = await room.elsewhere(1).join(other.code, p.Join(name="Eve", key=KEY))
            with pytest.raises(NotAllowed, match="your address"):
                await room.elsewhere(1).join(host.code, p.Join(name="Eve", key=f"{KEY}y"))
            async with room.player(one) as last:
                await last.ask(p.Leave())
            async with Player(room.elsewhere(1), seats[0].table, seats[0].token):
                with pytest.raises(NotAllowed, match="your address"):
                    await room.elsewhere(1).join(other.code, p.Join(name="Eve", key=KEY))
            # From another address, the seat is theirs all the same.
            async with Player(room.elsewhere(2), seats[0].table, seats[0].token) as moved:
                assert moved.seat == seats[0].seat


async def test_an_address_is_a_home_and_not_a_device(tmp_path: Path) -> None:
    """IPv6 gives every device an address of its own, but a home is one network of 64 bits."""
    async with open_room(tmp_path / "t.sqlite3", dealing=settled) as room:
        host = await Remote(room.address, {"x-forwarded-for": "2001:db8:0:7::1"}).make(
            p.NewTable(name="Ada", options=p.TableOptions(seats=3, bots=("random",) * 2))
        )
        async with room.player(host) as ada:
            await ada.start()
            other = Remote(room.address, {"x-forwarded-for": "2001:db8:0:7:a:b:c:d"})
            with pytest.raises(NotAllowed, match="let you in"):
                await other.join(host.code, p.Join(name="Eve"))
            neighbour = Remote(room.address, {"x-forwarded-for": "2001:db8:0:8::1"})
            await neighbour.join(host.code, p.Join(name="Zoe"))


# Anything, in any order


@pytest.mark.prove
@pytest.mark.parametrize("number", range(SCHEDULES))
async def test_an_attacker_never_sees_two_hands_of_one_round(tmp_path: Path, number: int) -> None:
    await sees_one_hand_of_each_round(tmp_path / "t.sqlite3", number)


@pytest.mark.prove
@pytest.mark.parametrize("number", range(PIPED))
async def test_at_another_process_an_attacker_sees_no_two_hands_either(
    database: str, number: int
) -> None:
    await sees_one_hand_of_each_round(Pair(database), number)


async def sees_one_hand_of_each_round(place: Path | Pair, number: int) -> None:
    """Each number has another variant."""
    random = Random(f"attacker {number}")
    rules = with_rounds(variant(number), *sorted(random.sample(range(1, 5), 3)))
    seats = random.choice(head_counts(rules))
    services: dict[str, Any] = {"coach": OddsCoach()} if number % 5 == 0 else {}
    async with open_room(place, seconds=60, **services) as room:
        (host,) = await room.table(seats=seats, bots=["random"] * (seats - 2), rules=rules)
        eve = Attacker(room.elsewhere(), host.code)
        if random.random() < 0.7:  # she plays from the start
            tab = await eve.open(await eve.join())
            assert tab is not None
            await tab.ask(p.Ready())
        async with room.player(host) as ada:
            await ada.start("random")
            playing = asyncio.ensure_future(slowly_played(ada, Random(number)))
            while ada.table is not None and ada.table.phase == "playing":
                await eve.try_something(random, seats)
            await playing
        await eve.close_all()
        assert max(map(len, eve.seats_seen().values()), default=0) <= 1, eve.seats_seen()


async def test_two_hands_would_be_noticed(tmp_path: Path) -> None:
    """The test above can fail: it does if the host lets a second browser of the attacker in."""
    async with game_with_bots(tmp_path) as (room, ada, seat):
        eve = Attacker(room.elsewhere(), seat.code)
        tabs = [await eve.open(key=key) for key in (BROWSER, "another-browser-0")]
        for number, tab in enumerate(tabs, start=1):
            assert tab is not None
            answer = await tab.ask(p.TakeSeat(name="Eve", seat=number))
        assert isinstance(answer, p.Requested)
        await ada.ask(p.AnswerRequest(request=answer.request, is_admitted=True))
        await to_next_round(ada)
        await eventually(lambda: list(eve.seats_seen().values()) == [{1, 2}])
        await eve.close_all()


async def slowly_played(player: Player, random: Random) -> None:
    """Plays to the end of the game, with pauses in which others do what they like."""
    while (seen := await player.turn()) is not None:
        await asyncio.sleep(random.random() * 0.02)
        with contextlib.suppress(RefusedByTable):
            await player.act(random.choice(seen.legal), seen.decision)
        host, table = player.seat, player.table
        if table is not None and host == table.host:
            for one in table.seats:
                # Nobody has to wait for a player who came and went.
                if one.kind == "person" and one.seat != host and not one.is_away:
                    with contextlib.suppress(RefusedByTable):
                        if random.random() < 0.2:
                            await player.ask(p.Away(seat=one.seat))
    await player.until(lambda me: me.table is not None and me.table.phase == "over")


async def test_a_table_that_an_older_server_stored_is_still_played(tmp_path: Path) -> None:
    """Its places have no keys, no addresses and no successors, and its options no approval."""
    path = tmp_path / "t.sqlite3"
    async with game_with_bots(tmp_path) as (room, _ada, seat):
        state = (await room.services.store.table(seat.table)) or pytest.fail("not stored")
    old = msgspec.json.decode(p.write(state))
    del old["removed"], old["options"]["approval"]
    for place in old["places"]:
        del place["key"], place["address"], place["successor"]
    with contextlib.closing(sqlite3.connect(path)) as connection, connection:
        connection.execute("UPDATE tables SET state = ?", (msgspec.json.encode(old),))
    async with (
        open_room(path, dealing=settled) as room,
        room.player(seat) as ada,
        Player(room.elsewhere(), seat.code, name="Zoe", key=KEY) as zoe,
    ):
        await zoe.ask(p.TakeSeat(name="Zoe", seat=2))
        await asyncio.gather(played(ada), played(zoe))
        assert ada.view is not None
        assert ada.view.names[2] == "Zoe"
