"""What a newcomer's first command takes: nothing is compiled on their machine, and no cache has to be filled first."""

import json
import os
import resource
import subprocess
import sys
from pathlib import Path

import pytest

from foretell.deals import seeded
from foretell.engine import awaited_seats, deal, new_game, to_json, view
from foretell.kernel import BACKEND
from foretell.rules import Rules


def cpu_seconds(words: list[str], home: Path, said: bytes = b"") -> tuple[bytes, float]:
    """What the command writes, and the CPU time it takes, with an empty home and empty caches."""
    places = dict.fromkeys(("HOME", "XDG_CACHE_HOME", "NUMBA_CACHE_DIR", "TMPDIR"), str(home))
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    done = subprocess.run(
        [sys.executable, "-m", "foretell", *words],
        input=said,
        env=os.environ | places,
        check=True,
        stdout=subprocess.PIPE,
    )
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return done.stdout, after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


@pytest.mark.skipif(BACKEND != "native", reason="there is no native library")
def test_one_simulated_game_takes_less_than_a_second(tmp_path: Path) -> None:
    written, seconds = cpu_seconds(["simulate", "--games", "1"], tmp_path)
    assert json.loads(written)
    assert seconds < 1.0
    assert not list(tmp_path.iterdir())


@pytest.mark.skipif(BACKEND != "native", reason="there is no native library")
@pytest.mark.parametrize("name", ["casual", "champion"])
def test_a_bot_answers_its_first_question_at_once(tmp_path: Path, name: str) -> None:
    game = new_game(Rules(rounds=(12,)), ["a", "b", "c", "d"])
    game, _ = deal(game, seeded(3)(game))
    asked = to_json(view(game, awaited_seats(game)[0])) + b"\n"
    written, seconds = cpu_seconds(["bot", name], tmp_path, asked)
    assert json.loads(written)["action"]
    assert seconds < 1.0
