"""How a round comes by its trump (T1-T4, X2-X8)."""

from collections.abc import Sequence

from msgspec import Struct

from foretell.cards import Card, Colour, Kind

__all__ = ["Naming", "Trump", "naming_open_to", "trump_after", "werewolf_holder"]


class Trump(Struct, frozen=True):
    """Settled by the card turned up: a colour, or no trump."""

    colour: Colour | None
    rule: str


class Naming(Struct, frozen=True):
    """Left to a seat: the dealer (T3), or who held the Werewolf (X6), who alone may say "no trump"."""

    seat: int
    rule: str
    may_be_none: bool


# Turned up, these leave the round without trump; every other card that has no colour lets the dealer name one.
_NO_TRUMP = {Kind.JESTER: "T2", Kind.FAIRY: "X4", Kind.BOMB: "X5"}


def trump_after(turned_up: Card | None, dealer: int, holder: int | None) -> Trump | Naming:
    """What the turned-up card means, given who was dealt the Werewolf.

    X6      The Werewolf's holder names, whatever was turned up.
    T4, V6  Nothing turned up: no trump.
    T1      A number: its colour.
    T2      A Jester, and likewise Fairy (X4) and Bomb (X5): no trump.
    T3      A Wizard, and likewise every other special card: the dealer names a colour.
    """
    if holder is not None:
        return Naming(holder, "X6", may_be_none=True)
    if turned_up is None:
        return Trump(None, "T4")
    if turned_up.colour is not None:
        return Trump(turned_up.colour, "T1")
    if turned_up.kind in _NO_TRUMP:
        return Trump(None, _NO_TRUMP[turned_up.kind])
    return Naming(dealer, "T3", may_be_none=False)


def naming_open_to(naming: Naming) -> tuple[Colour | None, ...]:
    """What may be named."""
    return (*Colour, None) if naming.may_be_none else tuple(Colour)


def werewolf_holder(hands: Sequence[Sequence[Card]]) -> int | None:
    """X6: the seat that was dealt the Werewolf and must exchange it, if any."""
    for seat, hand in enumerate(hands):
        if any(card.kind is Kind.WEREWOLF for card in hand):
            return seat
    return None
