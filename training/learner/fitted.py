"""A net with its optimiser and its average, for runs that learn from the rounds of a finished net."""

import math
from pathlib import Path

import numpy as np
import torch
from torch import nn

from training.learner.nets import FastNet, Net
from training.simulator.batch import Bundle

__all__ = ["Fitted", "player_of", "stored_weights"]


class Fitted:
    """A net that is trained, and the average of its weights over the last steps, which is kept."""

    def __init__(
        self, net: Net, average: float, learning_rate: tuple[float, float], warm_up: float
    ) -> None:
        self.net, self.follows = net, 1 - average
        self.learning_rate, self.warm_up = learning_rate, warm_up
        self.average = {name: one.clone() for name, one in net.state_dict().items()}
        device = net.head.weight.device
        is_gpu = device.type == "cuda"
        self.rate = torch.tensor(learning_rate[0], device=device)
        self.optimiser = torch.optim.Adam(
            net.parameters(), lr=self.rate, betas=(0.9, 0.98), eps=1e-6,
            fused=is_gpu, capturable=is_gpu, foreach=None if is_gpu else False,
        )  # fmt: skip

    def set_rate(self, share: float) -> None:
        """The learning rate after this share of the run: it rises at first, and then falls as a cosine."""
        first, last = self.learning_rate
        cosine = 0.5 * (1 + math.cos(math.pi * min(1.0, share)))
        self.rate.fill_((last + (first - last) * cosine) * min(1.0, (share + 1e-3) / self.warm_up))

    def learn(self, loss: torch.Tensor) -> None:
        """A step of the optimiser."""
        self.optimiser.zero_grad(set_to_none=True)
        loss.backward()
        nn.utils.clip_grad_norm_(self.net.parameters(), 1.0)
        self.optimiser.step()
        with torch.no_grad():
            now = self.net.state_dict()
            torch._foreach_lerp_(list(self.average.values()), list(now.values()), self.follows)

    def load(self, file: Path) -> None:
        """Begins with the weights that `keep` has written."""
        weights = stored_weights(file, self.rate.device)
        self.net.load_state_dict(weights)
        for name, one in weights.items():
            self.average[name].copy_(one)

    def keep(self, file: Path) -> None:
        """Writes the averaged weights in float16."""
        halves = {name: one.half().cpu().numpy() for name, one in self.average.items()}
        np.savez(file, **halves)


def stored_weights(file: Path, device: torch.device) -> dict[str, torch.Tensor]:
    """The weights in a file, by name."""
    with np.load(file) as stored:
        return {k: torch.from_numpy(stored[k]).float().to(device) for k in stored.files}


def player_of(run: Path, bundle: Bundle, device: torch.device) -> FastNet:
    """The net of a finished run, ready to play."""
    weights = stored_weights(run / "weights.npz", device)
    width, depth = weights["head.weight"].shape[1], len(weights) // 2 - 1
    view = bundle.layout["view"]
    net = Net(view["WORDS"] * 64, width, depth, view["ACTIONS"], 0.01).to(device)
    net.load_state_dict(weights)
    return FastNet(net)
