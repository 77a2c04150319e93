"""Measures another backend of the kernel beside this one: in a process of its own, in turns, within one run.

The child process makes the same measurements.  Each line that it reads is the number of a measurement and how long to
measure; each line that it writes is what was done, and the seconds of CPU time that it took.
"""

import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import IO

__all__ = ["Beside", "answer", "beside"]


@dataclass(frozen=True, slots=True)
class Beside:
    """One thing to measure in the child process."""

    key: str
    unit: str
    number: int
    to: IO[str]
    back: IO[str]

    def measured(self, seconds: float) -> tuple[int, float]:
        self.to.write(f"{self.number} {seconds}\n")
        self.to.flush()
        done, spent = self.back.readline().split()
        return int(done), float(spent)


@contextmanager
def beside(backend: str) -> Iterator[list[Beside]]:
    """Everything that the child process with this backend can measure."""
    child = subprocess.Popen(
        [sys.executable, "-c", "from foretell.commands.beside import answer; answer()"],
        env=os.environ | {"FORETELL_KERNEL": backend},
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    assert child.stdin is not None
    assert child.stdout is not None
    with child, child.stdin, child.stdout:
        names = [word.split(":") for word in child.stdout.readline().split()]
        yield [
            Beside(key, unit, number, child.stdin, child.stdout)
            for number, (key, unit) in enumerate(names)
            if key.startswith(("kernel", "playouts", "redealt", "choice"))
        ]


def answer() -> None:
    """What the child process does: it says what it can measure, and measures what it is asked for."""
    from foretell.commands import measuring  # noqa: PLC0415 - it imports this module

    measured = measuring.measures()
    print(*(f"{one.key}:{one.unit}" for one in measured), flush=True)
    for line in sys.stdin:
        number, seconds = line.split()
        print(*measured[int(number)].measured(float(seconds)), flush=True)
