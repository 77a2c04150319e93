"""The net's weights, and its answer to an observation, with NumPy alone."""

from dataclasses import dataclass
from pathlib import Path

import numpy as np
import numpy.typing as npt

from foretell.bots.net import layout as in_view
from foretell.kernel.backend.compiled import Ints
from foretell.kernel.state import codes

__all__ = ["Weights", "log_chances"]

Array = npt.NDArray[np.float32]

# Where the actions of each phase begin, by the number of the phase.
_STARTS = {
    codes.NAMING_TRUMP: in_view.ACTION_TRUMP,
    codes.BIDDING: in_view.ACTION_BID,
    codes.PLAYING: in_view.ACTION_PLAY,
    codes.DECLARING: in_view.ACTION_DECLARE,
    codes.PASSING: in_view.ACTION_PASS,
    codes.CHANGING_BID: in_view.ACTION_CHANGE,
}


@dataclass(frozen=True, slots=True)
class Weights:
    """The layers of a net.  `first` has a row for each input, so that the rows of the set bits can be added up."""

    first: Array
    first_bias: Array
    layers: tuple[tuple[Array, Array], ...]
    head: Array
    head_bias: Array

    @classmethod
    def read(cls, file: Path) -> "Weights":
        """The weights in a file that the learner has written (`weights.npz`)."""
        with np.load(file) as stored:
            given = {name: stored[name].astype(np.float32) for name in stored.files}
        depth = sum(name.startswith("layers.") and name.endswith(".weight") for name in given)
        inputs = in_view.WORDS * in_view.WORD_BITS
        first = np.ascontiguousarray(given["layers.0.weight"].T)
        if first.shape[0] != inputs or given["head.weight"].shape[0] != in_view.ACTIONS:
            raise ValueError(f"{file} belongs to another layout than version {in_view.VERSION}")
        return cls(
            first,
            given["layers.0.bias"],
            tuple(
                (np.ascontiguousarray(given[f"layers.{k}.weight"]), given[f"layers.{k}.bias"])
                for k in range(1, depth)
            ),
            np.ascontiguousarray(given["head.weight"]),
            given["head.bias"],
        )

    def answers(self, words: Ints) -> Array:
        """A number for each action; a higher one means a better action."""
        bits = np.unpackbits(
            np.asarray(words[: in_view.WORDS], dtype="<i8").view(np.uint8), bitorder="little"
        )
        x = self.first[np.flatnonzero(bits)].sum(axis=0) + self.first_bias
        x = np.maximum(x, 0)
        for weight, bias in self.layers:
            x = x + np.maximum(weight @ x + bias, 0)
        answers: Array = self.head @ x + self.head_bias
        return answers


def log_chances(answers: Array, words: Ints, phase: int) -> dict[int, float]:
    """The logarithm of the chance of each action that is allowed, by its number in this phase."""
    legal, start = int(words[in_view.LEGAL]), _STARTS[phase]
    allowed = [action for action in range(codes.KINDS) if legal >> action & 1]
    chosen = answers[[start + action for action in allowed]].astype(np.float64)
    chosen -= chosen.max()
    chosen -= np.log(np.exp(chosen).sum())
    return dict(zip(allowed, chosen.tolist(), strict=True))
