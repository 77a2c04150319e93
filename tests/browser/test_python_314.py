"""Tests that need no socket and no compiler also pass on Python 3.14: on the page's own Python, run by Node."""

import json
import os
import re
import shutil
import subprocess
from pathlib import Path

import pytest

from proofs import TIMES

ROOT = Path(__file__).parents[2]
PYODIDE = ROOT / "web" / "node_modules" / "pyodide"
WHEELS = sorted((ROOT / ".cache" / "engine").glob("msgspec-*.whl"))
PACKAGES = ("pytest", "_pytest", "pluggy", "iniconfig", "packaging", "pygments", "click")

# There are no threads, processes and sockets; and these packages are compiled, for another Python.
UNFIT = re.compile(
    "hypothesis|from drawn|anyio|asyncio|playwright|litestar|numpy|measuring_envs|numba|torch|duckdb|subprocess|multiprocessing"
    "|concurrent|ctypes|native|import resource|socket|from web|from server"
)
# It reads texts that are nested so deeply that they end WebAssembly, whose stack is JavaScript's. The page does not send
# any (`record-file.svelte.ts`).
UNPLAYABLE = "not test_what_is_no_json_object_is_refused"
RULES = ("rulebook", "variants")
EVERYTHING = (
    *RULES,
    "golden",
    "record",
    "agreement",
    "bots",
    "handbook",
    "i18n",
    "kernel",
    "perft",
    "properties",
    "referee",
    "samplers",
    "scorepad",
)
# The tests of the rules alone are quick; the others play many games.
FOLDERS, LEAST = (RULES, 150) if TIMES == 1 else (EVERYTHING, 1000)


def fit(folder: str) -> list[str]:
    """The tests in this folder that need nothing but the package."""
    return [
        path.relative_to(ROOT).as_posix()
        for path in sorted((ROOT / "tests" / folder).glob("test_*.py"))
        if not UNFIT.search(path.read_text(encoding="utf-8"))
    ]


@pytest.mark.prove
@pytest.mark.skipif(
    not (PYODIDE.exists() and WHEELS and shutil.which("node")),
    reason="there is no Node, or no engine",
)
def test_the_package_holds_its_rules_on_python_314(tmp_path: Path) -> None:
    packages = Path(pytest.__file__).parents[1]
    for name in PACKAGES:
        shutil.copytree(packages / name, tmp_path / name, ignore=shutil.ignore_patterns("*.pyc"))
    shutil.copy(packages / "py.py", tmp_path)
    script = Path(__file__).with_name("python_314.mjs")
    files = [file for folder in FOLDERS for file in fit(folder)]
    # The counts of `make prove` are for compiled code: here the tests are more, not longer.
    environment = {key: value for key, value in os.environ.items() if key != "FORETELL_PROVE"}
    done = subprocess.run(
        [
            "node",
            str(script),
            str(ROOT),
            str(tmp_path),
            str(WHEELS[-1]),
            json.dumps(["-k", UNPLAYABLE, *files]),
        ],
        capture_output=True,
        text=True,
        check=False,
        env={**environment, "NO_COLOR": "1"},
    )
    told = done.stdout[-3000:] + done.stderr[-3000:]
    assert done.returncode == 0, told
    assert "Python 3.14" in done.stdout, told
    passed = re.search(r"(\d+) passed", done.stdout)
    assert passed is not None, told
    print(passed[0])
    assert int(passed[1]) >= LEAST, told
