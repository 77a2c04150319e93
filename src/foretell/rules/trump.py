"""How the trump of a round is decided (T1-T4, X2-X8)."""

from collections.abc import Sequence
from dataclasses import dataclass

from msgspec import Struct

from foretell.cards import Card, Colour
from foretell.cards.specials import WhenDealt

__all__ = ["Exchange", "Naming", "Trump", "exchange_in", "naming_open_to", "trump_after"]


class Trump(Struct, frozen=True):
    """Settled by the card turned up: a colour, or no trump."""

    colour: Colour | None
    rule: str


class Naming(Struct, frozen=True):
    """Left to a seat: the dealer (T3), or the seat that exchanged a card (X6), which alone may say "no trump"."""

    seat: int
    rule: str
    may_be_none: bool


@dataclass(frozen=True, slots=True)
class Exchange:
    """X6: a special card that a seat was dealt, and must give away before the bids."""

    seat: int
    card: Card
    step: WhenDealt

    def hand_after(self, hand: Sequence[Card], turned_up: Card) -> tuple[Card, ...]:
        """This seat's hand after the exchange."""
        return self.step.hand_after(hand, self.card, turned_up)

    @property
    def naming(self) -> Naming:
        """This seat then names the trump."""
        special = self.card.special
        assert special is not None
        return Naming(self.seat, special.rule, may_be_none=None in self.step.answers())


def exchange_in(hands: Sequence[Sequence[Card]]) -> Exchange | None:
    """X6: the exchange that must be made after this deal, or None."""
    for seat, hand in enumerate(hands):
        for card in hand:
            if card.special is not None and card.special.when_dealt is not None:
                return Exchange(seat, card, card.special.when_dealt)
    return None


def trump_after(turned_up: Card | None, dealer: int, exchange: Exchange | None) -> Trump | Naming:
    """What the turned-up card means, given the exchange that must be made, if there is one.

    X6      The seat that exchanges a card names, whatever was turned up.
    T4, V6  Nothing turned up: no trump.
    T1      A number: its colour.
    T2      A Jester, and likewise a special card that says so (X4, X5): no trump.
    T3      A Wizard, and likewise every other special card: the dealer names a colour.
    """
    if exchange is not None:
        return exchange.naming
    if turned_up is None:
        return Trump(None, "T4")
    if turned_up.colour is not None:
        return Trump(turned_up.colour, "T1")
    if turned_up.is_jester:
        return Trump(None, "T2")
    if turned_up.special is not None and turned_up.special.has_no_trump:
        return Trump(None, turned_up.special.rule)
    return Naming(dealer, "T3", may_be_none=False)


def naming_open_to(naming: Naming) -> tuple[Colour | None, ...]:
    """The trumps that may be named; None is "no trump"."""
    return (*Colour, None) if naming.may_be_none else tuple(Colour)
