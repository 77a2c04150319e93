"""The host decides who sits down: requests, removed players, and players who keep everyone waiting."""

import asyncio
import sqlite3
from pathlib import Path

import msgspec
import pytest

from foretell.client import Player, RefusedByTable
from foretell.errors import NotAllowed
from foretell.server.table.services import Timeouts
from foretell.server.wire import protocol as p
from server.rooms import all_in, eventually, open_room, played, ready_and_start, settled
from server.test_never_stuck import seat_info

pytestmark = pytest.mark.anyio

KEY = "a-browser-key-of-zoe"


def asking(player: Player) -> list[str]:
    """The names of those who ask the host for a seat."""
    return [] if player.table is None else [one.name for one in player.table.requests]


async def test_at_a_table_with_approval_people_wait_until_the_host_agrees(tmp_path: Path) -> None:
    async with open_room(tmp_path / "t.sqlite3") as room:
        (host,) = await room.table(seats=3, approval=True)
        with pytest.raises(NotAllowed, match="the host has to let you in"):
            await room.elsewhere().join(host.code, p.Join(name="Zoe"))
        heard: list[p.FromServer] = []
        late = Player(room.elsewhere(), host.code, name="Zoe", key=KEY, on_message=heard.append)
        async with all_in([room.player(host), late]) as (ada, zoe):
            answer = await zoe.ask(p.TakeSeat(name="Zoe", seat=1))
            assert isinstance(answer, p.Requested)
            assert zoe.seat is None
            await ada.until(lambda me: asking(me) == ["Zoe"])
            again = await zoe.ask(p.TakeSeat(name="Zoe", seat=2))  # one request, for another seat
            assert isinstance(again, p.Requested)
            assert again.request == answer.request
            with pytest.raises(RefusedByTable, match="spectators"):
                await zoe.ask(p.AnswerRequest(request=answer.request, is_admitted=True))
            await ada.ask(p.AnswerRequest(request=answer.request, is_admitted=False))
            await eventually(lambda: any(isinstance(one, p.Declined) for one in heard))
            assert (zoe.seat, zoe.request, asking(ada)) == (None, None, [])
            answer = await zoe.ask(p.TakeSeat(name="Zoe", seat=2))
            assert isinstance(answer, p.Requested)
            await ada.ask(p.AnswerRequest(request=answer.request, is_admitted=True))
            await zoe.until(lambda me: me.seat == 2)
            seated = [one for one in heard if isinstance(one, p.Seated)]
            assert [one.id for one in seated] == [None]
            with pytest.raises(RefusedByTable, match="nobody waits"):
                await ada.ask(p.AnswerRequest(request=answer.request, is_admitted=True))
        async with room.player(seated[0]) as zoe:
            assert zoe.seat == 2


