"""Runs one step of the set-up and shows what it is doing, how far it is and how long it has taken.

    python show_progress.py "Installing the packages" [--lock requirements.lock] [--show] -- COMMAND

In a terminal one line is kept up to date; elsewhere, as in the log of a CI run, a new line is written every two
seconds.  The command's own output is shown at the end with --show, and always if it fails.  The Makefile calls this
before anything is installed, so it needs nothing but Python itself.
"""

import contextlib
import re
import shutil
import subprocess
import sys
import threading
import time

QUICK, SLOW = 0.2, 2.0  # seconds between two states, in a terminal and elsewhere


class Step:
    """A command at work.  With a lock, `total` is the number of packages that pip goes through."""

    def __init__(self, command: list[str], total: int) -> None:
        self.total = total
        self.count = 0
        self.doing = ""
        self.output: list[str] = []
        self._process = subprocess.Popen(
            command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, errors="replace"
        )
        self._reader = threading.Thread(target=self._read, daemon=True)
        self._reader.start()

    def _read(self) -> None:
        assert self._process.stdout is not None
        for line in self._process.stdout:
            self.output.append(line)
            if re.match(r"(Collecting|Requirement already|Ignoring) ", line):
                self.count += 1
            if line.strip() and not line.lstrip().startswith("Stored in directory"):
                self.doing = _plain(line)

    def is_running(self, seconds: float) -> bool:
        """Waits for the end, but no longer than this."""
        with contextlib.suppress(subprocess.TimeoutExpired):
            self._process.wait(seconds)
            return False
        return True

    def status(self) -> int:
        self._reader.join()
        return self._process.wait()

    def state(self) -> str:
        if self.doing.startswith("Installing collected packages"):
            return "unpacking"
        far = f"{min(self.count, self.total)} of {self.total} · " if self.total else ""
        return far + (self.doing or "working")


def _plain(line: str) -> str:
    """A line without colours, and without what pip adds about the lock."""
    return re.sub(r"\x1b\[[0-9;]*[A-Za-z]| \(from -r .*", "", line).strip()


def packages(lock: str) -> int:
    with open(lock, encoding="utf-8") as lines:
        return sum("==" in line for line in lines)


def _rewrite(text: str, end: str = "") -> None:
    if sys.stdout.isatty():
        width = shutil.get_terminal_size().columns - 1
        print(f"\r\x1b[K{text[:width]}", end=end, flush=True)
    else:
        print(text[:100], flush=True)


def run(title: str, command: list[str], total: int, *, is_shown: bool) -> int:
    began = time.monotonic()
    pause = QUICK if sys.stdout.isatty() else SLOW
    print(title, flush=True)
    step = Step(command, total)
    while step.is_running(pause):
        _rewrite(f"  {time.monotonic() - began:.0f} s  {step.state()}")
    status = step.status()
    if status:
        _rewrite(f"  failed after {time.monotonic() - began:.0f} s:", end="\n")
    else:
        _rewrite(f"  done in {time.monotonic() - began:.0f} s", end="\n")
    if status or is_shown:
        sys.stdout.writelines(step.output)
    return status


def main() -> int:
    split = sys.argv.index("--")
    title, *options = sys.argv[1:split]
    total = packages(options[1]) if options[:1] == ["--lock"] else 0
    try:
        return run(title, sys.argv[split + 1 :], total, is_shown="--show" in options)
    except KeyboardInterrupt:
        return 130  # the command has had its own Ctrl-C


if __name__ == "__main__":
    sys.exit(main())
