"""Other nets that a run meets: its own past selves, and nets of other runs.

A run that only meets itself learns to trust everybody to play as it does.  So some nets of the league answer with
flatter chances, which makes them play carelessly, and some bid more or fewer tricks than they would (`table_loop`).
"""

import random
from pathlib import Path

import numpy as np
import torch
import torch.nn.functional as F

from training.learner.nets import FastNet

__all__ = ["League", "as_wide"]

Weights = dict[str, torch.Tensor]


class League:
    """Nets to draw from, and the slots in which some of them play."""

    def __init__(self, slots: list[FastNet], careless_share: float, seed: int) -> None:
        self.slots, self.careless_share = slots, careless_share
        self.past: list[Weights] = []  # the run's own past selves, and the net that it began with
        self.others: list[Weights] = []  # of other runs; they never change
        self.random = random.Random(seed)

    def meet(self, folder: Path) -> None:
        """Adds the net of another run, which may be smaller."""
        with np.load(folder / "weights.npz") as stored:
            weights = {name: torch.from_numpy(stored[name]) for name in stored.files}
        self.others.append(as_wide(weights, self.slots[0].head.in_features))

    def remember(self, weights: Weights) -> None:
        """Adds the net as it is now."""
        self.past.append({name: one.half() for name, one in weights.items()})

    def choose(self) -> None:
        """Draws a net for each slot.  Every net is as likely as the others, but the newest one always plays."""
        for place, slot in enumerate(self.slots):
            if place == 0 and self.past:
                slot.load(self.past[-1])
            elif self.past or self.others:
                slot.load(self.random.choice(self.past + self.others))
                if self.random.random() < self.careless_share:
                    slot.flatten(self.random.choice(FLATNESS))


FLATNESS = (0.5, 0.3, 0.15)
"""A careless net's answers are multiplied by one of these before they become chances."""


def as_wide(weights: Weights, width: int) -> Weights:
    """A net with the same answers and layers of this width: what is added is 0."""
    more = width - weights["head.weight"].shape[1]
    wide: Weights = {}
    for name, one in weights.items():
        rows = 0 if name.startswith("head") else more
        columns = 0 if name == "layers.0.weight" else more
        wide[name] = F.pad(one, (0, columns, 0, rows) if one.dim() == 2 else (0, rows))
    return wide
