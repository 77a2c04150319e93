"""The command line, called as people and scripts call it."""

import json
import subprocess
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from foretell.bots import BOTS
from foretell.cli import COMMANDS, main
from foretell.rules.presets import PRESETS
from referee import check as referee_check

CONFORMANCE = Path(__file__).parent.parent / "conformance"


def _run(*words: str | Path, color: bool = False) -> Result:
    return CliRunner().invoke(main, [str(word) for word in words], color=color)


def test_check_accepts_good_games_and_says_how_many() -> None:
    done = _run("check", CONFORMANCE / "valid.jsonl")
    assert done.exit_code == 0
    assert "122 games: 122 good, 0 refused." in done.output


def test_check_as_json_is_one_object_a_game(tmp_path: Path) -> None:
    case = json.loads((CONFORMANCE / "invalid.jsonl").read_text("utf-8").splitlines()[4])
    file = tmp_path / "two.jsonl"
    good = (CONFORMANCE / "valid.jsonl").read_text("utf-8").splitlines()[0]
    file.write_text(f"{json.dumps(case['record'])}\n\n{good}\n", "utf-8")
    done = _run("check", "--json", file)
    bad, fine = map(json.loads, done.output.splitlines())
    assert done.exit_code == 1
    assert list(bad) == ["file", "line", "ok", "rule", "round", "trick", "message"]
    assert (bad["file"], bad["line"], bad["ok"]) == (str(file), 1, False)
    assert (bad["round"], bad["trick"]) == (case.get("round"), case.get("trick"))
    assert bad["rule"] in bad["message"]
    message = {"rule": None, "round": None, "trick": None, "message": None}
    assert fine == {"file": str(file), "line": 3, "ok": True, **message}


def test_check_of_a_file_that_is_not_there_says_so(tmp_path: Path) -> None:
    done = _run("check", tmp_path / "none.jsonl")
    assert done.exit_code == 1
    assert done.output.startswith(f"{tmp_path / 'none.jsonl'} cannot be read")


SIMULATIONS = [
    ["--players", "3", "--rulebook", "pt-PT"],
    ["--players", "4", "--rulebook", "es", "--plus-minus-one"],
    ["--players", "5", "--rulebook", "hu", "--bids", "hidden", "--foresight", "every_round"],
    ["--players", "3", "--rulebook", "hu", "--unicolor", "--bids", "secret"],
    ["--players", "6", "--rulebook", "pt-BR", "--specials", "all", "--bids", "secret"],
    ["--players", "4", "--rulebook", "pt-BR", "--specials", "JUGGLER,cloud", "--plus-minus-one"],
    ["--players", "4", "--rulebook", "pt-BR", "--foresight", "first_round"],
    ["--players", "4", "--rulebook", "fr", "--rounds", "1,3,15"],
    ["--players", "4", "--rulebook", "es", "--wizards-on-trump", "barred"],
]


@pytest.mark.parametrize("name", ["random", "counting"])
@pytest.mark.parametrize("words", SIMULATIONS, ids=" ".join)
def test_simulated_games_hold_before_the_referee_and_repeat(
    words: list[str], name: str, tmp_path: Path
) -> None:
    out, again = tmp_path / "a.jsonl", tmp_path / "b.jsonl"
    for file in (out, again):
        done = _run("simulate", "--games", "2", "--bot", name, "--seed", "5", "--out", file, *words)
        assert done.exit_code == 0, done.output
    assert out.read_bytes() == again.read_bytes()
    assert _run("check", out).exit_code == 0
    games = [json.loads(line) for line in out.read_text("utf-8").splitlines()]
    assert len(games) == 2
    assert games[0] != games[1]
    for game in games:
        referee_check(game)


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (["--players", "7"], "D1"),
        (["--players", "5", "--unicolor"], "V6"),
        (["--bids", "secret", "--plus-minus-one"], "plus/minus one (V1)"),
        (["--rulebook", "fr", "--specials", "all"], "F2"),
        (["--specials", "DRAGON"], "C4"),
        (["--specials", "UNICORN"], "C4"),
        (["--rounds", "3,1"], "D6"),
        (["--rounds", "x"], "D6"),
        (["--rounds", "1,16"], "D6"),
    ],
)
def test_a_table_that_cannot_be_is_refused_by_its_rules(words: list[str], says: str) -> None:
    done = _run("simulate", *words)
    assert done.exit_code != 0
    assert says in done.output
    assert "Traceback" not in done.output


def test_simulate_into_a_folder_that_is_not_there_says_so(tmp_path: Path) -> None:
    done = _run("simulate", "--rounds", "1", "--out", tmp_path / "none" / "x.jsonl")
    assert done.exit_code == 1
    assert "cannot be written" in done.output


def test_replay_tells_the_game_and_shows_the_sheet(tmp_path: Path) -> None:
    out = tmp_path / "a.jsonl"
    _run(
        "simulate",
        "--games",
        "2",
        "--players",
        "3",
        "--rulebook",
        "pt-BR",
        "--specials",
        "all",
        "--out",
        out,
    )
    done = _run("replay", "--line", "2", out)
    assert done.exit_code == 0
    assert done.output.count("cards to each") == 19
    assert "bid met" in done.output
    assert "wins" in done.output or "share" in done.output
    assert _run("replay", "--line", "3", out).exit_code == 1


def test_replay_of_every_unfinished_game_works(tmp_path: Path) -> None:
    lines = (CONFORMANCE / "unfinished.jsonl").read_text("utf-8").splitlines()
    for number in range(1, len(lines) + 1):
        done = _run("replay", "--line", str(number), CONFORMANCE / "unfinished.jsonl")
        assert done.exit_code == 0, done.output
        # one stops after its very last trick, which leaves nothing to decide but the points
        assert "not finished" in done.output or "wins." in done.output


