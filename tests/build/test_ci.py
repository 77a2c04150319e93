"""`.ci/run` skips nothing: where CI is set, a test that needs a missing program fails."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

RUN = Path(__file__).parents[2] / ".ci" / "run"

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="a shell script")


@pytest.mark.parametrize("given", [None, "yes"])
def test_every_step_is_told_that_this_is_ci(tmp_path: Path, given: str | None) -> None:
    (tmp_path / ".ci").mkdir()
    shutil.copy(RUN, tmp_path / ".ci")
    make = tmp_path / "make"  # in place of the real one, which takes minutes
    make.write_text('#!/bin/sh\necho "$* $CI"\n')
    make.chmod(0o755)
    environment = {name: one for name, one in os.environ.items() if name != "CI"}
    environment |= {"PATH": f"{tmp_path}:{environment['PATH']}"}
    environment |= {} if given is None else {"CI": given}
    command = ["bash", str(tmp_path / ".ci" / "run")]
    done = subprocess.run(command, env=environment, check=True, capture_output=True, text=True)
    said = given or "true"
    assert done.stdout.splitlines() == [f"programs {said}", f"check {said}", f"test {said}"]
