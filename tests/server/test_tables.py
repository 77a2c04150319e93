"""Tables and people: creating, joining and starting tables, leaving, taking over seats, rematches."""

import asyncio
import contextlib
import time
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest

from foretell.client import Player, RefusedByTable
from foretell.engine import View
from foretell.errors import NotAllowed
from foretell.record import loads
from foretell.server.coach.advice import OddsCoach
from foretell.server.table.services import Timeouts
from foretell.server.wire import protocol as p
from server.rooms import SHORT, Room, all_in, eventually, made, open_room, played, ready_and_start

pytestmark = pytest.mark.anyio


async def test_a_whole_game_of_two_people_and_two_bots(tmp_path: Path) -> None:
    async with open_room(tmp_path / "t.sqlite3") as room:
        seats = await room.table(2, seats=4, bots=["counting", "random"], **SHORT)
        assert [one.seat for one in seats] == [0, 1]
        async with all_in([room.player(one) for one in seats]) as (ada, bo):
            await ready_and_start([ada, bo])
            seen = await played_together(ada, bo)
            assert seen.phase == "over"
            assert ada.table is not None
            assert ada.table.game is not None
            record = loads(await room.remote.record(ada.table.game))
        assert record.game.is_over
        assert record.game.names == ("Ada", "Bo", "Merlin", "Morgana")
        assert record.bots == (None, None, "counting", "random")
        assert record.fair is not None
        assert record.fair.secret is not None


async def played_together(*players: Player) -> View:
    return (await asyncio.gather(*(played(one) for one in players)))[0]


async def test_a_table_is_found_by_its_id_or_its_code_in_upper_or_lower_case(
    tmp_path: Path,
) -> None:
    async with open_room(tmp_path / "t.sqlite3") as room:
        (ada,) = await room.table()
        bo = await room.remote.join(ada.code.lower(), p.Join(name="Bo"))
        assert bo.table == ada.table
        assert bo.link == f"/#/t/{ada.code}"


async def test_a_player_may_choose_a_seat_but_not_a_taken_one(tmp_path: Path) -> None:
    async with open_room(tmp_path / "t.sqlite3") as room:
        (ada,) = await room.table(seats=3)
        bo = await room.remote.join(ada.code, p.Join(name="Bo", seat=2))
        assert bo.seat == 2
        with pytest.raises(NotAllowed, match="seat 2 is taken"):
            await room.remote.join(ada.code, p.Join(name="Cy", seat=2))
        async with room.player(bo) as player:
            await player.ask(p.Sit(seat=1))
            assert player.seat == 1
        cy = await room.remote.join(ada.code, p.Join(name="Cy"))
        assert cy.seat == 2
        with pytest.raises(NotAllowed, match="no free seat"):
            await room.remote.join(ada.code, p.Join(name="Di"))


async def test_two_players_with_the_same_name_get_different_names(tmp_path: Path) -> None:
    async with open_room(tmp_path / "t.sqlite3") as room:
        (ada,) = await room.table(seats=4)
        for _ in range(2):
            await room.remote.join(ada.code, p.Join(name="Ada"))
        async with room.player(ada) as player:
            assert player.table is not None
            names = [seat.name for seat in player.table.seats]
        assert names == ["Ada", "Ada 2", "Ada 3", None]


async def test_the_host_fills_and_empties_seats_and_removes_players(tmp_path: Path) -> None:
    async with open_room(tmp_path / "t.sqlite3") as room:
        ada, bo = await room.table(2, seats=4)
        async with all_in([room.player(ada), room.player(bo)]) as (host, guest):
            await host.ask(p.Fill(seat=2, level="counting"))
            await host.ask(p.Fill(seat=2, level="random"))
            await host.ask(p.Fill(seat=3, level="random"))
            await host.ask(p.Empty(seat=3))
            with pytest.raises(RefusedByTable, match="only the host"):
                await guest.ask(p.Fill(seat=3, level="random"))
            with pytest.raises(RefusedByTable, match="no bot called 'genius'"):
                await host.ask(p.Fill(seat=3, level="genius"))
            await host.ask(p.Remove(seat=1))
            assert host.table is not None
            assert [seat.kind for seat in host.table.seats] == ["person", "open", "bot", "open"]
            await guest.until(lambda me: me.seat is None)
            with pytest.raises(RefusedByTable, match="spectators can only watch"):
                await guest.ask(p.Ready())
        with pytest.raises(RefusedByTable, match="this key opens no seat"):
            async with room.player(bo):
                pass


