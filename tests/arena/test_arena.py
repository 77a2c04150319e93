"""The arena: duplicate deals, intervals, other programs as players, and matches that are continued."""

import json
import shutil
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import CliRunner

from foretell.arena import Match, Standing, run_match, standings
from foretell.arena.ladder import Rung, climb, plot, rungs, table
from foretell.arena.run import bootstrap
from foretell.cli import main
from foretell.errors import NotAGame, Unreadable
from foretell.rules import Rules
from foretell.workers import ONE_PROCESS, Workers

Program = Callable[[str], str]
SHORT = Rules(rounds=(1, 2, 3))

TWELVE_LINES = """
import json, sys
for line in sys.stdin:
    view = json.loads(line)
    actions = view["legal"]
    print(json.dumps({"action": actions[0]}), flush=True)
"""


@pytest.fixture
def program(tmp_path: Path) -> Program:
    def written(source: str) -> str:
        file = tmp_path / "player.py"
        file.write_text(source, encoding="utf-8")
        return f"exec:{sys.executable} {file}"

    return written


def match(*entrants: str, sets: int = 3, limit: float = 5.0) -> Match:
    return Match(rules=SHORT, entrants=entrants, sets=sets, seed=4, limit=limit)


def standing(first: str, *, sets: int = 3) -> Standing:
    """The standing of the first player against two that play at random."""
    played = match(first, "random", "random", sets=sets)
    return standings(played, run_match(played, workers=ONE_PROCESS))[0]


def documented(language: str, word: str) -> str:
    """The program in the documentation that is in this language and contains this word."""
    text = (Path(__file__).parents[2] / "docs" / "bots.md").read_text(encoding="utf-8")
    parts = [part.split("```")[0] for part in text.split(f"```{language}\n")[1:]]
    return next(part for part in parts if word in part)


def test_every_deal_is_played_once_for_every_seating() -> None:
    results = run_match(match("counting", "random", "random"), workers=ONE_PROCESS)
    assert [(one.number, one.turn) for one in results] == [
        (s, t) for s in range(3) for t in range(3)
    ]


def test_the_same_players_everywhere_have_no_margin() -> None:
    played = match("counting", "counting", "counting")
    (one,) = standings(played, run_match(played, workers=ONE_PROCESS))
    assert one.margin.mean == pytest.approx(0)
    assert one.wins.mean == pytest.approx(1 / 3)
    assert one.seats == 3


def test_a_match_does_not_depend_on_the_processes() -> None:
    def told(processes: int) -> list[object]:
        results = run_match(match("counting", "random", "random"), workers=Workers(processes))
        return [(one.points, one.wins, one.met) for one in results]

    assert told(1) == told(2)


def test_a_match_is_continued_where_it_was_interrupted(tmp_path: Path) -> None:
    file = tmp_path / "match.jsonl"
    run_match(match("counting", "random", "random", sets=2), workers=ONE_PROCESS, file=file)
    with file.open("ab") as log:
        log.write(b'[{"number": 2, "tu')  # cut short by a crash
    steps: list[int] = []
    again = run_match(
        match("counting", "random", "random", sets=4),
        workers=ONE_PROCESS,
        file=file,
        done=steps.append,
    )
    assert steps == [2, 1, 1]
    whole = run_match(match("counting", "random", "random", sets=4), workers=ONE_PROCESS)
    assert [one.points for one in again] == [one.points for one in whole]
    with pytest.raises(NotAGame):
        run_match(match("random", "counting", "random"), workers=ONE_PROCESS, file=file)


def test_a_program_plays_and_is_asked_in_json(program: Program) -> None:
    first = standing(program(TWELVE_LINES))
    assert first.faults == {}
    assert first.games == 9


@pytest.mark.parametrize(
    ("source", "fault"),
    [
        ("raise SystemExit('out of ideas')", "crash"),
        ("import time; time.sleep(9)", "silence"),
        ("import sys\nfor line in sys.stdin: print('R5', flush=True)", "nonsense"),
        (
            'import sys\nfor line in sys.stdin: print(\'{"action": "bid 19"}\', flush=True)',
            "illegal",
        ),
    ],
)
def test_a_fault_of_a_program_is_reported_and_replaced_by_a_random_action(
    program: Program, source: str, fault: str
) -> None:
    rules = Rules(rounds=(1,))
    played = Match(rules=rules, entrants=(program(source), "random", "random"), sets=1, limit=0.3)
    first, _ = standings(played, run_match(played, workers=ONE_PROCESS))
    assert set(first.faults) == {fault}
    assert first.games == 3
    if fault == "crash":
        assert "out of ideas" in first.told[fault]


