"""Trains the value net: what each seat will get in this round, given all hands, if a finished net plays on.

    python -m training.learner.train_value --bundle build/train/bundle --config training/runs/value/config.json
        --player training/runs/second --out OUT --seconds 500

`--player` is the net that plays in every seat.  At some tables it now and then takes an action that it finds less
likely, and in some rounds cards change hands unseen (`training.simulator.exchanges`); decisions count from there on.
Nets of several widths learn from the same rounds.  `--start` goes on from the nets in another run's folder.

`--out` gets a file for each width, such as `value_512.npz`, the averaged weights in float16, and `log.jsonl`.
"""

import argparse
import json
import time
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import torch
import torch.nn.functional as F

from training.learner.fitted import Fitted, player_of
from training.learner.memory import TorchMemory
from training.learner.nets import Answering, FastNet, Net
from training.learner.outcomes import PARTS, Moments, Outcomes, last_steps
from training.learner.rollout import Rollout, RolloutPlan, graphed
from training.learner.true_leads import TrueLeads
from training.simulator.batch import Bundle


@dataclass(frozen=True, slots=True)
class ValueSettings:
    """All numbers of a run."""

    seed: int = 1
    seconds: float = 500.0
    tables: int = 32768
    steps: int = 256  # several rounds: decisions of rounds that end later do not count
    widths: tuple[int, ...] = (512, 1024)
    depth: int = 3
    learning_rate: tuple[float, float] = (1e-3, 1e-5)
    warm_up: float = 0.01  # the share of the run in which the learning rate rises
    batch: int = 65536
    average: float = 0.999  # how slowly the averaged net follows, for each step
    classes_weight: float = 0.3  # of the cross-entropy beside the squared error
    greedy_share: float = 0.35  # of the tables: the net always takes its favourite
    stray_share: float = 0.12  # of the decisions at the others: drawn by its chances
    flatness: float = 0.5  # to the power of this
    exchange_share: float = 0.5  # of the rounds: cards change hands
    lead_seconds: float = 60.0  # between two looks at leads
    lead_tables: int = 8192  # how many tables are looked at
    shares: dict[str, float] = field(
        default_factory=lambda: {
            "base": 0.65,
            "variants": 0.13,
            "unicolor": 0.02,
            "foresight": 0.04,
            "specials": 0.11,
            "all specials": 0.05,
        }
    )

    @classmethod
    def read(cls, file: Path) -> "ValueSettings":
        given = json.loads(file.read_text(encoding="utf-8"))
        for name in ("learning_rate", "widths"):
            if name in given:
                given[name] = tuple(given[name])
        return cls(**given)


class ValueLearner:
    """The value nets, and the tables that they learn from."""

    def __init__(self, settings: ValueSettings, bundle: Bundle, player: Answering) -> None:
        self.settings, self.bundle = settings, bundle
        plan = RolloutPlan(
            settings.tables, settings.steps, 0, 0, 0.0, int(settings.tables * settings.greedy_share),
            stray_share=settings.stray_share, flatness=settings.flatness,
            exchange_share=settings.exchange_share,
        )  # fmt: skip
        self.rollout = Rollout(bundle, plan, player, [])
        self.device = self.rollout.words.device
        self.is_gpu = self.device.type == "cuda"
        self.outcomes = Outcomes(bundle)
        value = bundle.layout["value"]
        self.inputs_count = value["VALUE_WORDS"] * 64
        self.fitted = {
            width: Fitted(
                Net(self.inputs_count, width, settings.depth, value["TRAINED_ANSWERS"], 0.01).to(
                    self.device
                ),
                settings.average, settings.learning_rate, settings.warm_up,
            )
            for width in settings.widths
        }  # fmt: skip
        self.ends = torch.zeros(
            settings.steps, settings.tables, dtype=torch.int16, device=self.device
        )
        self.which = torch.zeros(settings.batch, dtype=torch.int64, device=self.device)
        self.inputs = torch.zeros(
            settings.batch, self.inputs_count, dtype=torch.bfloat16, device=self.device
        )
        self.draws = bundle.draws(settings.shares)
        self.errors = Errors(settings.widths, self.device)
        self.steps = self.learned = 0
        self._replay: Any = None

    def begin(self) -> None:
        self.rollout.begin(4_000_037 * self.settings.seed, self.draws)

    @torch.no_grad()
    def _find_ends(self) -> None:
        rollout, table = self.rollout, self.bundle.layout["table"]
        self.ends.copy_(last_steps(rollout.ended, rollout.is_favourite, table))

    def update(self, share: float) -> None:
        """Plays on, and learns from all decisions that count once; `share` of the run is done."""
        self.rollout.play()
        self._find_ends()
        for one in self.fitted.values():
            one.set_rate(share)
        known = (self.ends.flatten() >= 0).nonzero()[:, 0]
        order = known[torch.randperm(len(known), device=self.device)]
        size = self.settings.batch
        for begin in range(0, len(order) - size + 1, size):
            self.which.copy_(order[begin : begin + size])
            if self._replay is None:
                self._replay = graphed(self._step, self.is_gpu, warm_ups=3)
            self._replay()
            self.steps += 1
            self.learned += size

    def _step(self) -> None:
        rollout, which, tables = self.rollout, self.which, self.settings.tables
        with torch.no_grad():
            every = rollout.words[:-1].reshape(-1, self.outcomes.view["CRITIC_WORDS"])
            words = every[which]
            rollout.bundle.expand(every, which, len(which), words.shape[1], self.inputs)
            moments = self.outcomes.moments(words)
            end = self.ends.flatten()[which].long()
            points = rollout.points.flatten(0, 1)[end * tables + which % tables]
            seat = rollout.seat[:-1].flatten()[which]
            points = self.outcomes.from_here(points, seat, moments.players)
            rewards = self.outcomes.rewards(points, moments)
            missed = self.outcomes.missed(points)
            count = moments.is_present.sum()
        found = []
        for one in self.fitted.values():
            answers = one.net(self.inputs)
            error = answers[:, : rewards.shape[1]] - rewards / moments.unit[:, None]
            error = error * moments.is_present
            value = self.outcomes.value
            logs = answers[:, value["MISSED"] :].reshape(-1, value["MISSES"])
            costs = F.cross_entropy(logs, missed.flatten(), reduction="none")
            costs = costs * moments.is_present.flatten()
            one.learn((error.square().sum() + self.settings.classes_weight * costs.sum()) / count)
            with torch.no_grad():
                classes = self.outcomes.rewards_of_classes(answers, moments) - rewards
            found += [error.detach() * moments.unit[:, None], classes * moments.is_present]
        self.errors.note(moments, rewards, found)