async def test_a_game_does_not_start_before_everyone_is_ready(tmp_path: Path) -> None:
    async with open_room(tmp_path / "t.sqlite3") as room:
        seats = await room.table(2, seats=3)
        async with all_in([room.player(one) for one in seats]) as (ada, bo):
            with pytest.raises(RefusedByTable, match="one seat is still open"):
                await ada.start()
            with pytest.raises(RefusedByTable, match="not everyone is ready: Bo"):
                await ada.start("random")
            await bo.ask(p.Ready())
            with pytest.raises(RefusedByTable, match="only the host"):
                await bo.start("random")
            await ada.start("random")
            assert ada.view is not None
            assert ada.view.names == ("Ada", "Bo", "Merlin")


async def test_another_player_becomes_host_when_the_host_leaves(tmp_path: Path) -> None:
    async with open_room(tmp_path / "t.sqlite3") as room:
        seats = await room.table(3, seats=3, **SHORT)
        async with all_in([room.player(one) for one in seats]) as (ada, bo, cy):
            await ada.ask(p.Leave())
            await bo.until(lambda me: me.table is not None and me.table.host == 1)
            await bo.ask(p.PassHost(seat=2))
            await cy.until(lambda me: me.table is not None and me.table.host == 2)
            with pytest.raises(RefusedByTable, match="no other player sits in seat 0"):
                await cy.ask(p.PassHost(seat=0))


async def test_a_game_continues_after_a_player_leaves_and_someone_may_take_the_seat(
    tmp_path: Path,
) -> None:
    async with open_room(tmp_path / "t.sqlite3") as room:
        seats = await room.table(2, seats=3, bots=["counting"], **SHORT)
        players = [room.player(one) for one in seats]
        late = Player(room.elsewhere(), seats[0].code, name="Zoe")
        async with all_in([*players, late]) as (ada, bo, zoe):
            await ready_and_start([ada, bo])
            await bo.ask(p.Leave())
            assert bo.seat is None
            assert bo.view is not None
            assert bo.view.hand == ()  # a spectator now, who sees what spectators see
            answer = await zoe.ask(p.TakeSeat(name="Zoe", seat=1))
            assert isinstance(answer, p.Seated)
            assert answer.from_next_deal
            assert (zoe.seat, zoe.next_seat) == (None, 1)
            assert zoe.view is not None
            assert zoe.view.names == ("Ada", "Bo", "Merlin")
            seen = await played_together(ada, zoe)
            assert zoe.seat == 1
            assert seen.names == ("Ada", "Zoe", "Merlin")
        with pytest.raises(RefusedByTable, match="this key opens no seat"):
            async with room.player(seats[1]):
                pass


async def test_a_bot_with_another_level_keeps_its_name_and_a_new_bot_has_another(
    tmp_path: Path,
) -> None:
    async with open_room(tmp_path / "t.sqlite3") as room:
        ada, bo = await room.table(2, seats=4, rules={"rounds": [3]})
        async with all_in([room.player(ada), room.player(bo)]) as (host, guest):
            await host.ask(p.Fill(seat=2, level="random"))
            await host.ask(p.Fill(seat=3, level="random"))
            await host.ask(p.Empty(seat=2))
            await host.ask(p.Fill(seat=3, level="counting"))
            assert host.table is not None
            assert (host.table.seats[3].name, host.table.seats[3].level) == ("Morgana", "counting")
            await ready_and_start([host, guest], level="random")
            await guest.ask(p.Leave())
            await host.ask(p.Fill(seat=1, level="random"))
            assert host.view is not None
            assert host.view.names[1] == host.table.seats[1].name == "Ambrosius"


