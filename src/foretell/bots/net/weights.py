"""The files of the nets' weights (docs/training.md), and the arrays that a player works with."""

import json
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from foretell.bots.net import belief_layout as in_belief
from foretell.bots.net import layout as in_view
from foretell.bots.net import net_layout as in_net
from foretell.bots.net import value_layout as in_value
from foretell.kernel.backend.compiled import Ints8, Ints16, Ints32, narrow_ints

__all__ = [
    "BELIEF",
    "HEADER_BYTES",
    "PLAYER",
    "SMALL",
    "VALUE",
    "Shape",
    "Weights",
    "is_here",
    "shipped",
    "shipped_belief",
    "shipped_small",
    "shipped_value",
]

HEADER_BYTES = 256  # a line of JSON, filled up with spaces
_FOLDER = Path(__file__).parent


@dataclass(frozen=True, slots=True)
class Shape:
    """What distinguishes the nets: the name of the format, the words that a net is shown, its answers and its width.

    The weights of the first layer have 16 bits in the file of one net, and 8 in that of another.
    """

    format: str
    words: int
    answers: int
    width: int
    first_bits: int = 16

    @property
    def inputs(self) -> int:
        return self.words * in_view.WORD_BITS

    @property
    def head_at(self) -> int:
        """Where the head begins in the array `wide`."""
        return self.inputs * self.width

    def header(self) -> dict[str, int | str]:
        """What the first line of a file must say: the net's format, its sizes and its scales."""
        stated = {} if self.first_bits == 16 else {"first_bits": self.first_bits}
        return {
            "format": self.format,
            "layout": in_view.VERSION,
            "inputs": self.inputs,
            "width": self.width,
            "layers": in_net.LAYERS,
            "actions": self.answers,
            "step": in_net.STEP,
            "most_value": in_net.MOST_VALUE,
            "shift": in_net.SHIFT,
            "answer_unit": in_net.ANSWER_UNIT,
            **stated,
        }


PLAYER = Shape("foretell-net", in_view.WORDS, in_view.ACTIONS, 1024)
"""The net that plays."""

SMALL = Shape("foretell-net", in_view.WORDS, in_view.ACTIONS, 256)
"""A net that learned to answer as the one above, at a fraction of the time."""

BELIEF = Shape("foretell-belief", in_belief.BELIEF_WORDS, in_belief.BELIEF_ANSWERS, 1024, 8)
"""The net that says where the hidden cards are."""

VALUE = Shape("foretell-value", in_value.VALUE_WORDS, in_value.VALUE_ANSWERS, 512, 8)
"""The net that says how a round will end, from all hands."""


@dataclass(frozen=True, slots=True)
class Weights:
    """The weights of a net.  They are never changed, so that all threads can share them."""

    shape: Shape
    terms: bytes  # the first words of a desk
    wide: Ints16
    narrow: Ints8

    @classmethod
    def read(cls, file: Path, shape: Shape = PLAYER) -> "Weights":
        """The weights in a file that `training.export` has written."""
        stored = memoryview(file.read_bytes())
        first_line = bytes(stored[:HEADER_BYTES])
        try:
            found = json.loads(first_line)
        except ValueError:
            found = None
        width = shape.width
        of_layers = in_net.LAYERS * width
        narrow = (in_net.LAYERS - 1) * width * width
        sizes = (
            4 * of_layers,
            4 * shape.answers,
            4 * of_layers,
            shape.head_at * shape.first_bits // 8,
            2 * width * shape.answers,
            narrow,
        )
        if found != shape.header() or len(stored) != HEADER_BYTES + sum(sizes):
            raise ValueError(
                f"{file} is no {shape.format} of layout {in_view.VERSION}: {first_line[:80]!r}"
            )
        parts = [
            stored[HEADER_BYTES + sum(sizes[:part]) :][: sizes[part]] for part in range(len(sizes))
        ]
        biases, head, multipliers = (bytes(part) for part in parts[:3])
        first = bytes(parts[3]) if shape.first_bits == 16 else _widened(bytes(parts[3]))
        sizes_of_net = (shape.words, shape.answers, width)
        terms = (
            _of_layers(biases, width)
            + _of_layers(multipliers, width)
            + head.ljust(4 * in_net.MOST_ANSWERS, b"\0")
            + b"".join(one.to_bytes(4, "little") for one in sizes_of_net)
        )
        wide = narrow_ints(first + bytes(parts[4]), 2)
        return cls(shape, terms, wide, narrow_ints(parts[5], 1))

    def desk(self) -> Ints32:
        """A new array for one thread to evaluate the net on."""
        return narrow_ints(self.terms.ljust(4 * in_net.DESK_WORDS, b"\0"), 4)


def _of_layers(stored: bytes, width: int) -> bytes:
    """The words of each layer, with zeros up to the greatest width."""
    layers = [stored[4 * width * layer :][: 4 * width] for layer in range(in_net.LAYERS)]
    return b"".join(layer.ljust(4 * in_net.MOST_WIDTH, b"\0") for layer in layers)


_HIGH_BYTES = bytes(255 if byte > 127 else 0 for byte in range(256))


def _widened(stored: bytes) -> bytes:
    """The same numbers with 16 bits instead of 8; a loop over two million of them would take too long."""
    wide = bytearray(2 * len(stored))
    wide[::2] = stored
    wide[1::2] = stored.translate(_HIGH_BYTES)
    return bytes(wide)


def _shipped(name: str, shape: Shape) -> Weights:
    return Weights.read(_FOLDER / name, shape)


def is_here(name: str) -> bool:
    """Whether this file is there.  A browser loads each of them when it is needed."""
    return (_FOLDER / name).exists()


@lru_cache(maxsize=1)
def shipped() -> Weights:
    """The net of the package that plays, read once."""
    return _shipped("weights.bin", PLAYER)


@lru_cache(maxsize=1)
def shipped_small() -> Weights:
    """The small net of the package, read once."""
    return _shipped("small.bin", SMALL)


@lru_cache(maxsize=1)
def shipped_belief() -> Weights:
    """The belief net of the package, read once."""
    return _shipped("belief.bin", BELIEF)


@lru_cache(maxsize=1)
def shipped_value() -> Weights:
    """The value net of the package, read once."""
    return _shipped("value.bin", VALUE)
