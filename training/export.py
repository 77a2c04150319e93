"""Writes a trained net as the file of integers that the player reads.

    python -m training.export training/runs/third
    python -m training.export training/runs/small --small
    python -m training.export training/runs/belief --belief
    python -m training.export training/runs/value --value 512

`foretell.bots.net.net_layout` explains the integers.  Every column of a layer has a scale of its own, so that its
largest weight just fits; the head has one scale for all.  The small net's file is to be small when it is compressed, so
its first layer has fewer bits than it could have; the first layers of the belief net and the value net have 8.
"""

import argparse
import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import numpy.typing as npt

from foretell.bots.net import net_layout as in_net
from foretell.bots.net.weights import BELIEF, HEADER_BYTES, PLAYER, SMALL, VALUE, Shape

__all__ = ["export"]

Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]
SHIPPED = Path(__file__).parents[1] / "src/foretell/bots/net"
FILES = {PLAYER: "weights.bin", SMALL: "small.bin", BELIEF: "belief.bin"}
"""The name of a net's file in the package; that of a value net is `value.bin`, whatever its width."""

WIDE_MOST, SMALL_MOST, NARROW_MOST = (1 << 15) - 1, (1 << 8) - 1, (1 << 7) - 1
"""The largest weight: in the first layer, in that of a small net, and in the layers between it and the head."""


def export(run: Path, to: Path, shape: Shape = PLAYER) -> None:
    """Writes the net of a run; refuses one whose sums could be too large for 32 bits."""
    with np.load(run / _trained_as(shape)) as stored:
        given: dict[str, Floats] = {name: stored[name].astype(np.float64) for name in stored.files}
    if shape.format == VALUE.format:  # the other answers are for training alone
        for name in ("head.weight", "head.bias"):
            given[name] = given[name][: shape.answers]
    shapes = {name: given[name].shape for name in given if name.endswith("weight")}
    width = shape.width
    expected = {"layers.0.weight": (width, shape.inputs)}
    expected |= {f"layers.{layer}.weight": (width, width) for layer in range(1, in_net.LAYERS)}
    expected["head.weight"] = (shape.answers, width)
    if shapes != expected:
        raise ValueError(f"{run} has a net of another shape: {shapes}")
    first_most = SMALL_MOST if shape == SMALL else WIDE_MOST
    if shape.first_bits == 8:
        first_most = NARROW_MOST
    weights, biases, multipliers = [], [], []
    for layer in range(in_net.LAYERS):
        weight, bias, multiplier = _layer(
            given[f"layers.{layer}.weight"],
            given[f"layers.{layer}.bias"],
            NARROW_MOST if layer else first_most,
            is_first=layer == 0,
        )
        weights.append(weight)
        biases.append(bias)
        multipliers.append(multiplier)
    head = np.rint(given["head.weight"] * in_net.HEAD_SCALE).astype(np.int64)
    head_bias = np.rint(given["head.bias"] * in_net.ANSWER_UNIT).astype(np.int64)
    _check_sums(head, head_bias, in_net.MOST_VALUE)
    parts = (
        np.concatenate([*biases, head_bias, *multipliers]).astype("<i4"),
        weights[0].T.astype("i1" if shape.first_bits == 8 else "<i2"),
        head.T.astype("<i2"),
        *(weight.T.astype("i1") for weight in weights[1:]),
    )
    line = json.dumps(shape.header()).encode().ljust(HEADER_BYTES - 1) + b"\n"
    to.write_bytes(line + b"".join(np.ascontiguousarray(part).tobytes() for part in parts))


def _trained_as(shape: Shape) -> str:
    """The name of the file in which a run leaves its net."""
    names = {BELIEF.format: "belief.npz", VALUE.format: f"value_{shape.width}.npz"}
    return names.get(shape.format, "weights.npz")


def _layer(weight: Floats, bias: Floats, most: int, *, is_first: bool) -> tuple[Ints, Ints, Ints]:
    """A layer in integers: weights up to `most`, biases, multipliers.

    The inputs of the first layer are bits and not steps.
    """
    largest = np.abs(weight).max(axis=1) / most
    steps = in_net.STEP if is_first else 1  # how many steps an input of 1 stands for
    multiplier = np.rint(largest * steps * (1 << in_net.SHIFT)).astype(np.int64)
    if multiplier.min() <= 0:
        raise ValueError("a column has no weights")
    scale = multiplier / (1 << in_net.SHIFT)  # steps for each unit of the sum
    weights = np.rint(weight * steps / scale[:, None]).astype(np.int64)
    weights = np.clip(weights, -most, most)
    biases = np.rint(bias * in_net.STEP / scale).astype(np.int64)
    bounds = _check_sums(weights, biases, 1 if is_first else in_net.MOST_VALUE)
    product = int((bounds * multiplier).max())
    if multiplier.max() >= 1 << 31 or product >= 1 << 52:
        raise ValueError(f"{product} could be too large to be exact as a float")
    return weights, biases, multiplier


def _check_sums(weights: Ints, biases: Ints, most: int) -> Ints:
    """How large each sum can be.  Whatever the inputs are, from 0 to `most`, no part of a sum leaves 32 bits."""
    bounds: Ints = np.abs(weights).sum(axis=1) * most + np.abs(biases)
    if bounds.max() >= 1 << 31 or np.abs(weights).max() >= 1 << 15:
        raise ValueError(f"a sum could be {bounds.max()}, too large for 32 bits")
    return bounds


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("run", type=Path, help="the folder of a run")
    parser.add_argument("--small", action="store_true", help="the small net")
    parser.add_argument("--belief", action="store_true", help="the belief net, in belief.npz")
    parser.add_argument("--value", type=int, metavar="WIDTH", help="the value net of this width")
    parser.add_argument("--to", type=Path, help="instead of the file in the package")
    asked = parser.parse_args()
    shape = BELIEF if asked.belief else SMALL if asked.small else PLAYER
    if asked.value:
        shape = replace(VALUE, width=asked.value)
    to = asked.to or SHIPPED / FILES.get(shape, "value.bin")
    export(asked.run, to, shape)
    print(f"{to}: {to.stat().st_size:,} bytes")


if __name__ == "__main__":
    main()
