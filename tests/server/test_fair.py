"""Fair deals that players take part in (docs/fair.md): hashes first, then words, and a check at the end."""

import asyncio
import dataclasses
import json
import sqlite3
import time
from pathlib import Path
from random import Random
from typing import Any

import msgspec
import pytest

from foretell.client import Player, RefusedByTable, Verdict, Witness, random_word
from foretell.deals import commitment, word_hash
from foretell.engine import new_game, view
from foretell.record import Proof, Record, loads
from foretell.rules import Rules
from foretell.rules.presets import PRESETS
from foretell.server.game.live_game import begun, fair_dealing, first_dealer
from foretell.server.store.interface import Setup, TableState
from foretell.server.table.services import Timeouts
from foretell.server.wire import protocol as p
from referee.deals import checked_table, fair_deal
from referee.referee import check
from server.rooms import SHORT, Room, all_in, eventually, open_room, played, ready_and_start

pytestmark = pytest.mark.anyio

THREE: dict[str, Any] = {"seats": 3, "bots": ["random"], **SHORT}


def taking_part(room: Room, seat: p.Seated, word: str, **more: Any) -> Player:
    """A player who uses a known word in each game."""
    count = iter(range(100))
    return room.player(seat, make_word=lambda: f"{word} {next(count)}", **more)


def known(player: Player) -> p.Table:
    """The table as this player knows it."""
    assert player.table is not None
    return player.table


def words_of(player: Player) -> tuple[str, ...] | None:
    """The words of the game that has begun."""
    fair = known(player).fair
    assert fair is not None
    return fair.words


def missing(player: Player) -> tuple[int, ...] | None:
    """The seats that have not revealed their words; None if there is no draw."""
    draw = known(player).draw
    return None if draw is None else draw.missing


async def state_of(room: Room, seat: p.Seated) -> TableState:
    found = await room.services.store.table(seat.table)
    assert found is not None
    return found


async def finished(room: Room, *players: Player) -> tuple[Record, list[Verdict]]:
    """Plays the game to its end.  The answer is its record, and what each player's check says."""
    await asyncio.gather(*(played(one) for one in players))
    text = await room.remote.record(known(players[0]).game or "")
    check(
        json.loads(text)
    )  # the referee knows nothing of hashes, and accepts the record all the same
    return loads(text), [one.witness.verdict(text) for one in players]


async def test_words_are_fixed_by_hashes_and_every_player_can_check_the_deals(
    tmp_path: Path,
) -> None:
    async with open_room(tmp_path / "t.sqlite3") as room:
        seats = await room.table(2, **THREE)
        secret = (await state_of(room, seats[0])).next_secret  # no word and no hash is known yet
        ada, bo = (taking_part(room, *one) for one in zip(seats, ("tea", "moon"), strict=True))
        async with all_in([ada, bo]):
            assert known(ada).next_commit == commitment(bytes.fromhex(secret))
            await eventually(lambda: all(one.has_word for one in known(ada).seats[:2]))
            stored = await state_of(room, seats[0])
            assert [place.word for place in stored.places] == ["", "", ""]  # only hashes are known
            assert stored.places[0].word_hash == word_hash(known(ada).next_commit or "", "tea 0")
            assert stored.next_secret == secret
            await ready_and_start([ada, bo])
            record, verdicts = await finished(room, ada, bo)
        assert record.fair is not None
        assert record.fair.secret == secret
        assert record.fair.words == ("tea 0", "moon 0", "")
        assert record.fair.hashes[2] is None  # bots have no word
        assert verdicts == [Verdict(problem=None, is_proven=True, deals=2)] * 2


async def test_one_person_with_bots_starts_without_a_noticeable_delay(tmp_path: Path) -> None:
    async with open_room(tmp_path / "t.sqlite3") as room:
        seats = await room.table(1, seats=3, bots=["random", "random"], **SHORT)
        async with room.player(seats[0], make_word=random_word) as ada:
            since = time.monotonic()
            await ada.start()
            assert time.monotonic() - since < 1
            _, (verdict,) = await finished(room, ada)
        assert verdict.is_proven


