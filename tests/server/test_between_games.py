"""Between games, too, nobody can hold a table: an idle host, a player who is never ready, one who wants no rematch."""

import asyncio
from pathlib import Path

import pytest

from foretell.client import RefusedByTable
from foretell.server.wire import protocol as p
from server.rooms import all_in, made, open_room, played, ready_and_start, settled
from server.test_never_stuck import seat_info

pytestmark = pytest.mark.anyio


async def test_an_idle_host_cannot_keep_a_table_from_its_first_game(tmp_path: Path) -> None:
    """Everyone is ready, and the host is connected but does nothing.  Another player becomes the host."""
    now = [1000.0]
    async with open_room(tmp_path / "t.sqlite3", dealing=settled, now=lambda: now[0]) as room:
        seats = await room.table(3, seats=3, rules={"rounds": [2]})
        async with all_in([room.player(one) for one in seats]) as (ada, bo, cy):
            await bo.ask(p.Ready())
            now[0] += 500  # the table waits for Cy, and not for the host
            with pytest.raises(RefusedByTable, match="120 more seconds"):
                await bo.ask(p.Away(seat=0))
            assert seat_info(bo, 0).patience_ms is None
            assert seat_info(bo, 2).patience_ms is not None
            await cy.ask(p.Ready())
            await bo.until(lambda me: seat_info(me, 0).patience_ms == 120_000)
            now[0] += 119
            with pytest.raises(RefusedByTable, match="one more second"):
                await bo.ask(p.Away(seat=0))
            now[0] += 2
            await bo.ask(p.Away(seat=0))
            assert bo.table is not None
            assert (bo.table.host, seat_info(bo, 0).is_away) == (1, True)
            await bo.start()
            await asyncio.gather(played(bo), played(cy))
            assert {one.seat for one in seats if seat_info(bo, one.seat).is_away} == {0}
            # Ada is back whenever she likes, as a player.
            await ada.ask(p.Rematch())
            assert (ada.table.host, seat_info(ada, 0).is_away) == (1, False)  # type: ignore[union-attr]


async def test_a_host_who_waits_for_friends_cannot_be_replaced(tmp_path: Path) -> None:
    """With an open seat a host who is there has good reason to wait."""
    now = [1000.0]
    async with open_room(tmp_path / "t.sqlite3", dealing=settled, now=lambda: now[0]) as room:
        seats = await room.table(2, seats=3)
        async with all_in([room.player(one) for one in seats]) as (ada, bo):
            await bo.ask(p.Ready())
            now[0] += 500
            with pytest.raises(RefusedByTable, match="120 more seconds"):
                await bo.ask(p.Away(seat=0))
            assert seat_info(bo, 0).patience_ms is None
            # Nobody else is expected any more.
            await ada.ask(p.Fill(seat=2, level="random"))
            await bo.until(lambda me: seat_info(me, 0).patience_ms == 120_000)


async def test_a_host_who_does_anything_is_not_idle(tmp_path: Path) -> None:
    now = [1000.0]
    async with open_room(tmp_path / "t.sqlite3", dealing=settled, now=lambda: now[0]) as room:
        seats = await room.table(2, seats=3, bots=["random"])
        async with all_in([room.player(one) for one in seats]) as (ada, bo):
            await bo.ask(p.Ready())
            now[0] += 119
            await ada.ask(p.Chat(text="one moment"))
            await bo.until(lambda me: seat_info(me, 0).patience_ms == 120_000)
            now[0] += 119
            await ada.ask(p.Mute(seat=1, is_muted=False))
            now[0] += 119
            await bo.ask(p.Chat(text="are you there?"))
            with pytest.raises(RefusedByTable, match="one more second"):
                await bo.ask(p.Away(seat=0))
            now[0] += 2
            await bo.ask(p.Away(seat=0))
            assert bo.table is not None
            assert bo.table.host == 1


async def test_a_player_who_is_never_ready_is_not_waited_for_for_ever(tmp_path: Path) -> None:
    """Any player may say so, as in a game; coming and going gains nothing."""
    now = [1000.0]
    async with open_room(tmp_path / "t.sqlite3", dealing=settled, now=lambda: now[0]) as room:
        seats = await room.table(3, seats=3, rules={"rounds": [2]})
        async with all_in([room.player(one) for one in seats[:2]]) as (ada, bo):
            for _ in range(3):
                async with room.player(seats[2]):
                    await bo.ask(p.Ready())
                    now[0] += 50
            async with room.player(seats[2]) as cy:
                await bo.ask(p.Away(seat=2))
                assert (seat_info(bo, 2).is_away, bo.table.host) == (True, 0)  # type: ignore[union-attr]
                await ada.start()
                await asyncio.gather(played(ada), played(bo))
                assert cy.view is not None
                assert cy.view.phase == "over"


async def test_a_rematch_does_not_wait_for_a_player_who_is_away_or_idle(tmp_path: Path) -> None:
    now = [1000.0]
    async with open_room(tmp_path / "t.sqlite3", dealing=settled, now=lambda: now[0]) as room:
        seats = await room.table(3, seats=3, rules={"rounds": [1]})
        async with all_in([room.player(one) for one in seats]) as (ada, bo, cy):
            await ready_and_start([ada, bo, cy])
            await asyncio.gather(*map(played, (ada, bo, cy)))
            now[0] += 500  # nobody has asked for a rematch: all look at the result
            await bo.ask(p.Rematch())
            with pytest.raises(RefusedByTable, match="more seconds"):
                await bo.ask(p.Away(seat=0))
            now[0] += 121
            await bo.ask(p.Away(seat=0))  # Ada, who was the host
            assert bo.table is not None
            assert (bo.table.phase, bo.table.host) == ("over", 1)
            await cy.ask(p.Rematch())
            await bo.until(lambda me: bool(me.table and me.table.phase == "playing"))
            await asyncio.gather(*map(played, (bo, cy)))
            # Ada is still away, so the next game begins without her word.
            await cy.ask(p.Rematch())
            await bo.ask(p.Rematch())
            await bo.until(lambda me: bool(me.table and me.table.phase == "playing"))


async def test_a_host_who_is_away_between_games_is_replaced(tmp_path: Path) -> None:
    """A host alone keeps the role, and so does one with friends who are away as well."""
    now = [1000.0]
    async with open_room(tmp_path / "t.sqlite3", dealing=settled, now=lambda: now[0]) as room:
        seats = await room.table(2, seats=3, bots=["random"], rules={"rounds": [1]})
        async with all_in([room.player(one) for one in seats]) as (ada, bo):
            await ready_and_start([ada, bo])
            await ada.ask(p.Away())
            await played(bo)
            await bo.until(lambda me: seat_info(me, 0).patience_ms is not None)
            now[0] += 121
            await bo.ask(p.Away(seat=0))
            await bo.ask(p.ChangeOptions(options=made(seats=4)))
            assert seat_info(bo, 0).patience_ms is None
