"""What one seat may know, and nothing else: the only form in which a game leaves the engine.

A View is built up from the fields that `view_fields` declares; it is never the state with things taken away.  A field
added to the state reaches nobody until someone declares it there.  A View is complete for the round: a bot needs no
memory of its own.  `view(game, None)` is a spectator's: it holds nothing that is hidden from any player.

The JSON form (`to_json`, `from_json`) is documented in `docs/view.md`.
"""

from collections.abc import Sequence
from typing import Any

import msgspec

from foretell.cards import Card, Colour
from foretell.engine.actions import Action, Bid
from foretell.engine.codec import decoded, encoded
from foretell.engine.game import Game, ScoredRound
from foretell.engine.round import Phase
from foretell.engine.view_fields import (
    GAME_FIELDS,
    ROUND_FIELDS,
    Field,
    Moment,
    PassSeen,
    Row,
    TrickView,
)
from foretell.errors import NotAllowed
from foretell.rules import Rules

__all__ = [
    "PassSeen",
    "RoundView",
    "ScoredRound",
    "TrickView",
    "View",
    "from_json",
    "to_json",
    "view",
]


class RoundView(msgspec.Struct, frozen=True, kw_only=True):
    """The round being played, or the last one."""

    number: int
    dealer: int
    hand_size: int  # cards dealt to each, and so tricks in the round
    hand: tuple[Card, ...] | None  # None for a spectator, and while bidding by foresight (V4, V5)
    hand_sizes: tuple[int, ...]
    foreseen: tuple[tuple[Card, ...] | None, ...] | None  # V4, V5: the others' hands as dealt
    turned_up: Card | None
    werewolf: int | None  # X6: who exchanged the Werewolf for the turned-up card
    naming: int | None  # T3, X6: who names the trump, or has named it
    trump: Colour | None
    named_by: int | None
    bids: Row  # as made, as far as this seat may know them
    has_bid: tuple[bool, ...]
    bids_are_shown: bool
    tricks: tuple[TrickView, ...]
    trick: TrickView | None  # the one being played
    winning: int | None  # the seat whose card wins it so far, the Bomb left out
    demanded: Colour | None
    won: tuple[int, ...]
    needs: Row  # tricks still missing to the bid, negative when over
    passes: tuple[PassSeen, ...]
    has_passed: tuple[bool, ...] | None  # while a pass is going on
    cloud: int | None  # X8: who took the trick with the Cloud
    change: int | None  # X8: the change made
    points: tuple[int, ...] | None  # once scored
    standing: Row = ()  # points if the round ended now


class View(msgspec.Struct, frozen=True, kw_only=True):
    """A game as one seat may know it; `seat` is None for a spectator."""

    rules: Rules
    seat: int | None
    names: tuple[str, ...]
    peoples: tuple[Colour, ...] | None
    numbers: tuple[int, ...]  # the rounds to be played
    sheet: tuple[ScoredRound, ...]
    totals: tuple[int, ...]
    now: RoundView | None  # None before the first deal
    phase: str  # "deal", a Phase, or "over"
    awaited: tuple[int, ...]
    decision: str | None  # names what this seat is asked; an answer to another decision is stale
    legal: tuple[Action, ...]
    winners: tuple[int, ...]

    @property
    def seats(self) -> int:
        return len(self.names)

    @property
    def hand(self) -> tuple[Card, ...]:
        """This seat's hand; empty where it may not be seen."""
        return (self.now.hand or ()) if self.now else ()

    @property
    def is_bidding(self) -> bool:
        return self.phase == Phase.BID

    def nearest_bid(self, tricks: float) -> Action:
        """The open bid nearest to an estimate; the lower of two equally near."""
        bids = [one for one in self.legal if isinstance(one, Bid)]
        return min(bids, key=lambda bid: abs(bid.tricks - tricks))


def view(game: Game, seat: int | None) -> View:
    """What `seat` may know of the game; None for a spectator."""
    if seat is not None and not 0 <= seat < game.seats:
        # A seat of -1 would be shown the last seat's hand.
        raise NotAllowed("no_such_seat", rule="D1", seat=seat, most=game.seats - 1)
    moment = Moment(game)
    now = RoundView(**_OF_ROUND.values(moment, seat)) if game.rounds else None
    return View(now=now, **_OF_GAME.values(moment, seat))


class _Part:
    """The declared fields of a struct, prepared so that their values are found fast."""

    def __init__(self, part: type[msgspec.Struct], fields: Sequence[Field], *besides: str) -> None:
        declared = sorted([*(one.name for one in fields), *besides])
        if declared != sorted(part.__struct_fields__):
            raise TypeError(f"{part.__name__} has other fields than those declared: {declared}")
        self._hidden = {one.name: one.hidden for one in fields if one.public is None}
        self._public = [(one.name, one.public) for one in fields if one.public is not None]
        self._own = [(one.name, one.own, one.owners) for one in fields if one.own is not None]

    def values(self, moment: Moment, seat: int | None) -> dict[str, Any]:
        """Each field's value, by its name."""
        found = self._hidden.copy()
        for name, public in self._public:
            found[name] = public(moment)
        if seat is not None:
            for name, own, owners in self._own:
                if seat in owners(moment):
                    found[name] = own(moment, seat)
        return found


_OF_GAME = _Part(View, GAME_FIELDS, "now")
_OF_ROUND = _Part(RoundView, ROUND_FIELDS)


_ENCODER = msgspec.json.Encoder(enc_hook=encoded)
_DECODER = msgspec.json.Decoder(View, dec_hook=decoded)


def to_json(seen: View) -> bytes:
    """The View as JSON."""
    return _ENCODER.encode(seen)


def from_json(text: bytes | str) -> View:
    """The View that was written by `to_json`."""
    return _DECODER.decode(text)
