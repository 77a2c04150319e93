"""Every field of a View is declared once, and a View and the server's snapshots are both made of the declarations."""

import os
import shutil
import subprocess
import sys
from itertools import pairwise
from pathlib import Path
from random import Random

import pytest

from foretell.engine import Game, view
from foretell.engine.view import RoundView, View
from foretell.engine.view_fields import GAME_FIELDS, ROUND_FIELDS, Change, change_between
from foretell.rules import Rules
from tables import every_rules, setup_by_lot

SOURCE = Path(__file__).parents[2] / "src" / "foretell"


def test_every_field_is_declared_exactly_once() -> None:
    assert sorted([*(one.name for one in GAME_FIELDS), "now"]) == sorted(View.__struct_fields__)
    assert sorted(one.name for one in ROUND_FIELDS) == sorted(RoundView.__struct_fields__)


def test_a_field_has_a_value_for_everyone_or_for_some_seats() -> None:
    for one in (*GAME_FIELDS, *ROUND_FIELDS):
        assert one.public is not None or one.own is not None, one.name


def told(game: Game, seat: int | None) -> dict[str, object]:
    seen = view(game, seat)
    found = {f"view.{one.name}": getattr(seen, one.name) for one in GAME_FIELDS}
    return found | {f"now.{one.name}": getattr(seen.now, one.name) for one in ROUND_FIELDS}


CHANGES = {f"view.{one.name}": one.changes_with for one in GAME_FIELDS} | {
    f"now.{one.name}": one.changes_with for one in ROUND_FIELDS
}


@pytest.mark.parametrize("part", range(8))
@pytest.mark.prove
def test_a_field_changes_only_with_what_its_declaration_names(part: int) -> None:
    """From one moment to the next, and to any later one: what a writer would leave as it was, is as it was."""
    random, seen = Random(part), dict.fromkeys(Change, 0)
    for number, rules in enumerate(every_rules()[part::8]):
        games = [game for game in setup_by_lot(8 * number + part, rules).course() if game.rounds]
        leaps = [tuple(random.sample(games, 2)) for _ in games[2:]]
        for was, now in (*pairwise(games), *leaps):
            change = change_between(was, now)
            seen[change] += 1
            for seat in (None, random.randrange(now.seats)):
                before, after = told(was, seat), told(now, seat)
                differing = {name for name in before if before[name] != after[name]}
                assert all(CHANGES[name] <= change for name in differing), (change, differing)
    assert all(count > 10 for count in seen.values()), seen


def test_every_kind_of_change_has_fields_that_only_it_changes() -> None:
    assert set(CHANGES.values()) == set(Change)


# Two lines for a field, one in the struct and one declaration, and no other edit.

IN_STRUCT = "    made_up: int\n    own_secret: tuple[Card, ...] | None\n"
DECLARED = """
    Field("made_up", Change.CARD, lambda moment: sum(map(len, moment.now.hands))),
    Field("own_secret", Change.CARD, own=lambda moment, seat: moment.now.hands[seat][:1]),
"""
COMPARE = """
from random import Random
from foretell.deals import given, seeded
from foretell.engine import act, awaited_seats, deal, legal_actions, new_game, view
from foretell.rules import Rules
from foretell.server.game.live_game import at
from foretell.server.table.snapshots import SnapshotWriter
from foretell.server.wire import protocol as p

random, dealing, writer = Random(1), seeded(1), SnapshotWriter()
game = new_game(Rules(rounds=(2, 3)), ("Ada", "Bo", "Cy"))
while not game.is_over:
    if game.awaits_deal:
        game, _ = deal(game, dealing(game))
    texts = writer.snapshots(at("id", None, given(()), game, 0), (None, 0, 1, 2), (), ())
    for seat, text in texts.items():
        seen = view(game, seat)
        assert seen.now.made_up == sum(map(len, game.now.hands))
        assert seen.now.own_secret == (None if seat is None else game.now.hands[seat][:1])
        assert text == p.write(p.Snapshot(game="id", number=0, view=seen))
        assert b'"made_up":' in text and b'"own_secret":' in text
    seat = awaited_seats(game)[0]
    game, _ = act(game, seat, random.choice(legal_actions(game, seat)))
"""


def run_with(folder: Path, *, declared: bool) -> "subprocess.CompletedProcess[str]":
    """The game with two more fields in a RoundView, in a copy of the package."""
    shutil.copytree(
        SOURCE, folder / "foretell", ignore=shutil.ignore_patterns("__pycache__", "static")
    )
    edits = {"view.py": ("    number: int\n", IN_STRUCT)}
    if declared:
        edits["view_fields.py"] = ("ROUND_FIELDS = (", DECLARED)
    for name, (after, more) in edits.items():
        file = folder / "foretell" / "engine" / name
        text = file.read_text(encoding="utf-8")
        assert text.count(after) == 1
        file.write_text(text.replace(after, after + more), encoding="utf-8")
    return subprocess.run(
        [sys.executable, "-c", COMPARE],
        env={**os.environ, "PYTHONPATH": str(folder)},
        capture_output=True,
        text=True,
        check=False,
    )


def test_a_declared_field_reaches_views_and_snapshots_without_another_edit(tmp_path: Path) -> None:
    ran = run_with(tmp_path, declared=True)
    assert ran.returncode == 0, ran.stderr


def test_a_field_that_is_not_declared_keeps_the_engine_from_starting(tmp_path: Path) -> None:
    ran = run_with(tmp_path, declared=False)
    assert ran.returncode != 0
    assert "RoundView has other fields than those declared" in ran.stderr


def test_before_the_first_deal_there_is_no_round() -> None:
    seen = view(setup_by_lot(1, Rules()).start(), 0)
    assert (seen.now, seen.phase, seen.decision, seen.legal) == (None, "deal", None, ())