class Errors:
    """Sums of squared errors in points, for each part of a round and number of players; the last few hundred steps."""

    ROWS = 4 * len(PARTS) + 1  # the last one is for all that is not the base game

    def __init__(self, widths: tuple[int, ...], device: torch.device) -> None:
        self.names = ["constant"]
        self.names += [f"{width}{kind}" for width in widths for kind in ("", " classes")]
        self.sums = torch.zeros(self.ROWS, 1 + len(self.names), device=device)

    @torch.no_grad()
    def note(self, moments: Moments, rewards: torch.Tensor, errors: list[torch.Tensor]) -> None:
        row = (moments.players - 3) * len(PARTS) + moments.part
        row = torch.where(moments.is_base, row, self.ROWS - 1)
        columns = [moments.is_present.float(), rewards.square(), *(one.square() for one in errors)]
        now = torch.stack([one.sum(1) for one in columns], 1)
        self.sums.mul_(0.995).index_add_(0, row, now)

    def found(self) -> dict[str, dict[str, float]]:
        """The root of the mean squared error: of answering 0 always, of each net, and of each net's classes."""
        sums = self.sums.cpu().double()
        base = sums[:-1].view(4, len(PARTS), -1)
        groups = {"base": base.sum((0, 1)), "other rules": sums[-1]}
        groups |= {name: base[:, part].sum(0) for part, name in enumerate(PARTS)}
        groups |= {f"{3 + n} players": base[n].sum(0) for n in range(4)}
        roots = {
            name: (one[1:] / one[0].clamp(min=1)).sqrt().tolist() for name, one in groups.items()
        }
        return {
            name: {kind: round(root, 2) for kind, root in zip(self.names, row, strict=True)}
            for name, row in roots.items()
        }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    for name in ("bundle", "config", "player", "out"):
        parser.add_argument(f"--{name}", type=Path, required=True)
    parser.add_argument("--start", type=Path, help="the folder of a run to go on from")
    parser.add_argument("--seconds", type=float, help="instead of the configuration's")
    parser.add_argument("--every", type=float, default=10.0, help="seconds between two lines")
    given = parser.parse_args()
    began = time.perf_counter()
    device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
    settings = ValueSettings.read(given.config)
    seconds = given.seconds or settings.seconds
    torch.manual_seed(settings.seed)
    torch.backends.cuda.matmul.allow_tf32 = True
    bundle = Bundle(given.bundle, TorchMemory(device))
    player = player_of(given.player, bundle, device)
    learner = ValueLearner(settings, bundle, player)
    if given.start:
        for width, one in learner.fitted.items():
            one.load(given.start / f"value_{width}.npz")
    learner.begin()
    leads = TrueLeads(learner.rollout, learner.outcomes, learner.draws, settings.lead_tables)
    given.out.mkdir(parents=True, exist_ok=True)

    def write(what: dict[str, Any]) -> None:
        line = json.dumps({"t": round(time.perf_counter() - began, 1)} | what)
        print(line, flush=True)
        with (given.out / "log.jsonl").open("a", encoding="utf-8") as log:
            log.write(line + "\n")

    def look_at_leads() -> None:
        for width, one in learner.fitted.items():
            write({"leads": width} | leads.found(FastNet(one.net, one.average)))

    def keep() -> None:
        for width, one in learner.fitted.items():
            one.keep(given.out / f"value_{width}.npz")

    started = printed = looked = saved = time.perf_counter()
    seconds -= started - began
    updates = 0
    while (now := time.perf_counter()) - started < seconds:
        learner.update((now - started) / seconds)
        updates += 1
        if now - printed > given.every or updates == 1:
            printed = now
            played = updates * settings.tables * settings.steps
            counts = {"steps": learner.steps, "played": played, "learned": learner.learned}
            write(counts | learner.errors.found())
        if now - looked > settings.lead_seconds:
            looked = now
            look_at_leads()
        if now - saved > 120:
            saved = now
            keep()
    keep()
    look_at_leads()
    write({"end": learner.steps} | learner.errors.found())


if __name__ == "__main__":
    main()
