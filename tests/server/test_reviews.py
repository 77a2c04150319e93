"""Reviews over HTTP, on a real server: clients ask until a review is ready, and the server limits the work."""

import asyncio
import threading
from pathlib import Path
from typing import Any

import msgspec
import pytest

from foretell.coach.review import review
from foretell.engine.codec import decoded
from foretell.errors import NotAllowed
from foretell.record import loads
from foretell.server.coach import reviews
from foretell.server.coach.advice import OddsCoach
from foretell.server.store import sql_store
from foretell.server.store.sqlite import SqliteStore
from foretell.server.wire import protocol as p
from foretell.server.wire.error_messages import error_from
from server.rooms import Room, eventually, fetched, open_room, played

pytestmark = pytest.mark.anyio


async def finished(room: Room, **rules: Any) -> str:
    """The id of a game that has just been played to its end."""
    (seat,) = await room.table(seats=3, bots=["random", "random"], rules=rules)
    async with room.player(seat) as ada:
        await ada.start()
        await played(ada)
        assert ada.table is not None
        return ada.table.game or ""


async def asked(room: Room, game: str, address: str = "127.0.0.1") -> p.GameReview:
    """The answer to a client with this address; a refusal is raised."""
    status, body, _ = await fetched(
        f"{room.address}/api/games/{game}/review", {}, **{"x-forwarded-for": address}
    )
    if status != 200:
        raise error_from(msgspec.convert(body["error"], p.Error))
    return msgspec.json.decode(body, type=p.GameReview, dec_hook=decoded)


async def reviewed(room: Room, game: str, address: str = "127.0.0.1") -> p.GameReview:
    while (found := await asked(room, game, address)).review is None:
        await asyncio.sleep(0.02)
    return found


@pytest.fixture(params=[{}, {"foresight": "every_round"}, {"specials": ["JUGGLER", "CLOUD"]}])
def rules(request: pytest.FixtureRequest) -> dict[str, Any]:
    return {"rounds": [2, 3], **request.param}


async def test_a_finished_game_is_reviewed_as_the_coach_does_it(
    tmp_path: Path, rules: dict[str, Any]
) -> None:
    async with open_room(tmp_path / "t.sqlite3", coach=OddsCoach(), seconds=120) as room:
        game = await finished(room, **rules)
        found = await reviewed(room, game)
        assert found.review is not None
        assert (found.done, found.ahead) == (found.total, 0)
        record = loads(await room.remote.record(game)).game
        wanted = review(record, worlds=reviews.WORLDS, worst=reviews.WORST)
        assert [one.decision for one in found.review.choices] == [
            one.decision for one in wanted.choices
        ]
        for sent, one in zip(found.review.seats, wanted.seats, strict=True):
            assert sent.points == one.points
            assert sent.mistakes == pytest.approx(one.mistakes, abs=0.06)
            assert sent.luck == pytest.approx(one.luck, abs=0.06)
            assert sent.points == pytest.approx(sent.cards - sent.mistakes + sent.fortune, abs=0.2)
            for bad in sent.worst:
                # The View is from that moment: both the chosen and the better action were legal.
                legal = {str(action) for action in bad.view.legal}
                assert {bad.choice.action, bad.choice.best} <= legal
                assert bad.view.seat == sent.seat
                assert bad.view.decision == bad.choice.decision


async def test_nothing_is_told_of_a_game_that_is_being_played(tmp_path: Path) -> None:
    async with open_room(tmp_path / "t.sqlite3", coach=OddsCoach()) as room:
        (seat,) = await room.table(seats=3, bots=["random", "random"], rules={"rounds": [2]})
        async with room.player(seat) as ada:
            await ada.start()
            assert ada.table is not None
            with pytest.raises(NotAllowed, match="not over"):
                await room.remote.review(ada.table.game or "")
        with pytest.raises(NotAllowed, match="no game"):
            await room.remote.review("nothing")


async def test_a_server_without_a_coach_says_so(tmp_path: Path) -> None:
    async with open_room(tmp_path / "t.sqlite3") as room:
        game = await finished(room, rounds=[1])
        with pytest.raises(NotAllowed, match="no coach"):
            await room.remote.review(game)


async def test_one_review_is_made_at_a_time_and_made_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    made: list[str] = []
    real = reviews._told

    def counted(game: Any, work: Any) -> p.GameReview:
        made.append(work.game.id)
        return real(game, work)

    monkeypatch.setattr(reviews, "_told", counted)
    async with open_room(tmp_path / "t.sqlite3", coach=OddsCoach(), seconds=120) as room:
        games = {f"192.0.2.{n}": await finished(room, rounds=[1, 2]) for n in range(3)}
        first = [await asked(room, game, address) for address, game in games.items()]
        assert [one.ahead for one in first] == [0, 1, 2] or made  # the first may be done already
        for address, game in games.items():
            await reviewed(room, game, address)
            again = await asked(room, game, address)
            assert again.review is not None
        assert made == list(games.values())


