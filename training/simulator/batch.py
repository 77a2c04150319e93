"""Many tables at once, as arrays: loads a bundle, compiles it, and plays.  Needs no Foretell.

The arrays are NumPy's on the CPU and PyTorch's on a GPU; `Memory` hides the difference.
"""

import ctypes
import json
import shutil
import subprocess
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol

import numpy as np

GAME_OVER = 255
"""Stands for the next seat to decide, where there is none."""


class Memory(Protocol):
    """Where the arrays lie."""

    is_gpu: bool

    def zeros(self, shape: tuple[int, ...], kind: str) -> Any:
        """An array of zeros; `kind` is `int64`, `uint8`, `int16` or `bfloat16`."""

    def copied(self, values: np.ndarray) -> Any:
        """The same numbers in this memory."""

    def pointer(self, values: Any) -> int: ...

    def stream(self) -> int:
        """The CUDA stream to work on; 0 on the CPU."""


class NumpyMemory:
    """Arrays of NumPy, for the CPU."""

    is_gpu = False

    def zeros(self, shape: tuple[int, ...], kind: str) -> Any:
        return np.zeros(shape, dtype="uint16" if kind == "bfloat16" else kind)

    def copied(self, values: np.ndarray) -> Any:
        return np.ascontiguousarray(values)

    def pointer(self, values: Any) -> int:
        return int(values.ctypes.data)

    def stream(self) -> int:
        return 0


_ARRAYS = (
    "blob", "rules", "draws", "settings", "room", "words", "action", "seat", "phase", "player",
    "ended", "points",
)  # fmt: skip


class _Pointers(ctypes.Structure):
    """The struct `Tables` of entries.c."""

    _fields_ = [(name, ctypes.c_void_p) for name in _ARRAYS]


class Bundle:
    """A bundle, compiled for this machine and with its tables in memory."""

    def __init__(self, folder: Path, memory: Memory) -> None:
        described = json.loads((folder / "bundle.json").read_text(encoding="utf-8"))
        self.layout: dict[str, dict[str, int]] = described["layout"]
        self.rule_sets: list[dict[str, Any]] = described["rule_sets"]
        self.memory = memory
        self.library = ctypes.CDLL(str(_compiled(folder / "simulator.cu", memory.is_gpu)))
        stored = np.load(folder / "rules.npz")
        self.blob = memory.copied(stored["blob"])
        self.rules = memory.copied(stored["rules"])

    def draws(self, shares: dict[str, float], entries: int = 1 << 16) -> np.ndarray:
        """A list of rule sets to draw from: each family gets its share; in a family all rules are equally likely.

        `base/3` are the rules of the family `base` with three players.
        """
        made: list[int] = []
        whole = sum(shares.values())
        for name, share in shares.items():
            family, _, players = name.partition("/")
            places = [
                number
                for number, one in enumerate(self.rule_sets)
                if one["family"] == family and players in ("", str(one["players"]))
            ]
            count = max(len(places), round(entries * share / whole)) if places else 0
            made += [places[number % len(places)] for number in range(count)]
        return np.array(made, dtype=np.int64)

    def expand(self, words: Any, which: Any, rows: int, count: int, out: Any) -> None:
        """The bits of the first `count` words of these rows as bf16 numbers."""
        point = self.memory.pointer
        self.library.tables_expand(
            ctypes.c_void_p(point(words)),
            ctypes.c_void_p(0 if which is None else point(which)),
            ctypes.c_longlong(rows),
            ctypes.c_longlong(count),
            ctypes.c_void_p(point(out)),
            ctypes.c_void_p(self.memory.stream()),
        )


def _compiled(source: Path, for_gpu: bool) -> Path:
    """The simulator as a shared library beside its source; built again if the source is newer."""
    made = source.with_name("simulator_gpu.so" if for_gpu else "simulator_cpu.so")
    if made.exists() and made.stat().st_mtime > source.stat().st_mtime:
        return made
    if for_gpu:
        command = ["nvcc", "-O3", "-arch=sm_90", "-shared", "-Xcompiler", "-fPIC"]
    else:
        compiler = next(filter(shutil.which, ("cc", "gcc", "clang")), "cc")
        command = [compiler, "-x", "c", "-O2", "-fwrapv", "-shared", "-fPIC", "-w"]
    subprocess.run([*command, "-o", str(made), str(source)], check=True)
    return made


@dataclass(slots=True)
class Game:
    """A game for one table of a measurement: its rule set, its deals and who plays each seat.

    `shift`: how many tricks more the other net bids than it would.
    """

    rule_set: int
    number: int
    kinds: tuple[int, ...]
    shift: int = 0


