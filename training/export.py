"""Writes a trained net as the file of integers that the player reads: `python -m training.export training/runs/second`.

`foretell.bots.net.net_layout` explains the integers.  Every column of a layer has a scale of its own, so that its
largest weight just fits; the head has one scale for all.
"""

import argparse
import json
from pathlib import Path

import numpy as np
import numpy.typing as npt

from foretell.bots.net import layout as in_view
from foretell.bots.net import net_layout as in_net
from foretell.bots.net.weights import HEADER_BYTES, header

__all__ = ["export"]

Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]
SHIPPED = Path(__file__).parents[1] / "src/foretell/bots/net/weights.bin"


def export(run: Path, to: Path) -> None:
    """Writes the net of a run; refuses one whose sums could be too large for 32 bits."""
    with np.load(run / "weights.npz") as stored:
        given: dict[str, Floats] = {name: stored[name].astype(np.float64) for name in stored.files}
    shapes = {name: given[name].shape for name in given if name.endswith("weight")}
    expected = {"layers.0.weight": (in_net.WIDTH, in_net.INPUTS)}
    expected |= {
        f"layers.{layer}.weight": (in_net.WIDTH, in_net.WIDTH) for layer in range(1, in_net.LAYERS)
    }
    expected["head.weight"] = (in_view.ACTIONS, in_net.WIDTH)
    if shapes != expected:
        raise ValueError(f"{run} has a net of another shape: {shapes}")
    weights, biases, multipliers = [], [], []
    for layer in range(in_net.LAYERS):
        kind = np.int16 if layer == 0 else np.int8
        weight, bias, multiplier = _layer(
            given[f"layers.{layer}.weight"],
            given[f"layers.{layer}.bias"],
            kind,
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
        weights[0].T.astype("<i2"),
        head.T.astype("<i2"),
        *(weight.T.astype("i1") for weight in weights[1:]),
    )
    line = json.dumps(header()).encode().ljust(HEADER_BYTES - 1) + b"\n"
    to.write_bytes(line + b"".join(np.ascontiguousarray(part).tobytes() for part in parts))


def _layer(
    weight: Floats, bias: Floats, kind: type[np.signedinteger], *, is_first: bool
) -> tuple[Ints, Ints, Ints]:
    """A layer in integers: weights, biases, multipliers.  The inputs of the first one are bits and not steps."""
    largest = np.abs(weight).max(axis=1) / np.iinfo(kind).max
    steps = in_net.STEP if is_first else 1  # how many steps an input of 1 stands for
    multiplier = np.rint(largest * steps * (1 << in_net.SHIFT)).astype(np.int64)
    if not (multiplier.min() > 0 and multiplier.max() < in_net.MOST_MULTIPLIER):
        raise ValueError(f"a multiplier is out of range: {multiplier.min()} to {multiplier.max()}")
    scale = multiplier / (1 << in_net.SHIFT)  # steps for each unit of the sum
    weights = np.rint(weight * steps / scale[:, None]).astype(np.int64)
    weights = np.clip(weights, -np.iinfo(kind).max, np.iinfo(kind).max)
    biases = np.rint(bias * in_net.STEP / scale).astype(np.int64)
    _check_sums(weights, biases, 1 if is_first else in_net.MOST_VALUE)
    return weights, biases, multiplier


def _check_sums(weights: Ints, biases: Ints, most: int) -> None:
    """Whatever the inputs are, from 0 to `most`, no sum nor any part of it leaves 32 bits."""
    bound = int((np.abs(weights).sum(axis=1) * most + np.abs(biases)).max())
    if bound >= 1 << 31 or np.abs(weights).max() >= 1 << 15:
        raise ValueError(f"a sum could be {bound}, too large for 32 bits")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("run", type=Path, help="the folder of a run, with weights.npz")
    parser.add_argument("--to", type=Path, default=SHIPPED)
    asked = parser.parse_args()
    export(asked.run, asked.to)
    print(f"{asked.to}: {asked.to.stat().st_size:,} bytes")


if __name__ == "__main__":
    main()