async def test_what_nobody_asks_for_any_more_is_given_up(tmp_path: Path) -> None:
    async with open_room(tmp_path / "t.sqlite3", coach=OddsCoach(), seconds=120) as room:
        room.app.games.reviews._forgotten = 0.05
        game = await finished(room, rounds=[8, 9])
        first = await room.remote.review(game)
        assert first.review is None
        making = room.app.games.reviews._making
        assert making is not None
        await eventually(making.done, 30)
        assert not room.app.games.reviews._kept
        # Asking again starts it again.
        room.app.games.reviews._forgotten = 30
        assert (await room.remote.review(game)).total == first.total


async def test_only_so_many_wait(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(reviews, "MOST_WAITING", 1)
    async with open_room(tmp_path / "t.sqlite3", coach=OddsCoach(), seconds=60) as room:
        games = [await finished(room, rounds=rounds) for rounds in ([7, 8, 9], [1])]
        assert (await room.remote.review(games[0])).review is None
        with pytest.raises(NotAllowed, match="many games"):
            await asked(room, games[1], "192.0.2.1")


async def test_an_address_waits_for_one_review(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    go_on = threading.Event()
    monkeypatch.setattr(reviews, "judged", lambda *_all: go_on.wait(60) and None)
    monkeypatch.setattr(reviews, "SWITCHED", 60.0)  # the machine may be busy
    async with open_room(tmp_path / "t.sqlite3", coach=OddsCoach(), seconds=60) as room:
        room.app.games.reviews._forgotten = 60.0
        first, second, third, fourth = [await finished(room, rounds=[1]) for _ in range(4)]
        assert (await asked(room, first, "192.0.2.1")).ahead == 0
        with pytest.raises(NotAllowed) as refused:
            await asked(room, second, "192.0.2.1")
        assert refused.value.code == "review_waiting"
        # The same game is the same review, and another address has its own.
        assert (await asked(room, first, "192.0.2.1")).ahead == 0
        assert (await asked(room, second, "192.0.2.2")).ahead == 1
        # Two addresses of one home's IPv6 network are one.
        assert (await asked(room, third, "2001:db8::1")).ahead == 2
        with pytest.raises(NotAllowed):
            await asked(room, fourth, "2001:db8::2")
        # A player who has gone on to another game, and no longer asks for the first, gets that one.
        monkeypatch.setattr(reviews, "SWITCHED", 0.0)
        await asked(room, fourth, "192.0.2.1")
        askers = {game: list(work.askers) for game, work in room.app.games.reviews._works.items()}
        assert askers[first] == []
        assert askers[fourth] == ["192.0.2.1"]
        go_on.set()


async def test_a_review_is_made_once_even_if_the_server_is_restarted(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "t.sqlite3"
    async with open_room(path, coach=OddsCoach(), seconds=60) as room:
        game = await finished(room, rounds=[2])
        first = await reviewed(room, game)
        await eventually(lambda: not room.app.games.reviews._works)
    monkeypatch.setattr(reviews, "judged", None)  # it cannot be made again
    async with open_room(path, coach=OddsCoach()) as room:
        assert await asked(room, game) == first
        store = room.services.store
        assert isinstance(store, SqliteStore)
        await store.save_review(game, b"from another version", 5.0)
        room.app.games.reviews._kept.clear()
        assert (await asked(room, game)).review is None


async def test_only_so_many_reviews_are_stored(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sql_store, "MOST_REVIEWS", 3)
    store = SqliteStore(tmp_path / "t.sqlite3")
    for made, game in enumerate("abcdae"):
        await store.save_review(game, game.encode(), float(made))
    kept = {game for game in "abcde" if await store.review(game) is not None}
    assert kept == {"d", "a", "e"}
    await store.close()


async def test_a_review_that_fails_is_said_to_have_failed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(*_all: Any) -> None:
        raise ValueError

    monkeypatch.setattr(reviews, "judged", broken)
    async with open_room(tmp_path / "t.sqlite3", coach=OddsCoach()) as room:
        game = await finished(room, rounds=[1])
        await room.remote.review(game)
        await eventually(lambda: not room.app.games.reviews._works)
        with pytest.raises(NotAllowed) as refused:
            await room.remote.review(game)
        assert refused.value.code == "server_failed"
