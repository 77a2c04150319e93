"""The nets: residual layers over the bits of an observation.

The actor answers with a number for each action, the critic with a distribution over the round's reward.  The critic
sees all hands; only the actor plays.
"""

import math
from collections.abc import Callable
from typing import Any

import torch
import torch.nn.functional as F
from torch import nn

BINS = 61  # the critic's: rewards from -300 to 300 points in steps of 10


Answering = Callable[[torch.Tensor], torch.Tensor]
"""A net that is asked: rows of inputs, a row of answers for each."""


class Net(nn.Module):
    """`width` numbers through `depth` layers; each layer after the first adds to what it was given."""

    def __init__(self, inputs: int, width: int, depth: int, outputs: int, gain: float) -> None:
        super().__init__()
        sizes = [inputs] + [width] * depth
        self.layers = nn.ModuleList(nn.Linear(sizes[k], sizes[k + 1]) for k in range(depth))
        self.head = nn.Linear(width, outputs)
        for place, layer in enumerate(self.layers):
            nn.init.orthogonal_(layer.weight, 1.5 * math.sqrt(2) if place == 0 else 1.0)
            nn.init.zeros_(layer.bias)
        nn.init.orthogonal_(self.head.weight, gain)
        nn.init.zeros_(self.head.bias)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return _answer(x, [(one.weight, one.bias) for one in self.layers], self.head)


class FastNet:
    """A copy of a net in bf16, or of its shape with other weights; `load` puts new ones in the same place."""

    def __init__(self, net: Net, weights: dict[str, torch.Tensor] | None = None) -> None:
        self.layers = [
            (one.weight.detach().bfloat16(), one.bias.detach().bfloat16()) for one in net.layers
        ]
        self.head = nn.Linear(net.head.in_features, net.head.out_features)
        self.head.to(net.head.weight.device).requires_grad_(False)
        self.load(net.state_dict() if weights is None else weights)

    def load(self, weights: dict[str, torch.Tensor]) -> None:
        with torch.no_grad():
            for place, (weight, bias) in enumerate(self.layers):
                weight.copy_(weights[f"layers.{place}.weight"])
                bias.copy_(weights[f"layers.{place}.bias"])
            self.head.weight.copy_(weights["head.weight"])
            self.head.bias.copy_(weights["head.bias"])

    def flatten(self, factor: float) -> None:
        """Brings the answers closer together, so that their chances differ less."""
        with torch.no_grad():
            self.head.weight.mul_(factor)
            self.head.bias.mul_(factor)

    def __call__(self, x: torch.Tensor) -> torch.Tensor:
        return _answer(x, self.layers, self.head)


def _answer(x: torch.Tensor, layers: list[tuple[Any, Any]], head: nn.Linear) -> torch.Tensor:
    for place, (weight, bias) in enumerate(layers):
        y = F.relu(F.linear(x, weight.to(x.dtype), bias.to(x.dtype)))
        x = y if place == 0 else x + y
    return F.linear(x.float(), head.weight, head.bias)


class Choices:
    """From the actor's numbers to the chances of the actions that are allowed."""

    def __init__(self, layout: dict[str, dict[str, int]], device: torch.device) -> None:
        view, codes = layout["view"], layout["codes"]
        self.kinds = codes["KINDS"]
        first = view["LEGAL"] * view["WORD_BITS"]
        self.legal = slice(first, first + self.kinds)
        starts = {
            "NAMING_TRUMP": "ACTION_TRUMP",
            "BIDDING": "ACTION_BID",
            "PLAYING": "ACTION_PLAY",
            "DECLARING": "ACTION_DECLARE",
            "PASSING": "ACTION_PASS",
            "CHANGING_BID": "ACTION_CHANGE",
        }
        offsets = torch.zeros(8, dtype=torch.int64)
        for phase, start in starts.items():
            offsets[codes[phase]] = view[start]
        window = offsets[:, None] + torch.arange(self.kinds)
        self.window = window.clamp(max=view["ACTIONS"] - 1).to(device)

    def log_chances(
        self, answers: torch.Tensor, inputs: torch.Tensor, phase: torch.Tensor
    ) -> torch.Tensor:
        """The logarithm of the chance of each action of this phase; very low where it is not allowed."""
        chosen = answers.gather(1, self.window[phase.long()])
        return F.log_softmax(chosen.masked_fill(inputs[:, self.legal] < 0.5, -1e9), dim=1)
