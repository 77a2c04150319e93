"""Games as tables: the same games as in records, the same bytes from any worker, read at once by DuckDB and Polars."""

import re
from dataclasses import replace
from pathlib import Path
from typing import Any

import duckdb
import polars
import pyarrow.parquet as pq
import pytest
from click.testing import CliRunner

from foretell.bots.simple.counting import kernel_words
from foretell.cards import SPECIALS
from foretell.cli import main
from foretell.datasets import Chunk, chunks_of, is_written, write_chunk, written
from foretell.datasets.chunks import FORMAT
from foretell.datasets.columns import TABLES
from foretell.datasets.engine_tables import tables_of_games
from foretell.datasets.kernel_tables import tables_of_noted
from foretell.kernel import PLAIN, RANDOM, compile_rules
from foretell.kernel.bulk.noted_games import note_games
from foretell.kernel.bulk.recorded_games import played_game
from foretell.rules import Rules
from foretell.rules.presets import preset
from proofs import TIMES

DOCS = Path(__file__).parents[2] / "docs" / "data.md"
RULES = {
    "the base game": (Rules(), 4),
    "five players, plus/minus one": (Rules(plus_minus_one=True), 5),
    "the French rule, secret bids": (preset("fr", bids="secret"), 3),
    "unicolor": (Rules(unicolor=True), 4),
    "foresight": (Rules(foresight="every_round"), 6),
    "all special cards": (Rules(specials=tuple(SPECIALS)), 4),
    "all special cards, hidden bids, a short game": (
        Rules(specials=tuple(SPECIALS), bids="hidden", rounds=(2, 5, 9)),
        3,
    ),
}


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Tables of 60 games with all special cards."""
    made = tmp_path_factory.mktemp("tables")
    rules = Rules(specials=tuple(SPECIALS))
    assert list(written(iter([Chunk(rules, 4, "counting", 5, 0, 60)]), made))
    return made


@pytest.mark.prove
@pytest.mark.parametrize("name", RULES)
@pytest.mark.parametrize("policy", [RANDOM, PLAIN])
def test_the_kernels_tables_are_those_of_the_same_games_as_records(name: str, policy: int) -> None:
    """Two ways to the same columns: noted while the kernel plays, and taken from the engine's games."""
    rules, players = RULES[name]
    tables, first, count = compile_rules(rules, players), 3, 12 * TIMES
    words, policies = kernel_words(tables), [policy] * players
    noted = note_games(tables, first, count, seed=8, policies=policies, words=words)
    games = [
        (number, played_game(tables, number, seed=8, policies=policies, words=words))
        for number in range(first, first + count)
    ]
    from_kernel, from_engine = tables_of_noted(noted, "b"), tables_of_games(games, "b")
    assert from_kernel.keys() == from_engine.keys() == TABLES.keys()
    for table, schema in TABLES.items():
        assert from_kernel[table].schema == from_engine[table].schema == schema
        # A Juggler's pass is made in the order of the seats in records, and in that of the leads in the kernel.
        rows, others = (
            sorted(map(repr, one[table].to_pylist()))
            if table == "passes"
            else one[table].to_pylist()
            for one in (from_kernel, from_engine)
        )
        assert rows == others, table
    assert len(from_kernel["plays"]) > 100
    assert bool(len(from_kernel["passes"])) is bool(rules.specials)


def asked_of_duckdb(query: str) -> list[Any]:
    found = duckdb.sql(query)
    assert found is not None
    return found.fetchall()


def test_duckdb_reads_the_tables(folder: Path) -> None:
    """The points of a game are those of its rounds, and every trick has as many cards as players."""
    differing = asked_of_duckdb(
        f"""
        select g.game from '{folder}/games/*.parquet' g
        join (select game, seat, sum(points)::int as points from '{folder}/bids/*.parquet'
              group by game, seat) b using (game)
        where g.points[b.seat + 1] != b.points
        """
    )
    assert differing == []
    sizes = asked_of_duckdb(
        f"""
        select distinct count(*), sum(takes::int) from '{folder}/plays/*.parquet'
        group by game, round, trick
        """
    )
    assert {cards for cards, _ in sizes} == {4}
    assert {taken for _, taken in sizes} == {0, 1}  # X5: nobody takes a bombed trick
    (games,) = asked_of_duckdb(f"select count(*) from '{folder}/games/*.parquet'")
    assert games == (60,)


def test_polars_reads_the_tables(folder: Path) -> None:
    plays = polars.read_parquet(folder / "plays" / "*.parquet")
    bids = polars.read_parquet(folder / "bids" / "*.parquet")
    taken = plays.filter(polars.col("takes")).group_by("game", "round", "seat").len()
    joined = bids.join(taken, on=["game", "round", "seat"], how="left").fill_null(0)
    assert (joined["tricks"] == joined["len"]).all()
    assert plays.filter(polars.col("card") == "Z")["is_trump"].any() is False
    assert plays["card"].cast(polars.String).str.starts_with("JUGGLER:").any()


