"""Replays of stored games and of records that a client sends, and their reviews: as the engine has it, and within limits."""

import asyncio
import gzip
import json
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from random import Random
from typing import Any

import msgspec
import pytest

from foretell.coach.review import choices_of
from foretell.coach.review import review as review_of
from foretell.engine import Game, View, act, view
from foretell.engine.codec import decoded
from foretell.errors import ForetellError, NotAllowed
from foretell.record import Record, dumps, loads
from foretell.server.coach import reviews
from foretell.server.coach.advice import OddsCoach
from foretell.server.game.finished import PlayedGame, posted_game
from foretell.server.game.replay import replay
from foretell.server.wire import protocol as p
from record.conformance import games, rules_of
from server.rooms import Room, fetched, open_room, played
from server.test_http import posted
from tables import PROVING, setup_by_lot

pytestmark = pytest.mark.anyio

RANDOM_GAMES = 2000 if PROVING else 60
VALID = games("valid.jsonl")


def positions(game: Game) -> "Iterator[tuple[int, Game]]":
    """Every position of a game with the place of its round, from the deal to the scored round."""
    for before, seat, chosen in choices_of(game):
        place = len(before.rounds) - 1
        yield place, before
        after, _ = act(before, seat, chosen)
        if len(after.sheet) > place:
            yield place, after


def as_played(game: Game, seat: int | None) -> dict[int, list[tuple[View, Any, Any]]]:
    """By the number of each round: what `seat` saw at every step, everyone's hands and everyone's bids."""
    found: dict[int, list[tuple[View, Any, Any]]] = {}
    for place, at in positions(game):
        now = at.rounds[place]
        hands = tuple(tuple(card.code for card in hand) for hand in now.hands)
        found.setdefault(game.numbers[place], []).append((view(at, seat), hands, now.bids))
    return found


def check_replay(text: str, random: Random) -> None:
    whole = posted_game(text.encode())
    seat = random.choice([None, *range(whole.game.seats)])
    wanted = as_played(whole.game, seat)
    assert list(wanted) == list(whole.game.numbers)
    for number, steps in wanted.items():
        found = replay(whole, number, seat)
        assert [(one.view, one.hands, one.bids) for one in found.frames] == steps
        assert [one.action is None for one in found.frames] == [True, *[False] * (len(steps) - 1)]
        assert found.frames[-1].view.now is not None
        assert found.frames[-1].view.now.points is not None
        # What an action answers is what its seat was asked a step before.
        for before, after in zip(found.frames, found.frames[1:], strict=False):
            assert after.seat in before.view.awaited
            if after.seat == seat:
                assert after.decision == before.view.decision


def test_every_conformance_game_is_replayed_as_each_seat_saw_it() -> None:
    for number, one in enumerate(VALID):
        check_replay(json.dumps(one), Random(number))


@pytest.mark.prove
def test_random_games_of_all_rules_are_replayed_as_each_seat_saw_them() -> None:
    for number in range(RANDOM_GAMES):
        setup = replace(setup_by_lot(number, most_cards=8), stop=9999)
        check_replay(dumps(Record(setup.game)), Random(number))


async def sent(
    room: Room, path: str, record: Any, address: str = "127.0.0.1", **headers: str
) -> tuple[int, Any, Any]:
    return await fetched(room.address + path, record, **{"x-forwarded-for": address}, **headers)


def read_replay(body: bytes) -> p.Replay:
    return msgspec.json.decode(body, type=p.Replay, dec_hook=decoded)


@pytest.mark.prove
async def test_a_record_that_is_sent_is_answered_with_its_rounds(tmp_path: Path) -> None:
    chosen = VALID if PROVING else Random(4).sample(VALID, 12)
    async with open_room(tmp_path / "t.sqlite3", seconds=300) as room:
        for one in chosen:
            whole = posted_game(json.dumps(one).encode())
            for number in whole.game.numbers[:: 1 if PROVING else 5]:
                status, body, headers = await sent(room, f"/api/replay?number={number}&seat=1", one)
                assert (status, headers["content-encoding"]) == (200, None)
                assert read_replay(body) == replay(whole, number, 1)
            _, body, headers = await sent(
                room, "/api/replay", one, **{"accept-encoding": "br, gzip;q=0.8"}
            )
            assert headers["content-encoding"] == "gzip"
            assert read_replay(gzip.decompress(body)) == replay(whole, whole.game.numbers[0], None)


