"""The GPU's line of `foretell bench`: the kernel's own functions, compiled by nvcc, one game to a thread.

Before anything is measured, some games are played on the GPU and on the processor, and must have the same decisions,
scores and random numbers.  It needs a GPU and nvcc, and no library for Python.
"""

import shutil
import subprocess
from array import array
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

import foretell
from foretell.commands.measuring import ALL_SPECIALS, BASE, Rate
from foretell.kernel.backend.c_source import c_source
from foretell.kernel.backend.source_files import Compiled, Sources
from foretell.kernel.bulk.playouts import ROOM_FOR_DECK, GameArrays, random_games
from foretell.kernel.state import lookup_layout as in_lookup
from foretell.kernel.state import state_layout as in_state
from foretell.kernel.state.random_numbers import RNG_WORDS
from foretell.kernel.state.tables import Tables, compile_rules

__all__ = [
    "GpuDiffers",
    "GpuFails",
    "PlayedThere",
    "check",
    "gpu_rates",
    "has_gpu",
    "played",
    "program",
]

_MODULES = (
    "kernel.state.random_numbers",
    "kernel.state.turn_loop",
    "kernel.state.trick_outcome",
    "kernel.bulk.policies",
    "kernel.bulk.playouts",
)
_OF_PLAYOUTS = ("begin_game", "random_games")
_NVCC = ("nvcc", "-O3", "-arch=native", "-w", "-x", "cu")
_SEED = 1  # of gpu_games.c
_NAMES = {
    "STATE_WORDS": in_state.SIZE, "RNG_WORDS": RNG_WORDS, "DECK_WORDS": ROOM_FOR_DECK,
    "SCORE": in_state.SCORE, "PLAYERS": in_lookup.PLAYERS,
}  # fmt: skip
_PATIENCE = 600  # seconds
_THREADS, _GAMES = 1 << 17, 4  # as many tables as fill the largest GPUs
_CHECKED_THREADS, _CHECKED_GAMES = 256, 2


class GpuDiffers(Exception):
    """The GPU played otherwise than the processor, so its speed means nothing."""


class GpuFails(Exception):
    """nvcc or the program stopped with this message: too old, no compiler beside it, too little memory."""


@dataclass(frozen=True, slots=True)
class PlayedThere:
    """What the program has printed; `sum` is one over the ends of all games."""

    decisions: int
    sum: int
    seconds: float


class _RandomGames(Sources):
    """The functions behind `random_games`."""

    def functions(self) -> list[Compiled]:
        found = []
        for name in _MODULES:
            module = self.module(f"foretell.{name}")
            assert module is not None
            found += [
                one
                for one in module.functions()
                if not name.endswith("playouts") or one.name in _OF_PLAYOUTS
            ]
        return found


def has_gpu() -> bool:
    """Whether there is a GPU here that nvcc can compile for."""
    if shutil.which("nvcc") is None or shutil.which("nvidia-smi") is None:
        return False
    asked = subprocess.run(["nvidia-smi", "-L"], capture_output=True, text=True, check=False)
    return asked.returncode == 0 and "GPU 0" in asked.stdout


def program(folder: Path, compiler: Sequence[str] = _NVCC) -> Path:
    """Compiles the kernel and gpu_games.c into this folder; any C compiler will do for a test."""
    defined = "".join(f"#define {name} {size}\n" for name, size in _NAMES.items())
    games = Path(__file__).with_name("gpu_games.c").read_text(encoding="utf-8")
    source = folder / "games.c"
    kernel = c_source(_RandomGames(Path(foretell.__file__).parent))
    source.write_text(kernel + defined + games, encoding="utf-8")
    made = folder / "games"
    _said([*compiler, str(source), "-o", str(made)])
    return made


def _said(command: Sequence[str]) -> str:
    """What a program prints; if it fails, the last line of its complaint is the reason."""
    try:
        done = subprocess.run(
            command,
            capture_output=True,
            text=True,
            errors="replace",
            timeout=_PATIENCE,
            check=False,
        )
    except (OSError, subprocess.TimeoutExpired) as error:
        raise GpuFails(str(error)) from error
    if done.returncode:
        lines = (done.stderr or done.stdout).split("\n")
        last = next((line.strip() for line in reversed(lines) if line.strip()), "")
        raise GpuFails(f"{Path(command[0]).name}: {last or done.returncode}")
    return done.stdout


def played(made: Path, tables: Tables, threads: int, games: int) -> PlayedThere:
    """Plays `threads` times `games` games; the seconds are those of the best turn."""
    lookup = made.with_name("lookup")
    lookup.write_bytes(array("q", map(int, tables.words)).tobytes())
    decisions, found, seconds = _said([str(made), str(lookup), str(threads), str(games)]).split()
    return PlayedThere(int(decisions), int(found), float(seconds))


def played_here(tables: Tables, threads: int, games: int) -> tuple[int, int]:
    """The decisions and the sum of the same games, played by this processor."""
    room, decisions, total = GameArrays(), 0, 0
    for thread in range(threads):
        found = 0
        for number in range(thread * games, (thread + 1) * games):
            decisions += random_games(
                tables.words, room.state, room.rng, room.deck, _SEED, number, 1
            )
            scores = [int(room.state[in_state.SCORE + seat]) for seat in range(tables.players)]
            for word in (*scores, *map(int, room.rng)):
                found = found * 31 + word
        total += found
    return decisions, total & (1 << 64) - 1


def check(made: Path, tables: Tables) -> None:
    """Plays some games there and here."""
    there = played(made, tables, _CHECKED_THREADS, _CHECKED_GAMES)
    if (there.decisions, there.sum) != played_here(tables, _CHECKED_THREADS, _CHECKED_GAMES):
        raise GpuDiffers


def gpu_rates() -> Iterator[Rate]:
    """Random decisions a second on the GPU, deals included, four players."""
    with TemporaryDirectory() as folder:
        made = program(Path(folder))
        for key, rules in (("gpu_loop", BASE), ("gpu_loop_specials", ALL_SPECIALS)):
            tables = compile_rules(rules, 4)
            check(made, tables)
            one = played(made, tables, _THREADS, _GAMES)
            yield Rate(key, "decisions", one.decisions / one.seconds)
