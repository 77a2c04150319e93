"""How rounds ended, for a net that says how they will end: which decisions count, and what each seat got.

A decision counts where the net's favourites alone were played from there to the end of the round, and no cards changed
hands.  Then its outcome follows from the cards, and there is no luck in it.
"""

from dataclasses import dataclass

import torch

from training.learner.advantages import players_at, rewards
from training.simulator.batch import Bundle

NOT_KNOWN = -1
LATE, MIDDLE, EARLY, BIDDING = range(4)
"""Parts of a round: under a third of the tricks left, up to two thirds, more; and before the first trick."""

PARTS = ("late", "middle", "early", "bidding")


def last_steps(
    ended: torch.Tensor, is_favourite: torch.Tensor, table: dict[str, int]
) -> torch.Tensor:
    """For each step and table: the step that ended the round, or NOT_KNOWN where the decision does not count."""
    found = torch.full(ended.shape, NOT_KNOWN, dtype=torch.int16, device=ended.device)
    now = torch.full_like(found[0], NOT_KNOWN)
    for step in range(len(ended) - 1, -1, -1):
        is_end = ended[step] & table["ROUND_ENDED"] > 0
        now = torch.where(is_end, step, now)
        is_broken = (ended[step] & table["CARDS_EXCHANGED"] > 0) | (is_favourite[step] == 0)
        now = now.masked_fill(is_broken, NOT_KNOWN)
        found[step] = now
    return found


@dataclass(frozen=True, slots=True)
class Moments:
    """What is known of some decisions without any net; the tensors have a row for each."""

    players: torch.Tensor
    unit: torch.Tensor  # how many points a value of 1 stands for
    is_present: torch.Tensor  # by seat, counted from the one on turn
    bids: torch.Tensor  # by seat; -1 where there is none yet
    part: torch.Tensor
    is_base: torch.Tensor


class Outcomes:
    """Reads words of the critic, and turns points into what the value net should answer."""

    def __init__(self, bundle: Bundle) -> None:
        self.view, self.value = bundle.layout["view"], bundle.layout["value"]
        self.codes = bundle.layout["codes"]
        self.seats = torch.arange(self.codes["SEATS"], device=bundle.blob.device)

    def _bit(self, words: torch.Tensor, first: int, count: int) -> torch.Tensor:
        """Which one of these bits is set; -1 if none is."""
        found = words >> first & ((1 << count) - 1)
        return torch.where(found > 0, found.float().log2(), -1.0).round().long()

    def moments(self, words: torch.Tensor) -> Moments:
        """`words` has a row of critic's words for each decision."""
        view = self.view
        players, table = players_at(words, view), words[:, view["TABLE"]]
        size = 1 + self._bit(table, view["TABLE_HAND_SIZE"], 20)
        left = 1 + self._bit(table, view["TABLE_TRICKS_LEFT"], 20)
        phase = self._bit(table, view["TABLE_PHASE"], 6)
        own = self._bit(words[:, view["SEAT"]], view["SEAT_BID"], self.codes["TRICK_COUNTS"])
        shift = self.seats[:-1] * view["HIDDEN_BID_BITS"] + view["HIDDEN_BIDS"]
        others = (words[:, view["HIDDEN"], None] >> shift & 31) - 1
        part = torch.where(3 * left < size, LATE, torch.where(3 * left <= 2 * size, MIDDLE, EARLY))
        rules = words[:, view["RULES"]] & ((1 << (view["RULES_FORESIGHT"] + 1)) - 1)
        return Moments(
            players,
            10 * (2 + size / players),
            self.seats < players[:, None],
            torch.cat([own[:, None], others], 1),
            torch.where(phase <= self.codes["BIDDING"], BIDDING, part),
            rules == 0,
        )

    def from_here(
        self, points: torch.Tensor, seat: torch.Tensor, players: torch.Tensor
    ) -> torch.Tensor:
        """Points by seat, counted from this one; 0 for seats that are not there."""
        place = (seat.long()[:, None] + self.seats) % players[:, None]
        return torch.where(self.seats < players[:, None], points.gather(1, place), 0)

    def rewards(self, points: torch.Tensor, moments: Moments) -> torch.Tensor:
        return rewards(points, moments.players).masked_fill(~moments.is_present, 0.0)

    def missed(self, points: torch.Tensor) -> torch.Tensor:
        """The class of each seat's result."""
        return (-(points.long()) // 10).clamp(0, self.value["MISSES"] - 1)

    def rewards_of_classes(self, answers: torch.Tensor, moments: Moments) -> torch.Tensor:
        """The rewards that follow from the chances of the classes; right only where all bids are known."""
        first, count = self.value["MISSED"], self.value["MISSES"]
        logs = answers[:, first:].view(len(answers), -1, count)
        chances = logs.float().softmax(2)
        by_miss = torch.arange(count, device=answers.device)
        points = 20 + 10 * moments.bids
        points = chances[:, :, 0] * points - 10 * (chances * by_miss).sum(2)
        return self.rewards(points.masked_fill(~moments.is_present, 0.0), moments)
