"""What Wizards may do when trump is demanded (P4, K1, F1)."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from foretell.cards import Card, Colour

__all__ = ["BarredWizards", "FreeWizards", "Wizards"]


class Wizards(Protocol):
    """The one rule in which the French book differs from the others."""

    def are_barred(self, demanded: Colour | None, trump: Colour | None) -> bool:
        """Whether a Wizard cannot win this trick."""

    def playable(
        self,
        following: Sequence[Card],
        hand: Sequence[Card],
        demanded: Colour | None,
        trump: Colour | None,
    ) -> tuple[Card, ...]:
        """Which of the cards that follow (P3) may be played."""


@dataclass(frozen=True, slots=True)
class FreeWizards:
    """P4, K1: always playable, and the first one wins."""

    def are_barred(self, demanded: Colour | None, trump: Colour | None) -> bool:
        return False

    def playable(
        self,
        following: Sequence[Card],
        hand: Sequence[Card],
        demanded: Colour | None,
        trump: Colour | None,
    ) -> tuple[Card, ...]:
        return tuple(following)


@dataclass(frozen=True, slots=True)
class BarredWizards:
    """F1: when trump is demanded, a Wizard may be played only from a hand of Wizards, and it does not win.

    If a Wizard comes before any colour is demanded, no colour is demanded in that trick at all (P7).
    """

    def are_barred(self, demanded: Colour | None, trump: Colour | None) -> bool:
        return demanded is not None and demanded is trump

    def playable(
        self,
        following: Sequence[Card],
        hand: Sequence[Card],
        demanded: Colour | None,
        trump: Colour | None,
    ) -> tuple[Card, ...]:
        if not self.are_barred(demanded, trump) or all(card.is_wizard for card in hand):
            return tuple(following)
        return tuple(card for card in following if not card.is_wizard)
