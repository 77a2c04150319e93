"""The whole of X8: the Cloud is worth 9¾ in a colour; after the round the winner of its trick changes their bid."""

from dataclasses import dataclass

from foretell.cards.kinds import Kind
from foretell.cards.specials.special import ANY_COLOUR, Special

__all__ = ["CLOUD"]


@dataclass(frozen=True, slots=True)
class ChangeByOne:
    """One more or one fewer, as long as the bid stays between none and all the cards dealt."""

    rule: str = "X8"

    def answers(self, bid: int, hand_size: int) -> tuple[int, ...]:
        return tuple(change for change in (+1, -1) if 0 <= bid + change <= hand_size)

    def bid_after(self, bid: int, change: int) -> int:
        return bid + change


CLOUD = Special(
    kind=Kind.CLOUD,
    rule="X8",
    declarations=ANY_COLOUR,
    value=9.75,
    height=9.75,
    after_round=ChangeByOne(),
)
