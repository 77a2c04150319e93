"""Trains a small net to answer as a finished one does.

    python -m training.learner.distil --bundle build/train/bundle --config training/runs/small/config.json
        --teacher training/runs/second --out OUT

The teacher plays, in whole numbers as it is shipped, and its chances of all actions are what the small net learns.  At
some tables the small net has some seats, so that it learns what to do after its own mistakes.
It begins with the most useful columns of its teacher.

`--out` gets `weights.npz`, the averaged weights in float16, and `log.jsonl`.  A run takes its number of decisions, or
as many as fit into `--seconds` of the CPU: the learning rate reaches its end in either case.
"""

import argparse
import json
import math
import time
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

from foretell.bots.net.weights import SMALL
from training.learner.measure import Match, measured
from training.learner.memory import TorchMemory
from training.learner.nets import Answering, FastNet, Net
from training.learner.rollout import Rollout, RolloutPlan
from training.learner.settings import Settings
from training.learner.whole_net import WholeNet
from training.simulator.batch import Bundle

MEASURING_SEED = 77_000_011
"""No deal of the training has it."""


@dataclass(frozen=True, slots=True)
class DistilSettings:
    """All numbers of a run."""

    seed: int = 1
    decisions: int = 20_000_000  # of the teacher, in all
    tables: int = 4096
    steps: int = 16
    width: int = 256
    depth: int = 3
    learning_rate: tuple[float, float] = (2e-3, 1e-5)
    warm_up: float = 0.01  # the share of the run in which the learning rate rises
    batch: int = 4096
    passes: float = 4.0  # how often a decision that is kept is learned from
    remembered: int = 1 << 20  # how many of the decisions kept last are drawn from
    doubt: float = 0.1  # a decision is kept if the teacher gives its favourite less than 1 - `doubt`; others by lot
    least_kept: float = 0.15
    average: float = 0.999  # how slowly the averaged net follows, for each step
    greedy_share: float = (
        0.5  # of the tables: the teacher takes its favourite; elsewhere it draws by its chances
    )
    student_share: float = 0.3  # of the tables: the small net has some seats
    scripted_share: float = 0.3  # of the games at the other tables
    measured_deals: int = 256
    shares: dict[str, float] = field(default_factory=lambda: Settings().shares)

    @classmethod
    def read(cls, file: Path) -> "DistilSettings":
        given = json.loads(file.read_text(encoding="utf-8"))
        given["learning_rate"] = tuple(given["learning_rate"])
        return cls(**given)


class Memory:
    """The decisions kept last, with the teacher's chances."""

    def __init__(self, rollout: Rollout, size: int) -> None:
        device = rollout.words.device
        self.words = torch.zeros(size, rollout.words.shape[2], dtype=torch.int64, device=device)
        self.phase = torch.zeros(size, dtype=torch.uint8, device=device)
        self.log_chances = torch.zeros(
            size, rollout.choices.kinds, dtype=torch.float16, device=device
        )
        self.size, self.next, self.count = size, 0, 0

    def add(self, rollout: Rollout, is_kept: torch.Tensor) -> None:
        """Takes these decisions of the last steps; they replace the oldest."""
        chances = rollout.log_chances
        assert chances is not None
        which = is_kept.nonzero()[:, 0][: self.size]
        places = (torch.arange(len(which), device=which.device) + self.next) % self.size
        self.words[places] = rollout.words[:-1].flatten(0, 1)[which]
        self.phase[places] = rollout.phase[:-1].flatten()[which]
        self.log_chances[places] = chances.flatten(0, 1)[which]
        self.next = (self.next + len(which)) % self.size
        self.count = min(self.size, self.count + len(which))


