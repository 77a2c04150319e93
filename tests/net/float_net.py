"""The net in floats, as it was trained, and its integers beside it."""

from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from foretell.bots.net import layout as in_view
from foretell.bots.net import net_layout as in_net
from foretell.bots.net.evaluation import evaluate_net, first_answer
from foretell.bots.net.weights import Weights
from foretell.kernel.backend.compiled import ints

Answers = npt.NDArray[np.float32]


def float_answers(file: Path, words: list[list[int]]) -> Answers:
    """The answers of a trained net, as its run has left it, to each observation."""
    with np.load(file) as stored:
        given = {name: stored[name].astype(np.float32) for name in stored.files}
    bits = (np.array(words)[:, :, None] >> np.arange(64) & 1).reshape(len(words), -1)
    x: Any = np.maximum(bits @ given["layers.0.weight"].T + given["layers.0.bias"], 0)
    for layer in range(1, in_net.LAYERS):
        weight, bias = given[f"layers.{layer}.weight"], given[f"layers.{layer}.bias"]
        x = x + np.maximum(x @ weight.T + bias, 0)
    answers: Answers = x @ given["head.weight"].T + given["head.bias"]
    return answers


def whole_answers(weights: Weights, words: list[int]) -> list[int]:
    """The answers in whole numbers to one observation."""
    observed, desk = ints(weights.shape.words), weights.desk()
    for place, word in enumerate(words):
        observed[place] = word
    evaluate_net(observed, weights.wide, weights.narrow, desk)
    return [int(word) for word in desk[in_net.ANSWERS :][: weights.shape.answers]]


def preferred(answers: Any, words: list[int], phase: int) -> int:
    """The action with the highest answer among those that are allowed."""
    start = first_answer(phase)
    allowed = [action for action in range(61) if words[in_view.LEGAL] >> action & 1]
    return max(allowed, key=lambda action: answers[start + action])
