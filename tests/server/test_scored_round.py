"""After the end of a round the server sends two snapshots: the scored round, then the next deal."""

from pathlib import Path

import pytest

from foretell.client import Local, Player
from foretell.engine.events import GameOver, RoundDealt, RoundScored
from foretell.server.wire import protocol as p
from server.rooms import SHORT, made, open_room, played

pytestmark = pytest.mark.anyio


def pairs(received: list[p.Snapshot]) -> list[tuple[p.Snapshot, p.Snapshot]]:
    """Each scored round, and the snapshot right after it."""
    return [(one, received[n + 1]) for n, one in enumerate(received) if one.view.phase == "deal"]


def check(scored: p.Snapshot, dealt: p.Snapshot, seat: int | None) -> None:
    assert scored.number == dealt.number
    assert scored.game == dealt.game
    assert isinstance(scored.events[-1], RoundScored)
    assert not any(isinstance(event, RoundDealt) for event in scored.events)
    assert isinstance(dealt.events[0], RoundDealt)
    # In the first one, nobody has to decide anything.
    first, second = scored.view, dealt.view
    assert (first.awaited, first.decision, first.legal, scored.clocks) == ((), None, (), ())
    assert second.awaited
    assert [clock.seat for clock in dealt.clocks] == list(second.awaited)
    # It shows the round that has ended, with its points and its line on the sheet.
    assert first.now is not None
    assert second.now is not None
    line = first.sheet[-1]
    assert (line.number, line.points) == (first.now.number, first.now.points)
    assert line.totals == first.totals == second.totals
    assert first.sheet == second.sheet
    assert len(first.now.tricks) == first.now.hand_size
    assert first.now.trick is None
    assert first.now.hand == (None if seat is None else ())
    assert second.now.number > first.now.number
    assert second.now.points is None


@pytest.mark.parametrize(
    "rules",
    [
        {},
        {"bids": "secret"},
        {"foresight": "every_round"},
        {"rulebook": "pt-BR", "specials": ["JUGGLER", "CLOUD"]},
    ],
)
async def test_a_player_and_a_spectator_are_shown_the_scored_round(
    rules: dict[str, object],
) -> None:
    door = Local()
    options = made(seats=3, bots=["random"] * 2, clock_s=60, rules={"rounds": [1, 2, 4], **rules})
    seat = await door.make(p.NewTable(name="Ada", options=options))
    received: dict[int | None, list[p.Snapshot]] = {0: [], None: []}

    def receive(receiver: int | None, message: p.FromServer) -> None:
        if isinstance(message, p.Snapshot):
            received[receiver].append(message)

    async with (
        Player(
            door,
            seat.table,
            seat.token,
            on_message=lambda one: receive(0, one),
            make_word=None,
        ) as ada,
        Player(door, seat.table, on_message=lambda one: receive(None, one)),
    ):
        await ada.start()
        last = await played(ada)
        assert last.phase == "over"
    await door.close()
    for receiver, snapshots in received.items():
        assert len(pairs(snapshots)) == 2  # no deal follows the last round
        for scored, dealt in pairs(snapshots):
            check(scored, dealt, receiver)
        end = snapshots[-1]
        assert isinstance(end.events[-1], GameOver)
        assert end.view.phase == "over"
        numbers = [one.number for one in snapshots]
        assert numbers == sorted(numbers)
        assert len(numbers) == len(set(numbers)) + 2


async def test_hello_is_answered_with_the_newest_snapshot_alone(tmp_path: Path) -> None:
    async with open_room(tmp_path / "t.sqlite3") as room:
        (seat,) = await room.table(seats=3, bots=["random"] * 2, **SHORT)
        received: list[p.FromServer] = []
        async with room.player(seat, on_message=received.append) as ada:
            await ada.start()
            while not pairs([one for one in received if isinstance(one, p.Snapshot)][:-1]):
                seen = await ada.turn()
                assert seen is not None
                await ada.act(seen.legal[0], seen.decision)
            again: list[p.FromServer] = []
            async with room.player(seat, on_message=again.append) as tab:
                assert tab.view is not None
                assert tab.view.phase != "deal"
                assert tab.view.now is not None
                assert tab.view.now.points is None
            (welcome,) = [one for one in again if isinstance(one, p.Welcome)]
            assert welcome.snapshot is not None
            assert welcome.snapshot.events == ()