class Distiller:
    """The small net, its optimiser, and the tables at which its teacher plays."""

    def __init__(self, settings: DistilSettings, bundle: Bundle, teacher: Answering) -> None:
        self.settings, self.bundle = settings, bundle
        self.view = bundle.layout["view"]
        device = bundle.blob.device
        self.net = Net(
            self.view["WORDS"] * 64, settings.width, settings.depth, self.view["ACTIONS"], 0.01
        ).to(device)
        self.average = {name: one.clone() for name, one in self.net.state_dict().items()}
        self.player = FastNet(self.net)
        plan = RolloutPlan(
            settings.tables, settings.steps, int(settings.tables * settings.student_share), 1,
            settings.scripted_share, int(settings.tables * settings.greedy_share), keeps_chances=True,
        )  # fmt: skip
        self.rollout = Rollout(bundle, plan, teacher, [self.player])
        self.memory = Memory(self.rollout, settings.remembered)
        self.optimiser = torch.optim.Adam(self.net.parameters(), betas=(0.9, 0.98), eps=1e-6)
        self.inputs = torch.zeros(
            settings.batch, self.view["WORDS"] * 64, dtype=torch.bfloat16, device=device
        )
        self.steps = self.decisions = 0

    def begin(self) -> None:
        draws = self.bundle.draws(self.settings.shares)
        self.rollout.begin(3_000_017 * self.settings.seed, draws)

    @torch.no_grad()
    def begin_as(self, run: Path) -> None:
        """Begins with those columns of a net that count most for its answers at the first decisions."""
        with np.load(run / "weights.npz") as stored:
            given = {name: torch.from_numpy(stored[name]).float() for name in stored.files}
        self.rollout.play()
        x, count = self.rollout.inputs.float(), torch.zeros(given["head.weight"].shape[1])
        for layer in range(self.settings.depth):
            y = F.linear(x, given[f"layers.{layer}.weight"], given[f"layers.{layer}.bias"]).relu()
            x = y if layer == 0 else x + y
            after = "head" if layer == self.settings.depth - 1 else f"layers.{layer + 1}"
            count += x.square().mean(0) * given[f"{after}.weight"].square().sum(0)
        best = count.topk(self.settings.width).indices.sort().values
        for name, one in given.items():
            kept = one if name.startswith("head") else one[best]
            is_inner = kept.dim() == 2 and name != "layers.0.weight"
            self.net.state_dict()[name].copy_(kept[:, best] if is_inner else kept)
            self.average[name].copy_(self.net.state_dict()[name])

    def update(self, share: float) -> dict[str, float]:
        """Plays on and learns; `share` of the run is done."""
        one = self.settings
        self.player.load(self.average)
        self.rollout.play()
        self.decisions += one.tables * one.steps
        found = self._agreement()
        chances = self.rollout.log_chances
        assert chances is not None
        doubt = 1 - chances.flatten(0, 1).float().amax(1).exp()
        is_kept = torch.rand_like(doubt) < (doubt / one.doubt).clamp(one.least_kept, 1.0)
        self.memory.add(self.rollout, is_kept)
        first, last = one.learning_rate
        rate = last + (first - last) * 0.5 * (1 + math.cos(math.pi * min(1.0, share)))
        for group in self.optimiser.param_groups:
            group["lr"] = rate * min(1.0, (share + 1e-3) / one.warm_up)
        losses = [self._step() for _ in range(round(float(is_kept.sum()) * one.passes / one.batch))]
        return found | {"loss": sum(losses) / max(1, len(losses)), "kept": float(is_kept.float().mean())}  # fmt: skip

    def _step(self) -> float:
        """One step of the optimiser; returns the divergence from the teacher in nats."""
        which = torch.randint(self.memory.count, (self.settings.batch,), device=self.inputs.device)
        self.bundle.expand(self.memory.words, which, len(which), self.view["WORDS"], self.inputs)
        taught = self.memory.log_chances[which].float()
        logs = self.rollout.choices.log_chances(
            self.net(self.inputs.float()), self.inputs, self.memory.phase[which]
        )
        loss = (taught.exp() * (taught.clamp(min=-1e4) - logs)).sum(1).mean()
        self.optimiser.zero_grad(set_to_none=True)
        loss.backward()
        nn.utils.clip_grad_norm_(self.net.parameters(), 1.0)
        self.optimiser.step()
        self.steps += 1
        keep = min(self.settings.average, self.steps / (self.steps + 20))
        with torch.no_grad():
            for name, one in self.net.state_dict().items():
                self.average[name].lerp_(one, 1 - keep)
        return float(loss.detach())

    @torch.no_grad()
    def _agreement(self) -> dict[str, float]:
        """How often the averaged net has the teacher's favourite, in the last step's decisions, which are new to it.

        `doubtful` are those in which the teacher gives its favourite less than 0.9; `given` is the teacher's chance of
        what the small net likes best, less than the chance of its own favourite.
        """
        chances = self.rollout.log_chances
        assert chances is not None
        taught, step = chances[-1].float(), self.settings.steps - 1
        inputs = self.rollout.inputs  # as the last step has left them
        logs = self.rollout.choices.log_chances(
            self.player(inputs), inputs, self.rollout.phase[step]
        )
        chosen = logs.argmax(1)
        is_same = (chosen == taught.argmax(1)).float()
        is_doubtful = taught.amax(1) < math.log(0.9)
        lost = taught.amax(1).exp() - taught.gather(1, chosen[:, None])[:, 0].exp()
        return {
            "same": float(is_same.mean()),
            "same if doubtful": float(is_same[is_doubtful].mean()),
            "chance lost": float(lost.mean()),
        }

    def keep(self, out: Path) -> None:
        """Writes the averaged weights in float16."""
        halves = {name: one.half().cpu().numpy() for name, one in self.average.items()}
        np.savez(out / "weights.npz", **halves)