def test_a_chunk_is_the_same_whoever_writes_it(tmp_path: Path) -> None:
    """One worker, several, or one that comes late: every file is the same, byte for byte."""
    chunks = [
        replace(chunk, first=part * 20, count=20)
        for chunk in chunks_of(Rules(), 3, "counting", 9, 20)
        for part in range(4)
    ]
    one, many = tmp_path / "one", tmp_path / "many"
    for chunk in reversed(chunks):
        write_chunk(chunk, one)
    assert list(written(iter(chunks), many)) == chunks
    write_chunk(chunks[2], many)
    files = [path.relative_to(one) for path in sorted(one.rglob("*")) if path.is_file()]
    assert len(files) == 4 * len(TABLES)
    assert files == [path.relative_to(many) for path in sorted(many.rglob("*")) if path.is_file()]
    for file in files:
        assert (one / file).read_bytes() == (many / file).read_bytes()


def test_chunks_hold_every_game_once() -> None:
    chunks = list(chunks_of(Rules(), 4, "random", 1, 12_345))
    assert [chunk.first for chunk in chunks] == [0, 5_000, 10_000]
    assert sum(chunk.count for chunk in chunks) == 12_345


def test_a_file_says_what_was_played(folder: Path) -> None:
    said = pq.read_schema(next((folder / "plays").iterdir())).metadata
    assert said[b"format"].decode() == FORMAT
    assert b"JUGGLER" in said[b"rules"]
    assert (said[b"bot"], said[b"seed"], said[b"players"]) == (b"counting", b"5", b"4")


def test_the_page_describes_every_column() -> None:
    described: dict[str, list[str]] = {}
    table = ""
    for line in DOCS.read_text(encoding="utf-8").splitlines():
        if found := re.match(r"## `(\w+)`", line):
            table = found[1]
        elif table and (found := re.match(r"\| `(\w+)` \| (\w[\w ()]*) \|", line)):
            described.setdefault(table, []).append(found[1])
    assert described == {name: list(schema.names) for name, schema in TABLES.items()}


def simulated(*options: str) -> Any:
    return CliRunner().invoke(main, ["--lang", "en", "simulate", *options])


def test_simulate_writes_tables_of_any_bot(tmp_path: Path) -> None:
    """A level plays on the engine; its games are those of the records with the same seed."""
    asked = [
        "--games",
        "2",
        "--players",
        "3",
        "--rounds",
        "1,2,3",
        "--bot",
        "master",
        "--seed",
        "4",
    ]
    assert simulated(*asked, "--format", "parquet", "--out", str(tmp_path / "t")).exit_code == 0
    assert simulated(*asked, "--out", str(tmp_path / "r.jsonl")).exit_code == 0
    from foretell.record import loads

    records = [loads(line) for line in (tmp_path / "r.jsonl").read_text().splitlines()]
    points = polars.read_parquet(tmp_path / "t" / "games" / "*.parquet")["points"].to_list()
    assert points == [list(record.game.score) for record in records]


def test_simulate_refuses_a_folder_with_tables_and_standard_output(tmp_path: Path) -> None:
    asked = ["--games", "1", "--rounds", "1", "--format", "parquet"]
    assert "--out" in simulated(*asked).output
    assert simulated(*asked, "--out", str(tmp_path / "t")).exit_code == 0
    again = simulated(*asked, "--out", str(tmp_path / "t"))
    assert again.exit_code == 1
    assert "already has tables" in again.output


def test_without_the_library_simulate_says_what_to_install(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("foretell.commands.tables_of_games.find_spec", lambda _name: None)
    refused = simulated("--format", "parquet", "--out", str(tmp_path / "t"))
    assert refused.exit_code == 1
    assert "foretell[data]" in refused.output


def test_several_processes_and_a_later_start_write_the_same_files(tmp_path: Path) -> None:
    """--resume writes what is missing, and does it with as many processes as wanted."""
    one, many = tmp_path / "one", tmp_path / "many"
    asked = ["--games", "120", "--rounds", "1,2", "--bot", "beginner", "--format", "parquet"]
    assert simulated(*asked, "--out", str(one)).exit_code == 0
    assert simulated(*asked, "--out", str(many), "--processes", "2").exit_code == 0
    files = sorted(path.relative_to(one) for path in one.rglob("*.parquet"))
    assert len(files) == 3 * len(TABLES)
    lost = many / "plays" / "000000050.parquet"
    before = {file: (many / file).stat().st_mtime_ns for file in files}
    lost.unlink()
    assert simulated(*asked, "--out", str(many), "--resume").exit_code == 0
    for file in files:
        assert (one / file).read_bytes() == (many / file).read_bytes()
        assert (before[file] == (many / file).stat().st_mtime_ns) is (file.stem != lost.stem)


def test_a_file_of_other_games_is_written_again(tmp_path: Path) -> None:
    chunk = Chunk(Rules(), 3, "random", 1, 0, 5)
    write_chunk(chunk, tmp_path)
    assert is_written(chunk, tmp_path)
    assert not is_written(replace(chunk, seed=2), tmp_path)
    assert not is_written(replace(chunk, count=6), tmp_path)