async def test_no_word_is_revealed_before_the_list_of_hashes_is_closed(tmp_path: Path) -> None:
    """So the last player, and the server, must fix their words without knowing the others'."""
    received: list[p.FromServer] = []
    async with open_room(tmp_path / "t.sqlite3") as room:
        seats = await room.table(2, **THREE)
        ada = taking_part(room, seats[0], "tea", on_message=received.append)
        async with all_in([ada, room.player(seats[1])]) as (_, bo):
            commit = known(ada).next_commit or ""
            await bo.ask(p.SealWord(commit=commit, hash=word_hash(commit, "late")))
            with pytest.raises(RefusedByTable, match="only while a game is about to begin"):
                await bo.ask(p.RevealWord(word="late"))
            await bo.ask(p.SealWord(commit=commit, hash=word_hash(commit, "later")))
            await bo.ask(p.Ready())
            await ada.ask(p.Start())
            await bo.until(lambda me: me.table is not None and known(me).draw is not None)
            draw = known(bo).draw
            assert draw is not None
            assert draw.hashes == (word_hash(commit, "tea 0"), word_hash(commit, "later"), None)
            # The list is closed: another hash, or another word, comes too late.
            with pytest.raises(RefusedByTable, match="already begun"):
                await bo.ask(p.SealWord(commit=commit, hash=word_hash(commit, "latest")))
            with pytest.raises(RefusedByTable, match="does not fit the hash"):
                await bo.ask(p.RevealWord(word="latest"))
            # Nobody has been told a word so far, though Ada has revealed hers.
            await bo.until(lambda me: missing(me) == (1,))
            assert all(b"tea 0" not in p.write(one) for one in received)
            await bo.ask(p.RevealWord(word="later"))
            await bo.until(lambda me: me.snapshot is not None)
            assert words_of(bo) == ("tea 0", "later", "")


async def test_a_hash_takes_the_place_of_a_word_that_is_not_revealed_in_time(
    tmp_path: Path,
) -> None:
    timeouts = Timeouts(reveal=0.3)
    async with open_room(tmp_path / "t.sqlite3", timeouts=timeouts) as room:
        seats = await room.table(2, **THREE)
        async with all_in([taking_part(room, seats[0], "tea"), room.player(seats[1])]) as (ada, bo):
            commit = known(ada).next_commit or ""
            late = word_hash(commit, "late")
            await bo.ask(p.SealWord(commit=commit, hash=late))
            await ready_and_start([ada, bo])
            # Everyone sees whose word is missing.
            for one in (ada, bo):
                await one.until(lambda me: known(me).game is not None)
                fair = known(one).fair
                assert fair is not None
                assert fair.words == ("tea 0", late, "")
                assert fair.hashes == (word_hash(commit, "tea 0"), late, None)
            with pytest.raises(RefusedByTable, match="only while a game is about to begin"):
                await bo.ask(p.RevealWord(word="late"))
            _, (verdict, _) = await finished(room, ada, bo)
        assert verdict == Verdict(problem=None, is_proven=True, deals=2, missing=(1,))


async def test_a_rematch_has_new_words_and_a_new_secret(tmp_path: Path) -> None:
    async with open_room(tmp_path / "t.sqlite3") as room:
        seats = await room.table(2, **THREE)
        # Bo's client is an old one: it sends its word openly, when it joins.
        async with all_in([taking_part(room, seats[0], "tea"), room.player(seats[1])]) as (ada, bo):
            commit = known(ada).next_commit or ""
            await bo.ask(p.SayWord(word="kadabra"))
            await ready_and_start([ada, bo])
            first, (mine, _) = await finished(room, ada, bo)
            with pytest.raises(RefusedByTable, match="another secret"):
                await bo.ask(p.SealWord(commit=commit, hash=word_hash(commit, "again")))
            game = known(ada).game
            await bo.ask(p.Rematch())
            await ada.ask(p.Rematch())
            for one in (ada, bo):
                await one.until(lambda me: known(me).game != game)
            second, (again, _) = await finished(room, ada, bo)
        assert first.fair is not None
        assert second.fair is not None
        assert first.fair.words == ("tea 0", "kadabra", "")
        assert second.fair.words == ("tea 1", "", "")
        assert first.fair.commit != second.fair.commit
        assert mine.is_proven
        assert again.is_proven


@pytest.mark.parametrize("has_revealed", [False, True], ids=["before", "after a word"])
async def test_a_restart_during_the_draw_draws_nothing_again(
    tmp_path: Path, has_revealed: bool
) -> None:
    path = tmp_path / "t.sqlite3"
    async with open_room(path) as room:
        seats = await room.table(2, **THREE)
        async with all_in([room.player(one) for one in seats]) as (ada, bo):
            commit = known(ada).next_commit or ""
            for one, word in ((ada, "tea"), (bo, "moon")):
                await one.ask(p.SealWord(commit=commit, hash=word_hash(commit, word)))
            await bo.ask(p.Ready())
            await ada.ask(p.Start())
            if has_revealed:
                await bo.ask(p.RevealWord(word="moon"))
            before = await state_of(room, seats[0])
    assert before.draw is not None
    async with open_room(path, timeouts=Timeouts(reveal=0.3)) as room:
        assert await state_of(room, seats[0]) == before
        async with room.player(seats[0]) as ada:
            assert known(ada).draw is not None
            assert known(ada).next_commit == commit
            assert missing(ada) == ((0,) if has_revealed else (0, 1))
            await ada.ask(p.RevealWord(word="tea"))
            await ada.until(lambda me: me.snapshot is not None)
            proof = known(ada).fair
    assert proof is not None
    assert proof.commit == commit
    # Bo is not back: a word that was acknowledged is not lost, one that was not is replaced.
    assert proof.words == ("tea", "moon" if has_revealed else word_hash(commit, "moon"), "")


