"""Trains a net, in pieces: each call goes on where the last one stopped.

    python -m training.learner.train --bundle build/train/bundle --config training/runs/NAME/config.json
        --state /tmp/state.pt --out OUT --seconds 540

The state file holds everything for the next piece (weights, optimiser, league).  `--out` gets what is worth keeping:
the averaged actor (`weights.npz`) and the critic (`critic.npz`), both in float16, `progress.json` and `log.jsonl`.
Where there is no state file, since the machine was another one, `--resume FOLDER` goes on from such a folder with
a fresh optimiser and an empty league.  `--start FOLDER` begins a new run with its weights, and with its net as the
first one of the league.  `--league FOLDER ...` adds nets of other runs to the league, and `--rival FOLDER` measures
against its net, too.

`torchrun` makes it several processes (`training.learner.workers`); all of them must see the same files.

With `is_best_response` in the configuration, the run learns to beat the net of `--start`: what it gains is how far
that net can be exploited.
"""

import argparse
import json
import time
from pathlib import Path
from typing import Any, TextIO

import numpy as np
import torch

from training.learner.league import League
from training.learner.measure import Match, measured
from training.learner.memory import TorchMemory
from training.learner.nets import BINS, FastNet, Net
from training.learner.ppo import Learner
from training.learner.rollout import Rollout, RolloutPlan
from training.learner.settings import Settings
from training.learner.workers import Workers
from training.simulator.batch import Bundle

MEASURING_SEED = 900_000_007  # training uses the seed of its settings, and no other
WARM_UPDATES = 20


