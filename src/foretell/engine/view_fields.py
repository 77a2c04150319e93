"""Every field of a View, declared once: what everyone may know, what one seat may know besides, and when it changes.

`view` builds a whole View from these tables.  The server writes only the fields that a move has changed, from the same
tables (`change_between`).  Neither knows a field by its name, so nothing can reach a player by another way.
"""

from collections.abc import Callable, Collection
from enum import IntEnum
from functools import cache
from typing import Any, NamedTuple

import msgspec

from foretell.cards import Card, Colour, Face
from foretell.engine.actions import Action
from foretell.engine.game import Game
from foretell.engine.round import Phase, Round, Trick, awaited, open_to, round_points
from foretell.rules import Naming, points

__all__ = [
    "CARD",
    "GAME_FIELDS",
    "ROUND",
    "ROUND_FIELDS",
    "SCORE",
    "TRICK",
    "Change",
    "Field",
    "Moment",
    "PassSeen",
    "Row",
    "TrickView",
    "change_between",
]

Row = tuple[int | None, ...]
"""A number for each seat, None where it is not known."""


class TrickView(msgspec.Struct, frozen=True, omit_defaults=True):
    """A trick.  A complete one has a `next_leader`, and a `winner` unless it was bombed (X5)."""

    leader: int
    faces: tuple[Face, ...]
    winner: int | None = None
    next_leader: int | None = None


class PassSeen(msgspec.Struct, frozen=True):
    """X7: what this seat gave to its left and got from its right after the trick at this place."""

    trick: int
    gave: Card
    received: Card | None  # None until everyone has passed


class Change(IntEnum):
    """What can change a field.  A greater one changes all that a smaller one does."""

    CARD = 1  # any action, even a card that does not end its trick
    TRICK = 2  # a bid, or the end of a trick
    SCORE = 3  # the points of a round
    ROUND = 4  # anything rarer: a deal, a trump, passed cards, a changed bid, a name


# By these names the values are found ten times faster than as `Change.CARD`, and they are asked for at every card.
CARD = Change.CARD
TRICK = Change.TRICK
SCORE = Change.SCORE
ROUND = Change.ROUND


def change_between(was: Game, now: Game) -> Change:
    """What may differ between two Views of one game: fields that change with less than this, or with this."""
    before, after = was.rounds[-1], now.rounds[-1]
    if after.deal is not before.deal or now.names is not was.names:
        return ROUND
    if before.phase not in _BIDS_AND_PLAYS or after.phase not in _BIDS_PLAYS_AND_SCORES:
        return ROUND
    if after.trump is not before.trump or after.named_by != before.named_by:
        return ROUND
    if after.tricks is before.tricks:
        return CARD if after.bids is before.bids else TRICK
    is_one_more = after.tricks[:-1] == before.tricks and after.tricks[-1].passed is None
    if not is_one_more:
        return ROUND
    return SCORE if after.phase is _SCORED else TRICK


_PLAY, _SCORED = Phase.PLAY, Phase.SCORED  # asked for at every card, and `Phase.PLAY` is slow
# Tuples with the most frequent phase first: an enum is slow to find in a set.
_BIDS_AND_PLAYS = (Phase.PLAY, Phase.BID)
_BIDS_PLAYS_AND_SCORES = (*_BIDS_AND_PLAYS, Phase.SCORED)


_SEATS = [tuple(range(count)) for count in range(7)]


@cache
def _decision(rounds: int, phase: Phase, tricks: int) -> str:
    return f"{rounds}:{phase}:{tricks}"


class Moment:
    """A game at one moment, with what several fields need: that is computed once, for all seats.

    It knows every secret.  What leaves it, leaves through the fields below.

    `asked` names what the awaited seats are asked, such as `7:play:3`; it is None where nobody is asked.  It depends on
    nothing that others do in the meantime, so secret bids made at the same moment do not collide.
    """

    __slots__ = ("_bids", "asked", "awaited", "everyone", "game", "now")

    def __init__(self, game: Game) -> None:
        self.game = game
        self.everyone = _SEATS[len(game.names)]
        self.awaited: tuple[int, ...] = ()
        self.asked: str | None = None
        self._bids: _Bids | None = None
        if game.rounds:  # the fields of a round are not asked for before there is one
            self.now = now = game.rounds[-1]
            if now.phase is not _SCORED:
                self.awaited = awaited(now)
                self.asked = _decision(len(game.rounds), now.phase, len(now.tricks))

    def bids(self) -> "_Bids":
        """Computed when first asked for: most moves change no bid."""
        if self._bids is None:
            self._bids = _shown_bids(self.now)
        return self._bids