def margins(
    bundle: Bundle, net: Answering, teacher: Answering, deals: int
) -> dict[str, list[float]]:
    """How far a net is ahead of tables of the counting bot and of its teacher, base rules; see `Result`."""
    kinds = bundle.layout["table"]
    found = {}
    sets = [n for n, one in enumerate(bundle.rule_sets) if one["name"][:-2] == "base"]
    for label, kind in (("counting", "COUNTING"), ("teacher", "FROZEN")):
        matches = [Match(bundle, one, kinds[kind], deals) for one in sets]
        other = teacher if kind == "FROZEN" else None
        results = measured(bundle, matches, net, other, MEASURING_SEED)
        for match, one in zip(matches, results, strict=True):
            found[f"{label} {match.players}"] = [
                round(one.margin, 1), round(one.error, 1), round(one.bids_met, 3),
            ]  # fmt: skip
    return found


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    for name in ("bundle", "config", "teacher", "out"):
        parser.add_argument(f"--{name}", type=Path, required=True)
    parser.add_argument("--start", type=Path, help="a run to begin with, instead of the teacher")
    parser.add_argument("--seconds", type=float, default=math.inf, help="of the CPU, at most")
    parser.add_argument("--every", type=float, default=20.0, help="seconds between two lines")
    given = parser.parse_args()
    printed = time.perf_counter()
    device = torch.device("cpu")
    settings = DistilSettings.read(given.config)
    torch.manual_seed(settings.seed)
    bundle = Bundle(given.bundle, TorchMemory(device))
    teacher = WholeNet(given.teacher)
    distiller = Distiller(settings, bundle, teacher)
    distiller.begin()
    distiller.begin_as(given.start or given.teacher)
    given.out.mkdir(parents=True, exist_ok=True)

    def write(what: dict[str, Any]) -> None:
        line = json.dumps({"t": round(time.process_time(), 1)} | what)
        print(line, flush=True)
        with (given.out / "log.jsonl").open("a", encoding="utf-8") as log:
            log.write(line + "\n")

    share = 0.0
    while share < 1.0:
        found = distiller.update(share)
        now, worked = time.perf_counter(), time.process_time()
        share = max(distiller.decisions / settings.decisions, worked / given.seconds)
        if now - printed > given.every or share >= 1.0:
            printed = now
            counts = {"decisions": distiller.decisions, "steps": distiller.steps}
            write(counts | {name: round(value, 4) for name, value in found.items()})
            distiller.keep(given.out)
    shape = replace(SMALL, width=settings.width)
    small = WholeNet(given.out, shape)
    write({"margins": margins(bundle, small, teacher, settings.measured_deals)})


if __name__ == "__main__":
    main()