async def test_a_start_does_not_wait_for_a_player_who_is_not_connected(tmp_path: Path) -> None:
    async with open_room(tmp_path / "t.sqlite3", timeouts=Timeouts(reveal=60)) as room:
        seats = await room.table(2, **THREE)
        async with taking_part(room, seats[0], "tea") as ada:
            async with taking_part(room, seats[1], "moon"):
                await ada.until(lambda me: known(me).seats[1].has_word)
            await ada.until(lambda me: not known(me).seats[1].is_connected)
            await ada.start()
            assert words_of(ada) == ("tea 0", "", "")


async def test_the_hash_moves_with_its_player_and_stays_when_the_options_change(
    tmp_path: Path,
) -> None:
    async with open_room(tmp_path / "t.sqlite3") as room:
        seats = await room.table(2, seats=4, **SHORT)
        players = [taking_part(room, *one) for one in zip(seats, ("tea", "moon"), strict=True)]
        async with all_in(players) as (ada, bo):
            commit = known(ada).next_commit
            await bo.ask(p.Sit(seat=3))
            options = msgspec.structs.replace(known(ada).options, clock_s=30)
            await ada.ask(p.ChangeOptions(options=options))
            await ready_and_start([ada, bo], level="random")
            fair = known(ada).fair
            assert fair is not None
            assert (fair.commit, fair.words) == (commit, ("tea 0", "", "", "moon 0"))


async def test_a_word_of_a_player_who_joins_a_running_game_counts_for_no_game(
    tmp_path: Path,
) -> None:
    async with open_room(tmp_path / "t.sqlite3") as room:
        seats = await room.table(1, **{**THREE, "bots": ["random", "random"]})
        async with taking_part(room, seats[0], "tea") as ada:
            await ada.start()
            await room.elsewhere().join(seats[0].code, p.Join(name="Zoe", word="mine"))
            assert words_of(ada) == ("tea 0", "", "")
        assert all(place.word == "" for place in (await state_of(room, seats[0])).places)


async def test_players_who_leave_during_the_draw_do_not_hold_it_up(tmp_path: Path) -> None:
    """Nor does it end before someone is there: a spectator who takes a seat makes it go on."""
    async with open_room(tmp_path / "t.sqlite3", timeouts=Timeouts(reveal=0.2)) as room:
        seats = await room.table(1, **{**THREE, "bots": ["random", "random"]})
        zoe = Player(room.remote, seats[0].table, make_word=None)
        async with all_in([room.player(seats[0]), zoe]) as (ada, _):
            commit = known(ada).next_commit or ""
            await ada.ask(p.SealWord(commit=commit, hash=word_hash(commit, "tea")))
            await ada.ask(p.Start())
            await ada.ask(p.Leave())
            await asyncio.sleep(0.4)
            assert (await state_of(room, seats[0])).draw is not None
            await zoe.ask(p.TakeSeat(name="Zoe"))
            await zoe.until(lambda me: me.snapshot is not None)
            assert words_of(zoe) == (word_hash(commit, "tea"), "", "")


async def test_a_table_and_a_game_stored_before_there_were_hashes_go_on(tmp_path: Path) -> None:
    """Their rows are made to look like those of an older version, which had none of the new fields."""
    path = tmp_path / "t.sqlite3"
    async with open_room(path) as room:
        (seat,) = await room.table(1, **{**THREE, "bots": ["random", "random"]})
        async with room.player(seat) as ada:
            await ada.start()
    with sqlite3.connect(path) as base:
        for table, column in (("tables", "state"), ("games", "setup")):
            ((key, text),) = base.execute(f"SELECT id, {column} FROM {table}").fetchall()
            row = json.loads(text)
            for place in row.get("places", ()):
                del place["word_hash"]
            row.pop("draw", None)
            row.pop("hashes", None)
            base.execute(f"UPDATE {table} SET {column} = ? WHERE id = ?", (json.dumps(row), key))
    async with open_room(path) as room, taking_part(room, seat, "tea") as ada:
        _, (verdict,) = await finished(room, ada)
        assert verdict == Verdict(problem=None, is_proven=False, deals=2)


