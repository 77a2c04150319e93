"""The steps of the set-up: each says what it is doing, and a step that fails shows everything."""

import os
import pty
import subprocess
import sys
from pathlib import Path

import pytest

PROGRAM = str(Path(__file__).parents[2] / "show_progress.py")


def step(*words: str) -> "subprocess.CompletedProcess[str]":
    command = [sys.executable, PROGRAM, "Doing it", *words]
    return subprocess.run(command, capture_output=True, text=True, check=False)


def python(code: str) -> list[str]:
    return ["--", sys.executable, "-c", code]


def test_a_quick_step_is_two_lines() -> None:
    done = step(*python("print('noise')"))
    assert (done.returncode, done.stdout) == (0, "Doing it\n  done in 0 s\n")


def test_what_a_step_says_can_be_shown_at_its_end() -> None:
    done = step("--show", *python("print('news')"))
    assert done.stdout == "Doing it\n  done in 0 s\nnews\n"


def test_a_step_that_fails_shows_what_it_wrote_and_fails_too() -> None:
    done = step(*python("print('because'); raise SystemExit(3)"))
    assert done.returncode == 3
    assert done.stdout.splitlines() == ["Doing it", "  failed after 0 s:", "because"]


def test_a_silent_step_is_not_silent_for_more_than_two_seconds() -> None:
    code = "import time; print('half-way', flush=True); time.sleep(5)"
    with subprocess.Popen(
        [sys.executable, PROGRAM, "Doing it", *python(code)], stdout=subprocess.PIPE, text=True
    ) as process:
        assert process.stdout is not None
        lines = list(process.stdout)
    assert len(lines) >= 4  # the title, two states, the end
    assert lines[1].split()[2:] == ["half-way"]


def test_a_lock_says_how_far_pip_is(tmp_path: Path) -> None:
    lock = tmp_path / "lock"
    lock.write_text("a==1 \\\n    --hash=sha256:0\nb==2\nc==3\n")
    code = (
        "import time; print('Collecting a==1 (from -r lock (line 1))')\n"
        "print('Ignoring b: markers do not match', flush=True); time.sleep(2.5)"
    )
    done = step("--lock", str(lock), *python(code))
    assert "  2 s  2 of 3 · Ignoring b: markers do not match" in done.stdout.splitlines()


@pytest.mark.skipif(sys.platform == "win32", reason="there are no pseudo-terminals")
def test_in_a_terminal_one_line_is_kept_up_to_date() -> None:
    above, below = pty.openpty()
    command = [sys.executable, PROGRAM, "Doing it", *python("import time; time.sleep(1)")]
    process = subprocess.Popen(command, stdout=below)
    process.wait()
    os.close(below)
    shown = os.read(above, 10_000).decode()
    os.close(above)
    assert shown.count("\n") == 2
    assert shown.count("\r\x1b[K") >= 3
