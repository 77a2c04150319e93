"""The bot that all others are measured against: it adds up what its cards are worth, and plays to meet that bid.

This module and docs/bots.md define it.  A change here would make every published figure incomparable.  Worth is
computed in exact fractions, so that "rounded half up" means the same on every machine.
"""

from collections.abc import Sequence
from fractions import Fraction
from math import lcm
from random import Random
from typing import TYPE_CHECKING

from foretell.cards import Card, Colour, Face, Kind
from foretell.engine import Action, Bid, ChangeBid, NameTrump, PassCard, Phase, Play, View
from foretell.rules import is_nobodys

if TYPE_CHECKING:
    from foretell.kernel.backend.compiled import Ints
    from foretell.kernel.state.tables import Tables

__all__ = ["Counting", "kernel_words"]

_SURE = frozenset({Kind.WIZARD, Kind.DRAGON, Kind.SHAPESHIFTER})
_HOPELESS = frozenset({Kind.JESTER, Kind.FAIRY, Kind.BOMB, Kind.WEREWOLF})
_JUGGLER, _CLOUD = Fraction("0.30"), Fraction("0.55")
_TRUMP = {13: Fraction("0.95"), 12: Fraction("0.85"), 11: Fraction("0.70"), 10: Fraction("0.55")}
_TRUMP |= {9: Fraction("0.45")}
_LOW_TRUMP = Fraction("0.30")
_BESIDE_TRUMP = {13: Fraction("0.60"), 12: Fraction("0.30")}
_NO_TRUMP = {13: Fraction("0.75"), 12: Fraction("0.45"), 11: Fraction("0.20")}
_HEAD_COUNT_COST = Fraction("0.06")
_HALF = Fraction(1, 2)


class Counting:
    """Bids the worth of its hand; takes tricks with its lowest winning card while it needs some, and avoids others."""

    def choose(self, view: View, random: Random) -> Action:
        match view.phase:
            case Phase.BID:
                return self._bid(view)
            case Phase.TRUMP:
                return _named(view.hand)
            case Phase.PASS:
                return self._pass(view)
            case Phase.CHANGE:
                return self._change(view)
            case _:
                return self._play(view)

    def _bid(self, view: View) -> Action:
        assert view.now is not None
        size = view.now.hand_size
        if view.now.hand is None:  # foresight
            bid = min(size, _rounded(Fraction(size, view.seats)))
        else:
            bid = min(size, _rounded(sum(worth(card, view) for card in view.hand)))
        if Bid(bid) not in view.legal:
            bid = bid - 1 if bid else 1
        return view.nearest_bid(bid)  # a rule other than plus/minus one may bar this bid, too

    def _play(self, view: View) -> Action:
        plays = sorted(
            (p for p in view.legal if isinstance(p, Play)),
            key=lambda p: _order(p.face, _trump(view)),
        )
        lowest, highest = plays[0], plays[-1]
        if not _played(view):
            return highest if _wants_tricks(view) else lowest
        if _wants_tricks(view):
            return next((play for play in plays if _takes(play, view)), lowest)
        return next((play for play in reversed(plays) if not _takes(play, view)), lowest)

    def _pass(self, view: View) -> Action:
        cards = sorted(view.hand, key=lambda card: _order_in_hand(card, _trump(view)))
        return PassCard(cards[0] if _wants_tricks(view) else cards[-1])

    def _change(self, view: View) -> Action:
        needs = _needs(view)
        down, up = ChangeBid(-1), ChangeBid(+1)
        wanted = up if needs < 0 else down
        return wanted if wanted in view.legal else up if wanted is down else down


def worth(card: Card, view: View) -> Fraction:
    """The tricks that a card is expected to take."""
    return _worth(card, view.now.trump if view.now else None, view.seats, view.peoples)