class _Bids(msgspec.Struct, frozen=True):
    """The bids that everyone may see, and what follows from them; None for a seat whose bid is not known."""

    are_shown: bool
    made: Row
    needs: Row  # tricks still missing
    standing: Row  # points if the round ended now


def _shown_bids(now: Round) -> _Bids:
    are_shown = now.bids_are_shown
    made = now.bids if are_shown else (None,) * now.seats
    needs, standing = zip(*map(_result, made, now.final_bids, now.won), strict=True)
    return _Bids(are_shown, made, needs, standing)


@cache
def _result(bid: int | None, counts: int, won: int) -> tuple[int | None, int | None]:
    """Tricks still needed, and points if the round ended now, by the bid that counts; None if `bid` is not known."""
    return (None, None) if bid is None else (counts - won, points(counts, won))


# What everyone may know.


def _phase(moment: Moment) -> str:
    """What the game waits for: a Phase, "deal" or "over"."""
    game = moment.game
    if game.rounds and moment.now.phase is not _SCORED:
        return str(moment.now.phase)
    return "over" if game.is_over else "deal"


def _hand_sizes(moment: Moment) -> tuple[int, ...]:
    return tuple(map(len, moment.now.hands))


def _naming(moment: Moment) -> int | None:
    naming = moment.now.naming
    return naming.seat if isinstance(naming, Naming) else None


def _has_bid(moment: Moment) -> tuple[bool, ...]:
    return tuple([bid is not None for bid in moment.now.bids])


def _trick(moment: Moment) -> TrickView | None:
    trick = moment.now.trick
    return None if trick is None else TrickView(trick.leader, trick.faces)


def _winning(moment: Moment) -> int | None:
    now, trick = moment.now, moment.now.trick
    if trick is None or not trick.faces:
        return None
    place = now.rules.tricks.winning_place(trick.faces, now.trump)
    return (trick.leader + place) % len(now.hands)


def _demanded(moment: Moment) -> Colour | None:
    now, trick = moment.now, moment.now.trick
    return None if trick is None else now.rules.tricks.demanded(trick.faces)


def _has_passed(moment: Moment) -> tuple[bool, ...] | None:
    now = moment.now
    return tuple(one is not None for one in now.passing) if now.phase is Phase.PASS else None


def _points(moment: Moment) -> tuple[int, ...] | None:
    return round_points(moment.now) if moment.now.phase is _SCORED else None


def _shown_trick(trick: Trick) -> TrickView:
    return TrickView(trick.leader, trick.faces, trick.winner, trick.next_leader)


def _tricks(moment: Moment) -> tuple[TrickView, ...]:
    return _tricks_after(moment, 0)


def _tricks_after(moment: Moment, known: int) -> tuple[TrickView, ...]:
    return tuple(map(_shown_trick, moment.now.tricks[known:]))


# Which seats may know more.


def _everyone(moment: Moment) -> Collection[int]:
    return moment.everyone


def _awaited(moment: Moment) -> tuple[int, ...]:
    return moment.awaited


def _hand_seers(moment: Moment) -> Collection[int]:
    """Everyone sees their own hand; in V4 and V5 not before all have bid."""
    now = moment.now
    return () if now.phase is not _PLAY and now.is_foreseen else moment.everyone


def _foreseers(moment: Moment) -> Collection[int]:
    """V4, V5: everyone, also after the bids, since a seat may remember what it saw."""
    now = moment.now
    return moment.everyone if now.rules.sight.is_foresight(now.number) else ()


def _secret_bidders(moment: Moment) -> Collection[int]:
    """V2, V3: the seats that have made a bid which the others may not see yet."""
    if moment.bids().are_shown:
        return ()
    return [seat for seat, bid in enumerate(moment.now.bids) if bid is not None]


# What they may know.


def _own_seat(_moment: Moment, seat: int) -> int:
    return seat


def _own_decision(moment: Moment, _seat: int) -> str | None:
    return moment.asked


def _own_legal(moment: Moment, seat: int) -> tuple[Action, ...]:
    return open_to(moment.now, seat)


def _own_hand(moment: Moment, seat: int) -> tuple[Card, ...]:
    return moment.now.hands[seat]


def _own_foreseen(moment: Moment, seat: int) -> tuple[tuple[Card, ...] | None, ...]:
    """The others' hands as dealt."""
    hands = moment.now.deal.hands
    return tuple(None if owner == seat else hand for owner, hand in enumerate(hands))


def _own_bids(moment: Moment, seat: int) -> Row:
    return _with(moment.bids().made, seat, moment.now.bids[seat])


def _own_needs(moment: Moment, seat: int) -> Row:
    now = moment.now
    return _with(moment.bids().needs, seat, now.final_bids[seat] - now.won[seat])


