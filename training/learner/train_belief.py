"""Trains the belief net: where the cards are that a seat does not see, learned from rounds that a finished net plays.

    python -m training.learner.train_belief --bundle build/train/bundle --config training/runs/belief/config.json
        --player training/runs/second --other training/runs/first --out OUT --seconds 500

`--player` is the net that plays; `--other` plays some seats at some tables, so that the belief does not depend on one
net alone.  `--out` gets `belief.npz`, the averaged weights in float16, and `log.jsonl`.
"""

import argparse
import json
import time
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import torch

from training.learner.fitted import Fitted, player_of
from training.learner.hidden_cards import HiddenCards
from training.learner.memory import TorchMemory
from training.learner.nets import FastNet, Net
from training.learner.rollout import Rollout, RolloutPlan, graphed
from training.simulator.batch import Bundle

STATISTICS = ("loss", "first", "sizes")
"""Nats for a card: of all questions; where nothing is drawn yet; the same if only the sizes of hands were known."""


@dataclass(frozen=True, slots=True)
class BeliefSettings:
    """All numbers of a run."""

    seed: int = 1
    seconds: float = 500.0
    tables: int = 65536
    steps: int = 32
    width: int = 1024
    depth: int = 3
    learning_rate: tuple[float, float] = (1e-3, 1e-5)
    warm_up: float = 0.01  # the share of the run in which the learning rate rises
    batch: int = 65536
    average: float = 0.999  # how slowly the averaged net follows, for each step
    nothing_drawn: float = 0.25  # the share of questions before anything is drawn
    greedy_share: float = 0.5  # of the tables: the net takes its favourite
    other_share: float = 0.2  # of the tables: the other net has some seats
    scripted_share: float = 0.15  # of the games at the other tables
    shares: dict[str, float] = field(
        default_factory=lambda: {
            "base": 0.62,
            "variants": 0.16,
            "unicolor": 0.02,
            "specials": 0.14,
            "all specials": 0.06,
        }
    )

    @classmethod
    def read(cls, file: Path) -> "BeliefSettings":
        given = json.loads(file.read_text(encoding="utf-8"))
        given["learning_rate"] = tuple(given["learning_rate"])
        return cls(**given)


