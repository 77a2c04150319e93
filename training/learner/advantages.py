"""How much better each decision turned out than expected: generalised advantage estimation, one round as an episode.

The reward of a seat is its points less the mean of the others' points, so that a round is a zero-sum game: with its own
points alone, seats that play against themselves learn to help each other.
"""

from dataclasses import dataclass

import torch

POINTS_PER_UNIT = 30.0
HIGHEST_BIN = 30  # bin 0 is -300 points, bin 30 is 0


@dataclass(frozen=True, slots=True)
class Advantages:
    """For each step and table: the advantage, whether it counts, and the bin of the reward (-1 if not known)."""

    value: torch.Tensor
    counts: torch.Tensor
    outcome: torch.Tensor


def players_at(words: torch.Tensor, view: dict[str, int]) -> torch.Tensor:
    """How many players sit at each table, read off the observation."""
    bits = words[..., view["TABLE"]] >> view["TABLE_PLAYERS"] & 15
    return 3 + (bits > 1).long() + (bits > 2).long() + (bits > 4).long()


def rewards(points: torch.Tensor, players: torch.Tensor) -> torch.Tensor:
    """Each seat's points less the mean of the others'."""
    own = points.float()
    others = (own.sum(-1, keepdim=True) - own) / (players[..., None] - 1).float()
    return own - others


def outcome_bins(reward: torch.Tensor) -> torch.Tensor:
    return (reward / 10 + HIGHEST_BIN + 0.5).floor().clamp(0, 2 * HIGHEST_BIN).long()


@torch.no_grad()
def advantages(
    *,
    reward: torch.Tensor,
    ended: torch.Tensor,
    seat: torch.Tensor,
    is_learner: torch.Tensor,
    value: torch.Tensor,
    discount: float,
) -> Advantages:
    """Goes backwards through the steps.

    `reward` has a number for each step, table and seat; it counts where `ended` says that a round has ended.  `value`
    is what the critic expects, in units.  `discount` is the lambda of the estimation: 1 trusts the outcome alone.
    """
    steps, tables, seats = reward.shape
    device = reward.device
    next_value = torch.zeros(tables, seats, device=device)
    next_advantage = torch.zeros(tables, seats, device=device)
    known = torch.zeros(tables, seats, dtype=torch.bool, device=device)
    outcome = torch.full((tables, seats), -1, dtype=torch.int64, device=device)
    found = torch.zeros(steps, tables, device=device)
    counts = torch.zeros(steps, tables, dtype=torch.bool, device=device)
    outcomes = torch.full((steps, tables), -1, dtype=torch.int64, device=device)
    in_units, bins = reward / POINTS_PER_UNIT, outcome_bins(reward)
    for step in range(steps - 1, -1, -1):
        over = ended[step].bool()[:, None]
        next_value = torch.where(over, in_units[step], next_value)
        next_advantage = torch.where(over, 0.0, next_advantage)
        outcome = torch.where(over, bins[step], outcome)
        known = known | over
        who, mine = seat[step].long()[:, None], is_learner[step][:, None]
        is_known = known.gather(1, who)
        now = value[step][:, None]
        gain = next_value.gather(1, who) - now + discount * next_advantage.gather(1, who)
        gain = torch.where(is_known, gain, 0.0)
        found[step] = gain[:, 0]
        counts[step] = (is_known & mine)[:, 0]
        outcomes[step] = torch.where(mine, outcome.gather(1, who), -1)[:, 0]
        # A seat whose round has not ended yet begins here, with what the critic expects.
        next_value.scatter_(1, who, torch.where(mine, now, next_value.gather(1, who)))
        next_advantage.scatter_(1, who, torch.where(mine, gain, next_advantage.gather(1, who)))
        known.scatter_(1, who, is_known | mine)
    return Advantages(found, counts, outcomes)
