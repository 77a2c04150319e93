"""How well a value net says how far one action is ahead of another: beside the truth, at tables of the net.

At each table that waits for a decision, every action that the net finds likely is tried with the cards as they lie, and
the net plays the round to its end.  The difference from its favourite is the true lead.  The value net says what each
action is worth at the first real choice after it.
"""

from dataclasses import dataclass

import numpy as np
import torch

from training.learner.nets import Answering
from training.learner.outcomes import PARTS, Outcomes
from training.learner.rollout import Rollout
from training.simulator.batch import Batch

LEAST_CHANCE = 0.01
MOST_ACTIONS = 4
MOST_STEPS = 200  # more decisions than a round has


@dataclass(frozen=True, slots=True)
class Tried:
    """Actions tried at tables: rows that follow one another, the favourite of a table before its other actions."""

    favourite: torch.Tensor  # by row: the row of the favourite at the same table
    true: torch.Tensor  # by row: the reward in the end
    part: torch.Tensor
    is_base: torch.Tensor
    is_exchanged: torch.Tensor  # cards have changed hands before
    words: torch.Tensor  # at the first real choice after the action
    place: torch.Tensor  # of the seat that took the action, counted from the seat of that choice
    is_over: torch.Tensor  # there was no choice any more


class TrueLeads:
    """Tries the actions at some of the tables of a rollout, as they stand now."""

    def __init__(
        self, rollout: Rollout, outcomes: Outcomes, draws: np.ndarray, tables: int
    ) -> None:
        self.rollout, self.outcomes, self.draws, self.tables = rollout, outcomes, draws, tables
        self.bundle, self.view = rollout.bundle, rollout.view

    @torch.no_grad()
    def found(self, net: Answering) -> dict[str, object]:
        """For each part of a round in the base game, and where cards have changed hands: what `judged` says.

        `net` is a value net.  `classes` are the rewards that follow from its classes.
        """
        tried = self._tried()
        answers = net(self._inputs(tried.words, self.view["CRITIC_WORDS"])).float()
        moments = self.outcomes.moments(tried.words)
        by_seat = answers[:, : moments.bids.shape[1]] * moments.unit[:, None]
        by_class = self.outcomes.rewards_of_classes(answers, moments)
        others = tried.favourite != torch.arange(len(tried.true), device=answers.device)
        result: dict[str, object] = {}
        for name, seats in (("", by_seat), (" classes", by_class)):
            value = seats.gather(1, tried.place[:, None])[:, 0]
            value = torch.where(tried.is_over, tried.true, value)
            seeming, true = value - value[tried.favourite], tried.true - tried.true[tried.favourite]
            for is_exchanged, kind in ((False, ""), (True, " exchanged")):
                for part, label in enumerate(PARTS):
                    which = others & tried.is_base & (tried.part == part)
                    which &= tried.is_exchanged == is_exchanged
                    result[label + kind + name] = judged(seeming[which], true[which])
        return result

    def _inputs(self, words: torch.Tensor, count: int) -> torch.Tensor:
        inputs = self.bundle.memory.zeros((len(words), count * 64), "bfloat16")
        self.bundle.expand(words.contiguous(), None, len(words), count, inputs)
        return inputs

    def _tried(self) -> Tried:
        rollout, at = self.rollout, self.bundle.layout["table"]
        rows = torch.randperm(rollout.plan.tables, device=rollout.words.device)[: self.tables]
        words, phase = rollout.words[-1][rows], rollout.phase[-1][rows]
        seat = rollout.seat[-1][rows]
        inputs = self._inputs(words, self.view["WORDS"])
        logs = rollout.choices.log_chances(rollout.net(inputs), inputs, phase)
        best = logs.topk(MOST_ACTIONS, 1)
        is_tried = best.values.exp() >= LEAST_CHANCE
        is_tried &= is_tried[:, 1:2]
        which, number = is_tried.nonzero(as_tuple=True)
        first = (number == 0).nonzero()[:, 0]
        favourite = first[(number == 0).long().cumsum(0) - 1]
        moments = self.outcomes.moments(words[which])
        batch = Batch(self.bundle, len(which))
        nobody = np.zeros(len(which), dtype=np.int64)
        batch.load_training(1, self.draws, scripted_share=0.0, league=nobody)
        room = rollout.batch.arrays["room"][rows][which]
        is_exchanged = room[:, at["EXCHANGE_AT"]] == at["EXCHANGED"]
        room[:, at["EXCHANGE_AT"]] = at["NO_EXCHANGE"]
        arrays = batch.arrays
        arrays["room"].copy_(room)
        arrays["action"].copy_(best.indices[which, number])
        batch.step()
        after, is_over = arrays["words"].clone(), arrays["ended"] > 0
        place = (seat[which].long() - arrays["seat"].long()) % moments.players
        points = self._play_out(batch)
        points = self.outcomes.from_here(points, seat[which], moments.players)
        true = self.outcomes.rewards(points, moments)[:, 0]
        return Tried(
            favourite, true, moments.part, moments.is_base, is_exchanged, after, place, is_over
        )

    def _play_out(self, batch: Batch) -> torch.Tensor:
        """The points of the rounds under way."""
        arrays, rollout = batch.arrays, self.rollout
        points, is_over = arrays["points"].clone(), arrays["ended"] > 0
        for _ in range(MOST_STEPS):
            if bool(is_over.all()):
                break
            inputs = self._inputs(arrays["words"], self.view["WORDS"])
            logs = rollout.choices.log_chances(rollout.net(inputs), inputs, arrays["phase"])
            arrays["action"].copy_(logs.argmax(1))
            batch.step()
            ends = (arrays["ended"] > 0) & ~is_over
            points = torch.where(ends[:, None], arrays["points"], points)
            is_over |= ends
        return points


def judged(seeming: torch.Tensor, true: torch.Tensor) -> list[float]:
    """The number of leads, the slope of true leads on seeming ones, their correlation, and both standard deviations."""
    xx, yy = seeming.double().square().sum().item(), true.double().square().sum().item()
    xy, count = (seeming.double() * true.double()).sum().item(), len(true)
    if not xx or not yy:
        return [count]
    spread = [(one / count) ** 0.5 for one in (xx, yy)]
    return [count] + [round(one, 3) for one in (xy / xx, xy / (xx * yy) ** 0.5, *spread)]
