"""A game keeps the version of the rules with which it was begun; one that this program does not play is refused."""

import json
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from foretell.client import RefusedByTable
from foretell.errors import NotAllowed
from foretell.rules import version
from foretell.server.coach.advice import OddsCoach
from foretell.server.game import live_game
from foretell.server.wire import protocol as p
from server.rooms import SHORT, fetched, open_room, played

pytestmark = pytest.mark.anyio


async def _begun(path: Path) -> tuple[p.Seated, str]:
    """A game that was begun and left, with its id."""
    async with open_room(path) as room:
        (seat,) = await room.table(seats=3, bots=["random"] * 2, **SHORT)
        async with room.player(seat) as ada:
            await ada.start()
            await ada.turn()
            assert ada.table is not None
            return seat, ada.table.game or ""


def _version_in(path: Path, game: str, new: int | None = None) -> int:
    """The version in the stored setup of a game, after it has been set to `new`."""
    with closing(sqlite3.connect(path, isolation_level=None)) as connection:
        (text,) = connection.execute("SELECT setup FROM games WHERE id = ?", (game,)).fetchone()
        setup = json.loads(text)
        if new is not None:
            setup["rules_version"] = new
            values = (json.dumps(setup).encode(), game)
            connection.execute("UPDATE games SET setup = ? WHERE id = ?", values)
        found: int = setup["rules_version"]
        return found


async def test_a_game_goes_on_with_the_version_it_was_begun_with(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A newer program plays two versions: the old game stays what it is, also when its people change."""
    path = tmp_path / "t.sqlite3"
    seat, game = await _begun(path)
    assert _version_in(path, game) == 1
    monkeypatch.setattr(version, "PLAYED_VERSIONS", frozenset({1, 2}))
    monkeypatch.setattr(live_game, "RULES_VERSION", 2)
    async with open_room(path) as room, room.player(seat) as ada:
        await ada.ask(p.Fill(seat=1, level="counting"))
        await played(ada)
        await ada.ask(p.Rematch())
        await ada.until(lambda me: me.table is not None and me.table.game != game)
        assert ada.table is not None
        again = ada.table.game or ""
    assert _version_in(path, game) == 1
    assert _version_in(path, again) == 2


async def test_a_game_of_another_version_is_refused_and_not_played_by_ours(tmp_path: Path) -> None:
    path = tmp_path / "t.sqlite3"
    seat, game = await _begun(path)
    _version_in(path, game, new=7)
    async with open_room(path, coach=OddsCoach()) as room:
        with pytest.raises(RefusedByTable, match=r"begun with version 7 of the rules.* plays 1"):
            async with room.player(seat):
                pass
        status, body, _ = await fetched(f"{room.address}/api/games/{game}")
        assert (status, body["error"]["code"]) == (409, "rules_version")
        # The player's list of games still works, and so do other tables.
        status, mine, _ = await fetched(f"{room.address}/api/mine", {"tokens": [seat.token]})
        assert status == 200
        assert [one["is_my_turn"] for one in json.loads(mine)["games"]] == [False]
        (other,) = await room.table(seats=3, bots=["random"] * 2, **SHORT)
        async with room.player(other) as ada:
            await ada.start()
            await played(ada)


async def test_a_finished_game_of_another_version_is_still_a_record(tmp_path: Path) -> None:
    path = tmp_path / "t.sqlite3"
    seat, game = await _begun(path)
    async with open_room(path) as room, room.player(seat) as ada:
        await played(ada)
        record = await room.remote.record(game)
    _version_in(path, game, new=7)
    async with open_room(path, coach=OddsCoach()) as room:
        assert await room.remote.record(game) == record
        for what in ("review", "replay/1"):
            status, body, _ = await fetched(
                f"{room.address}/api/games/{game}/{what}", {} if what == "review" else None
            )
            assert (status, body["error"]["code"]) == (409, "rules_version")


def test_this_program_plays_the_version_of_new_games() -> None:
    version.refuse_unknown_version(version.RULES_VERSION)
    with pytest.raises(NotAllowed):
        version.refuse_unknown_version(0)