class Batch:
    """Tables that are played together.

    After `begin` and after each `step`, the arrays `words`, `seat`, `phase` and `player` describe the decision that
    each table waits for; `ended` and `points` tell whether a round has ended on the way, and its points.
    """

    def __init__(self, bundle: Bundle, count: int) -> None:
        self.bundle, self.count = bundle, count
        make, sizes = bundle.memory.zeros, bundle.layout["simulator"]
        self.room_words = sizes["ROOM_WORDS"]
        self.arrays: dict[str, Any] = {
            "blob": bundle.blob,
            "rules": bundle.rules,
            "room": make((count, self.room_words), "int64"),
            "words": make((count, sizes["CRITIC_WORDS"]), "int64"),
            "action": make((count,), "uint8"),
            "seat": make((count,), "uint8"),
            "phase": make((count,), "uint8"),
            "player": make((count,), "uint8"),
            "ended": make((count,), "uint8"),
            "points": make((count, sizes["SEATS"]), "int16"),
        }

    def begin_training(
        self, seed: int, draws: np.ndarray, *, scripted_share: float, league: np.ndarray,
        exchange_share: float = 0.0, shifted_share: float = 0.0,
    ) -> None:  # fmt: skip
        """Games without end: rules drawn from `draws`, scripted players in a share of them.

        `league` says for each table whether other nets sit there; a share of these bid more or fewer tricks than they
        would.  In a share of the rounds cards change hands unseen (`exchanges`).
        """
        self.load_training(
            seed, draws, scripted_share=scripted_share, league=league,
            exchange_share=exchange_share, shifted_share=shifted_share,
        )  # fmt: skip
        self.bundle.library.tables_draw(*self._call())
        self._play(is_first=True)

    def load_training(
        self, seed: int, draws: np.ndarray, *, scripted_share: float, league: np.ndarray,
        exchange_share: float = 0.0, shifted_share: float = 0.0,
    ) -> None:  # fmt: skip
        """The tables before anything has happened."""
        at = self.bundle.layout["table"]
        room = np.zeros((self.count, self.room_words), dtype=np.int64)
        # Each table has a billion deals of its own.
        room[:, at["NUMBER"]] = np.arange(self.count, dtype=np.int64) << 30
        room[:, at["LEAGUE"]] = league
        settings = np.zeros(at["SETTINGS_WORDS"], dtype=np.int64)
        settings[at["SEED"]], settings[at["IS_TRAINING"]] = seed, 1
        settings[at["SCRIPTED_SHARE"]] = round(256 * scripted_share)
        settings[at["EXCHANGE_SHARE"]] = round(256 * exchange_share)
        settings[at["SHIFTED_SHARE"]] = round(256 * shifted_share)
        settings[at["KIND_COUNT"]], settings[at["DRAWS"]] = at["TRAINING_KINDS"], len(draws)
        self._load(room, settings, draws)

    def begin_games(self, seed: int, games: list[Game]) -> None:
        """One given game at each table."""
        self.load_games(seed, games)
        self._play(is_first=True)

    def load_games(self, seed: int, games: list[Game]) -> None:
        """The tables before the first deal."""
        at = self.bundle.layout["table"]
        room = np.zeros((self.count, self.room_words), dtype=np.int64)
        for place, game in enumerate(games):
            room[place, at["RULES"]] = game.rule_set
            room[place, at["NUMBER"]] = game.number * 64  # a game has at most 20 deals
            kinds = at["SEAT_KIND"]
            room[place, kinds : kinds + len(game.kinds)] = game.kinds
            others = np.array(game.kinds) == at["FROZEN"]
            shifts = at["BID_SHIFT"]
            room[place, shifts : shifts + len(game.kinds)] = game.shift * others
        settings = np.zeros(at["SETTINGS_WORDS"], dtype=np.int64)
        settings[at["SEED"]] = seed
        self._load(room, settings, np.zeros(1, dtype=np.int64))

    def step(self, into: dict[str, Any] | None = None) -> None:
        """Every table takes its answer from `action`.  `into` has other arrays for the results of this step."""
        self._play(is_first=False, into=into)

    def _load(self, room: np.ndarray, settings: np.ndarray, draws: np.ndarray) -> None:
        copied = self.bundle.memory.copied
        self.arrays["room"][...] = copied(room)
        for name, values in (("settings", settings), ("draws", draws)):
            self.arrays[name] = copied(values)

    def _pointers(self, into: dict[str, Any] | None) -> _Pointers:
        arrays = self.arrays | (into or {})
        point = self.bundle.memory.pointer
        return _Pointers(**{name: point(arrays[name]) for name in _ARRAYS})

    def _call(self, into: dict[str, Any] | None = None) -> tuple[Any, ...]:
        stream = ctypes.c_void_p(self.bundle.memory.stream())
        return self._pointers(into), ctypes.c_longlong(self.count), stream

    def _play(self, *, is_first: bool, into: dict[str, Any] | None = None) -> None:
        pointers, count, stream = self._call(into)
        self.bundle.library.tables_play(pointers, count, ctypes.c_longlong(is_first), stream)
