"""What a player may do, and how it is written: `bid 2`, `play JUGGLER:R`, `trump none`, `pass G3`, `change +1`."""

from collections.abc import Callable

from foretell.cards import CARDS, Card, Colour, Face, Kind, card, colour, face
from foretell.cards.specials import BY_KIND
from foretell.errors import Unreadable

__all__ = ["Action", "Bid", "ChangeBid", "NameTrump", "PassCard", "Play", "action"]


class Action:
    """What a player may do.  Two actions are equal when they are written alike."""

    __slots__ = ("text",)

    def __init__(self, text: str) -> None:
        self.text = text

    @property
    def height(self) -> float:
        """A rough order, enough for simple bots: the tricks bid, or the height of the card; 0 if there is neither."""
        return 0

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Action) and self.text == other.text

    def __hash__(self) -> int:
        return hash(self.text)

    def __str__(self) -> str:
        return self.text

    def __repr__(self) -> str:
        return f"action({self.text!r})"


class Bid(Action):
    """B1: the tricks foretold."""

    __slots__ = ("tricks",)

    def __init__(self, tricks: int) -> None:
        super().__init__(f"bid {tricks}")
        self.tricks = tricks

    @property
    def height(self) -> float:
        return self.tricks


class NameTrump(Action):
    """T3, X6: the trump colour, or None for "no trump"."""

    __slots__ = ("colour",)

    def __init__(self, colour: Colour | None) -> None:
        super().__init__(f"trump {colour or 'none'}")
        self.colour = colour


class Play(Action):
    """A card put into the trick, with its declaration."""

    __slots__ = ("face",)

    def __init__(self, face: Face) -> None:
        super().__init__(f"play {face.code}")
        self.face = face

    @property
    def card(self) -> Card:
        return self.face.card

    @property
    def height(self) -> float:
        return _height(self.face.kind, self.face.value)


class PassCard(Action):
    """X7: the card handed to the left neighbour."""

    __slots__ = ("card",)

    def __init__(self, card: Card) -> None:
        super().__init__(f"pass {card.code}")
        self.card = card

    @property
    def height(self) -> float:
        return _height(self.card.kind, self.card.value)


class ChangeBid(Action):
    """X8: the change of the player's bid after the last trick."""

    __slots__ = ("change",)

    def __init__(self, change: int) -> None:
        super().__init__(f"change {change:+d}")
        self.change = change

    @property
    def height(self) -> float:
        return self.change


_HEIGHTS = {Kind.WIZARD: 14.0} | {kind: special.height for kind, special in BY_KIND.items()}


def _height(kind: Kind, value: float) -> float:
    return _HEIGHTS.get(kind, value)


def _number(text: str) -> int:
    if not text.isascii() or not text.isdecimal() or len(text) > 3:
        raise Unreadable("not_a_number", text=text)
    return int(text)


def _change(text: str) -> int:
    if text not in ("+1", "-1"):
        raise Unreadable("not_a_change", text=text)
    return int(text)


def _trump(text: str) -> Colour | None:
    return None if text == "none" else colour(text)


_READERS: dict[str, Callable[[str], Action]] = {
    "bid": lambda text: Bid(_number(text)),
    "trump": lambda text: NameTrump(_trump(text)),
    "play": lambda text: Play(face(text)),
    "pass": lambda text: PassCard(card(text)),
    "change": lambda text: ChangeBid(_change(text)),
}


MOST_TRICKS = 20  # D3: in the last round with three players

BIDS = tuple(map(Bid, range(MOST_TRICKS + 1)))
"""Every bid there is, by its tricks."""

PLAYS = {one: tuple(map(Play, one.faces)) for one in CARDS.values()}
"""Every way to play each card."""

_KNOWN = {one.text: one for one in (*BIDS, *(play for ways in PLAYS.values() for play in ways))}


def action(text: str) -> Action:
    """Reads an action; the reverse of `str`."""
    if text in _KNOWN:
        return _KNOWN[text]
    verb, _, rest = text.partition(" ")
    if verb not in _READERS:
        raise Unreadable("not_an_action", text=text, allowed=", ".join(_READERS))
    return _READERS[verb](rest)
