"""Pieces of work for these tests: other processes import them by their module."""

import os
import signal
import time
from pathlib import Path


def square(number: int) -> int:
    return number * number


def refused(number: int) -> int:
    raise ValueError(f"no {number}")


def killed_once(piece: tuple[int, str]) -> int:
    """Kills its own process the first time that piece 3 is done, as a lost machine would."""
    number, folder = piece
    mark = Path(folder, "killed")
    if number == 3 and not mark.exists():
        mark.touch()
        os.kill(os.getpid(), signal.SIGKILL)
    return number * number


def slow(number: int) -> int:
    time.sleep(0.2)
    return number * number