async def test_a_player_takes_a_bots_seat_in_a_running_game_by_http(tmp_path: Path) -> None:
    async with open_room(tmp_path / "t.sqlite3") as room:
        (seat,) = await room.table(seats=3, bots=["random", "random"], **SHORT)
        async with room.player(seat) as ada:
            await ada.start()
            joined = await room.elsewhere().join(seat.code, p.Join(name="Bo"))
            assert joined.from_next_deal
            async with room.player(joined) as bo:
                assert bo.view is not None
                assert bo.view.seat is None
                await played_together(ada, bo)
                assert bo.view.seat == 1


@contextlib.asynccontextmanager
async def after_a_game(folder: Path, **more: Any) -> AsyncIterator[tuple[Room, Player, Player]]:
    """A table with two people and a bot, who have just finished a short game."""
    async with open_room(folder / "t.sqlite3", **more) as room:
        seats = await room.table(2, seats=3, bots=["counting"], rules={"rounds": [1]})
        async with all_in([room.player(one) for one in seats]) as (ada, bo):
            await ready_and_start([ada, bo])
            await played_together(ada, bo)
            yield room, ada, bo


async def test_a_rematch_has_the_same_people_and_a_new_secret(tmp_path: Path) -> None:
    async with after_a_game(tmp_path) as (_, ada, bo):
        assert ada.table is not None
        assert ada.table.fair is not None
        first, promised = ada.table.fair, ada.table.next_commit
        assert first.secret is not None
        with pytest.raises(RefusedByTable, match="no longer open"):
            await ada.act("bid 0", "1:bid:0")
        await ada.ask(p.Rematch())
        assert ada.table.rematch == (0,)
        await bo.ask(p.SayWord(word="mine"))
        await bo.ask(p.Rematch())
        await ada.until(lambda me: me.table is not None and me.table.phase == "playing")
        assert ada.table.fair is not None
        assert ada.table.fair.commit == promised != first.commit
        assert ada.table.fair.words == ("", "mine", "")
        assert ada.table.fair.secret is None
        await played_together(ada, bo)
        assert ada.table.games_played == 2


async def test_a_player_who_was_away_and_wants_a_rematch_plays_in_it(tmp_path: Path) -> None:
    async with open_room(tmp_path / "t.sqlite3") as room:
        seats = await room.table(2, seats=3, bots=["counting"], rules={"rounds": [1]})
        async with all_in([room.player(one) for one in seats]) as (ada, bo):
            await ready_and_start([ada, bo])
            await bo.ask(p.Away())
            await played(ada)
            assert ada.table is not None
            assert ada.table.seats[1].is_away
            await bo.ask(p.Rematch())  # before Ada: nobody waits for who is away
            await ada.ask(p.Rematch())
            await ada.until(lambda me: me.table is not None and me.table.phase == "playing")
            assert not ada.table.seats[1].is_played_by_bot


async def test_a_player_who_drops_out_is_shown_with_the_time_until_a_bot_plays(
    tmp_path: Path,
) -> None:
    def grace(me: Player) -> int | None:
        assert me.table is not None
        return me.table.seats[1].grace_ms

    async with open_room(tmp_path / "t.sqlite3", timeouts=Timeouts(grace=0.3)) as room:
        seats = await room.table(2, seats=3, bots=["counting"], rules={"rounds": [3]})
        async with all_in([room.player(one) for one in seats]) as (ada, bo):
            await ready_and_start([ada, bo])
            assert grace(ada) is None
            await bo.close()
            await ada.until(lambda me: grace(me) == 300)
            # when the time is up and it is Bo's turn, the bot plays, and nobody waits any more
            await played(ada)
            assert grace(ada) is None


