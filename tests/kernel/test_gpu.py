"""The kernel on a GPU: the same games as on the processor.  Where there is no GPU, a C compiler reads the same file."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from foretell.commands import bench
from foretell.commands.bench import told
from foretell.commands.measuring import ALL_SPECIALS, BASE
from foretell.commands.measuring_gpu import (
    GpuDiffers,
    GpuFails,
    check,
    gpu_rates,
    has_gpu,
    played,
    played_here,
    program,
)
from foretell.kernel.state.tables import compile_rules
from foretell.rules import Rules


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    compiler = shutil.which("cc")
    if compiler is None:
        pytest.skip("no C compiler here")
    return program(tmp_path_factory.mktemp("gpu"), [compiler, "-O1", "-w", "-fwrapv"])


@pytest.mark.parametrize(
    ("rules", "players"),
    [(BASE, 4), (ALL_SPECIALS, 6), (Rules(unicolor=True), 3), (Rules("fr", bids="secret"), 5)],
    ids=["base", "all special cards", "unicolor", "French, secret bids"],
)
def test_it_plays_the_games_that_the_processor_plays(
    made: Path, rules: Rules, players: int
) -> None:
    check(made, compile_rules(rules, players))


def test_other_games_would_be_noticed(made: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("foretell.commands.measuring_gpu._SEED", 2)
    with pytest.raises(GpuDiffers):
        check(made, compile_rules(BASE, 4))


def test_other_cards_would_be_noticed_where_there_are_as_many_decisions(
    made: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("foretell.commands.measuring_gpu._CHECKED_THREADS", 1)
    tables = compile_rules(Rules(rounds=(1,)), 3)
    check(made, tables)
    monkeypatch.setattr("foretell.commands.measuring_gpu._SEED", 2)
    assert played(made, tables, 1, 2).decisions == played_here(tables, 1, 2)[0]
    with pytest.raises(GpuDiffers):
        check(made, tables)


def test_every_thread_has_games_of_its_own(made: Path) -> None:
    tables = compile_rules(BASE, 4)
    assert played(made, tables, 10, 6).decisions == played(made, tables, 60, 1).decisions


def test_a_compiler_that_fails_is_a_line_not_the_end(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    compiler = tmp_path / "nvcc"
    compiler.write_text(
        "#!/bin/sh\necho >&2 \"nvcc fatal   : Value 'native' is not defined\"\nexit 1\n"
    )
    compiler.chmod(0o755)
    asked = tmp_path / "nvidia-smi"
    asked.write_text("#!/bin/sh\necho 'GPU 0: a GPU'\n")
    asked.chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path}:{os.environ['PATH']}")
    assert has_gpu()
    assert bench._gpu() == {
        "failed": "It could not be measured: nvcc: nvcc fatal   : Value 'native' is not defined"
    }


@pytest.mark.skipif(sys.platform != "linux", reason="limits memory as Linux does")
def test_too_little_memory_is_a_line_not_the_end(made: Path, tmp_path: Path) -> None:
    limited = tmp_path / "games"
    limited.write_text(f'#!/bin/sh\nulimit -v 100000\nexec {made} "$@"\n')
    limited.chmod(0o755)
    with pytest.raises(GpuFails, match="games: out of memory"):
        played(limited, compile_rules(BASE, 4), 1 << 17, 1)


def test_a_compiler_that_is_not_there_is_told(tmp_path: Path) -> None:
    with pytest.raises(GpuFails, match="no-such-compiler"):
        program(tmp_path, [str(tmp_path / "no-such-compiler")])


def test_nvcc_compiles_it(made: Path) -> None:
    if shutil.which("nvcc") is None:
        pytest.skip("no nvcc here")
    source = made.with_name("games.c")
    compiled = ["nvcc", "-O0", "-arch=sm_90", "-w", "-x", "cu", "-c", str(source)]
    subprocess.run([*compiled, "-o", str(made.with_name("games.o"))], check=True)


def test_a_gpu_that_is_here_is_measured() -> None:
    if not has_gpu():
        pytest.skip("no GPU here")
    assert [one.key for one in gpu_rates()] == ["gpu_loop", "gpu_loop_specials"]


FOUND = {
    "machine": {},
    "rates": {
        key: {"a_second": 5e7, "unit": "decisions"}
        for key in ("kernel_loop", "kernel_loop_specials")
    },
    "beside": {},
    "ratios": {},
    "growth": [],
    "batches": [],
    "cores": [{"cores": 1, "decisions_a_second": 5e7}],
}


def test_the_line_of_a_gpu_says_how_many_cores_it_is_worth() -> None:
    lines = list(told(FOUND | {"gpu": {"rates": {"gpu_loop": 2e9}}}))
    assert [line.split()[-5:] for line in lines if "2000 M" in line] == [
        ["2000", "M", "decisions/s", "40.00", "×"]
    ]
    assert not any("GPU" in line for line in told(FOUND | {"gpu": {}}))


def test_what_went_wrong_on_a_gpu_stands_in_place_of_its_lines() -> None:
    lines = list(told(FOUND | {"gpu": {"failed": "It could not be measured: too old"}}))
    assert "  It could not be measured: too old" in lines
