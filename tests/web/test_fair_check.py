"""The page's check of the deals agrees with Python's, on random games of every kind."""

import json
from pathlib import Path
from random import Random
from typing import Any

import msgspec
import pytest

from chance import chance
from foretell.client import Witness, random_word
from foretell.deals import commitment, word_hash
from foretell.engine import View, legal_actions, view
from foretell.rules import Rules
from foretell.server.game.live_game import LiveGame, begun, fair_dealing, first_dealer
from foretell.server.store.interface import Setup
from foretell.server.wire import protocol as p
from proofs import TIMES
from tables import head_counts, last_round, rules_by_lot, with_rounds
from web.unit_tests import run_unit_test

GAMES = 20 * TIMES


def game_by_lot(random: Random, number: int) -> dict[str, Any]:
    """A finished game with all that one of its players saw.  Python's own check accepts it."""
    rules = rules_by_lot(random)
    players = random.choice(list(head_counts(rules)))
    rules = with_rounds(rules, *_rounds(random, rules, players))
    seat, game = random.randrange(players), f"game {number}"
    secret = random.randbytes(32).hex()
    commit = commitment(bytes.fromhex(secret))
    witness = Witness(lambda: random_word(random.choice(["", "tea", "Tee ☕ für zwei"])))
    table = p.Table(
        id=f"table {number}",
        code="",
        phase="gathering",
        options=p.TableOptions(),
        host=None,
        seats=tuple(p.Seat(seat=one, kind="person") for one in range(players)),
        spectators=0,
        are_spectators_muted=False,
        game=None,
        fair=None,
        next_commit=commit,
    )
    sealed = witness.reply(table, seat)
    assert isinstance(sealed, p.SealWord)
    words = [random.choice(["", "moon", random_word("x")]) for _ in range(players)]
    hashes = [random.choice([None, word_hash(commit, word)]) for word in words]
    hashes[seat] = sealed.hash
    draw = p.Draw(
        commit=commit,
        hashes=tuple(hashes),
        words=tuple("" if one else word for one, word in zip(hashes, words, strict=True)),
        missing=(seat,),
    )
    revealed = witness.reply(msgspec.structs.replace(table, draw=draw), seat)
    assert isinstance(revealed, p.RevealWord)
    words[seat] = revealed.word
    is_accepted = random.random() < 0.8
    if is_accepted:
        witness.accepted(revealed)
    elif random.random() < 0.5:
        words[seat] = sealed.hash  # it came too late
    live = begun(game, _setup(rules, players, secret, words, hashes), fair_dealing).live
    record, views = _played(live, seat, random)
    for one in views:
        witness.see(p.Snapshot(game=game, number=0, view=one))
    verdict = witness.verdict(record)
    assert verdict.problem is None
    assert verdict.is_proven == (words[seat] != sealed.hash)
    kept: dict[str, Any] = {
        "table": table.id,
        "commit": commit,
        "word": revealed.word,
        "gamesPlayed": 0,
        "game": None,
    }
    kept |= {"isSecond": False, "seat": seat}
    kept |= {"draw": json.loads(p.write(draw)), "isAccepted": is_accepted}
    snapshots = [{"game": game, "view": json.loads(p.write(one))} for one in views]
    return {"record": json.loads(record), "sealed": kept, "snapshots": snapshots}


def _rounds(random: Random, rules: Rules, players: int) -> list[int]:
    return sorted(random.sample(range(1, last_round(rules, players) + 1), 2))


def _setup(
    rules: Rules, players: int, secret: str, words: list[str], hashes: list[str | None]
) -> Setup:
    return Setup(
        rules=rules,
        names=tuple("ABCDEF"[:players]),
        bots=(None,) * players,
        first_dealer=first_dealer(secret, words),
        peoples=rules.seats(players),
        secret=secret,
        words=tuple(words),
        hashes=tuple(hashes),
    )


def _played(live: LiveGame, seat: int, random: Random) -> tuple[str, list[View]]:
    """The record of the game, played to its end, and this seat's views when a trick or a phase had ended."""
    views = [view(live.game, seat)]
    while not live.game.is_over:
        actor = random.choice(live.awaited)
        chosen = random.choice(legal_actions(live.game, actor))
        for stage in live.after(actor, live.asked(actor) or "", str(chosen)):
            live = stage.live
            now = view(live.game, seat)
            if _progress(now) != _progress(views[-1]):
                views.append(now)
    return live.record(), views


def _progress(seen: View) -> tuple[str, int]:
    assert seen.now is not None
    return seen.phase, len(seen.now.tricks)


@pytest.mark.prove
def test_the_page_checks_deals_as_python_does(tmp_path: Path) -> None:
    random = chance()
    games = tmp_path / "games.json"
    games.write_text(json.dumps([game_by_lot(random, number) for number in range(GAMES)]))
    run_unit_test("fair.test.ts", "FORETELL_FAIR_GAMES", games)
