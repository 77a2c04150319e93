"""`foretell simulate` and `foretell bench` as a person calls them."""

import json
from importlib.util import find_spec
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from foretell.cli import main
from foretell.commands import measuring_envs
from foretell.commands.bench import told, told_environments
from foretell.commands.measuring import Turn
from foretell.kernel import BACKEND

NEEDED = ("players", "round")


def run(*words: str | Path) -> Result:
    return CliRunner().invoke(main, [str(word) for word in words])


def test_statistics_without_records() -> None:
    done = run("simulate", "--games", "120", "--stats", "--seed", "3", "--rounds", "1,2,5")
    assert done.exit_code == 0, done.output
    assert not any(line.startswith("{") for line in done.stdout.splitlines())
    lines = done.stdout.splitlines()
    assert lines[0] == "120 games"
    rows = [line.split() for line in lines if line[:1].isdecimal() and "%" in line]
    assert [row[0] for row in rows] == ["1", "2", "5"]
    wins = next(line.split()[1:] for line in lines if line.startswith("Wins"))
    assert sum(float(share.rstrip("%")) for share in wins) == pytest.approx(100, abs=0.3)


def test_statistics_of_the_records_written(tmp_path: Path) -> None:
    out = tmp_path / "games.jsonl"
    words = ("simulate", "--games", "30", "--players", "3", "--specials", "all", "--seed", "9")
    with_records = run(*words, "--stats", "--out", out)
    assert with_records.exit_code == 0, with_records.output
    assert run("check", out).exit_code == 0
    games = [json.loads(line) for line in out.read_text("utf-8").splitlines()]
    assert len(games) == 30
    # The same games are added up with and without records.
    assert run(*words, "--stats").stdout == with_records.stdout
    mean = sum(game["rounds"][-1]["totals"][1] for game in games) / 30
    points = next(x.split() for x in with_records.stdout.splitlines() if x.startswith("Points a"))
    assert float(points[4].replace("−", "-")) == pytest.approx(mean, abs=0.06)


def test_pictures(tmp_path: Path) -> None:
    pytest.importorskip("matplotlib")
    folder = tmp_path / "deep" / "plots"
    done = run("simulate", "--games", "20", "--rounds", "1,2", "--plots", folder)
    assert done.exit_code == 0, done.output
    names = {path.name for path in folder.iterdir()}
    assert names == {"bids-met.svg", "points.svg", "trumps.svg"}
    assert all(path.read_text("utf-8").lstrip().startswith("<?xml") for path in folder.iterdir())


def test_the_bench_prints_what_it_has_measured() -> None:
    done = run("bench", "--seconds", "0.01", "--json")
    assert done.exit_code == 0, done.output
    found = json.loads(done.stdout)
    assert any("decisions/s" in line for line in told(found))
    for key in ("engine", "kernel_step", "kernel_loop", "kernel_loop_specials", "redealt_10_half"):
        assert found["rates"][key]["a_second"] > 0
    assert found["ratios"]["specials_to_base"] > 0
    assert {row["by"] for row in found["growth"]} == set(NEEDED)
    assert found["cores"][0]["cores"] == 1


def test_the_bench_of_environments_prints_what_it_has_measured() -> None:
    done = run("bench", "envs", "--seconds", "0.01", "--json")
    assert done.exit_code == 0, done.output
    found = json.loads(done.stdout)
    for key, _, _ in measuring_envs.RULE_SETS:
        assert found["rates"][key]["a_second"] > 0
    assert found["ratios"]["envs_many"] == 1
    lines = list(told_environments(found))
    assert sum("decisions/s" in line for line in lines) == len(found["rates"])
    assert all(any(name in line for line in lines) for name in found["missing"])
    for why in found["skipped"].values():
        assert any(line.endswith(f"could not be measured: {why}") for line in lines)
    if find_spec("pyspiel"):
        # Both loops, and the one that no observation stops.
        assert {"pyspiel:kuhn_poker", "pyspiel_cpp:kuhn_poker"} <= found["rates"].keys()
        assert "pyspiel_cpp:tarok" in found["rates"]
        assert found["skipped"]["pyspiel:tarok"] == "ValueError: tarok has no observations"


@pytest.mark.skipif(find_spec("pyspiel") is None, reason="OpenSpiel is not installed")
def test_openspiel_s_own_loop_counts_the_decisions_and_not_the_cards_dealt() -> None:
    """In kuhn poker at random: two decisions, and a third one in every fourth game."""
    mean = measuring_envs.decisions_in_a_game(measuring_envs._played_in_cpp("kuhn_poker"))
    assert mean == pytest.approx(2.25, abs=0.1)
    assert measuring_envs._open_spiel_in_cpp("kuhn_poker")() == pytest.approx(100, abs=2)


def test_a_game_that_a_library_lacks_is_named_with_the_reason() -> None:
    skipped: dict[str, str] = {}

    def of_nothing(name: str) -> Turn:
        raise LookupError(f"no game is called {name}\nand more lines")

    assert measuring_envs._begun(of_nothing, "patience", "pyspiel:patience", skipped) is None
    assert skipped == {"pyspiel:patience": "LookupError: no game is called patience"}


@pytest.mark.parametrize("name", measuring_envs.RLCARD)
def test_a_game_of_rlcard_is_played(name: str) -> None:
    if find_spec("rlcard") is None:
        pytest.skip("RLCard is not installed")
    assert measuring_envs._rlcard(name)() == measuring_envs.DECISIONS


def test_the_bench_measures_another_backend_in_turns() -> None:
    done = run("bench", "--seconds", "0.01", "--beside", BACKEND, "--json")
    assert done.exit_code == 0, done.output
    found = json.loads(done.stdout)
    assert "engine" not in found["beside"]
    assert set(found["beside"]) < set(found["rates"])
    for key in ("kernel_loop", "redealt_10_half", "choice_champion"):
        assert found["beside"][key]["a_second"] > 0
    assert any("other backend" in line for line in told(found))
