"""A net in whole numbers, as it is shipped: on a CPU this is the fastest way to ask it."""

import ctypes
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np
import torch

from foretell.bots.net import net_layout as in_net
from foretell.bots.net.evaluation import evaluate_net
from foretell.bots.net.weights import PLAYER, Shape, Weights
from training.export import export


class WholeNet:
    """Called as a `FastNet` is, with rows of bits."""

    def __init__(self, run: Path, shape: Shape = PLAYER) -> None:
        with TemporaryDirectory() as folder:
            file = Path(folder) / "net.bin"
            export(run, file, shape)
            self.weights = Weights.read(file, shape)
        self.desk = self.weights.desk()
        desk: Any = self.desk  # arrays of the native library and of Python alike
        self.answers = np.frombuffer(desk, dtype=np.int32)[in_net.ANSWERS :][: shape.answers]

    def __call__(self, inputs: torch.Tensor) -> torch.Tensor:
        bits = inputs.view(torch.int16).numpy() != 0
        words = np.packbits(bits, axis=1, bitorder="little").view(np.int64)
        found = np.empty((len(words), len(self.answers)), dtype=np.float32)
        row_type = ctypes.c_int64 * words.shape[1]
        for row, into in zip(words, found, strict=True):
            evaluate_net(
                row_type.from_buffer(row), self.weights.wide, self.weights.narrow, self.desk
            )
            into[:] = self.answers
        return torch.from_numpy(found / in_net.ANSWER_UNIT)