async def test_a_yes_that_cannot_be_stored_leaves_the_request_as_it_was(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with open_room(tmp_path / "t.sqlite3") as room:
        (host,) = await room.table(seats=3, approval=True)
        late = [Player(room.elsewhere(), host.code, key=KEY), Player(room.elsewhere(), host.code)]
        async with all_in([room.player(host), *late]) as (ada, zoe, abe):
            answer = await zoe.ask(p.TakeSeat(name="Zoe", seat=1))
            assert isinstance(answer, p.Requested)
            await abe.ask(p.TakeSeat(name="Abe", seat=2))
            await ada.until(lambda me: asking(me) == ["Zoe", "Abe"])
            yes = p.AnswerRequest(request=answer.request, is_admitted=True)

            async def fail(*_args: object, **_more: object) -> None:
                raise sqlite3.OperationalError("disk is full")

            with monkeypatch.context() as full_disk:
                full_disk.setattr(room.services.store, "save", fail)
                with pytest.raises(RefusedByTable):
                    await ada.ask(msgspec.structs.replace(yes))
            listed = room.app.lobby.tables[host.table].info().requests
            assert [one.name for one in listed] == ["Zoe", "Abe"]
            await ada.ask(msgspec.structs.replace(yes))
            await zoe.until(lambda me: me.seat == 1)
            await ada.until(lambda me: asking(me) == ["Abe"])


async def test_a_request_outlives_a_short_break_but_not_a_long_one(tmp_path: Path) -> None:
    async with open_room(tmp_path / "t.sqlite3", timeouts=Timeouts(grace=0.2)) as room:
        (host,) = await room.table(seats=3, approval=True)
        async with room.player(host) as ada:
            async with Player(room.elsewhere(), host.code, key=KEY) as zoe:
                await zoe.ask(p.TakeSeat(name="Zoe"))
            async with Player(room.elsewhere(), host.code, key=KEY) as zoe:
                assert zoe.request is not None
                await asyncio.sleep(0.3)
                assert asking(ada) == ["Zoe"]
            await ada.until(lambda me: asking(me) == [])
            async with Player(room.elsewhere(), host.code, key=KEY) as zoe:
                assert zoe.request is None
                await zoe.ask(p.TakeSeat(name="Zoe"))
                await ada.until(lambda me: asking(me) == ["Zoe"])
                await zoe.ask(p.Leave())
                await ada.until(lambda me: asking(me) == [])


async def test_someone_at_a_players_address_needs_the_hosts_yes_in_a_running_game(
    tmp_path: Path,
) -> None:
    async with open_room(tmp_path / "t.sqlite3", dealing=settled) as room:
        (host,) = await room.table(seats=3, bots=["random"] * 2, rules={"rounds": [2, 3]})
        async with room.player(host) as ada:
            await ada.start()
            with pytest.raises(NotAllowed, match="let you in"):
                await room.remote.join(host.code, p.Join(name="Bo"))
            async with Player(room.remote, host.code, name="Bo", key=KEY) as bo:
                answer = await bo.ask(p.TakeSeat(name="Bo", seat=1))
                assert isinstance(answer, p.Requested)
                await ada.ask(p.AnswerRequest(request=answer.request, is_admitted=True))
                await bo.until(lambda me: me.next_seat == 1)
                assert bo.seat is None


async def test_a_late_yes_does_not_give_one_browser_a_second_seat(tmp_path: Path) -> None:
    """Eve leaves, asks for another seat, and has taken her old one back before the host answers."""
    async with open_room(tmp_path / "t.sqlite3", dealing=settled) as room:
        (host,) = await room.table(seats=4, bots=["random"] * 2, rules={"rounds": [2, 3]})
        eve = await room.elsewhere().join(host.code, p.Join(name="Eve", key=KEY))
        async with all_in([room.player(host), room.player(eve, key=KEY)]) as (ada, tab):
            assert ada.table is not None
            options = msgspec.structs.replace(ada.table.options, approval=True)
            await ada.ask(p.ChangeOptions(options=options))
            await ready_and_start([ada, tab])
            await tab.ask(p.Leave())
            answer = await tab.ask(p.TakeSeat(name="Eve", seat=2))
            assert isinstance(answer, p.Requested)
            async with room.player(eve, key=KEY) as again:
                assert again.seat == eve.seat
                with pytest.raises(RefusedByTable, match="nobody waits"):
                    await ada.ask(p.AnswerRequest(request=answer.request, is_admitted=True))
                assert (again.seat, again.next_seat) == (eve.seat, None)
                assert (asking(ada), seat_info(ada, 2).next_name) == ([], None)


async def test_whoever_has_come_back_to_a_seat_no_longer_asks_for_one(tmp_path: Path) -> None:
    """Someone asks for a seat, and comes back in the same browser with the key to Ada's seat, which has no browser."""
    async with open_room(tmp_path / "t.sqlite3", dealing=settled) as room:
        (host,) = await room.table(seats=3, bots=["random"] * 2, rules={"rounds": [2, 3]})
        async with room.player(host) as ada:
            await ada.start()
            async with Player(room.remote, host.code, key=KEY) as zoe:
                answer = await zoe.ask(p.TakeSeat(name="Zoe", seat=1))
                assert isinstance(answer, p.Requested)
            async with room.player(host, key=KEY) as again:
                with pytest.raises(RefusedByTable, match="nobody waits"):
                    await ada.ask(p.AnswerRequest(request=answer.request, is_admitted=True))
                assert (again.seat, again.next_seat) == (0, None)
                assert (asking(ada), seat_info(ada, 1).next_name) == ([], None)


async def test_only_so_many_people_may_ask(tmp_path: Path) -> None:
    async with open_room(tmp_path / "t.sqlite3") as room:
        (host,) = await room.table(seats=6, approval=True)
        everyone = [
            Player(room.elsewhere(1), host.code, name="Eve", key=f"{KEY}{n}") for n in range(4)
        ]
        async with all_in(everyone):
            for one in everyone[:3]:
                await one.ask(p.TakeSeat(name="Eve"))
            with pytest.raises(RefusedByTable, match="too many"):
                await everyone[3].ask(p.TakeSeat(name="Eve"))
            async with Player(room.elsewhere(2), host.code, name="Zoe") as zoe:
                await zoe.ask(p.TakeSeat(name="Zoe"))


@pytest.mark.parametrize("is_playing", [False, True])
async def test_whoever_was_removed_does_not_get_in_again(tmp_path: Path, is_playing: bool) -> None:
    path = tmp_path / "t.sqlite3"
    rules = {"rounds": [2, 3]}
    async with open_room(path, dealing=settled) as room:
        (host,) = await room.table(seats=3, bots=["random"], rules=rules)
        eve = await room.elsewhere().join(host.code, p.Join(name="Eve", key=KEY))
        async with all_in([room.player(host), room.player(eve, key=KEY)]) as (ada, removed):
            if is_playing:
                await ready_and_start([ada, removed])
            await ada.ask(p.Remove(seat=eve.seat))
            await removed.until(lambda me: me.seat is None)
            kind = "bot" if is_playing else "open"
            assert seat_info(ada, eve.seat).kind == kind
            assert ada.table is not None
            assert ada.table.removed == ("Eve",)
            with pytest.raises(RefusedByTable, match="removed you"):
                await removed.ask(p.TakeSeat(name="Mallory"))
            with pytest.raises(RefusedByTable, match="removed you"):
                await removed.say("I am still here")
            if is_playing:
                # as good as the other bots here
                assert seat_info(ada, eve.seat).level == "random"
                await played(ada)  # the bot plays on at once
    async with open_room(path, dealing=settled) as room, room.player(host) as ada:
        with pytest.raises(RefusedByTable, match="opens no seat"):
            async with room.player(eve):
                pass
        for remote, key in ((room.elsewhere(), None), (room.elsewhere(2), KEY)):
            with pytest.raises(NotAllowed, match="removed you"):
                await remote.join(host.code, p.Join(name="Mallory", key=key))
            with pytest.raises(RefusedByTable, match="removed you"):
                async with Player(remote, host.code, name="Mallory", key=key):
                    pass
        async with Player(room.elsewhere(2), host.code, name="Zoe"):
            pass  # someone else may come
        with pytest.raises(RefusedByTable, match="nobody called"):
            await ada.ask(p.AllowBack(name="Zoe"))
        await ada.ask(p.AllowBack(name="Eve"))
        await room.elsewhere().join(host.code, p.Join(name="Eve", key=KEY))


async def test_a_removed_player_does_not_take_their_family_with_them(tmp_path: Path) -> None:
    async with open_room(tmp_path / "t.sqlite3") as room:
        (host,) = await room.table(seats=4)
        home = room.elsewhere()
        eve = await home.join(host.code, p.Join(name="Eve", key=KEY))
        bo = await home.join(host.code, p.Join(name="Bo", key=KEY + "b"))
        async with room.player(host) as ada:
            await ada.ask(p.Remove(seat=eve.seat))
            async with Player(home, bo.table, bo.token):
                pass
            await home.join(host.code, p.Join(name="Cy", key=KEY + "c"))


async def test_the_host_removes_someone_who_waits_for_a_seat(tmp_path: Path) -> None:
    async with open_room(tmp_path / "t.sqlite3", dealing=settled) as room:
        (host,) = await room.table(seats=3, bots=["random"] * 2, rules={"rounds": [2, 3]})
        async with all_in([room.player(host), Player(room.elsewhere(), host.code)]) as (ada, zoe):
            await ada.start()
            await zoe.ask(p.TakeSeat(name="Zoe", seat=2))
            await ada.ask(p.Remove(seat=2))
            await zoe.until(lambda me: me.next_seat is None)
            assert (seat_info(ada, 2).kind, seat_info(ada, 2).next_name) == ("bot", None)
            with pytest.raises(RefusedByTable, match="no other player"):
                await ada.ask(p.Remove(seat=0))


async def test_someone_without_a_key_is_known_by_that_at_an_address_that_others_share(
    tmp_path: Path,
) -> None:
    """They are a program: every page sends a key.  The others at this address may still come."""
    async with open_room(tmp_path / "t.sqlite3") as room:
        (host,) = await room.table(seats=4)
        home = room.elsewhere(1)
        await home.join(host.code, p.Join(name="Bo", key=KEY))
        zoe = await home.join(host.code, p.Join(name="Zoe"))
        async with room.player(host) as ada:
            await ada.ask(p.Remove(seat=zoe.seat))
            with pytest.raises(NotAllowed, match="removed you"):
                await home.join(host.code, p.Join(name="Zoe again"))
            with pytest.raises(RefusedByTable, match="removed you"):
                async with Player(home, host.code):  # to watch
                    pass
            await home.join(host.code, p.Join(name="Cy", key="a-browser-key-of-cy"))
            await room.elsewhere(2).join(host.code, p.Join(name="Di"))
            await ada.ask(p.AllowBack(name="Zoe"))
            async with Player(home, host.code) as again:
                assert again.table is not None


async def test_any_player_lets_a_bot_play_for_someone_who_keeps_the_table_waiting(
    tmp_path: Path,
) -> None:
    """Including the host.  The time runs from when the decision was asked, by the server's clock."""
    now = [1000.0]
    room_ = open_room(tmp_path / "t.sqlite3", dealing=settled, now=lambda: now[0])
    async with room_ as room:
        rules = {"bids": "hidden", "rounds": [2]}
        seats = await room.table(2, seats=3, bots=["random"], rules=rules)
        zoe = Player(room.elsewhere(), seats[0].code)
        async with all_in([*(room.player(one) for one in seats), zoe]) as (ada, bo, _):
            await ready_and_start([ada, bo])
            seen = await bo.turn()
            assert bo.snapshot is not None
            shown = {one.seat: one.patience_ms for one in bo.snapshot.clocks}
            assert shown[0] == 120_000
            now[0] += 119
            with pytest.raises(RefusedByTable, match="one more second"):
                await bo.ask(p.Away(seat=0))
            now[0] += 2
            with pytest.raises(RefusedByTable, match="spectators"):
                await zoe.ask(p.Away(seat=0))
            await bo.ask(p.Away(seat=0))
            await bo.until(lambda me: seat_info(me, 0).is_played_by_bot)
            assert seen is not None
            await bo.act(seen.legal[0], seen.decision)
            await bo.until(lambda me: bool(me.view and me.view.phase == "play"))
            await ada.ask(p.Back())
            with pytest.raises(RefusedByTable, match="more second"):
                await bo.ask(p.Away(seat=0))  # a new decision, and new patience
            assert not seat_info(ada, 0).is_played_by_bot


async def test_a_table_with_a_clock_leaves_it_to_the_clock(tmp_path: Path) -> None:
    now = [1000.0]
    room_ = open_room(tmp_path / "t.sqlite3", dealing=settled, now=lambda: now[0])
    async with room_ as room:
        rules = {"bids": "hidden", "rounds": [2]}
        seats = await room.table(2, seats=3, bots=["random"], clock_s=600, rules=rules)
        async with all_in([room.player(one) for one in seats]) as (ada, bo):
            await ready_and_start([ada, bo])
            now[0] += 300
            assert bo.snapshot is not None
            assert {one.patience_ms for one in bo.snapshot.clocks} == {None}
            with pytest.raises(RefusedByTable, match="only the host"):
                await bo.ask(p.Away(seat=0))
