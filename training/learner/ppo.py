"""One update of the nets from the decisions of a rollout: proximal policy optimisation.

Most decisions are taken with a chance near 1 and teach nothing.  A decision is kept with a chance in proportion to
|advantage| x (1 - its chance) and weighted by the inverse, so that a quarter of them carries nearly all information.
"""

import math
from collections.abc import Callable
from typing import Any

import torch
import torch.nn.functional as F
from torch import nn

from training.learner.advantages import HIGHEST_BIN, advantages, players_at, rewards
from training.learner.nets import Choices, Net
from training.learner.rollout import Rollout, graphed
from training.learner.settings import Settings
from training.learner.workers import Workers

CHUNK = 131072  # decisions that the critic values at once
STATISTICS = ("critic", "bid entropy", "play entropy", "divergence", "clipped", "policy")


class Learner:
    """Actor, critic and optimiser, and the arrays of one update."""

    def __init__(
        self, settings: Settings, rollout: Rollout, actor: Net, critic: Net, workers: Workers
    ) -> None:
        self.settings, self.rollout, self.actor, self.critic = settings, rollout, actor, critic
        self.workers = workers
        self.view = rollout.view
        self.device = rollout.words.device
        self.is_gpu = self.device.type == "cuda"
        self.choices = Choices(rollout.bundle.layout, self.device)
        self.rate = torch.tensor(settings.learning_rate[0], device=self.device)
        self.bid_entropy = torch.tensor(settings.bid_entropy[0], device=self.device)
        self.play_entropy = torch.tensor(settings.play_entropy[0], device=self.device)
        self.weights = [*actor.parameters(), *critic.parameters()]
        self.optimiser = torch.optim.Adam(
            self.weights,
            lr=self.rate,
            betas=(0.9, 0.98),
            eps=1e-6,
            fused=self.is_gpu,
            capturable=self.is_gpu,
            foreach=False if not self.is_gpu else None,
        )
        total = settings.steps * settings.tables
        empty = {"device": self.device}
        self.advantage = torch.zeros(total, **empty)
        self.weight = torch.zeros(total, **empty)
        self.outcome = torch.zeros(total, dtype=torch.int64, **empty)
        self.value = torch.zeros(total, **empty)
        self.statistics = torch.zeros(len(STATISTICS), **empty)
        bins = torch.arange(2 * HIGHEST_BIN + 1, **empty).float() - HIGHEST_BIN
        self.worth = bins / 3  # in units of 30 points
        chunk = min(CHUNK, total)
        self.critic_inputs = torch.zeros(
            chunk, self.view["CRITIC_WORDS"] * 64, dtype=torch.bfloat16, device=self.device
        )
        self.value_chunk = torch.zeros(chunk, **empty)
        self.steps: dict[int, _Step] = {}

    def schedule(self, share: float) -> None:
        """Sets what changes over the run; `share` of it is done."""
        one = self.settings
        falling = max(0.0, (share - one.hold) / (1 - one.hold))
        cosine = 0.5 * (1 + math.cos(math.pi * min(1.0, falling)))
        first, last = one.learning_rate
        self.rate.fill_(last + (first - last) * cosine)
        for entropy, (at_first, at_last) in (
            (self.bid_entropy, one.bid_entropy),
            (self.play_entropy, one.play_entropy),
        ):
            entropy.fill_(at_first + (at_last - at_first) * min(1.0, share))

    def update(self, share: float, warm_up: float = 1.0) -> dict[str, float]:
        """Learns from the rollout's decisions; returns some statistics."""
        self.schedule(share)
        self.rate.mul_(warm_up)
        self._value_all()
        counted = self._prepare()
        one = self.settings
        size = one.last_batch if share >= one.batch_grows_at else one.batch
        if size not in self.steps:
            # The critic's batch is larger: it goes once through its share while the actor goes through its own.
            per_step = one.critic_share / (one.kept * one.epochs)
            self.steps[size] = _Step(self, size, int(size * per_step))
        self._learn(self.steps[size])
        found = dict(zip(STATISTICS, self.statistics.tolist(), strict=True))
        return found | {"counted": float(counted)}

    @torch.no_grad()
    def _value_all(self) -> None:
        """What the critic expects at every decision."""
        words = self.rollout.words[:-1].reshape(-1, self.view["CRITIC_WORDS"])
        count = self.view["CRITIC_WORDS"]
        for first in range(0, len(words), len(self.value_chunk)):
            part = words[first : first + len(self.value_chunk)]
            self.rollout.bundle.expand(part, None, len(part), count, self.critic_inputs)
            chances = self.critic(self.critic_inputs[: len(part)]).softmax(1)
            self.value[first : first + len(part)] = (chances * self.worth).sum(1)

    @torch.no_grad()
    def _prepare(self) -> int:
        """Advantages, their weights, and the decisions to learn from; returns how many decisions count."""
        rollout, one = self.rollout, self.settings
        shape = rollout.action.shape
        players = players_at(rollout.words[:-1], self.view)
        found = advantages(
            reward=rewards(rollout.points, players),
            ended=rollout.ended,
            seat=rollout.seat[:-1],
            is_learner=rollout.player[:-1] == rollout.bundle.layout["table"]["LEARNER"],
            value=self.value.view(shape),
            discount=one.discount,
        )
        counts = found.counts.flatten()
        gains = found.value.flatten()[counts]
        spread = gains.std().clamp(min=1e-3)
        normal = ((found.value.flatten() - gains.mean()) / spread).clamp(-6, 6)
        self.advantage.copy_(normal)
        self.outcome.copy_(found.outcome.flatten())
        doubt = 1 - rollout.log_chance.flatten().exp()
        chance = _chances_to_keep(normal.abs() * doubt * counts, counts, one.kept, one.least_kept)
        keep = (torch.rand_like(chance) < chance) & counts
        self.weight.copy_(one.kept / chance.clamp(min=1e-9))
        self.kept = keep.nonzero()[:, 0]
        self.known = (self.outcome >= 0).nonzero()[:, 0]
        return int(counts.sum())

    def _learn(self, step: "_Step") -> None:
        critic = self.known[torch.randperm(len(self.known), device=self.device)]
        used = 0
        # As many steps as the process with the fewest decisions can make: they wait for each other at every step.
        steps = int(self.workers.least(len(self.kept) // step.size, self.device))
        for _ in range(self.settings.epochs):
            order = self.kept[torch.randperm(len(self.kept), device=self.device)]
            for first in range(0, steps * step.size, step.size):
                if used + step.critic_size > len(critic):
                    used = 0
                step.which.copy_(order[first : first + step.size])
                step.critic_which.copy_(critic[used : used + step.critic_size])
                used += step.critic_size
                step.run()

    def state(self) -> dict[str, Any]:
        """All that a later piece of the run needs."""
        return {
            "actor": self.actor.state_dict(),
            "critic": self.critic.state_dict(),
            "optimiser": self.optimiser.state_dict(),
        }

    def load(self, state: dict[str, Any]) -> None:
        self.actor.load_state_dict(state["actor"])
        self.critic.load_state_dict(state["critic"])
        if "optimiser" in state:
            self.optimiser.load_state_dict(state["optimiser"])
            for group in self.optimiser.param_groups:
                group["lr"] = self.rate

    def _tensors(self) -> list[torch.Tensor]:
        moments = [one for kept in self.optimiser.state.values() for one in kept.values()]
        return [*self.weights, *moments]

    def copied(self) -> list[torch.Tensor]:
        """The weights and the optimiser's moments as they are now."""
        return [one.detach().clone() for one in self._tensors()]

    @torch.no_grad()
    def put_back(self, kept: list[torch.Tensor]) -> None:
        """Undoes all steps since `copied`; moments that did not exist then become zero."""
        for place, one in enumerate(self._tensors()):
            one.copy_(kept[place]) if place < len(kept) else one.zero_()


def _chances_to_keep(
    worth: torch.Tensor, counts: torch.Tensor, share: float, least: float
) -> torch.Tensor:
    """Chances in proportion to `worth`, between `least` and 1, whose mean over the decisions that count is `share`."""
    total = counts.sum().clamp(min=1)
    scale = share * total / worth.sum().clamp(min=1e-9)
    for _ in range(8):
        chance = (worth * scale).clamp(least, 1.0) * counts
        scale = scale * share * total / chance.sum().clamp(min=1e-9)
    return (worth * scale).clamp(least, 1.0)


class _Step:
    """One step of the optimiser with fixed sizes, as a CUDA graph."""

    def __init__(self, learner: Learner, size: int, critic_size: int) -> None:
        self.learner, self.size, self.critic_size = learner, size, critic_size
        device, view = learner.device, learner.view
        self.which = torch.zeros(size, dtype=torch.int64, device=device)
        self.critic_which = torch.zeros(critic_size, dtype=torch.int64, device=device)
        self.inputs = torch.zeros(size, view["WORDS"] * 64, dtype=torch.bfloat16, device=device)
        self.critic_inputs = torch.zeros(
            critic_size, view["CRITIC_WORDS"] * 64, dtype=torch.bfloat16, device=device
        )
        self._replay: Callable[[], None] | None = None

    def run(self) -> None:
        if self._replay is None:
            # Making the graph takes some steps; then nets and optimiser go back to where they were.
            kept = self.learner.copied()
            self._replay = graphed(self._work, self.learner.is_gpu, warm_ups=3)
            self.learner.put_back(kept)
        self._replay()

    def _work(self) -> None:
        learner = self.learner
        learner.optimiser.zero_grad(set_to_none=True)
        loss = self._loss()
        loss.backward()
        learner.workers.average([one.grad for one in learner.weights if one.grad is not None])
        nn.utils.clip_grad_norm_(learner.actor.parameters(), 0.5)
        nn.utils.clip_grad_norm_(learner.critic.parameters(), 1.0)
        learner.optimiser.step()

    def _loss(self) -> torch.Tensor:
        learner, rollout, which = self.learner, self.learner.rollout, self.which
        clip = learner.settings.clip
        words = rollout.words[:-1].reshape(-1, learner.view["CRITIC_WORDS"])
        rollout.bundle.expand(words, which, self.size, learner.view["WORDS"], self.inputs)
        phase = rollout.phase[:-1].flatten()[which]
        logs = learner.choices.log_chances(learner.actor(self.inputs), self.inputs, phase)
        action = rollout.action.flatten()[which].long()
        log_chance = logs.gather(1, action[:, None])[:, 0]
        change = log_chance - rollout.log_chance.flatten()[which]
        ratio = change.exp()
        gain, weight = learner.advantage[which], learner.weight[which]
        bounded = torch.min(ratio * gain, ratio.clamp(1 - clip, 1 + clip) * gain)
        policy = -(weight * bounded).mean()
        entropy = -(logs.exp() * logs).sum(1)
        is_play = (phase == rollout.bundle.layout["codes"]["PLAYING"]).float()
        bonus = is_play * learner.play_entropy + (1 - is_play) * learner.bid_entropy
        value = self._critic_loss(words)
        with torch.no_grad():
            now = torch.stack(
                [
                    value,
                    (weight * entropy * (1 - is_play)).sum() / (weight * (1 - is_play)).sum(),
                    (weight * entropy * is_play).sum() / (weight * is_play).sum(),
                    (weight * (ratio - 1 - change)).mean(),
                    (weight * ((ratio - 1).abs() > clip)).mean(),
                    policy,
                ]
            )
            learner.statistics.lerp_(now.nan_to_num(), 0.05)
        return policy - (weight * bonus * entropy).mean() + value

    def _critic_loss(self, words: torch.Tensor) -> torch.Tensor:
        learner = self.learner
        count = learner.view["CRITIC_WORDS"]
        learner.rollout.bundle.expand(
            words, self.critic_which, self.critic_size, count, self.critic_inputs
        )
        expected = learner.critic(self.critic_inputs)
        return F.cross_entropy(expected, learner.outcome[self.critic_which])