def test_a_command_that_is_not_there_is_a_crash() -> None:
    assert set(standing("exec:no-such-program-at-all", sets=1).faults) == {"crash"}


@pytest.mark.skipif(shutil.which("node") is None, reason="needs Node")
def test_the_bot_of_the_documentation_in_another_language(tmp_path: Path) -> None:
    file = tmp_path / "player.mjs"
    file.write_text(documented("javascript", "JSON.parse"), encoding="utf-8")
    assert standing(f"exec:node {file}").faults == {}


def test_the_bot_of_the_documentation_in_twelve_lines(program: Program) -> None:
    source = documented("python", "json.loads")
    assert len(source.strip().splitlines()) <= 12
    first = standing(program(source))
    assert first.faults == {}
    assert first.margin.mean > 0


def test_foretell_bot_speaks_to_the_arena() -> None:
    outside = standing(f"exec:{sys.executable} -m foretell bot counting", sets=2)
    assert outside.faults == {}
    assert outside.points == standing("counting", sets=2).points


def test_an_unreadable_question_is_answered_with_an_error() -> None:
    said = CliRunner().invoke(main, ["bot", "random"], input="what now?\n")
    assert "error" in json.loads(said.stdout)


def test_the_command_prints_margins_with_their_intervals() -> None:
    asked = "arena --players 3 --games 6 --rounds 1,2 --processes 1 counting random"
    said = CliRunner().invoke(main, asked)
    assert said.exit_code == 0, said.output
    assert "counting" in said.stdout
    assert "random × 2" in said.stdout
    told = CliRunner().invoke(main, f"{asked} --json")
    found = json.loads(told.stdout)
    assert found["games"] == 6
    assert found["standings"][0]["margin"]["low"] <= found["standings"][0]["margin"]["mean"]


def test_the_interval_holds_the_mean_and_narrows_with_more_sets() -> None:
    few, many = bootstrap([0.0, 10.0] * 5), bootstrap([0.0, 10.0] * 500)
    assert few.low < few.mean == many.mean < few.high
    assert many.high - many.low < few.high - few.low


def test_the_ladder_finds_the_true_differences() -> None:
    true = {"counting": 0.0, "strong": 100.0, "weak": -50.0}
    pairs = [(a, b, true[a] - true[b]) for a in true for b in true if a < b]
    found = {one.name: one.points.mean for one in rungs(list(true), 4, [pairs, pairs])}
    assert found == pytest.approx(true)


def test_the_ladder_is_climbed_and_drawn(tmp_path: Path) -> None:
    names = ["random", "counting", "skilled"]
    found: tuple[Rung, ...] = climb(SHORT, names, 3, sets=4, seed=1, workers=ONE_PROCESS)
    assert [one.name for one in found][-1] == "random"
    assert "| `counting` | +0" in table(found, names)
    assert plot(found, names).startswith("<svg")


@pytest.mark.parametrize("names", [("random", "counting"), ("random", "counting", "counting")])
def test_a_ladder_of_fewer_levels_than_seats_is_refused(names: tuple[str, ...]) -> None:
    with pytest.raises(Unreadable, match="2 different levels are named, but 3 players need"):
        climb(SHORT, names, 3, sets=1, seed=1, workers=ONE_PROCESS)


def test_a_ladder_is_refused_before_its_first_game(tmp_path: Path) -> None:
    """Three levels are enough for three players; but then four are asked for."""
    folder, file = tmp_path / "folder", tmp_path / "sets"
    asked = f"arena ladder random counting beginner --counts 3,4 --folder {folder} --out {file}"
    said = CliRunner().invoke(main, asked)
    assert said.exit_code == 1
    assert "3 different levels are named, but 4 players need" in said.output
    assert list(tmp_path.iterdir()) == []