class Run:
    """A run in progress."""

    def __init__(
        self,
        settings: Settings,
        bundle: Bundle,
        device: torch.device,
        workers: Workers | None = None,
    ) -> None:
        self.settings, self.bundle, self.device = settings, bundle, device
        self.workers = workers or Workers()
        torch.manual_seed(settings.seed)
        torch.backends.cuda.matmul.allow_tf32 = True
        view = bundle.layout["view"]
        self.actor = Net(
            view["WORDS"] * 64, settings.width, settings.depth, view["ACTIONS"], 0.01
        ).to(device)
        self.critic = Net(
            view["CRITIC_WORDS"] * 64, settings.critic_width, settings.depth, BINS, 0.1
        ).to(device)
        self.average = {name: one.clone() for name, one in self.actor.state_dict().items()}
        self.net, self.best = FastNet(self.actor), FastNet(self.actor)
        self.league = League(
            [FastNet(self.actor) for _ in range(settings.league_slots)],
            settings.careless_share,
            settings.seed,
        )
        self.rival: FastNet | None = None
        share = 1.0 if settings.is_best_response else settings.league_share
        league_tables = int(settings.tables * share)
        league_tables -= league_tables % max(1, settings.league_slots)
        plan = RolloutPlan(
            settings.tables,
            settings.steps,
            league_tables,
            settings.league_slots,
            settings.scripted_share,
            is_best_response=settings.is_best_response,
            shifted_share=settings.shifted_share,
        )
        self.rollout = Rollout(bundle, plan, self.net, self.league.slots)
        self.learner = Learner(settings, self.rollout, self.actor, self.critic, self.workers)
        self.elapsed = 0.0
        self.updates = self.decisions = self.since_start = 0
        self.snapshot_at = settings.snapshot_seconds

    def state(self) -> dict[str, Any]:
        return self.learner.state() | {
            "average": self.average,
            "league": self.league.past,
            "counters": [self.elapsed, self.updates, self.decisions, self.snapshot_at],
        }

    def load(self, state: dict[str, Any]) -> None:
        self.learner.load(state)
        for name, values in (state.get("average") or self.actor.state_dict()).items():
            self.average[name].copy_(values)
        self.league.past = state.get("league", [])
        if "counters" in state:
            self.elapsed, self.updates, self.decisions, self.snapshot_at = state["counters"]
        self.league.choose()

    def flatten(self) -> None:
        """Brings the answers closer together: the favourites are the same, but the net tries more."""
        with torch.no_grad():
            for weights in (self.actor.state_dict(), self.average):
                for name in ("head.weight", "head.bias"):
                    weights[name].mul_(self.settings.start_flatness)

    def meet(self, weights: dict[str, torch.Tensor]) -> None:
        """Measures against a net with these weights, too."""
        self.rival = FastNet(self.actor)
        self.rival.load(weights)

    def begin(self) -> None:
        """Begins the games; each piece of a run, and each process, has other deals."""
        self.workers.share(self.learner.weights)
        self.workers.share(self.average.values())
        draws = self.bundle.draws(self.settings.shares)
        seed = 1_000_003 * self.settings.seed + self.updates + 7_919_000 * self.workers.number
        self.rollout.begin(seed, draws)
        torch.manual_seed(seed)

    def update(self) -> dict[str, float]:
        started = time.perf_counter()
        self.net.load(self.actor.state_dict())
        self.rollout.play()
        self.since_start += 1
        share = self.elapsed / self.settings.seconds
        warm_up = min(1.0, self.since_start / WARM_UPDATES)
        found = self.learner.update(share, warm_up)
        with torch.no_grad():
            for name, one in self.actor.state_dict().items():
                self.average[name].lerp_(one, 1 - min(self.settings.average, self.updates / 50))
        self.updates += 1
        self.decisions += self.settings.steps * self.settings.tables * self.workers.count
        # The schedules follow this clock, so it must be the same in all processes.
        self.elapsed += self.workers.least(time.perf_counter() - started, self.device)
        if self.elapsed > self.snapshot_at and not self.settings.is_best_response:
            self.snapshot_at += self.settings.snapshot_seconds
            self.league.remember(self.actor.state_dict())
            self.league.choose()
        return found

    def measure(self, deals: int, names: dict[str, str]) -> dict[str, list[float]]:
        """Margins over kinds of players; `names` is like `MEASURED`."""
        self.best.load(self.average)
        kinds = self.bundle.layout["table"]
        found: dict[str, list[float]] = {}
        for label, name in names.items():
            rule, _, kind = name.partition("/")
            sets = [n for n, one in enumerate(self.bundle.rule_sets) if one["name"][:-2] == rule]
            kind, _, shift = kind.partition("+")
            matches = [Match(self.bundle, one, kinds[kind], deals, int(shift or 0)) for one in sets]
            other = self.rival if kind == "FROZEN" else None
            for result, one in zip(
                measured(self.bundle, matches, self.best, other, MEASURING_SEED), sets, strict=True
            ):
                players = self.bundle.rule_sets[one]["players"]
                found[f"{label} {players}"] = [
                    round(result.margin, 1), round(result.error, 1), round(result.bids_met, 3),
                ]  # fmt: skip
        return found


MEASURED = {
    "counting": "base/COUNTING",
    "random bidder (held out)": "base/RANDOM_BIDDER",
    "nil bidder (held out)": "base/NIL_BIDDER",
    "counting that bids one more": "base/OVERBIDDER",
    "counting that bids one fewer": "base/UNDERBIDDER",
    "all specials, counting": "specials:DRFABOWEJUCLSH/COUNTING",
    "secret, counting": "secret/COUNTING",
    "unicolor, counting": "unicolor/COUNTING",
    "foresight, counting": "foresight:every_round/COUNTING",
}
"""What is measured: the name of a rule set without its players, and a kind of player."""
RIVAL = {
    "rival": "base/FROZEN",
    "all specials, rival": "specials:DRFABOWEJUCLSH/FROZEN",
    "secret, rival": "secret/FROZEN",
    "unicolor, rival": "unicolor/FROZEN",
    "foresight, rival": "foresight:every_round/FROZEN",
    "rival that bids one more": "base/FROZEN+1",
    "rival that bids two more": "base/FROZEN+2",
    "rival that bids one fewer": "base/FROZEN+-1",
}


def as_half(weights: dict[str, torch.Tensor]) -> dict[str, np.ndarray]:
    return {name: one.detach().half().cpu().numpy() for name, one in weights.items()}


