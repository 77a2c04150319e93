"""Only a finished game can be replayed, reviewed or kept as a record, and there is one guard for all of it."""

import json
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import get_type_hints

import msgspec
import pytest

import foretell.server
from foretell.errors import NotAllowed
from foretell.rules import Rules
from foretell.server.coach.reviews import Reviews
from foretell.server.game.finished import (
    FinishedGame,
    PlayedGame,
    finished_game,
    played_game,
    posted_game,
)
from foretell.server.game.live_game import fair_dealing
from foretell.server.game.replay import replay
from foretell.server.store.interface import GameRow, Setup
from foretell.server.store.memory import MemoryStore
from foretell.server.wire import protocol as p
from record.conformance import games
from server.rooms import fetched, made, open_room

pytestmark = pytest.mark.anyio

SETUP = Setup(
    rules=Rules(rounds=(1,)),
    names=("Ada", "Bo", "Cy"),
    bots=(None,) * 3,
    first_dealer=0,
    peoples=None,
    secret="5e" * 32,
    words=("",) * 3,
)
RUNNING = GameRow(id="a-game", table="a-table", setup=SETUP, started=1.0)
OVER = msgspec.structs.replace(RUNNING, finished=2.0, record="{}")


@pytest.mark.parametrize("left_out", ["finished", "record"])
def test_there_is_no_finished_game_of_one_that_is_being_played(left_out: str) -> None:
    running = msgspec.structs.replace(OVER, **{left_out: None})
    over = FinishedGame(OVER, [])
    with pytest.raises(NotAllowed, match="not over"):
        FinishedGame(running, [])
    with pytest.raises(NotAllowed, match="not over"):
        msgspec.structs.replace(over, row=running)
    with pytest.raises(NotAllowed, match="not over"):
        msgspec.convert({"row": running, "log": []}, FinishedGame)
    assert over.record == "{}"


async def test_a_store_gives_out_finished_games_only() -> None:
    store = MemoryStore()
    store._games[RUNNING.id] = RUNNING
    with pytest.raises(NotAllowed, match="not over"):
        await finished_game(store, RUNNING.id)
    with pytest.raises(NotAllowed, match="no game"):
        await finished_game(store, "another")
    store._games[RUNNING.id] = OVER
    assert (await finished_game(store, RUNNING.id)).id == RUNNING.id


def test_what_shows_cards_takes_a_finished_game() -> None:
    assert get_type_hints(replay)["game"] is PlayedGame
    assert get_type_hints(Reviews.ask)["load"] == Callable[[], Awaitable[PlayedGame]]
    assert get_type_hints(played_game)["found"] is FinishedGame


def test_a_game_without_its_end_is_not_a_played_one() -> None:
    """Even if the store calls it finished."""
    with pytest.raises(NotAllowed, match="not over"):
        played_game(FinishedGame(OVER, []), fair_dealing)


def test_the_guard_is_in_one_place() -> None:
    folder = Path(foretell.server.__path__[0])
    raising = [
        path.relative_to(folder).as_posix()
        for path in folder.rglob("*.py")
        if 'NotAllowed("still_secret")' in path.read_text(encoding="utf-8")
    ]
    assert raising == ["game/finished.py"]


@pytest.mark.parametrize("seat", [-1, 3])
def test_a_replay_knows_its_seats(seat: int) -> None:
    whole = posted_game(json.dumps(games("valid.jsonl")[0]).encode())
    assert whole.game.seats == 3
    with pytest.raises(NotAllowed) as caught:
        replay(whole, 1, seat)
    assert caught.value.code == "no_seat"


async def test_over_http_a_running_game_is_refused_whatever_is_asked(tmp_path: Path) -> None:
    async with open_room(tmp_path / "t.sqlite3") as room:
        seat = await room.remote.make(
            p.NewTable(name="Ada", options=made(seats=3, bots=["random"] * 2))
        )
        async with room.player(seat) as ada:
            await ada.start()
            assert ada.table is not None
            game = f"{room.address}/api/games/{ada.table.game}"
            for path in ("record", "replay/1", "replay/1?seat=0"):
                status, body, _ = await fetched(f"{game}/{path}")
                assert (status, body["error"]["code"]) == (409, "still_secret")
            status, _, _ = await fetched(game)
            assert status == 200  # the summary has no cards in it