async def test_a_stored_game_is_replayed_as_its_record_is(tmp_path: Path) -> None:
    async with open_room(tmp_path / "t.sqlite3") as room:
        rules = {
            "rulebook": "pt-BR",
            "specials": ["JUGGLER", "CLOUD", "WEREWOLF"],
            "rounds": [2, 4],
        }
        (seat,) = await room.table(seats=3, bots=["counting", "random"], rules=rules)
        async with room.player(seat) as ada:
            await ada.start()
            await played(ada)
            assert ada.table is not None
            game = ada.table.game
        record = json.loads(await room.remote.record(game or ""))
        for number in rules["rounds"]:
            path = f"replay/{number}?seat=2"
            _, kept, _ = await fetched(f"{room.address}/api/games/{game}/{path}")
            _, shown, _ = await sent(room, f"/api/replay?number={number}&seat=2", record)
            # Only the order within a pass may differ: a record does not have it.
            stored, whole = read_replay(kept), read_replay(shown)
            assert (stored.game, whole.game) == (game, "")
            assert stored.hands == whole.hands
            assert len(stored.frames) == len(whole.frames)
            for one, other in zip(stored.frames, whole.frames, strict=True):
                if one.view.phase != "pass":
                    assert one.view == other.view


@pytest.mark.prove
async def test_a_record_that_breaks_a_rule_is_refused_with_the_rule(tmp_path: Path) -> None:
    async with open_room(tmp_path / "t.sqlite3", seconds=120) as room:
        for one in games("invalid.jsonl")[:: 1 if PROVING else 4]:
            status, body, _ = await sent(room, "/api/replay", one["record"])
            assert status == 400
            error = body["error"]
            assert error["rule"] in rules_of(one["breaks"])
            if one["round"] is not None:
                assert f"round {one['round']}" in error["sentence"]
            if one["trick"] is not None:
                assert f"trick {one['trick']}" in error["sentence"]


async def test_only_finished_games_are_replayed_and_reviewed(tmp_path: Path) -> None:
    async with open_room(tmp_path / "t.sqlite3", coach=OddsCoach(), seconds=120) as room:
        # Where nothing but the scoring is missing, the game is over for the engine.
        stopped = [
            one for one in games("unfinished.jsonl") if not loads(json.dumps(one)).game.is_over
        ]
        assert len(stopped) > 50
        for one in stopped:
            with pytest.raises(NotAllowed) as caught:
                posted_game(json.dumps(one).encode())
            assert caught.value.code == "record_unfinished"
            with pytest.raises(NotAllowed, match="not over"):
                PlayedGame("", loads(json.dumps(one)).game, ())
        for path in ("/api/replay", "/api/review"):
            status, body, _ = await sent(room, path, one)
            assert (status, body["error"]["code"]) == (400, "record_unfinished")


@pytest.mark.parametrize("path", ["/api/replay", "/api/review"])
@pytest.mark.parametrize(
    ("body", "status", "code"),
    [
        (b"", 400, "not_json"),
        (b"\xff\xfe", 400, "not_json"),
        (b"[" * 60_000, 400, "not_json"),
        (b'{"format": ' * 5_000, 400, "not_json"),
        (b"[]", 400, "format"),
        (b'{"format": "wizard-record/9"}', 400, "format"),
        (b'"' + b"x" * 70_000 + b'"', 413, "too_large"),
    ],
)
async def test_what_is_no_record_gets_a_clear_message(
    tmp_path: Path, path: str, body: bytes, status: int, code: str
) -> None:
    async with open_room(tmp_path / "t.sqlite3", coach=OddsCoach()) as room:
        found = await asyncio.to_thread(posted, room.address + path, body)
        assert (found[0], found[1]["error"]["code"]) == (status, code)