@pytest.mark.parametrize("how", ["leaves", "is removed", "is gone"])
async def test_a_rematch_does_not_wait_for_a_player_who_is_gone(tmp_path: Path, how: str) -> None:
    timeouts = Timeouts(grace=0.2)
    async with open_room(tmp_path / "t.sqlite3", timeouts=timeouts) as room:
        seats = await room.table(3, seats=3, rules={"rounds": [1]})
        async with all_in([room.player(one) for one in seats]) as (ada, bo, cy):
            await ready_and_start([ada, bo, cy])
            await played_together(ada, bo, cy)
            await ada.ask(p.Rematch())
            await bo.ask(p.Rematch())
            assert bo.table is not None
            assert bo.table.phase == "over"
            match how:
                case "leaves":
                    await cy.ask(p.Leave())
                case "is removed":
                    await ada.ask(p.Remove(seat=2))
                case _:
                    await cy.close()
            await ada.until(lambda me: me.table is not None and me.table.phase == "playing")


async def test_spectators_who_come_and_go_do_not_delay_a_rematch(tmp_path: Path) -> None:
    async with after_a_game(tmp_path, timeouts=Timeouts(grace=0.3)) as (room, ada, bo):
        assert ada.table is not None
        await ada.ask(p.Rematch())
        await bo.close()
        for _ in range(10):
            async with Player(room.remote, ada.table.code):
                await asyncio.sleep(0.1)
        assert ada.table.phase == "playing"


async def test_a_player_who_wants_a_rematch_may_change_seats(tmp_path: Path) -> None:
    async with after_a_game(tmp_path) as (_, ada, bo):
        await bo.ask(p.Rematch())
        await ada.ask(p.Empty(seat=2))
        await bo.ask(p.Sit(seat=2))
        assert bo.table is not None
        assert bo.table.rematch == (2,)
        assert bo.view is not None
        assert bo.view.seat == 2
        await ada.ask(p.Remove(seat=2))
        await bo.until(lambda me: me.view is not None and me.view.seat is None)


async def test_a_seat_can_be_added_after_a_game_and_taken(tmp_path: Path) -> None:
    async with open_room(tmp_path / "t.sqlite3") as room:
        (seat,) = await room.table(seats=3, bots=["random", "random"], rules={"rounds": [1]})
        late = Player(room.remote, seat.code, name="Zoe")
        async with all_in([room.player(seat), late]) as (ada, zoe):
            await ada.start()
            await played(ada)
            await ada.ask(p.ChangeOptions(options=made(seats=4, rules={"rounds": [1]})))
            await zoe.ask(p.TakeSeat(name="Zoe", seat=3))
            assert zoe.seat == 3
            await ready_and_start([ada, zoe])
            await played_together(ada, zoe)
            assert ada.view is not None
            assert ada.view.names == ("Ada", "Merlin", "Morgana", "Zoe")


async def test_the_list_of_public_tables_is_live(tmp_path: Path) -> None:
    async with open_room(tmp_path / "t.sqlite3") as room:
        connection = await room.remote.connect()
        await connection.send(p.WatchLobby(id=1, version=p.VERSION))
        first = await connection.receive()
        assert isinstance(first, p.Lobby)
        assert first.tables == ()
        await room.table(is_public=False)
        (seat,) = await room.table(is_public=True, seats=5, bots=["random"])
        second = await connection.receive()
        assert isinstance(second, p.Lobby)
        assert [(one.code, one.people, one.open_seats) for one in second.tables] == [
            (seat.code, ("Ada",), 4)  # including the bot's seat, which a new player may take
        ]
        await room.remote.join(seat.code, p.Join(name="Bo"))
        third = await connection.receive()
        assert isinstance(third, p.Lobby)
        assert third.tables[0].people == ("Ada", "Bo")
        await connection.close()


async def test_my_games_are_those_of_my_tokens(tmp_path: Path) -> None:
    async with open_room(tmp_path / "t.sqlite3") as room:
        ada, bo = await room.table(2, seats=3, bots=["random"], **SHORT)
        (other,) = await room.table(seats=3)
        found = await room.remote.mine((ada.token, "no-such-token-1234", other.token))
        assert {(one.token, one.table, one.seat, one.phase) for one in found.games} == {
            (0, ada.table, 0, "gathering"),
            (2, other.table, 0, "gathering"),
        }
        async with all_in([room.player(ada), room.player(bo)]) as players:
            await ready_and_start(players)
            # Wait until a person has to decide: then nothing more happens by itself.
            await players[0].until(lambda me: me.view is not None and 2 not in me.view.awaited)
            view = players[0].view
            mine = (await room.remote.mine((ada.token,))).games[0]
            assert mine.phase == "playing"
            assert view is not None
            assert mine.is_my_turn == (0 in view.awaited)


