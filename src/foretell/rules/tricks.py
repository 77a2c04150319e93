"""What may be played to a trick, and who takes it (P2-P7, K1-K4, X1-X5, X7-X9)."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from typing import Protocol

from foretell.cards import CARDS, FACES, Card, Colour, Face, Kind
from foretell.cards.specials import (
    JESTER_STRENGTH,
    WIZARD_STRENGTH,
    AfterRound,
    AfterTrick,
    Special,
)
from foretell.rules.wizards import FreeWizards, Wizards

__all__ = ["ColourTricks", "Tricks", "change_after", "is_nobodys", "pass_after"]


class Tricks(Protocol):
    """The rules of one trick."""

    def demanded(self, played: Sequence[Face]) -> Colour | None:
        """The colour that must be followed, or None while anything may be played."""

    def playable(
        self, hand: Sequence[Card], demanded: Colour | None, trump: Colour | None
    ) -> tuple[Card, ...]:
        """The cards of a hand that may be played now."""

    def strength(self, face: Face, demanded: Colour | None, trump: Colour | None) -> float:
        """How high a face stands in its trick; of equals the first wins."""

    def winning_place(self, played: Sequence[Face], trump: Colour | None) -> int:
        """The place, from 0, of the face that wins so far; in a trick that is nobody's, the one that would win."""


_DISCARD = _BARRED = JESTER_STRENGTH - 1
_ABOVE_COLOUR = 20.0  # added to the value of a trump

# Sets, because whole hands are looked up in them.
_OF_COLOUR = {
    colour: frozenset(card for card in CARDS.values() if card.colour is colour) for colour in Colour
}
_WITHOUT_COLOUR = frozenset(card for card in CARDS.values() if card.colour is None)
_FOLLOWING = {colour: cards | _WITHOUT_COLOUR for colour, cards in _OF_COLOUR.items()}


@dataclass(frozen=True, slots=True)
class ColourTricks:
    """The tricks of every game but unicolor."""

    wizards: Wizards = FreeWizards()  # noqa: RUF009 - a frozen value without fields

    def demanded(self, played: Sequence[Face]) -> Colour | None:
        """P5, P7  Jesters demand nothing: the first other card decides.
        P6, P7  If that is a Wizard, everyone is free for the whole trick.
        X1      Some special cards count as Jesters here, some as Wizards.
        """
        for face in played:
            if not face.counts_as_jester:
                return face.colour
        return None

    def playable(
        self, hand: Sequence[Card], demanded: Colour | None, trump: Colour | None
    ) -> tuple[Card, ...]:
        """P3: a player who holds the demanded colour follows it, or plays a card without colour (P4, X1, X9)."""
        following = hand
        if demanded is not None and not _OF_COLOUR[demanded].isdisjoint(hand):
            following = tuple(filter(_FOLLOWING[demanded].__contains__, hand))
        return self.wizards.playable(following, hand, demanded, trump)

    def strength(self, face: Face, demanded: Colour | None, trump: Colour | None) -> float:
        return _strengths(demanded, trump, self.wizards.are_barred(demanded, trump))[face]

    def winning_place(self, played: Sequence[Face], trump: Colour | None) -> int:
        """X4: a face that upsets another one wins; otherwise the strongest, and of equals the first: K1, K4."""
        demanded = self.demanded(played)
        strengths = _strengths(demanded, trump, self.wizards.are_barred(demanded, trump))
        winning, highest = 0, strengths[played[0]]
        for place, face in enumerate(played):
            if face.special is not None and _upsets(face.special, played):
                return place
            if strengths[face] > highest:
                winning, highest = place, strengths[face]
        return winning


@cache
def _strengths(
    demanded: Colour | None, trump: Colour | None, are_wizards_barred: bool
) -> dict[Face, float]:
    """The strength of each face.  It is needed at every card, so each question is answered only once."""

    def strength(face: Face) -> float:
        if face.colour is not None:
            if face.colour is trump:
                return _ABOVE_COLOUR + face.value
            return face.value if face.colour is demanded else _DISCARD
        if face.special is not None:
            return face.special.strength
        if face.kind is Kind.JESTER:
            return JESTER_STRENGTH
        return _BARRED if are_wizards_barred else WIZARD_STRENGTH

    return {face: strength(face) for face in FACES.values()}


def _upsets(special: Special, played: Sequence[Face]) -> bool:
    return bool(special.upsets) and any(face.kind in special.upsets for face in played)


def is_nobodys(played: Sequence[Face]) -> bool:
    """X5: whether a trick with these faces belongs to no one."""
    return any(face.special is not None and face.special.is_nobodys for face in played)


def pass_after(played: Sequence[Face]) -> AfterTrick | None:
    """X7: the pass that a trick with these faces causes, if cards are left to pass."""
    for face in played:
        if face.special is not None and face.special.after_trick is not None:
            return face.special.after_trick
    return None


def change_after(played: Sequence[Face]) -> AfterRound | None:
    """X8: the change of bid that is asked of the seat that takes a trick with these faces."""
    for face in played:
        if face.special is not None and face.special.after_round is not None:
            return face.special.after_round
    return None
