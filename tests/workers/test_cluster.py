"""`--cluster`, on a real Ray cluster of two nodes on this machine: the same results, whatever is lost."""

import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from foretell.cli import main
from foretell.errors import ForetellError
from foretell.workers import Workers, on_ray, results
from workers.pieces_for_tests import killed_once, refused, slow, square

ray = pytest.importorskip("ray", reason="there is no Ray for this platform")
pytestmark = pytest.mark.skipif(
    sys.platform != "linux", reason="two nodes on one machine need addresses besides 127.0.0.1"
)
ON_CLUSTER = Workers(is_cluster=True)
ROOT = Path(__file__).parents[2]


def node(address: str) -> dict[str, Any]:

    return {
        "node_ip_address": address,
        "num_cpus": 1,
        "include_dashboard": False,
        "object_store_memory": 100 * 2**20,
    }


@pytest.fixture(scope="module")
def cluster() -> Iterator[Any]:
    from ray.cluster_utils import Cluster

    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("RAY_USAGE_STATS_ENABLED", "0")
        patch.setenv("PYTHONPATH", str(ROOT / "tests"))  # the workers import their work from here
        made = Cluster(initialize_head=True, head_node_args=node("127.0.0.2"))
        try:
            made.add_node(**node("127.0.0.3"))
            patch.setenv("RAY_ADDRESS", made.address)
            yield made
        finally:
            if ray.is_initialized():
                ray.shutdown()
            made.shutdown()


@pytest.fixture(scope="module")
def connected(cluster: Any) -> None:
    """One connection for all tests after the first."""
    ray.init(address="auto", log_to_driver=False)


def foretell(*words: str | Path) -> str:
    done = CliRunner().invoke(main, [str(word) for word in words])
    assert done.exit_code == 0, done.output
    return done.output


def test_every_piece_is_done_once(cluster: Any) -> None:
    found = dict(results(square, range(50), ON_CLUSTER))
    assert found == {number: number * number for number in range(50)}
    assert not ray.is_initialized()  # it was connected for this work alone


def test_work_that_fails_says_why(connected: None) -> None:
    with pytest.raises(ValueError, match="no 0"):
        list(results(refused, [0], ON_CLUSTER))


def test_other_code_is_refused(connected: None, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(on_ray, "code_here", lambda: "another")
    with pytest.raises(ForetellError, match="another version of Foretell"):
        list(results(square, [1], ON_CLUSTER))


def test_what_a_killed_worker_had_is_done_again(connected: None, tmp_path: Path) -> None:
    pieces = [(number, str(tmp_path)) for number in range(8)]
    found = dict(results(killed_once, pieces, ON_CLUSTER))
    assert (tmp_path / "killed").exists()
    assert found == {number: number * number for number in range(8)}


def test_records_and_statistics_are_the_same(connected: None, tmp_path: Path) -> None:
    here, there = tmp_path / "here.jsonl", tmp_path / "there.jsonl"
    asked = ["simulate", "--games", "60", "--bot", "counting", "--seed", "5", "--stats"]
    assert foretell(*asked, "--out", here) == foretell(*asked, "--out", there, "--cluster")
    assert here.read_bytes() == there.read_bytes()
    cut = here.read_bytes()[:-40]  # interrupted, in the middle of a record
    there.write_bytes(cut)
    foretell(*asked, "--out", there, "--cluster", "--resume")
    assert here.read_bytes() == there.read_bytes()


def test_a_match_and_a_review_are_the_same(connected: None, tmp_path: Path) -> None:
    asked = ["arena", "counting", "random", "--players", "3", "--games", "12", "--rounds", "1,2"]
    foretell(*asked, "--processes", "1", "--out", tmp_path / "here")
    foretell(*asked, "--cluster", "--out", tmp_path / "there")
    assert points(tmp_path / "here") == points(tmp_path / "there")
    game = tmp_path / "game.jsonl"
    foretell("simulate", "--rounds", "2", "--players", "3", "--bot", "counting", "--out", game)
    asked = ["review", str(game), "--worlds", "4", "--json"]
    assert foretell(*asked) == foretell(*asked, "--cluster")


def contents(folder: Path) -> dict[str, bytes]:
    found = {
        path.relative_to(folder).as_posix(): path.read_bytes()
        for path in folder.rglob("*")
        if path.is_file()
    }
    assert found
    return found


def test_tables_are_the_same_byte_for_byte(
    connected: None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("foretell.datasets.chunks._GAMES", 10)
    here, there = tmp_path / "here", tmp_path / "there"
    asked = ["simulate", "--games", "35", "--bot", "counting", "--rounds", "1,2", "--seed", "5"]
    asked += ["--format", "parquet"]
    foretell(*asked, "--out", here)
    foretell(*asked, "--out", there, "--cluster")
    assert contents(there) == contents(here)
    assert len(list(there.glob("plays/*.parquet"))) == 4
    for lost in list(there.glob("*/*.parquet"))[::3]:
        lost.unlink()
    foretell(*asked, "--out", there, "--cluster", "--resume")
    assert contents(there) == contents(here)


def test_a_ladder_is_the_same(
    connected: None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    here, there = tmp_path / "here", tmp_path / "there"
    asked = ["arena", "ladder", "random", "counting", "casual", "--counts", "3", "--games", "6"]
    asked += ["--rounds", "1,2", "--seed", "1", "--folder"]
    foretell(*asked, here, "--processes", "1")
    foretell(*asked, there, "--cluster")
    assert contents(there) == contents(here)
    # And it was the cluster that played: one with other code refuses the work.
    monkeypatch.setattr(on_ray, "code_here", lambda: "another")
    refused = CliRunner().invoke(main, [*asked, str(there), "--cluster"])
    assert refused.exit_code != 0
    assert "another version of Foretell" in f"{refused.output} {refused.exception}"


def points(file: Path) -> list[tuple[int, int, tuple[int, ...]]]:
    """The points of every game in an arena's file; the seconds that they took differ."""
    from msgspec.json import decode

    from foretell.arena import GameResult

    sets = [
        decode(line, type=tuple[GameResult, ...]) for line in file.read_bytes().splitlines()[1:]
    ]
    return sorted((one.number, one.turn, one.points) for games in sets for one in games)


def test_what_a_lost_machine_had_is_done_again(connected: None, cluster: Any) -> None:
    """The last test: afterwards the cluster has one node less."""
    found: dict[int, int] = {}
    for place, result in results(slow, range(12), ON_CLUSTER):
        found[place] = result
        if len(found) == 2:
            cluster.remove_node(cluster.worker_nodes.copy().pop(), allow_graceful=False)
    assert found == {number: number * number for number in range(12)}
