"""The file of the net's weights (docs/training.md), and the arrays that a player works with."""

import json
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from foretell.bots.net import layout as in_view
from foretell.bots.net import net_layout as in_net
from foretell.kernel.backend.compiled import Ints8, Ints16, Ints32, narrow_ints

__all__ = ["HEADER_BYTES", "MAGIC", "Weights", "header", "shipped"]

MAGIC = "foretell-net"
HEADER_BYTES = 256  # a line of JSON, filled up with spaces
_FILE = Path(__file__).with_name("weights.bin")


def header() -> dict[str, int | str]:
    """What the first line of a file must say: the net's format, its sizes and its scales."""
    return {
        "format": MAGIC,
        "layout": in_view.VERSION,
        "inputs": in_net.INPUTS,
        "width": in_net.WIDTH,
        "layers": in_net.LAYERS,
        "actions": in_view.ACTIONS,
        "step": in_net.STEP,
        "most_value": in_net.MOST_VALUE,
        "shift": in_net.SHIFT,
        "answer_unit": in_net.ANSWER_UNIT,
    }


@dataclass(frozen=True, slots=True)
class Weights:
    """The weights of a net.  They are never changed, so that all threads can share them."""

    terms: bytes
    wide: Ints16
    narrow: Ints8

    @classmethod
    def read(cls, file: Path) -> "Weights":
        """The weights in a file that `training.export` has written."""
        stored = memoryview(file.read_bytes())
        first_line = bytes(stored[:HEADER_BYTES])
        try:
            found = json.loads(first_line)
        except ValueError:
            found = None
        sizes = (4 * in_net.TERMS, 2 * in_net.WIDE, in_net.NARROW)
        if found != header() or len(stored) != HEADER_BYTES + sum(sizes):
            raise ValueError(f"{file} is no net of layout {in_view.VERSION}: {first_line[:80]!r}")
        terms, wide, narrow = (
            stored[HEADER_BYTES + sum(sizes[:part]) :][: sizes[part]] for part in range(3)
        )
        return cls(bytes(terms), narrow_ints(wide, 2), narrow_ints(narrow, 1))

    def desk(self) -> Ints32:
        """A new array for one thread to evaluate the net on."""
        return narrow_ints(self.terms + bytes(4 * (in_net.DESK_WORDS - in_net.TERMS)), 4)


@lru_cache(maxsize=1)
def shipped() -> Weights:
    """The net that is part of the package, read once."""
    return Weights.read(_FILE)