def keep(run: Run, out: Path) -> None:
    """What is worth keeping after the machine is gone."""
    for name, weights in (("weights", run.average), ("critic", run.critic.state_dict())):
        np.savez(out / f"{name}.npz", **as_half(weights))  # type: ignore[arg-type]
    (out / "progress.json").write_text(json.dumps(run.state()["counters"]), encoding="utf-8")


def kept(folder: Path, device: torch.device, *, is_same_run: bool) -> dict[str, Any]:
    """What `keep` has written, as a state without an optimiser."""
    state: dict[str, Any] = {}
    for part, name in (("actor", "weights"), ("critic", "critic")):
        with np.load(folder / f"{name}.npz") as stored:
            state[part] = {k: torch.from_numpy(stored[k]).float().to(device) for k in stored.files}
    if is_same_run:
        state["counters"] = json.loads((folder / "progress.json").read_text(encoding="utf-8"))
    else:
        state["league"] = [{name: one.half() for name, one in state["actor"].items()}]
    return state


def _asked() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__)
    for name in ("bundle", "config", "state", "out", "resume", "start", "rival"):
        parser.add_argument(f"--{name}", type=Path)
    parser.add_argument("--league", type=Path, nargs="*", default=[])
    parser.add_argument("--seconds", type=float, default=540.0)
    return parser.parse_args()


def _begun(given: argparse.Namespace, workers: Workers) -> Run:
    """The run that is asked for, as it was left, or as it begins."""
    device = workers.device
    bundle = Bundle(given.bundle, TorchMemory(device))
    run = Run(Settings.read(given.config), bundle, device, workers)
    for folder in given.league:
        run.league.meet(folder)
    if given.state is not None and given.state.exists():
        run.load(torch.load(given.state, map_location=device))
    elif given.resume is not None or given.start is not None:
        folder, is_same_run = given.resume or given.start, given.resume is not None
        run.load(kept(folder, device, is_same_run=is_same_run))
        if not is_same_run:
            run.flatten()
    if given.rival is not None:
        run.meet(kept(given.rival, device, is_same_run=False)["actor"])
    run.begin()
    return run


def main() -> None:
    given, workers = _asked(), Workers()
    began = time.perf_counter()
    run = _begun(given, workers)
    settings, device = run.settings, run.device
    log = _log(given.out) if workers.is_first else None

    def write(what: dict[str, Any]) -> None:
        line = json.dumps({"t": round(run.elapsed, 1), "updates": run.updates} | what)
        if log is not None:
            print(line, flush=True)
            log.write(line + "\n")
            log.flush()

    name = torch.cuda.get_device_name() if device.type == "cuda" else "cpu"
    parameters = sum(one.numel() for one in run.actor.parameters())
    write({"begin": name, "processes": workers.count, "parameters": parameters})
    names = MEASURED if run.rival is None else MEASURED | RIVAL
    measure_at = run.elapsed + settings.measure_seconds
    first, printed = run.decisions, 0.0

    def time_left() -> float:
        return min(settings.seconds - run.elapsed, given.seconds - (time.perf_counter() - began))

    # Whoever has the least time left ends the piece for all.
    while workers.least(time_left(), device) > 0:
        found = run.update()
        if time.perf_counter() - printed > 20:
            printed = time.perf_counter()
            rate = (run.decisions - first) / (printed - began) / 1e6
            write({k: round(v, 4) for k, v in found.items()}
                  | {"decisions": run.decisions, "M/s": round(rate, 2)})  # fmt: skip
        if run.elapsed > measure_at:
            measure_at += settings.measure_seconds
            if workers.is_first:
                write({"margins": run.measure(settings.measured_games, names)})
                keep(run, given.out)
    if workers.is_first:
        write({"margins": run.measure(4 * settings.measured_games, names)})
        keep(run, given.out)
        if given.state is not None:
            torch.save(run.state(), given.state)
    write(
        {"end": round(time.perf_counter() - began, 1), "error": run.bundle.library.tables_error()}
    )
    workers.end()


def _log(folder: Path) -> TextIO:
    folder.mkdir(parents=True, exist_ok=True)
    return (folder / "log.jsonl").open("a", encoding="utf-8")


if __name__ == "__main__":
    main()