async def test_chat_emotes_and_muting(tmp_path: Path) -> None:
    async with open_room(tmp_path / "t.sqlite3") as room:
        seats = await room.table(2, seats=3)
        received: list[p.FromServer] = []
        spectator = Player(room.remote, seats[0].table, name="Zoe", on_message=received.append)
        nameless = Player(room.remote, seats[0].table)
        players = [*(room.player(one) for one in seats), spectator, nameless]
        async with all_in(players) as (ada, bo, zoe, nobody):
            await bo.say("  hello \u202e\x07 there ")
            await zoe.say("hi")
            await ada.ask(p.ShowEmote(emote="wow"))
            with pytest.raises(RefusedByTable, match="say who you are"):
                await nobody.say("psst")
            await ada.ask(p.Mute(seat=1))
            with pytest.raises(RefusedByTable, match="muted"):
                await bo.say("and another thing")
            await ada.ask(p.Mute())
            with pytest.raises(RefusedByTable, match="muted"):
                await zoe.say("boo")
            await eventually(lambda: any(isinstance(one, p.Emoted) for one in received))
            lines = [(one.seat, one.name, one.text) for one in ada.chat]
            assert lines == [(1, "Bo", "hello there"), (None, "Zoe", "hi")]


async def test_options_change_before_the_start_and_nobody_loses_a_seat(tmp_path: Path) -> None:
    async with open_room(tmp_path / "t.sqlite3") as room:
        seats = await room.table(3, seats=4)
        async with all_in([room.player(one) for one in seats]) as (ada, _bo, _cy):
            await ada.ask(p.Sit(seat=3))
            with pytest.raises(RefusedByTable, match="seat 3 is taken"):
                await ada.ask(p.ChangeOptions(options=p.TableOptions(seats=3)))
            await ada.ask(p.Sit(seat=0))
            await ada.ask(p.ChangeOptions(options=p.TableOptions(seats=3, clock_s=30)))
            assert ada.table is not None
            assert ada.table.options.clock_s == 30
            assert len(ada.table.seats) == 3


async def test_players_are_no_longer_ready_after_the_rules_change(tmp_path: Path) -> None:
    async with open_room(tmp_path / "t.sqlite3") as room:
        seats = await room.table(2, seats=3, bots=["random"], **SHORT)
        async with all_in([room.player(one) for one in seats]) as (ada, bo):
            await bo.ask(p.Ready())
            same, other = SHORT["rules"], {"rounds": [1], "plus_minus_one": True}
            await ada.ask(p.ChangeOptions(options=made(seats=3, rules=same, clock_s=30)))
            assert ada.table is not None
            assert ada.table.seats[1].is_ready
            await ada.ask(p.ChangeOptions(options=made(seats=3, rules=other)))
            with pytest.raises(RefusedByTable, match="ready"):
                await ada.start()
            await bo.ask(p.Ready())
            await ada.start()
            await asyncio.gather(played(ada), played(bo))
            await bo.ask(p.Rematch())
            await ada.ask(p.ChangeOptions(options=made(seats=3, rules=same)))
            await ada.ask(p.Rematch())
            assert (ada.table.phase, ada.table.rematch) == ("over", (0,))
            await bo.ask(p.Rematch())
            await ada.until(lambda me: me.table is not None and me.table.phase == "playing")


async def test_a_question_is_answered_even_without_a_coach(tmp_path: Path) -> None:
    async with open_room(tmp_path / "t.sqlite3") as room:
        (seat,) = await room.table(seats=3, bots=["random", "random"], **SHORT)
        async with room.player(seat) as ada:
            await ada.start()
            seen = await ada.turn()
            assert seen is not None
            answer = await ada.ask(p.AskCoach(decision=seen.decision or ""))
            assert isinstance(answer, p.Coach)
            assert not answer.is_available
            with pytest.raises(RefusedByTable, match="no longer open"):
                await ada.ask(p.AskCoach(decision="9:bid:0"))