class BeliefLearner:
    """The belief net, its optimiser, and the tables that it learns from."""

    def __init__(
        self, settings: BeliefSettings, bundle: Bundle, player: FastNet, others: list[FastNet]
    ) -> None:
        self.settings, self.bundle = settings, bundle
        league = int(settings.tables * settings.other_share) if others else 0
        plan = RolloutPlan(
            settings.tables, settings.steps, league, len(others), settings.scripted_share,
            int(settings.tables * settings.greedy_share),
        )  # fmt: skip
        self.rollout = Rollout(bundle, plan, player, others)
        self.device = self.rollout.words.device
        self.is_gpu = self.device.type == "cuda"
        self.view, belief = bundle.layout["view"], bundle.layout["belief"]
        self.places, self.kinds = belief["PLACES"], bundle.layout["codes"]["KINDS"]
        self.cards = HiddenCards(bundle.layout, self.device)
        self.net = Net(
            belief["BELIEF_WORDS"] * 64, settings.width, settings.depth, belief["BELIEF_ANSWERS"], 0.01
        ).to(self.device)  # fmt: skip
        self.fitted = Fitted(self.net, settings.average, settings.learning_rate, settings.warm_up)
        self.which = torch.zeros(settings.batch, dtype=torch.int64, device=self.device)
        self.inputs = torch.zeros(
            settings.batch, self.view["WORDS"] * 64, dtype=torch.bfloat16, device=self.device
        )
        self.statistics = torch.zeros(len(STATISTICS), device=self.device)
        self.steps = 0
        self._replay: Any = None

    def begin(self) -> None:
        draws = self.bundle.draws(self.settings.shares)
        self.rollout.begin(2_000_003 * self.settings.seed, draws)

    def update(self, share: float) -> dict[str, float]:
        """Plays on, and learns from all decisions once; `share` of the run is done."""
        one = self.settings
        self.rollout.play()
        self.fitted.set_rate(share)
        order = torch.randperm(one.tables * one.steps, device=self.device)
        for begin in range(0, len(order) - one.batch + 1, one.batch):
            self.which.copy_(order[begin : begin + one.batch])
            if self._replay is None:
                self._replay = graphed(self._step, self.is_gpu, warm_ups=3)
            self._replay()
            self.steps += 1
        return dict(zip(STATISTICS, self.statistics.tolist(), strict=True))

    def _step(self) -> None:
        self.fitted.learn(self._loss())

    def _loss(self) -> torch.Tensor:
        rollout, which = self.rollout, self.which
        every = rollout.words[:-1].reshape(-1, self.view["CRITIC_WORDS"])
        rollout.bundle.expand(every, which, len(which), self.view["WORDS"], self.inputs)
        with torch.no_grad():
            places = self.cards.places(every[which])
            is_first = torch.rand(len(which), 1, device=self.device) < self.settings.nothing_drawn
            share = torch.rand(len(which), 1, device=self.device).masked_fill(is_first, 0.0)
            drawn = self.cards.drawn(places, torch.rand(places.shape, device=self.device) < share)
            asked = drawn.is_asked.float()
        answers = self.net(torch.cat([self.inputs, drawn.inputs], 1))
        logs = answers[:, : self.kinds * self.places].view(-1, self.kinds, self.places)
        logs = logs.log_softmax(2)[:, self.cards.kind_of_item]
        costs = -logs.gather(2, places.clamp(min=0)[:, :, None])[:, :, 0] * asked
        loss = costs.sum() / asked.sum()
        with torch.no_grad():
            self._note(costs, asked, places, is_first)
        return loss

    def _note(
        self, costs: torch.Tensor, asked: torch.Tensor, places: torch.Tensor, is_first: torch.Tensor
    ) -> None:
        """Keeps averages for the log."""
        first = is_first.float()
        there = torch.arange(self.places, device=self.device)
        sizes = (places[:, :, None] == there).sum(1)
        chance = sizes.gather(1, places.clamp(min=0)) / sizes.sum(1, keepdim=True).clamp(min=1)
        by_size = -chance.clamp(min=1e-6).log() * asked
        count = (asked * first).sum()
        now = torch.stack(
            [
                costs.sum() / asked.sum(),
                (costs * first).sum() / count,
                (by_size * first).sum() / count,
            ]
        )
        self.statistics.lerp_(now, 0.02)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    for name in ("bundle", "config", "player", "other", "out"):
        parser.add_argument(f"--{name}", type=Path, required=name != "other")
    parser.add_argument("--seconds", type=float, help="instead of the configuration's")
    given = parser.parse_args()
    began = time.perf_counter()
    device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
    settings = BeliefSettings.read(given.config)
    seconds = given.seconds or settings.seconds
    torch.manual_seed(settings.seed)
    torch.backends.cuda.matmul.allow_tf32 = True
    bundle = Bundle(given.bundle, TorchMemory(device))
    others = [player_of(given.other, bundle, device)] if given.other else []
    learner = BeliefLearner(settings, bundle, player_of(given.player, bundle, device), others)
    learner.begin()
    given.out.mkdir(parents=True, exist_ok=True)
    started = printed = saved = time.perf_counter()
    seconds -= started - began
    decisions = 0
    with (given.out / "log.jsonl").open("a", encoding="utf-8") as log:
        while (now := time.perf_counter()) - started < seconds:
            found = learner.update((now - started) / seconds)
            decisions += settings.tables * settings.steps
            if now - printed > 10 or decisions == settings.tables * settings.steps:
                printed = now
                line = {"t": round(now - began, 1), "steps": learner.steps, "decisions": decisions}
                line |= {name: round(value, 4) for name, value in found.items()}
                print(json.dumps(line), flush=True)
                log.write(json.dumps(line) + "\n")
            if now - saved > 120:
                saved = now
                learner.fitted.keep(given.out / "belief.npz")
    learner.fitted.keep(given.out / "belief.npz")
    print(json.dumps({"end": round(time.perf_counter() - began, 1)}), flush=True)


if __name__ == "__main__":
    main()
