"""The whole of X7: the Juggler is worth 7½ in a colour, and after its trick everyone passes a card to the left."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TypeVar

from foretell.cards.kinds import Kind
from foretell.cards.specials.special import ANY_COLOUR, Special

__all__ = ["JUGGLER"]

AnyCard = TypeVar("AnyCard")


@dataclass(frozen=True, slots=True)
class PassToTheLeft:
    """Every seat chooses any card of its hand, all at the same time; then each goes to the left neighbour."""

    rule: str = "X7"

    def asked(self, chosen: Sequence[AnyCard | None]) -> tuple[int, ...]:
        return tuple([seat for seat, card in enumerate(chosen) if card is None])

    def answers(self, hand: Sequence[AnyCard]) -> tuple[AnyCard, ...]:
        return tuple(hand)

    def hands_after(
        self, hands: Sequence[Sequence[AnyCard]], given: Sequence[AnyCard]
    ) -> tuple[tuple[AnyCard, ...], ...]:
        return tuple(
            (*(card for card in hand if card is not given[seat]), given[seat - 1])
            for seat, hand in enumerate(hands)
        )


JUGGLER = Special(
    kind=Kind.JUGGLER,
    rule="X7",
    declarations=ANY_COLOUR,
    value=7.5,
    height=7.5,
    after_trick=PassToTheLeft(),
)
