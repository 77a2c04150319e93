"""The whole of V6: each player has one people's cards, and the highest card wins."""

from collections.abc import Sequence
from dataclasses import dataclass

from foretell.cards import CARDS, Card, Colour, Face, Kind, codes
from foretell.errors import BadDeal, RulesClash
from foretell.rules.deck import Deal, Shuffle, refuse_doubles, refuse_hand_sizes, refuse_head_count

__all__ = ["HighestCardTricks", "OwnPeoples"]

_ROUNDS = 12
_DRAWN_BEFORE = 3  # in round r each player draws r + 3 cards


@dataclass(frozen=True, slots=True)
class OwnPeoples:
    """Fifteen cards each: thirteen numbers, a Wizard and a Jester of one people (C3)."""

    def seats(self, players: int, peoples: Sequence[Colour] | None) -> tuple[Colour, ...]:
        refuse_head_count(players)
        if players > len(Colour):
            raise RulesClash("unicolor_head_count", rule="V6", players=players)
        chosen = tuple(Colour)[:players] if peoples is None else tuple(peoples)
        if len(chosen) != players or len(set(chosen)) != players:
            raise RulesClash(
                "peoples_not_apart", rule="V6", peoples=" ".join(chosen), players=players
            )
        return chosen

    def last_round(self, players: int) -> int:
        return _ROUNDS

    def hand_size(self, number: int) -> int:
        return number + _DRAWN_BEFORE

    def deal(
        self,
        shuffle: Shuffle,
        seats: int,
        peoples: Sequence[Colour] | None,
        number: int,
        dealer: int,
    ) -> Deal:
        """Each seat shuffles its own fifteen cards and draws the first ones; nothing is turned up."""
        size = self.hand_size(number)
        own = self.seats(seats, peoples)
        hands = (tuple(shuffle(_fifteen(people), seat)[:size]) for seat, people in enumerate(own))
        return Deal(tuple(hands), None)

    def check(self, deal: Deal, seats: int, peoples: Sequence[Colour] | None, number: int) -> None:
        refuse_doubles(deal)
        refuse_hand_sizes(deal, seats, self.hand_size(number))
        if deal.turned_up is not None:
            raise BadDeal("turned_up_in_unicolor", rule="V6", card=deal.turned_up.code)
        for seat, (people, hand) in enumerate(
            zip(self.seats(seats, peoples), deal.hands, strict=True)
        ):
            foreign = [card for card in hand if card not in _fifteen(people)]
            if foreign:
                raise BadDeal("other_peoples_card", rule="V6", seat=seat, cards=codes(foreign))


def _fifteen(people: Colour) -> tuple[Card, ...]:
    """A people's cards in canonical order: the numbers, the Wizard, the Jester."""
    return tuple(c for c in CARDS.values() if c.people is people)


@dataclass(frozen=True, slots=True)
class HighestCardTricks:
    """No trump, no colour to follow: Wizard above 13, Jester below 1, of equals the first."""

    def demanded(self, played: Sequence[Face]) -> Colour | None:
        return None

    def playable(
        self, hand: Sequence[Card], demanded: Colour | None, trump: Colour | None
    ) -> tuple[Card, ...]:
        return tuple(hand)

    def strength(self, face: Face, demanded: Colour | None, trump: Colour | None) -> float:
        return {Kind.WIZARD: 14.0, Kind.JESTER: 0.0}.get(face.kind, face.value)

    def winning_place(self, played: Sequence[Face], trump: Colour | None) -> int:
        strengths = [self.strength(face, None, None) for face in played]
        return strengths.index(max(strengths))