def _worth(
    card: Card, trump: Colour | None, seats: int, peoples: Sequence[Colour] | None
) -> Fraction:
    if card.kind in _SURE:
        return Fraction(1)
    if card.kind in _HOPELESS:
        return Fraction(0)
    value = int(card.value)
    if peoples is not None:  # V6: every seat has a people of its own, and the highest card wins
        return Fraction(2 * value - 1, 26) ** (seats - 1)
    if card.kind is Kind.JUGGLER:
        plain = _JUGGLER
    elif card.kind is Kind.CLOUD:
        plain = _CLOUD
    elif trump is None:
        plain = _NO_TRUMP.get(value, Fraction(0))
    elif card.colour is trump:
        plain = _TRUMP.get(value, _LOW_TRUMP)
    else:
        plain = _BESIDE_TRUMP.get(value, Fraction(0))
    return min(Fraction(1), plain * (1 - _HEAD_COUNT_COST * (seats - 4)))


def _rounded(tricks: Fraction | int) -> int:
    """Rounded half up."""
    return int(tricks + _HALF)


def _named(hand: Sequence[Card]) -> Action:
    """The colour with the most and highest cards; of equal colours the last, since `max` keeps the first it meets."""

    def length(colour: Colour) -> float:
        return sum(9 + card.value for card in hand if card.colour is colour)

    return NameTrump(max(reversed(Colour), key=length))


def _played(view: View) -> tuple[Face, ...]:
    return view.now.trick.faces if view.now and view.now.trick else ()


def _needs(view: View) -> int:
    """How many tricks this seat still needs to meet its bid."""
    assert view.now is not None
    assert view.seat is not None
    return view.now.needs[view.seat] or 0


def _wants_tricks(view: View) -> bool:
    return _needs(view) > 0


def _takes(play: Play, view: View) -> bool:
    """Whether this play would be winning the trick; nobody takes a trick with the Bomb."""
    faces = (*_played(view), play.face)
    trump = view.now.trump if view.now else None
    best = view.rules.tricks.winning_place(faces, trump)
    return best == len(faces) - 1 and not is_nobodys(faces)


_PEOPLES = {people: place for place, people in enumerate(Colour)}


def _trump(view: View) -> Colour | None:
    return view.now.trump if view.now else None


def _order(face: Face, trump: Colour | None) -> tuple[float, int, int]:
    """The order of plays: by height, then by colour; cards without a colour come last, in the order of the deck."""
    colour = face.colour or face.card.people
    tie = _PEOPLES[colour] if colour else len(_PEOPLES)
    return _height(face.kind, face.value, face.colour, trump), tie, face.card.index


def _order_in_hand(card: Card, trump: Colour | None) -> tuple[float, int, int]:
    """The order in hand: before its declaration a card has no colour, and a Shapeshifter counts as a Wizard."""
    tie = _PEOPLES[card.people] if card.people else len(_PEOPLES)
    return _height(card.kind, card.value, card.colour, trump), tie, card.index


def _height(kind: Kind, value: float, colour: Colour | None, trump: Colour | None) -> float:
    match kind:
        case Kind.FAIRY:
            return -1
        case Kind.JESTER | Kind.BOMB:
            return 0
        case Kind.WIZARD | Kind.SHAPESHIFTER:
            return 100
        case Kind.DRAGON:
            return 101
        case _:
            return value + 40 if colour is not None and colour is trump else value


def kernel_words(tables: "Tables") -> "Ints":
    """This bot as words for the kernel's plain policy, so that compiled loops can play it."""
    from foretell.kernel.bulk.policies import plain_words

    # A worth is a multiple of 1/(100 x 100), or in unicolor of 1/26 to the power of 3 at most.
    trick = lcm(100 * 100, 26**3)
    return plain_words(
        tables,
        trick,
        lambda card, trump: int(trick * _worth(card, trump, tables.players, tables.peoples)),
        _order,
        _order_in_hand,
        lambda card: 9 + int(card.value) if card.colour is not None else 0,
    )