def _own_standing(moment: Moment, seat: int) -> Row:
    now = moment.now
    return _with(moment.bids().standing, seat, points(now.final_bids[seat], now.won[seat]))


def _with(row: Row, seat: int, value: int | None) -> Row:
    return (*row[:seat], value, *row[seat + 1 :])


def _passers(moment: Moment) -> Collection[int]:
    """X7: everyone, once there was a pass or while one is going on."""
    now = moment.now
    has_passes = now.passing or any(trick.passed for trick in now.tricks)
    return moment.everyone if has_passes else ()


def _own_passes(moment: Moment, seat: int) -> tuple[PassSeen, ...]:
    """X7."""
    now = moment.now
    seen = [
        PassSeen(place, trick.passed[seat], trick.passed[seat - 1])
        for place, trick in enumerate(now.tricks)
        if trick.passed is not None
    ]
    chosen = now.passing[seat] if now.passing else None
    if chosen is not None:
        seen.append(PassSeen(len(now.tricks) - 1, chosen, None))
    return tuple(seen)


class Field(NamedTuple):
    """One field of a View: its name, what changes it, and how its value is found.

    `public` gives the value that everyone may know.  The seats that `owners` lists may know another value, which `own`
    gives; without `own` the field is the same for all.  Where there is nothing that everyone may know, there is no
    `public`, and whoever is no owner is shown `hidden`.

    A list that is only added to until the next `ROUND` may tell by `added` what came after its first so many
    items, so that a writer can keep the text of those.
    """

    name: str
    changes_with: Change
    public: Callable[[Moment], Any] | None = None
    own: Callable[[Moment, int], Any] | None = None
    owners: Callable[[Moment], Collection[int]] = _everyone
    hidden: Any = None
    added: Callable[[Moment, int], tuple[Any, ...]] | None = None


GAME_FIELDS = (
    Field("rules", ROUND, lambda moment: moment.game.rules),
    Field("seat", ROUND, own=_own_seat),
    Field("names", ROUND, lambda moment: moment.game.names),
    Field("peoples", ROUND, lambda moment: moment.game.peoples),
    Field("numbers", ROUND, lambda moment: moment.game.numbers),
    Field("sheet", SCORE, lambda moment: moment.game.sheet),
    Field("totals", SCORE, lambda moment: moment.game.score),
    Field("phase", TRICK, _phase),
    Field("awaited", CARD, _awaited),
    Field("decision", CARD, own=_own_decision, owners=_awaited),
    Field("legal", CARD, own=_own_legal, owners=_awaited, hidden=()),
    Field("winners", SCORE, lambda moment: moment.game.winners),
)
"""The fields of a View, besides `now`."""

ROUND_FIELDS = (
    Field("number", ROUND, lambda moment: moment.now.number),
    Field("dealer", ROUND, lambda moment: moment.now.dealer),
    Field("hand_size", ROUND, lambda moment: moment.now.hand_size),
    Field("hand", CARD, own=_own_hand, owners=_hand_seers),
    Field("hand_sizes", CARD, _hand_sizes),
    Field("foreseen", ROUND, own=_own_foreseen, owners=_foreseers),
    Field("turned_up", ROUND, lambda moment: moment.now.deal.turned_up),
    Field("werewolf", ROUND, lambda moment: moment.now.werewolf),
    Field("naming", ROUND, _naming),
    Field("trump", ROUND, lambda moment: moment.now.trump),
    Field("named_by", ROUND, lambda moment: moment.now.named_by),
    Field(
        "bids",
        TRICK,
        lambda moment: moment.bids().made,
        own=_own_bids,
        owners=_secret_bidders,
    ),
    Field("has_bid", TRICK, _has_bid),
    Field("bids_are_shown", TRICK, lambda moment: moment.bids().are_shown),
    Field("tricks", TRICK, _tricks, added=_tricks_after),
    Field("trick", CARD, _trick),
    Field("winning", CARD, _winning),
    Field("demanded", CARD, _demanded),
    Field("won", TRICK, lambda moment: moment.now.won),
    Field(
        "needs",
        TRICK,
        lambda moment: moment.bids().needs,
        own=_own_needs,
        owners=_secret_bidders,
    ),
    Field("passes", ROUND, own=_own_passes, owners=_passers, hidden=()),
    Field("has_passed", ROUND, _has_passed),
    Field("cloud", TRICK, lambda moment: moment.now.cloud_seat),
    Field("change", SCORE, lambda moment: moment.now.change),
    Field("points", SCORE, _points),
    Field(
        "standing",
        TRICK,
        lambda moment: moment.bids().standing,
        own=_own_standing,
        owners=_secret_bidders,
    ),
)
"""The fields of a RoundView."""
