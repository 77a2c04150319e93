"""The page's unit tests and type check, which need no browser."""

import os
import shutil
import subprocess
from pathlib import Path

import pytest

WEB = Path(__file__).parents[2] / "web"


@pytest.mark.parametrize("script", ["test", "check"])
def test_the_page_holds_what_it_promises_by_itself(script: str) -> None:
    npm = shutil.which("npm")
    if npm is None or not (WEB / "node_modules").exists():
        why = "there is no npm, or the page was built elsewhere: `cd web && npm ci`"
        if os.environ.get("CI"):
            pytest.fail(why)
        pytest.skip(why)
    done = subprocess.run(
        [npm, "run", script], cwd=WEB, capture_output=True, text=True, check=False, timeout=300
    )
    assert done.returncode == 0, done.stdout + done.stderr
