"""The whole of X6: the Werewolf is exchanged for the turned-up card, and the seat that held it names the trump."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TypeVar

from foretell.cards.kinds import Colour, Kind
from foretell.cards.specials.special import Special

__all__ = ["WEREWOLF"]

AnyCard = TypeVar("AnyCard")


@dataclass(frozen=True, slots=True)
class ExchangeForTurnedUp:
    """The turned-up card comes into the hand, whatever it is; then any colour may be named, or "no trump"."""

    def hand_after(
        self, hand: Sequence[AnyCard], own: AnyCard, turned_up: AnyCard
    ) -> tuple[AnyCard, ...]:
        return tuple([turned_up if one is own else one for one in hand])

    def answers(self) -> tuple[Colour | None, ...]:
        return (*Colour, None)


WEREWOLF = Special(
    kind=Kind.WEREWOLF,
    rule="X6",
    declarations=(),  # X1: it leaves the hand before anything is played
    when_dealt=ExchangeForTurnedUp(),
)
