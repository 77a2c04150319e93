"""What is dealt to whom: the common deck of 60 and its special cards (C1-C4, D3-D5, T1, T4)."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Protocol

from foretell.cards import CARDS, SPECIALS, Card, Colour, Kind
from foretell.cards.specials import BY_KIND
from foretell.errors import BadDeal, RulesClash
from foretell.i18n import Term

__all__ = ["COMPANIONS", "HEADS", "CommonDeck", "Deal", "Deck", "Shuffle", "chosen_specials"]

COMPANIONS = tuple(
    (one, other)
    for one, special in BY_KIND.items()
    for other in special.companions
    if SPECIALS.index(one) < SPECIALS.index(other)
)
"""C4: pairs of special cards that are in the deck together or not at all."""

Shuffle = Callable[[Sequence[Card], int | None], Sequence[Card]]
"""Puts cards into a new order; the seat is given if each seat shuffles its own cards (V6)."""

HEADS = range(3, 7)
"""D1: the numbers of players that a game can have."""


@dataclass(frozen=True, slots=True)
class Deal:
    """The cards of one round as dealt: each seat's hand, and the card turned up, if one is left."""

    hands: tuple[tuple[Card, ...], ...]
    turned_up: Card | None


class Deck(Protocol):
    """Which cards there are, and how they reach the hands."""

    def seats(self, players: int, peoples: Sequence[Colour] | None) -> tuple[Colour, ...] | None:
        """Refuses a number of players that has no game; returns each seat's people, if seats have one."""

    def last_round(self, players: int) -> int: ...

    def hand_size(self, number: int) -> int:
        """How many cards each seat holds in the round with this number."""

    def deal(
        self,
        shuffle: Shuffle,
        seats: int,
        peoples: Sequence[Colour] | None,
        number: int,
        dealer: int,
    ) -> Deal: ...

    def check(self, deal: Deal, seats: int, peoples: Sequence[Colour] | None, number: int) -> None:
        """Refuses a deal that this deck cannot give."""


def refuse_head_count(players: int) -> None:
    """D1: a game has three to six players."""
    if players not in HEADS:
        fewest, most = HEADS[0], HEADS[-1]
        raise RulesClash("head_count", rule="D1", players=players, fewest=fewest, most=most)


def refuse_doubles(deal: Deal) -> None:
    """C1, C4: there is only one of each card."""
    shown = _shown(deal)
    if len(set(shown)) < len(shown):
        twice = {card for card in shown if shown.count(card) > 1}
        raise BadDeal("card_twice", rule="C1", cards=_listed(twice))


def refuse_hand_sizes(deal: Deal, seats: int, size: int) -> None:
    """D3: as many hands as seats, all of the round's size."""
    if len(deal.hands) != seats:
        raise BadDeal("hands_of_seats", rule="D3", count=len(deal.hands), seats=seats)
    for seat, hand in enumerate(deal.hands):
        if len(hand) != size:
            raise BadDeal("hand_size", rule="D3", seat=seat, count=len(hand), size=size)


@dataclass(frozen=True)
class CommonDeck:
    """C1, C4: 60 cards and the special cards agreed on, shuffled together and dealt again each round (D4)."""

    specials: tuple[Kind, ...] = ()

    @cached_property
    def cards(self) -> tuple[Card, ...]:
        return tuple(c for c in CARDS.values() if not c.is_special or c.kind in self.specials)

    def seats(self, players: int, peoples: Sequence[Colour] | None) -> tuple[Colour, ...] | None:
        refuse_head_count(players)
        if peoples is not None:
            raise RulesClash("peoples_without_unicolor", rule="V6")
        return None

    def last_round(self, players: int) -> int:
        """D3: until the 60 cards are dealt out; special cards add no round."""
        return 60 // players

    def hand_size(self, number: int) -> int:
        return number

    def deal(
        self,
        shuffle: Shuffle,
        seats: int,
        peoples: Sequence[Colour] | None,
        number: int,
        dealer: int,
    ) -> Deal:
        """One card at a time, from the dealer's left; the next card of the stock is turned up (T1)."""
        order = shuffle(self.cards, None)
        dealt = seats * number
        hands = tuple(
            tuple(order[(seat - dealer - 1) % seats : dealt : seats]) for seat in range(seats)
        )
        return Deal(hands, order[dealt] if dealt < len(order) else None)

    def check(self, deal: Deal, seats: int, peoples: Sequence[Colour] | None, number: int) -> None:
        stock = len(self.cards) - seats * number
        if stock and deal.turned_up is None:
            raise BadDeal("nothing_turned_up", rule="T1", stock=stock)
        if not stock and deal.turned_up is not None:
            raise BadDeal("turned_up_from_nothing", rule="T4", card=deal.turned_up.code)
        refuse_doubles(deal)
        refuse_hand_sizes(deal, seats, self.hand_size(number))
        foreign = set(_shown(deal)) - set(self.cards)
        if foreign:
            raise BadDeal("card_not_in_deck", rule="C4", cards=_listed(foreign))


def _shown(deal: Deal) -> list[Card]:
    dealt = [card for hand in deal.hands for card in hand]
    return [*dealt, deal.turned_up] if deal.turned_up else dealt


def _listed(these: Iterable[Card]) -> str:
    return " ".join(card.code for card in sorted(these, key=lambda card: card.index))


def chosen_specials(chosen: Sequence[str]) -> tuple[Kind, ...]:
    """C4: any subset of the seven that leaves no pair of companions apart; returned in the order of C4."""
    unknown = [name for name in chosen if name not in SPECIALS]
    if unknown:
        raise RulesClash(
            "not_a_special", rule="C4", name=str(unknown[0]), allowed=", ".join(SPECIALS)
        )
    if len(set(chosen)) < len(chosen):
        raise RulesClash("special_twice", rule="C4", names=", ".join(chosen))
    for pair in COMPANIONS:
        there = [kind for kind in pair if kind in chosen]
        if len(there) == 1:
            one, other = pair
            raise RulesClash(
                "companions_apart",
                rule="C4",
                one=Term(f"web.card.{one}"),
                one_rule=BY_KIND[one].rule,
                other=Term(f"web.card.{other}"),
                other_rule=BY_KIND[other].rule,
                alone=Term(f"web.card.{there[0]}"),
            )
    return tuple(kind for kind in SPECIALS if kind in chosen)
