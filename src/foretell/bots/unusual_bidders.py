"""Bots with unusual bids and sound card play.  No search expects such bids, so levels are tested against them."""

from dataclasses import dataclass
from random import Random
from typing import TYPE_CHECKING

from foretell.engine import Action, Bid, View

if TYPE_CHECKING:
    from foretell.bots import Bot

__all__ = ["BidsAtRandom", "ShiftedBids"]


@dataclass(frozen=True, slots=True)
class ShiftedBids:
    """Plays as another bot does, but adds `difference` to that bot's bids."""

    inner: "Bot"
    difference: int

    def choose(self, view: View, random: Random) -> Action:
        chosen = self.inner.choose(view, random)
        if isinstance(chosen, Bid) and len(view.legal) > 1:
            return view.nearest_bid(chosen.tricks + self.difference)
        return chosen


@dataclass(frozen=True, slots=True)
class BidsAtRandom:
    """Plays as another bot does, but makes a random bid; all open bids are equally likely."""

    inner: "Bot"

    def choose(self, view: View, random: Random) -> Action:
        return random.choice(view.legal) if view.is_bidding else self.inner.choose(view, random)
