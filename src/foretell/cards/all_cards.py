"""Every card, and every face that a card can show once it is played (C1-C4).

A `Card` is a piece of cardboard, and there is exactly one object for each.  A `Face` is what a card counts as when it
lies in a trick: for most cards the card itself, for some special cards the card with what its player declared
(`JUGGLER:R`, `SHAPESHIFTER:Z`).
"""

from collections.abc import Iterable
from types import MappingProxyType

from foretell.cards.kinds import Colour, Kind
from foretell.cards.specials import BY_KIND, Special
from foretell.errors import Unreadable

__all__ = [
    "CARDS",
    "FACES",
    "NUMBERS",
    "SPECIALS",
    "Card",
    "Face",
    "card",
    "cards",
    "codes",
    "colour",
    "face",
    "faces",
]

NUMBERS = range(1, 14)


class Card:
    """One of the 67 cards.  Equal means the same object: `card("R5") is card("R5")`.

    `people` is printed on Wizards and Jesters too (C3); `value` is the height within a colour, and 0 for cards without
    one; `colour` is the one to be followed; `special` has the rules of a special card, and is None for the others;
    `index` is the place in the canonical order of all 67.
    """

    __slots__ = ("code", "colour", "index", "kind", "people", "special", "value")

    def __init__(
        self, code: str, kind: Kind, people: Colour | None, value: float, index: int
    ) -> None:
        self.code = code
        self.kind = kind
        self.people = people
        self.value = value
        self.index = index
        self.special: Special | None = BY_KIND.get(kind)
        # In hand, only numbered cards have a colour (P4, X9).
        self.colour = people if kind is Kind.NUMBER else None

    @property
    def is_wizard(self) -> bool:
        return self.kind is Kind.WIZARD

    @property
    def is_jester(self) -> bool:
        return self.kind is Kind.JESTER

    @property
    def is_special(self) -> bool:
        return self.special is not None

    @property
    def faces(self) -> "tuple[Face, ...]":
        """The ways it can be played; empty for a card that is never played (X1)."""
        return _FACES_OF[self]

    def __str__(self) -> str:
        return self.code

    def __repr__(self) -> str:
        return f"card({self.code!r})"

    def __reduce__(self) -> tuple[object, ...]:
        return card, (self.code,)


class Face:
    """A card as it lies in the trick, with what was declared.  Equal means the same object.

    `kind` and `colour` are what the declaration made of it.  `special` has the rules of a special card that is played
    as itself; it is None for one that has become a Wizard or a Jester (X2).
    """

    __slots__ = (
        "card",
        "code",
        "colour",
        "counts_as_jester",
        "counts_as_wizard",
        "kind",
        "special",
        "value",
    )

    def __init__(self, code: str, card: Card, kind: Kind, colour: Colour | None) -> None:
        self.code = code
        self.card = card
        self.kind = kind
        self.colour = colour
        self.value = card.value
        self.special: Special | None = BY_KIND.get(kind)
        # X1: for the demanded colour some special cards count as a Wizard or a Jester.
        counts_as = kind if self.special is None else self.special.counts_as
        self.counts_as_wizard = counts_as is Kind.WIZARD
        self.counts_as_jester = counts_as is Kind.JESTER

    @property
    def declared(self) -> str | None:
        """What was said with the card, such as the letter of a colour."""
        return self.code.partition(":")[2] or None

    def __str__(self) -> str:
        return self.code

    def __repr__(self) -> str:
        return f"face({self.code!r})"

    def __reduce__(self) -> tuple[object, ...]:
        return face, (self.code,)


SPECIALS = tuple(BY_KIND)
"""C4: the seven special kinds, in the order that records and fair deals use."""


def _all_cards() -> Iterable[Card]:
    """The canonical order: numbers by colour, Wizards, Jesters, specials."""
    index = 0
    for people in Colour:
        for number in NUMBERS:
            yield Card(f"{people}{number}", Kind.NUMBER, people, number, index)
            index += 1
    for letter, kind in (("Z", Kind.WIZARD), ("N", Kind.JESTER)):
        for people in Colour:
            yield Card(f"{letter}{people}", kind, people, 0, index)
            index += 1
    for kind, special in BY_KIND.items():
        yield Card(kind.value, kind, None, special.value, index)
        index += 1


def _faces_of(one: Card) -> tuple[Face, ...]:
    if one.special is None:
        return (Face(one.code, one, one.kind, one.colour),)
    return tuple(
        Face(
            f"{one.code}:{way.said}" if way.said else one.code,
            one,
            way.becomes or one.kind,
            way.colour,
        )
        for way in one.special.declarations
    )


CARDS = MappingProxyType({one.code: one for one in _all_cards()})
"""Every card by its code, in canonical order."""

_FACES_OF = {one: _faces_of(one) for one in CARDS.values()}

FACES = MappingProxyType({one.code: one for faces in _FACES_OF.values() for one in faces})
"""Every way to play a card, by its code."""

_COLOURS = {colour.value: colour for colour in Colour}


def card(code: str) -> Card:
    """The card with this code."""
    try:
        return CARDS[code]
    except (KeyError, TypeError):
        raise Unreadable("not_a_card", text=str(code)) from None


def cards(codes: str) -> tuple[Card, ...]:
    """Several cards, written with spaces between them."""
    return tuple(card(code) for code in codes.split())


def codes(these: "Iterable[Card | Face]") -> str:
    """Several cards or faces in writing; the reverse of `cards` and `faces`."""
    return " ".join(one.code for one in these)


def face(code: str) -> Face:
    """The face with this code: a card, with its declaration where it needs one (X2, X7, X8)."""
    try:
        return FACES[code]
    except (KeyError, TypeError):
        pass
    name, colon, said = str(code).partition(":")
    named = card(name)
    if not named.faces:
        raise Unreadable("never_played", rule="X1", card=name)
    if named.special is None or len(named.faces) == 1:
        raise Unreadable("declares_nothing", card=name, said=said)
    rule, allowed = named.special.rule, ", ".join(one.code for one in named.faces)
    if colon:
        raise Unreadable("wrong_declaration", rule=rule, said=said, allowed=allowed)
    raise Unreadable("undeclared", rule=rule, card=name, allowed=allowed)


def faces(codes: str) -> tuple[Face, ...]:
    """Several faces, written with spaces between them."""
    return tuple(face(code) for code in codes.split())


def colour(letter: str) -> Colour:
    """The colour with this letter."""
    try:
        return _COLOURS[letter]
    except (KeyError, TypeError):
        raise Unreadable("not_a_colour", text=str(letter)) from None