def test_rules_lists_every_rulebook_and_what_excludes_what() -> None:
    done = _run("rules")
    assert done.exit_code == 0
    lines = done.output.splitlines()
    for book in PRESETS:
        assert any(line.startswith(f"  {book} ") for line in lines), book
    for word in ("V1", "V6", "F1", "not with", "SHAPESHIFTER"):
        assert word in done.output


def test_rules_explains_one_rule_or_one_section() -> None:
    done = _run("rules", "p3")
    assert done.exit_code == 0
    assert done.output.startswith("Playing a trick\n")
    assert "(P3)" in done.output
    assert all(len(line) <= 80 for line in done.output.splitlines())
    assert _run("rules", "X8").output == _run("rules", "cloud").output
    assert "pli" in _run("--lang", "fr", "rules", "P3").output
    unknown = _run("rules", "P99")
    assert unknown.exit_code == 1
    assert "neither the id of a rule" in unknown.output
    assert "plus_minus_one" in unknown.output


def test_help_imports_nothing_heavy() -> None:
    """So `foretell --help` answers at once; bench/startup.py measures it."""
    code = "import sys, foretell.cli; print(*sys.modules)"
    loaded = subprocess.run(
        [sys.executable, "-c", code], check=True, capture_output=True, text=True
    ).stdout.split()
    assert "foretell.cli" in loaded
    for heavy in ("numpy", "numba", "litestar", "sqlalchemy", "msgspec", "foretell.engine"):
        assert heavy not in loaded


def test_every_command_has_help() -> None:
    listed = _run("--help").output
    for name in COMMANDS:
        assert f"\n  {name} " in listed
        done = _run(name, "--help")
        assert done.exit_code == 0, done.output
        assert f"main {name} " in done.output


def test_a_game_is_chosen_by_the_line_that_check_names(tmp_path: Path) -> None:
    one, two = (CONFORMANCE / "valid.jsonl").read_text("utf-8").splitlines()[:2]
    file = tmp_path / "gaps.jsonl"
    file.write_bytes(f"\r\n{one}\r\n\n{two}".encode())
    found = [json.loads(line) for line in _run("check", "--json", file).output.splitlines()]
    assert [(game["line"], game["ok"]) for game in found] == [(2, True), (4, True)]
    first, other = _run("replay", file), _run("replay", "--line", "4", file)
    assert first.output == _run("replay", "--line", "2", file).output != other.output
    assert "The file has 2 games" in first.stderr
    for command in ("replay", "review"):
        gone = _run(command, "--line", "3", file)
        assert gone.exit_code == 1
        assert "no game on line 3: the last one is on line 4" in gone.output


@pytest.mark.parametrize("command", ["replay", "review"])
def test_a_file_without_a_game_is_told_so(command: str, tmp_path: Path) -> None:
    file = tmp_path / "empty.jsonl"
    file.write_text("\n\n", "utf-8")
    done = _run(command, file)
    assert done.exit_code == 1
    assert "holds no game" in done.output


def test_a_record_from_anyone_cannot_paint_the_screen(tmp_path: Path) -> None:
    game = json.loads((CONFORMANCE / "valid.jsonl").read_text("utf-8").splitlines()[0])
    game["players"][0]["name"] = "\x1b[2JEve\u202e"
    file = tmp_path / "painted.jsonl"
    file.write_text(json.dumps(game), "utf-8")
    told = _run("replay", file, color=True)  # without colour Click removes such codes itself
    assert told.exit_code == 0
    assert "Eve" in told.output
    game["rounds"][0]["turned_up"] = "\x1b[2J"
    file.write_text(json.dumps(game), "utf-8")
    for done in (told, _run("check", file, color=True), _run("replay", file, color=True)):
        assert "\x1b" not in done.output
        assert "\u202e" not in done.output


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (["--counts", "x"], "numbers of players with commas between them, not: x"),
        (["--counts", "3,7"], "D1"),
        (["random", "counting", "--counts", "3,4"], "2 different levels are named"),
        (["--counts", "3", "--folder", __file__ + "/in"], "cannot be written"),
    ],
)
def test_a_ladder_that_cannot_be_is_refused_at_once(words: list[str], says: str) -> None:
    done = _run("arena", "ladder", *words)
    assert done.exit_code in (1, 2)
    assert says in done.output
    assert "Traceback" not in done.output


def test_help_of_bot_tells_what_each_bot_is() -> None:
    told = _run("bot", "--help").output
    for name in BOTS:
        assert f"\n  {name} " in told


def test_results_that_cannot_be_kept_are_told_so(tmp_path: Path) -> None:
    done = _run("arena", "--games", "1", "--rounds", "1", "--out", tmp_path / "no" / "x", "random")
    assert done.exit_code == 1
    assert "cannot be written" in done.output


def test_a_copy_that_cannot_be_made_is_told_so(tmp_path: Path) -> None:
    (tmp_path / "foretell.sqlite3").touch()
    done = _run("serve", "--data", tmp_path, "--backup", tmp_path / "no" / "copy.sqlite3")
    assert done.exit_code == 1
    assert "copy.sqlite3 cannot be written" in done.output


def test_a_folder_that_is_none_is_named(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    done = _run("serve", "--data", tmp_path / "file", "--port", "0", "--no-browser")
    assert done.exit_code == 1
    assert f"{tmp_path / 'file'}: " in done.output
