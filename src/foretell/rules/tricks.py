"""What may be played to a trick, and who takes it (P2-P7, K1-K4, X1-X5, X7-X9)."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from foretell.cards import Card, Colour, Face, Kind
from foretell.rules.wizards import FreeWizards, Wizards

__all__ = ["ColourTricks", "Tricks", "has_bomb", "has_cloud", "has_juggler"]


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
        """The place, from 0, of the face that wins so far, the Bomb left out of the reckoning."""


_DISCARD, _BARRED, _FAIRY, _BOMB = -1.0, -1.0, -2.0, -3.0
_JESTER, _ABOVE_COLOUR, _WIZARD, _DRAGON = 0.0, 20.0, 50.0, 60.0


@dataclass(frozen=True, slots=True)
class ColourTricks:
    """The tricks of every game but unicolor."""

    wizards: Wizards = FreeWizards()  # noqa: RUF009 - a frozen value without fields

    def demanded(self, played: Sequence[Face]) -> Colour | None:
        """P5, P7  Jesters demand nothing: the first other card decides.
        P6, P7  If that is a Wizard, everyone is free for the whole trick.
        X1      Fairy and Bomb count as Jesters here, the Dragon as a Wizard.
        """
        for face in played:
            if not face.counts_as_jester:
                return face.colour
        return None

    def playable(
        self, hand: Sequence[Card], demanded: Colour | None, trump: Colour | None
    ) -> tuple[Card, ...]:
        """P3: who holds the demanded colour follows, or plays a card without colour (P4, X1, X9)."""
        following = tuple(hand)
        if demanded is not None and demanded in [card.colour for card in hand]:
            following = tuple([c for c in hand if c.colour is demanded or c.colour is None])
        return self.wizards.playable(following, hand, demanded, trump)

    def strength(self, face: Face, demanded: Colour | None, trump: Colour | None) -> float:
        if face.colour is not None:
            if face.colour is trump:
                return _ABOVE_COLOUR + face.value
            return face.value if face.colour is demanded else _DISCARD
        match face.kind:
            case Kind.WIZARD:
                return _BARRED if self.wizards.are_barred(demanded, trump) else _WIZARD
            case Kind.JESTER:
                return _JESTER
            case Kind.DRAGON:
                return _DRAGON
            case Kind.FAIRY:
                return _FAIRY
            case _:
                return _BOMB

    def winning_place(self, played: Sequence[Face], trump: Colour | None) -> int:
        """X4: the Fairy beats the Dragon; otherwise the strongest, and of equals the first: K1, K4."""
        kinds = [face.kind for face in played]
        if Kind.FAIRY in kinds and Kind.DRAGON in kinds:
            return kinds.index(Kind.FAIRY)
        demanded = self.demanded(played)
        strengths = [self.strength(face, demanded, trump) for face in played]
        return strengths.index(max(strengths))


def has_bomb(played: Sequence[Face]) -> bool:
    """X5: such a trick belongs to no one."""
    return Kind.BOMB in [face.kind for face in played]


def has_juggler(played: Sequence[Face]) -> bool:
    """X7: after such a trick each hand passes a card, if one is left to pass."""
    return Kind.JUGGLER in [face.kind for face in played]


def has_cloud(played: Sequence[Face]) -> bool:
    """X8: who takes such a trick must change its bid when the round ends."""
    return Kind.CLOUD in [face.kind for face in played]