@pytest.mark.parametrize("key", list(PRESETS))
@pytest.mark.parametrize("players", [3, 4, 5, 6])
def test_the_first_deal_follows_from_secret_and_words(key: str, players: int) -> None:
    """The referee deals by docs/record.md alone, and comes to the same cards."""
    random = Random(f"{key}/{players}")
    secret, rules = random.randbytes(32).hex(), PRESETS[key].rules
    words = tuple(random.choice(["", "tea", "Tee ☕", random_word("x")]) for _ in range(players))
    dealer = first_dealer(secret, words)
    setup = Setup(
        rules=rules,
        names=tuple("ABCDEF"[:players]),
        bots=(None,) * players,
        first_dealer=dealer,
        peoples=rules.seats(players),
        secret=secret,
        words=words,
    )
    line = json.loads(begun("g", setup, fair_dealing).live.record())
    table = dataclasses.replace(checked_table(line), secret=bytes.fromhex(secret))
    hands, turned_up = fair_deal(table, 1, dealer)
    assert [set(hand) for hand in line["rounds"][0]["hands"]] == hands
    assert line["rounds"][0]["turned_up"] == turned_up


# A server that cheats.  The record is legal each time: only someone who was there can tell.


async def test_a_client_notices_a_server_that_cheats(tmp_path: Path) -> None:
    async with open_room(tmp_path / "t.sqlite3") as room:
        texts, players = [], []
        for name in ("a", "b"):
            seats = await room.table(1, **{**THREE, "bots": ["random", "random"]})
            async with taking_part(room, seats[0], name) as ada:
                await ada.start()
                await played(ada)
                texts.append(await room.remote.record(known(ada).game or ""))
                players.append(ada)
        honest, other = texts
        witness = players[0].witness
        sealed = witness._sealed
        assert sealed is not None
        assert witness.verdict(honest).is_proven
        assert _code(witness.verdict(other)) == "commit"  # another secret
        sealed.commit = json.loads(other)["fair"]["commit"]
        assert _code(witness.verdict(other)) == "draw"  # other hashes
        proof = json.loads(other)["fair"]
        hashes, words = tuple(proof["hashes"]), tuple(proof["words"])
        closed = p.Draw(commit=proof["commit"], hashes=hashes, words=("", "", ""), missing=())
        sealed.draw = closed
        assert _code(witness.verdict(other)) == "ignored"  # another word
        sealed.word = words[0]
        assert _code(witness.verdict(other)) == "seen"  # other cards
        broken = honest.replace('"secret":"', '"secret":"00')
        assert _code(players[0].witness.verdict(broken)) == "record"


def _code(verdict: Verdict) -> str | None:
    return None if verdict.problem is None else verdict.problem.code


def test_a_word_is_not_for_a_game_that_began_later() -> None:
    """A client that was disconnected for a whole game raises no false alarm about the next one."""
    for games_played, is_kept in ((0, True), (1, False)):
        witness = Witness(lambda: "tea")
        gathering = a_table(next_commit="c" * 64)
        witness.reply(gathering, 0)
        witness.reply(a_table(phase="playing", games_played=games_played), 0)
        witness.see(p.Snapshot(game="g", number=0, view=view(new_game(Rules(), "ABC"), 0)))
        assert (witness._sealed is not None) == is_kept


def test_a_second_secret_after_a_word_was_revealed_is_noticed() -> None:
    for games_played, is_second in ((0, True), (1, False)):
        witness = Witness(lambda: "tea")
        first, second = "c" * 64, "d" * 64
        witness.reply(a_table(next_commit=first), 0)
        hashes = (word_hash(first, "tea"), None, None)
        draw = p.Draw(commit=first, hashes=hashes, words=("",) * 3, missing=(0,))
        assert witness.reply(a_table(next_commit=first, draw=draw), 0) == p.RevealWord(word="tea")
        witness.reply(a_table(next_commit=second, games_played=games_played), 0)
        witness.reply(a_table(phase="playing", games_played=games_played), 0)
        witness.see(p.Snapshot(game="g", number=0, view=view(new_game(Rules(), "ABC"), 0)))
        problem = witness._problem_of_words(Proof(second, ("tea", "", "")))
        assert (None if problem is None else problem.code) == ("second" if is_second else None)


def a_table(**given: Any) -> p.Table:
    seats = tuple(p.Seat(seat=seat, kind="person") for seat in range(3))
    plain: dict[str, Any] = {"id": "T", "code": "", "phase": "gathering", "host": 0, "game": None}
    plain |= {"options": p.TableOptions(), "seats": seats, "spectators": 0, "fair": None}
    return p.Table(**{**plain, "are_spectators_muted": False, **given})
