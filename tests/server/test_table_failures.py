"""A bug in one place does not end a table: the client is told that the server failed, and the game goes on."""

import asyncio
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from foretell.client import Player, RefusedByTable
from foretell.errors import NotAllowed
from foretell.server.table import handlers, seating
from foretell.server.table.internal_messages import HostTimeout
from foretell.server.table.participants import Participant
from foretell.server.table.services import Timeouts
from foretell.server.wire import protocol as p
from foretell.server.wire.error_messages import error_message
from server.rooms import Room, all_in, eventually, open_room, played, ready_and_start, settled

pytestmark = pytest.mark.anyio


class Unspeakable:
    """A value that cannot be put into a sentence."""

    def __str__(self) -> str:
        raise ValueError("cannot be shown")


@pytest.mark.parametrize(
    "error",
    [
        pytest.param(NotAllowed("stale", decision=Unspeakable()), id="a value without a text"),
        pytest.param(NotAllowed("not_ready"), id="a placeholder without a value"),
        pytest.param(NotAllowed("no such code"), id="a code without a sentence"),
        pytest.param(NotAllowed("stale", decision="\ud800"), id="a text that cannot be encoded"),
    ],
)
async def test_an_error_inside_a_refusal_does_not_end_the_table(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, error: NotAllowed
) -> None:
    async def refusing(*_all: Any) -> None:
        raise error

    async with open_room(tmp_path / "t.sqlite3", dealing=settled) as room:
        (seat,) = await room.table(seats=3, bots=["random"] * 2, rules={"rounds": [1]})
        async with room.player(seat) as ada:
            with monkeypatch.context() as patched:
                patched.setitem(handlers.HANDLERS, p.Start, refusing)
                with pytest.raises(RefusedByTable) as refused:
                    await ada.start()
            assert refused.value.code == "server_failed"
            assert str(refused.value) == "the server has a problem at the moment; nothing is lost"
            await ada.start()
            await played(ada)


def test_an_error_that_can_be_said_is_said_as_before() -> None:
    assert error_message(NotAllowed("not_ready", names="Bo")).values == {"names": "Bo"}


def _break(owner: object, what: str, monkeypatch: pytest.MonkeyPatch, times: int = 1) -> None:
    """Makes a method fail a few times."""
    real: Callable[..., Any] = getattr(owner, what)
    left = [times]

    def failing(*args: Any, **more: Any) -> Any:
        if left[0]:
            left[0] -= 1
            raise ValueError("a bug")
        return real(*args, **more)

    monkeypatch.setattr(owner, what, failing)


async def _two_and_a_bot(room: Room) -> list[p.Seated]:
    return await room.table(2, seats=3, bots=["random"], rules={"rounds": [1, 2]})


@pytest.mark.parametrize("what", ["tell_table", "tell_game", "_on_change", "schedule_turns"])
async def test_a_game_goes_on_if_a_step_after_the_store_fails(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, what: str
) -> None:
    """The start is stored, and then something fails: all players learn of the game, and the bot plays."""
    async with open_room(tmp_path / "t.sqlite3") as room:
        seats = await _two_and_a_bot(room)
        async with all_in([room.player(one) for one in seats]) as (ada, bo):
            await bo.ask(p.Ready())
            _break(room.app.lobby.tables[seats[0].table], what, monkeypatch)
            with pytest.raises(RefusedByTable, match="the server has a problem"):
                await ada.start()
            for one in (ada, bo):
                await one.until(lambda me: me.view is not None)
                await one.until(lambda me: me.table is not None and me.table.phase == "playing")
            await _play_both(ada, bo)


async def _play_both(ada: Player, bo: Player) -> None:
    await asyncio.gather(played(ada), played(bo))


async def test_a_game_goes_on_if_a_bot_cannot_be_started(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with open_room(tmp_path / "t.sqlite3", timeouts=Timeouts(thought=0.2)) as room:
        seats = await _two_and_a_bot(room)
        async with all_in([room.player(one) for one in seats]) as (ada, bo):
            _break(room.services.bot_threads, "think", monkeypatch, times=2)
            await ready_and_start([ada, bo])
            await _play_both(ada, bo)


async def test_a_participant_who_cannot_be_reached_does_not_cut_off_the_others(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with open_room(tmp_path / "t.sqlite3") as room:
        seats = await _two_and_a_bot(room)
        async with all_in([room.player(one) for one in seats]) as (ada, bo):
            table = room.app.lobby.tables[seats[0].table]

            def failing(_text: bytes) -> None:
                raise ConnectionResetError

            for _ in range(20):  # a set has no order: some of them come before the players
                broken = Participant(failing)
                table.presence.seat(broken, None)
            await ready_and_start([ada, bo])
            await _play_both(ada, bo)
            await ada.say("well played")
            await bo.until(lambda me: any(one.text == "well played" for one in me.chat))


async def test_a_message_of_the_server_itself_that_fails_is_survived(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def failing(*_all: Any) -> None:
        raise KeyError

    async with open_room(tmp_path / "t.sqlite3") as room:
        (seat,) = await room.table(seats=3, bots=["random"] * 2, rules={"rounds": [1]})
        async with room.player(seat) as ada:
            table = room.app.lobby.tables[seat.table]
            with monkeypatch.context() as patched:
                patched.setattr(seating, "people", failing)
                patched.setattr(room.services.metrics, "refused", None)  # and so does the refusal
                table.post(Participant(), HostTimeout())
                failures = "foretell_failures_total"
                await eventually(
                    lambda: room.services.metrics.registry.get_sample_value(failures) == 2
                )
            await ada.start()
            await played(ada)


async def test_a_table_that_cannot_fall_asleep_tries_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with open_room(tmp_path / "t.sqlite3", timeouts=Timeouts(sleep=0.05)) as room:
        (seat,) = await room.table(seats=3, bots=["random"] * 2, rules={"rounds": [1]})
        _break(room.app.lobby.tables[seat.table], "_on_sleep", monkeypatch)
        await eventually(lambda: not room.app.lobby.tables)
        async with room.player(seat) as ada:
            await ada.start()
            await played(ada)
