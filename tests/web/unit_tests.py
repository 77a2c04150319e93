"""Runs one of the page's unit tests from Python, with a file of cases that Python has made."""

import os
import shutil
import subprocess
from pathlib import Path

import pytest

__all__ = ["run_unit_test"]

WEB = Path(__file__).parents[2] / "web"


def run_unit_test(name: str, variable: str, cases: Path) -> None:
    """Runs `web/test/NAME`, which finds the cases by the variable.  Fails with its output; skips without npm."""
    npx = shutil.which("npx")
    if npx is None or not (WEB / "node_modules").exists():
        if os.environ.get("CI"):
            pytest.fail("there is no npm")
        pytest.skip("there is no npm")
    done = subprocess.run(
        [npx, "vitest", "run", f"test/{name}"],
        cwd=WEB,
        env={**os.environ, variable: str(cases)},
        capture_output=True,
        text=True,
        check=False,
        timeout=300,
    )
    assert done.returncode == 0, done.stdout + done.stderr
