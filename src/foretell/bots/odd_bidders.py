"""Players whom no search expects: sound card players with strange bids.  Levels must stand their test among them."""

from dataclasses import dataclass
from random import Random
from typing import TYPE_CHECKING

from foretell.engine import Action, Bid, View

if TYPE_CHECKING:
    from foretell.bots import Bot

__all__ = ["BidsAside", "BidsAtRandom"]


@dataclass(frozen=True, slots=True)
class BidsAside:
    """Bids so much above what another bot would, or below, and plays as that one does."""

    inner: "Bot"
    above: int

    def choose(self, view: View, random: Random) -> Action:
        chosen = self.inner.choose(view, random)
        if isinstance(chosen, Bid) and len(view.legal) > 1:
            return view.nearest_bid(chosen.tricks + self.above)
        return chosen


@dataclass(frozen=True, slots=True)
class BidsAtRandom:
    """Any open bid is as likely as the next; plays as another bot does."""

    inner: "Bot"

    def choose(self, view: View, random: Random) -> Action:
        return random.choice(view.legal) if view.is_bidding else self.inner.choose(view, random)
