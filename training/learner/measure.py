"""How strong a net is: whole games against scripted players or another net, on deals that training never uses.

Every deal is played once for each seat that the net can have (duplicate), and the interval is over deals.
"""

import math
from dataclasses import dataclass

import numpy as np
import torch

from training.learner.nets import Answering, Choices
from training.simulator.batch import GAME_OVER, Batch, Bundle, Game


@dataclass(frozen=True, slots=True)
class Result:
    """The net's points less the mean of the others', a game; half the width of the 95 % interval; share of bids met."""

    margin: float
    error: float
    bids_met: float
    games: int


class Match:
    """A net in one seat against a kind of player in all others."""

    def __init__(
        self, bundle: Bundle, rule_set: int, opponent: int, deals: int, shift: int = 0
    ) -> None:
        self.bundle, self.deals = bundle, deals
        self.players = int(bundle.rule_sets[rule_set]["players"])
        learner = bundle.layout["table"]["LEARNER"]
        self.games = [
            Game(
                rule_set,
                number,
                tuple(learner if seat == mine else opponent for seat in range(self.players)),
                shift,
            )
            for number in range(deals)
            for mine in range(self.players)
        ]


@torch.no_grad()
def measured(
    bundle: Bundle, matches: list[Match], net: Answering, other: Answering | None, seed: int
) -> list[Result]:
    """Plays all matches at once, always with the action that the net likes best."""
    games = [game for match in matches for game in match.games]
    batch = Batch(bundle, len(games))
    batch.begin_games(seed, games)
    found, view = batch.arrays, bundle.layout["view"]
    frozen = bundle.layout["table"]["FROZEN"]
    choices = Choices(bundle.layout, found["words"].device)
    inputs = bundle.memory.zeros((len(games), view["WORDS"] * 64), "bfloat16")
    step = 0
    while step % 32 or not bool((found["player"] == GAME_OVER).all()):
        bundle.expand(found["words"], None, len(games), view["WORDS"], inputs)
        answers = net(inputs)
        if other is not None:
            is_frozen = (found["player"] == frozen)[:, None]
            answers = torch.where(is_frozen, other(inputs), answers)
        logs = choices.log_chances(answers, inputs, found["phase"])
        found["action"].copy_(logs.argmax(1))
        batch.step()
        step += 1
    return _results(bundle, matches, found["room"].cpu().numpy())


def _results(bundle: Bundle, matches: list[Match], room: np.ndarray) -> list[Result]:
    at, sizes = bundle.layout["table"], bundle.layout["simulator"]
    score_at = sizes["TABLE_WORDS"] + bundle.layout["state"]["SCORE"]
    results, first = [], 0
    for match in matches:
        rows = room[first : first + len(match.games)]
        first += len(match.games)
        players = match.players
        score = rows[:, score_at : score_at + players].astype(float)
        met = rows[:, at["BIDS_MET"] : at["BIDS_MET"] + players] / rows[:, [at["ROUNDS"]]]
        place = np.arange(len(rows))
        mine = score[place, place % players]
        margin = mine - (score.sum(1) - mine) / (players - 1)
        by_deal = margin.reshape(match.deals, players).mean(1)
        error = 1.96 * by_deal.std(ddof=1) / math.sqrt(match.deals)
        bids_met = float(met[place, place % players].mean())
        results.append(Result(float(by_deal.mean()), float(error), bids_met, len(rows)))
    return results