async def test_the_coach_gives_odds(tmp_path: Path) -> None:
    async with open_room(tmp_path / "t.sqlite3", coach=OddsCoach(), seconds=120) as room:
        for is_allowed in (True, False):
            (seat,) = await room.table(
                seats=3, bots=["random", "random"], coach=is_allowed, rules={"rounds": [2]}
            )
            async with room.player(seat) as ada:
                await ada.start()
                seen = await ada.turn()
                assert seen is not None
                answer = await ada.ask(p.AskCoach(decision=seen.decision or ""))
                assert isinstance(answer, p.Coach)
                assert answer.is_available is is_allowed
                actions = {one.action for one in answer.advice}
                assert actions == ({str(one) for one in seen.legal} if is_allowed else set())
                assert (answer.best in actions) is is_allowed


class Slow:
    """A slow coach that counts the questions, and fails the first time."""

    def __init__(self) -> None:
        self.asked = 0

    def advise(self, view: View) -> tuple[p.Advice, ...]:
        self.asked += 1
        time.sleep(0.05)
        if self.asked == 1:
            raise RuntimeError("a bug")
        return tuple(p.Advice(action=str(one), points=1.0) for one in view.legal)


async def test_the_coach_thinks_only_once_about_a_repeated_question(tmp_path: Path) -> None:
    coach = Slow()
    async with open_room(tmp_path / "t.sqlite3", coach=coach) as room:
        (seat,) = await room.table(seats=3, bots=["random", "random"], rules={"rounds": [2]})
        async with all_in([room.player(seat), room.player(seat)]) as tabs:
            await tabs[0].start()
            for time_ in range(2):  # the first time, the coach fails
                seen = await tabs[0].turn()
                assert seen is not None
                answers = await asyncio.gather(
                    *(tab.ask(p.AskCoach(decision=seen.decision or "")) for tab in tabs * 20)
                )
                found = [one for one in answers if isinstance(one, p.Coach)]
                assert [one.is_available for one in found] == [time_ == 1] * 40
                assert coach.asked == time_ + 1
            assert seen is not None
            await tabs[0].act(seen.legal[0])
            seen = await tabs[0].turn()
            assert seen is not None
            await tabs[0].ask(p.AskCoach(decision=seen.decision or ""))
            assert coach.asked == 3  # another question


async def test_a_finished_game_is_replayed_round_by_round(tmp_path: Path) -> None:
    async with open_room(tmp_path / "t.sqlite3") as room:
        (seat,) = await room.table(seats=3, bots=["counting", "random"], **SHORT)
        async with room.player(seat) as ada:
            await ada.start()
            assert ada.table is not None
            game = ada.table.game or ""
            with pytest.raises(NotAllowed, match="not over"):
                await room.remote.ask("GET", f"/api/games/{game}/replay/1", None, p.Replay)
            with pytest.raises(NotAllowed, match="not over"):
                await room.remote.record(game)
            assert (await room.remote.game(game)).fair.secret is None
            await played(ada)
        found = await room.remote.ask("GET", f"/api/games/{game}/replay/2?seat=0", None, p.Replay)
        assert len(found.frames[0].view.hand) == 2
        assert [hand for hand in found.hands if len(hand) != 2] == []
        assert found.frames[0].seat is None
        assert all(frame.action is not None for frame in found.frames[1:])
        assert len(found.frames) - 1 in (3 + 6, 1 + 3 + 6)  # one more if the dealer names the trump
        assert found.frames[-1].view.phase == "over"
        one = await room.remote.ask("GET", f"/api/games/{game}/replay/1", None, p.Replay)
        assert one.frames[0].view.hand == ()
        with pytest.raises(NotAllowed, match="no round 3"):
            await room.remote.ask("GET", f"/api/games/{game}/replay/3", None, p.Replay)
