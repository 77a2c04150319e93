"""The numbers that the kernel uses for trumps, kinds of card and faces."""

from foretell.cards import CARDS, FACES, Card, Colour, Face, Kind
from foretell.kernel.state import codes

__all__ = ["COLOURS", "FACE_LIST", "KNOWN_KINDS", "face_number", "kind_of"]

COLOURS: tuple[Colour | None, ...] = (*Colour, None)
"""The trump with each number; None stands at NO_TRUMP."""


def _kinds() -> dict[Card, int]:
    singles = [one for one in CARDS.values() if one.kind is Kind.NUMBER]
    numbered = {one: place for place, one in enumerate(singles)}
    others: dict[Kind, int] = {}
    for one in CARDS.values():
        if one not in numbered:
            others.setdefault(one.kind, len(singles) + len(others))
    return {one: numbered.get(one, others.get(one.kind, -1)) for one in CARDS.values()}


_KIND_OF = _kinds()
KNOWN_KINDS = {one: kind for one, kind in _KIND_OF.items() if kind < codes.KINDS}
"""The cards that the kernel has room for, with their kinds."""

# The faces of a kind are neighbours.  A kind's first face has the same number as the kind, up to the first kind with
# several faces.
FACE_LIST: tuple[Face | None, ...] = tuple(
    face
    for kind in range(codes.KINDS)
    for card in [next(card for card, its in KNOWN_KINDS.items() if its == kind)]
    for face in (card.faces or (None,))
)
"""The face with each number.  One Wizard stands for all four, and so does one Jester.  None: never played (X1)."""

_FACE_NUMBER = {
    face.code: next(
        place
        for place, other in enumerate(FACE_LIST)
        if other is not None
        and _KIND_OF[other.card] == _KIND_OF[face.card]
        and other.declared == face.declared
    )
    for face in FACES.values()
    if face.card in KNOWN_KINDS
}


def kind_of(card: Card) -> int:
    """The number of the card's kind.  All Wizards are one kind, and so are all Jesters."""
    return _KIND_OF[card]


def face_number(face: Face) -> int:
    """The number of the face in the kernel's tables."""
    return _FACE_NUMBER[face.code]
