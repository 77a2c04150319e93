"""Measures the first minute of a newcomer: from an empty folder to the first trick in a real browser.

    python bench/first_minute.py [--level champion] [--no-library]

It clones this repository into a new folder, with an empty home and empty caches, and runs `make play` there.  It notes
when each step began and how long nothing was written.  Then a browser opens the page, presses "Play now" and plays to
the end of the first trick.  Last, it starts the server a second time.
"""

import argparse
import json
import os
import re
import shutil
import signal
import socket
import subprocess
import tempfile
import threading
import time
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

from playwright.sync_api import Page, WebSocket, sync_playwright

ROOT = Path(__file__).parents[1]
FOR_THE_PAGE = 30.0  # seconds


class Output:
    """What a program writes, with times."""

    def __init__(self, process: "subprocess.Popen[bytes]") -> None:
        self.began = self.last = time.monotonic()
        self.text = ""
        self.longest_silence = 0.0
        self.longest_after = ""
        self.steps: list[tuple[float, str]] = []
        self._process = process
        threading.Thread(target=self._read, daemon=True).start()

    def _read(self) -> None:
        assert self._process.stdout is not None
        while more := os.read(self._process.stdout.fileno(), 4096):
            now = time.monotonic()
            if now - self.last > self.longest_silence:
                self.longest_silence = now - self.last
                self.longest_after = self.text.rstrip().rpartition("\n")[2][:60]
            self.last = now
            text = more.decode(errors="replace")
            self.text += text
            for line in text.splitlines():
                if re.match(r"[A-Z]", line):
                    self.steps.append((now - self.began, line[:70]))

    def wait_for(self, pattern: str, seconds: float) -> "re.Match[str]":
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            if found := re.search(pattern, self.text):
                return found
            if self._process.poll() is not None:
                break
            time.sleep(0.02)
        raise SystemExit(f"`make play` did not get as far as {pattern}:\n{self.text}")


@contextmanager
def made_to_play(folder: Path, home: Path, port: int, env: dict[str, str]) -> Iterator[Output]:
    """`make play` in a checkout, as a person would run it, but without opening a browser."""
    process = subprocess.Popen(
        ["make", "play", f"ARGS=--no-browser --port {port} --data {home / 'data'}"],
        cwd=folder,
        env=env | {"HOME": str(home)},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        start_new_session=True,
    )
    try:
        yield Output(process)
    finally:
        with suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGTERM)
        process.wait()


class Game:
    """The snapshots that a page has received, with times."""

    def __init__(self, page: Page) -> None:
        self.snapshots: list[tuple[float, dict[str, Any]]] = []
        self.pause_s = 0.0
        page.on("websocket", self._listen)

    def _listen(self, line: WebSocket) -> None:
        line.on("framereceived", self._receive)

    def _receive(self, frame: str | bytes) -> None:
        message = json.loads(frame)
        if message["type"] == "snapshot":
            self.snapshots.append((time.monotonic(), message["view"]))
        found = re.search(r'"bot_pause_ms":(\d+)', str(frame))
        if found:
            self.pause_s = int(found[1]) / 1000

    def bots_choices(self) -> list[float]:
        """How long each choice of a bot took, besides its pause."""
        pairs = zip(self.snapshots, self.snapshots[1:], strict=False)
        return [
            max(0.0, now - before - self.pause_s)
            for (before, was), (now, _) in pairs
            if was["awaited"] and was["seat"] not in was["awaited"]
        ]

    def has_a_trick(self) -> bool:
        return any(view["now"]["tricks"] for _, view in self.snapshots)


def play(address: str, level: str | None) -> list[tuple[str, str]]:
    """Plays to the end of the first trick, and returns what was measured."""
    chromium = next(filter(None, map(shutil.which, ("chromium", "google-chrome"))), None)
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium, args=["--no-sandbox"])
        page = browser.new_page()
        if level:
            kept = json.dumps({"level": level})
            page.add_init_script(f"localStorage['foretell.game'] ??= {json.dumps(kept)}")
        game = Game(page)
        opened = time.monotonic()
        page.goto(address)
        page.get_by_role("button", name="Play now").wait_for()
        usable = time.monotonic()
        painted = page.evaluate(
            "performance.getEntriesByName('first-contentful-paint')[0].startTime"
        )
        page.get_by_role("button", name="Play now").click()
        began = time.monotonic()
        while not game.has_a_trick():
            page.locator(
                ".prompt [data-action]:enabled:not([aria-disabled=true]), .piece.hand.bright"
            ).first.wait_for()
            bids = page.locator(".prompt [data-action]:enabled:not([aria-disabled=true])")
            (bids if bids.count() else page.locator(".piece.hand.bright")).first.click()
            page.wait_for_timeout(300)
        ended = time.monotonic()
        browser.close()
    choices = game.bots_choices()
    return [
        ("first paint of the page", f"{painted / 1000:.2f} s"),
        ("page ready for a click", f"{usable - opened:.2f} s"),
        ("first choice of a bot, besides its pause", f"{choices[0]:.2f} s"),
        ("slowest choice of a bot, besides its pause", f"{max(choices):.2f} s"),
        ('"Play now" to the end of the first trick', f"{ended - began:.1f} s"),
    ]


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def answers(port: int) -> float:
    """Waits until the page is served, and returns when."""
    end = time.monotonic() + FOR_THE_PAGE
    while time.monotonic() < end:
        with suppress(OSError):
            urllib.request.urlopen(f"http://127.0.0.1:{port}/", timeout=1).read()
            return time.monotonic()
        time.sleep(0.02)
    raise SystemExit("the page was not served")


def size(folder: Path) -> float:
    files = (one for one in folder.rglob("*") if one.is_file() and not one.is_symlink())
    return sum(one.stat().st_size for one in files) / 1e6


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--level", help="the level of the bots; otherwise the page's own choice")
    options.add_argument("--no-library", action="store_true", help="run the kernel as plain Python")
    given = options.parse_args()
    env = dict(os.environ)
    for name in [name for name in env if name.startswith(("XDG_", "FORETELL_"))]:
        del env[name]
    if given.no_library:
        env["FORETELL_CC"] = "none"
    with tempfile.TemporaryDirectory() as temporary:
        folder, home, port = Path(temporary, "foretell"), Path(temporary, "home"), free_port()
        home.mkdir()
        subprocess.run(["git", "clone", "--quiet", ROOT, folder], check=True)
        with made_to_play(folder, home, port, env) as output:
            output.wait_for(rf"http://\S+:{port}", 600)
            ready = answers(port) - output.began
            print("From an empty folder, `make play`:")
            for seconds, line in output.steps:
                print(f"  {seconds:5.1f} s  {line}")
            rows = [
                ("nothing to the page", f"{ready:.1f} s"),
                ("longest silence", f"{output.longest_silence:.1f} s ({output.longest_after})"),
                *play(f"http://127.0.0.1:{port}/", given.level),
            ]
            is_stuck = "bot is stuck" in output.text
        port = free_port()  # the first server may still be about to stop
        with made_to_play(folder, home, port, env) as output:
            rows.append(("the second start to the page", f"{answers(port) - output.began:.1f} s"))
        rows.append(("installed in .venv", f"{size(folder / '.venv'):.0f} MB"))
    for what, value in rows:
        print(f"{what:45}{value}")
    if is_stuck:
        raise SystemExit("a bot was stuck")


if __name__ == "__main__":
    main()
