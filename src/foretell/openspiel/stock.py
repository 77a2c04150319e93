"""A deal made card by card, so that chance can be asked for one card at a time."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

from foretell.cards import Card, Colour
from foretell.engine import Game
from foretell.rules import Deal, Rules

__all__ = ["made_deal", "open_cards"]


@dataclass(frozen=True, slots=True)
class _Pile:
    """Cards that are shuffled together, and how many of them are dealt."""

    cards: tuple[Card, ...]
    count: int


@lru_cache(maxsize=256)
def _piles(
    rules: Rules, seats: int, peoples: tuple[Colour, ...] | None, number: int
) -> tuple[_Pile, ...]:
    """One pile for all, or one for each seat (V6), in the order in which the deck asks for them."""
    offered: list[tuple[Card, ...]] = []

    def shuffle(cards: Sequence[Card], _seat: int | None) -> Sequence[Card]:
        offered.append(tuple(cards))
        return cards

    dealt = rules.deck.deal(shuffle, seats, peoples, number, 0)
    shown = {card for hand in dealt.hands for card in hand} | {dealt.turned_up}
    return tuple(_Pile(cards, len(shown & set(cards))) for cards in offered)


def open_cards(game: Game, drawn: Sequence[Card]) -> tuple[Card, ...]:
    """The cards that may come next after those drawn so far; none when the deal is complete."""
    left = list(drawn)
    for pile in _piles(game.rules, game.seats, game.peoples, game.next_number):
        if len(left) < pile.count:
            gone = set(left)
            return tuple(card for card in pile.cards if card not in gone)
        left = left[pile.count :]
    return ()


def made_deal(game: Game, drawn: Sequence[Card]) -> Deal:
    """What the rules deal from the cards drawn.  A hand is in the order of the deck, whichever card came first."""
    rest = list(drawn)

    def shuffle(cards: Sequence[Card], _seat: int | None) -> Sequence[Card]:
        pile = next(one for one in piles if one.cards == tuple(cards))
        top = rest[: pile.count]
        del rest[: pile.count]
        return [*top, *(card for card in cards if card not in set(top))]

    piles = _piles(game.rules, game.seats, game.peoples, game.next_number)
    dealt = game.rules.deck.deal(
        shuffle, game.seats, game.peoples, game.next_number, game.next_dealer
    )
    hands = tuple(tuple(sorted(hand, key=lambda card: card.index)) for hand in dealt.hands)
    return Deal(hands, dealt.turned_up)
