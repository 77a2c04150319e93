"""Measures the first choice of each level in a new process, with the native library and without, on busy cores.

    python bench/first_choice.py [--times 3]

The time of a choice includes loading the kernel and making the tables of the rules.  As many other processes as there
are cores run all the while.  The first number is the largest time by the clock.  The second is the largest CPU time,
which other programs on the machine change little.
"""

import argparse
import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager

from foretell.bots import LEVELS
from foretell.deals import seeded
from foretell.engine import awaited_seats, deal, new_game, to_json, view
from foretell.kernel import BACKEND
from foretell.rules import Rules

CHOOSE = """
import sys, time
from random import Random
from foretell.bots import bot
from foretell.engine import from_json
seen = from_json(sys.stdin.buffer.read())
began, worked = time.perf_counter(), time.process_time()
bot(sys.argv[1]).choose(seen, Random(3))
print(time.perf_counter() - began, time.process_time() - worked)
"""
ROUNDS = (
    ("8 cards, 3 players", 8, 3),
    ("15 cards, 4 players", 15, 4),
    ("20 cards, 3 players", 20, 3),
)


@contextmanager
def busy_cores() -> Iterator[None]:
    """As many processes as there are cores, all at work."""
    spin = [sys.executable, "-c", "while True: pass"]
    running = [subprocess.Popen(spin) for _ in range(os.cpu_count() or 1)]
    try:
        yield
    finally:
        for one in running:
            one.kill()
            one.wait()


def first_bid(cards: int, players: int) -> bytes:
    game = new_game(Rules(rounds=(cards,)), ["x"] * players)
    game, _ = deal(game, seeded(1)(game))
    return to_json(view(game, awaited_seats(game)[0]))


def seconds(level: str, seen: bytes, backend: str) -> tuple[float, float]:
    """The time of a choice by the clock, and its CPU time."""
    done = subprocess.run(
        [sys.executable, "-c", CHOOSE, level],
        input=seen,
        env=os.environ | {"FORETELL_KERNEL": backend},
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        check=True,
    )
    clock, worked = map(float, done.stdout.split())
    return clock, worked


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--times", type=int, default=3)
    times = options.parse_args().times
    print("The first bid, in seconds".ljust(30) + "".join(name.rjust(13) for name in LEVELS))
    with busy_cores():
        for backend in ["native", "python"] if BACKEND == "native" else ["python"]:
            for what, cards, players in ROUNDS:
                seen = first_bid(cards, players)
                row = f"{backend}, {what}".ljust(30)
                for level in LEVELS:
                    took = [seconds(level, seen, backend) for _ in range(times)]
                    clock, worked = (max(column) for column in zip(*took, strict=True))
                    row += f"{clock:.2f} / {worked:.2f}".rjust(13)
                print(row, flush=True)


if __name__ == "__main__":
    main()
