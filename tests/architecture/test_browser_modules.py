"""What a browser runs needs nothing that a browser does not have: no threads, sockets, SQL, web framework or compiler."""

import os
import subprocess
import sys
from pathlib import Path

TESTS = Path(__file__).parents[1]
SOURCE = TESTS.parent / "src"

# Everything that is installed besides msgspec, and the modules of ours that need it.
BLOCKED = [
    "alembic",
    "anyio",
    "click",
    "ctypes",
    "h11",
    "httptools",
    "litestar",
    "multiprocessing",
    "numba",
    "numpy",
    "platformdirs",
    "prometheus_client",
    "segno",
    "sqlalchemy",
    "sqlite3",
    "structlog",
    "uvicorn",
    "uvloop",
    "websockets",
    "concurrent.futures.thread",
    "foretell.arena",
    "foretell.client",
    "foretell.commands",
    "foretell.server.bot_threads",
    "foretell.server.fair_threads",
    "foretell.server.network",
    "foretell.terminal",
]

# A whole game, its record and its review, in a process where nothing else can be imported and no thread can start.
PROGRAM = """
import asyncio, importlib.abc, sys, threading

class Blocked(importlib.abc.MetaPathFinder):
    def find_spec(self, name, path=None, target=None):
        if any(name == one or name.startswith(one + ".") for one in BLOCKED):
            raise ImportError(f"a browser has no {name}")

def refused(*_):
    raise RuntimeError("a browser has no threads")

sys.meta_path.insert(0, Blocked())
threading.Thread.start = refused

from browser.alone import PlainHost, started
from foretell.bots import LEVELS, bot

for level in LEVELS:
    bot(level)

async def main():
    rules = {"rulebook": "pt-BR", "rounds": [1]}
    alone, _, _ = await started(PlainHost(), {"rules": rules, "bots": ["skilled"] * 3})
    game = await alone.play()
    assert await alone.ask("GET", f"/api/games/{game}/record")
    print("played")

asyncio.run(main())
"""


def test_a_game_without_anything_that_a_browser_does_not_have() -> None:
    program = f"BLOCKED = {BLOCKED!r}\n{PROGRAM}"
    done = subprocess.run(
        [sys.executable, "-c", program],
        env={
            "PYTHONPATH": f"{TESTS}{os.pathsep}{SOURCE}",
            "FORETELL_KERNEL": "python",
            "PYTHONSAFEPATH": "1",
        },
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.stdout == "played\n", done.stderr