async def test_many_rounds_are_refused_at_the_first_that_is_too_many(tmp_path: Path) -> None:
    short = min(VALID, key=lambda one: len(one["rounds"]))
    endless = {**short, "rounds": short["rounds"] * (60_000 // len(json.dumps(short["rounds"])))}
    async with open_room(tmp_path / "t.sqlite3") as room:
        status, body, _ = await sent(room, "/api/replay", endless)
        assert (status, body["error"]["code"]) == (400, "too_many_rounds")


@pytest.mark.parametrize(("number", "seat", "code"), [(99, 0, "no_round"), (1, 6, "no_seat")])
async def test_a_record_has_its_rounds_and_seats_only(
    tmp_path: Path, number: int, seat: int, code: str
) -> None:
    async with open_room(tmp_path / "t.sqlite3") as room:
        path = f"/api/replay?number={number}&seat={seat}"
        _, body, _ = await sent(room, path, VALID[0])
        assert body["error"]["code"] == code


async def test_a_page_of_another_site_cannot_send_records(tmp_path: Path) -> None:
    async with open_room(tmp_path / "t.sqlite3", coach=OddsCoach()) as room:
        for path in ("/api/replay", "/api/review"):
            status, _, _ = await sent(room, path, VALID[0], origin="http://elsewhere.example")
            assert status == 403


def short_record(number: int) -> Any:
    """The record of a finished game of one short round."""
    setup = replace(setup_by_lot(number, most_cards=2), stop=9999)
    return json.loads(dumps(Record(setup.game)))


async def reviewed(room: Room, record: Any, address: str = "127.0.0.1") -> p.GameReview:
    while True:
        status, body, _ = await sent(room, "/api/review", record, address)
        assert status == 200
        found = msgspec.json.decode(body, type=p.GameReview, dec_hook=decoded)
        if found.review is not None:
            return found
        await asyncio.sleep(0.02)


async def test_a_record_is_reviewed_and_nothing_of_it_is_stored(tmp_path: Path) -> None:
    async with open_room(tmp_path / "t.sqlite3", coach=OddsCoach(), seconds=120) as room:
        saved: list[str] = []
        store: Any = room.services.store
        real = store.save_review

        async def save_review(game: str, *rest: Any) -> None:
            saved.append(game)
            await real(game, *rest)

        store.save_review = save_review
        record = short_record(3)
        found = await reviewed(room, record)
        assert found.review is not None
        assert found.game == ""
        game = loads(json.dumps(record)).game
        wanted = review_of(game, worlds=reviews.WORLDS, worst=reviews.WORST)
        assert [(one.decision, one.action) for one in found.review.choices] == [
            (one.decision, one.action) for one in wanted.choices
        ]
        # Every choice of the review is a step of the replay: so the page can jump to it.
        steps = {
            (number, one.decision, one.seat, one.action)
            for number in game.numbers
            for one in replay(posted_game(json.dumps(record).encode()), number, None).frames
        }
        assert {(one.round, one.decision, one.seat, one.action) for one in wanted.choices} <= steps
        assert saved == []


async def test_an_address_waits_for_one_review_whatever_it_sends(tmp_path: Path) -> None:
    async with open_room(tmp_path / "t.sqlite3", coach=OddsCoach(), seconds=120) as room:
        long = max(VALID, key=lambda one: len(one["rounds"]))
        status, body, _ = await sent(room, "/api/review", long)
        assert (status, json.loads(body)["review"]) == (200, None)
        status, body, _ = await sent(room, "/api/review", VALID[1])
        assert (status, body["error"]["code"]) == (429, "review_waiting")


def test_a_refusal_of_a_record_can_be_said_in_every_language() -> None:
    for one in games("invalid.jsonl"):
        with pytest.raises(ForetellError) as caught:
            posted_game(json.dumps(one["record"]).encode())
        for language in ("en", "de", "fr", "es", "hu", "pt", "pt-BR"):
            assert caught.value.sentence(language)
