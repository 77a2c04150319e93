"""A number for each action of a player, and for each card that chance may deal.

The numbers are the same in every rule set, so that players trained with one can be asked in another.
"""

from foretell.cards import CARDS, Card, Colour
from foretell.engine.actions import BIDS, PLAYS, Action, ChangeBid, NameTrump, PassCard

__all__ = ["ACTIONS", "DEALT", "dealt_number", "number_of"]

ACTIONS: tuple[Action, ...] = (
    *BIDS,
    *(NameTrump(colour) for colour in (*Colour, None)),
    *(play for ways in PLAYS.values() for play in ways),
    *(PassCard(card) for card in CARDS.values()),
    ChangeBid(1),
    ChangeBid(-1),
)
"""The action with each number."""

DEALT: tuple[Card, ...] = tuple(CARDS.values())
"""The card with each number, where chance deals."""

_NUMBERS = {action: number for number, action in enumerate(ACTIONS)}
_DEALT_NUMBERS = {card: number for number, card in enumerate(DEALT)}


def number_of(action: Action) -> int:
    """The number of an action."""
    return _NUMBERS[action]


def dealt_number(card: Card) -> int:
    """The number of a card that chance deals."""
    return _DEALT_NUMBERS[card]
