"""The cards: colours, the 67 cards, and the faces they show once played (C1-C4).

A `Card` is a piece of cardboard, and there is exactly one object for each.  A `Face` is what a card counts as when it
lies in a trick: for most cards the card itself, for the Juggler, the Cloud and the Shapeshifter the card with what its
player declared (`JUGGLER:R`, `SHAPESHIFTER:Z`).
"""

from collections.abc import Iterable
from enum import StrEnum
from types import MappingProxyType

from foretell.errors import Unreadable

__all__ = [
    "CARDS",
    "FACES",
    "NUMBERS",
    "SPECIALS",
    "Card",
    "Colour",
    "Face",
    "Kind",
    "card",
    "cards",
    "codes",
    "colour",
    "face",
    "faces",
]

NUMBERS = range(1, 14)


class Colour(StrEnum):
    """C2: the four colours, in the order used everywhere."""

    BLUE = "B"
    RED = "R"
    GREEN = "G"
    YELLOW = "Y"


class Kind(StrEnum):
    """What sort of card it is (C1, C4); the specials in the order of C4."""

    NUMBER = "NUMBER"
    WIZARD = "WIZARD"
    JESTER = "JESTER"
    DRAGON = "DRAGON"
    FAIRY = "FAIRY"
    BOMB = "BOMB"
    WEREWOLF = "WEREWOLF"
    JUGGLER = "JUGGLER"
    CLOUD = "CLOUD"
    SHAPESHIFTER = "SHAPESHIFTER"


class Card:
    """One of the 67 cards.  Equal means the same object: `card("R5") is card("R5")`.

    `people` is printed on Wizards and Jesters too (C3); `value` is 1-13, 7½ for the Juggler, 9¾ for the Cloud and 0 for
    cards without one; `colour` is the one to be followed; `index` is the place in the canonical order of all 67.
    """

    __slots__ = ("code", "colour", "index", "kind", "people", "value")

    def __init__(
        self, code: str, kind: Kind, people: Colour | None, value: float, index: int
    ) -> None:
        self.code = code
        self.kind = kind
        self.people = people
        self.value = value
        self.index = index
        # In hand numbered cards alone have a colour (P4, X9).
        self.colour = people if kind is Kind.NUMBER else None

    @property
    def is_wizard(self) -> bool:
        return self.kind is Kind.WIZARD

    @property
    def is_jester(self) -> bool:
        return self.kind is Kind.JESTER

    @property
    def is_special(self) -> bool:
        return self.kind not in (Kind.NUMBER, Kind.WIZARD, Kind.JESTER)

    @property
    def faces(self) -> "tuple[Face, ...]":
        """The ways it can be played; none for the Werewolf, which never is (X1)."""
        return _FACES_OF[self]

    def __str__(self) -> str:
        return self.code

    def __repr__(self) -> str:
        return f"card({self.code!r})"

    def __reduce__(self) -> tuple[object, ...]:
        return card, (self.code,)


class Face:
    """A card as it lies in the trick, with what was declared.  Equal means the same object.

    A Shapeshifter's `kind` is WIZARD or JESTER; a Juggler's and a Cloud's `colour` is the one declared.
    """

    __slots__ = ("card", "code", "colour", "counts_as_jester", "counts_as_wizard", "kind", "value")

    def __init__(self, code: str, card: Card, kind: Kind, colour: Colour | None) -> None:
        self.code = code
        self.card = card
        self.kind = kind
        self.colour = colour
        self.value = card.value
        # X1: the Dragon leads and frees as a Wizard does, the Fairy and the Bomb demand as little as a Jester.
        self.counts_as_wizard = kind in (Kind.WIZARD, Kind.DRAGON)
        self.counts_as_jester = kind in (Kind.JESTER, Kind.FAIRY, Kind.BOMB)

    @property
    def declared(self) -> str | None:
        """What was said with the card: a colour, or `Z` or `N` of a Shapeshifter."""
        return self.code.partition(":")[2] or None

    def __str__(self) -> str:
        return self.code

    def __repr__(self) -> str:
        return f"face({self.code!r})"

    def __reduce__(self) -> tuple[object, ...]:
        return face, (self.code,)


SPECIALS = tuple(list(Kind)[3:])
"""C4: the seven special kinds, in the order that records and fair deals use."""

_VALUES = {Kind.JUGGLER: 7.5, Kind.CLOUD: 9.75}


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
    for special in SPECIALS:
        yield Card(special.value, special, None, _VALUES.get(special, 0), index)
        index += 1


def _faces_of(one: Card) -> tuple[Face, ...]:
    match one.kind:
        case Kind.WEREWOLF:
            return ()
        case Kind.JUGGLER | Kind.CLOUD:
            return tuple(Face(f"{one.code}:{c}", one, one.kind, c) for c in Colour)
        case Kind.SHAPESHIFTER:
            shapes = (("Z", Kind.WIZARD), ("N", Kind.JESTER))
            return tuple(Face(f"{one.code}:{letter}", one, kind, None) for letter, kind in shapes)
        case _:
            return (Face(one.code, one, one.kind, one.colour),)


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
    allowed = ", ".join(one.code for one in named.faces)
    if len(named.faces) == 1:
        raise Unreadable("declares_nothing", card=name, said=said)
    if colon:
        raise Unreadable(
            "wrong_declaration", rule=declaration_rule(named), said=said, allowed=allowed
        )
    raise Unreadable("undeclared", rule=declaration_rule(named), card=name, allowed=allowed)


def faces(codes: str) -> tuple[Face, ...]:
    """Several faces, written with spaces between them."""
    return tuple(face(code) for code in codes.split())


def declaration_rule(one: Card) -> str:
    """The rule that asks for a word when this card is played."""
    return {Kind.SHAPESHIFTER: "X2", Kind.JUGGLER: "X7"}.get(one.kind, "X8")


def colour(letter: str) -> Colour:
    """The colour with this letter."""
    try:
        return _COLOURS[letter]
    except (KeyError, TypeError):
        raise Unreadable("not_a_colour", text=str(letter)) from None
