"""Runs Python scripts on the engine of the page, in Node."""

import os
import shutil
import subprocess
from pathlib import Path
from typing import NoReturn

import pytest

__all__ = ["ENGINE", "ROOT", "missing", "run_on_engine"]

ROOT = Path(__file__).parents[2]
ENGINE = ROOT / "src" / "foretell" / "server" / "static" / "engine"


def missing(why: str) -> NoReturn:
    if os.environ.get("CI"):
        pytest.fail(why)
    pytest.skip(why)


def run_on_engine(script: Path) -> str:
    """What the script prints."""
    node = shutil.which("node")
    if node is None:
        missing("there is no Node: the engine is not run")
    if not (ENGINE / "engine.json").exists():
        missing("the engine is not built: run `python hatch_build.py`, or `make test`")
    run = ROOT / "web" / "engine" / "run.mjs"
    done = subprocess.run(
        [node, str(run), str(ENGINE), str(ROOT / "src"), str(script)],
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout[-3000:] + done.stderr
    return done.stdout
