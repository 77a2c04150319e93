"""Every field of a View, declared once: what everyone may know, what one seat may know besides, and when it changes.

`view` builds a whole View from these tables.  The server writes only the fields that a move has changed, from the same
tables (`change_between`).  Neither knows a field by its name, so nothing can reach a player by another way.
"""

from collections.abc import Callable, Collection
from enum import IntEnum
from functools import lru_cache
from typing import Any, NamedTuple

import msgspec

from foretell.cards import Card, Colour, Face
from foretell.engine.actions import Action
from foretell.engine.game import Game, awaited_seats
from foretell.engine.round import Phase, Round, Trick, open_to, round_points
from foretell.rules import Naming, points

__all__ = [
    "GAME_FIELDS",
    "ROUND_FIELDS",
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
    ROUND = (
        3  # anything rarer: a deal, a trump named, cards passed, a bid changed, points, a new name
    )


def change_between(was: Game, now: Game) -> Change:
    """What may differ between two Views of one game: fields that change with less than this, or with this."""
    before, after = was.rounds[-1], now.rounds[-1]
    if after.deal is not before.deal or now.names is not was.names:
        return Change.ROUND
    if after.phase not in _BIDS_AND_PLAYS or before.phase not in _BIDS_AND_PLAYS:
        return Change.ROUND
    if after.trump is not before.trump or after.named_by != before.named_by:
        return Change.ROUND
    if after.tricks is before.tricks:
        return Change.CARD if after.bids is before.bids else Change.TRICK
    is_one_more = after.tricks[:-1] == before.tricks and after.tricks[-1].passed is None
    return Change.TRICK if is_one_more else Change.ROUND


_BIDS_AND_PLAYS = frozenset({Phase.BID, Phase.PLAY})


class Moment:
    """A game at one moment, with what several fields are made of: that is computed once, for all seats.

    It knows every secret.  What leaves it, leaves through the fields below.
    """

    __slots__ = ("_bids", "asked", "awaited", "everyone", "game", "now")

    def __init__(self, game: Game) -> None:
        self.game = game
        self.everyone = range(len(game.names))
        self.awaited = awaited_seats(game)
        self.asked = _asked(game)
        self._bids: _Bids | None = None
        if game.rounds:  # the fields of a round are not asked for before there is one
            self.now = game.rounds[-1]

    def bids(self) -> "_Bids":
        """Computed when first asked for: most moves change no bid."""
        if self._bids is None:
            self._bids = _shown_bids(self.now)
        return self._bids


def _asked(game: Game) -> str | None:
    """The name of what the awaited seats are asked now, such as `7:play:3`; None where nobody is asked.

    It depends on nothing that others do in the meantime, so secret bids made at the same moment do not collide.
    """
    now = game.now
    if now is None or now.phase is Phase.SCORED:
        return None
    return f"{len(game.rounds)}:{now.phase}:{len(now.tricks)}"


class _Bids(NamedTuple):
    """The bids that everyone may see, and what follows from them; None for a seat whose bid is not known."""

    are_shown: bool
    made: Row
    needs: Row  # tricks still missing
    standing: Row  # points if the round ended now


def _shown_bids(now: Round) -> _Bids:
    are_shown = now.bids_are_shown
    made = now.bids if are_shown else (None,) * now.seats
    return _Bids(are_shown, made, *_results(made, now.final_bids, now.won))


@lru_cache(maxsize=4096)
def _results(bids: Row, final: tuple[int, ...], won: tuple[int, ...]) -> tuple[Row, Row]:
    """Tricks still needed, and points if the round ended now.  The same until a trick is taken."""
    made = tuple(zip(bids, final, won, strict=True))
    return (
        tuple([None if bid is None else counts - tricks for bid, counts, tricks in made]),
        tuple([None if bid is None else points(counts, tricks) for bid, counts, tricks in made]),
    )


# What everyone may know.


def _phase(moment: Moment) -> str:
    """What the game waits for: a Phase, "deal" or "over"."""
    game = moment.game
    if game.rounds and moment.now.phase is not Phase.SCORED:
        return moment.now.phase.value
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
    return None if trick is None else _shown_trick(trick)


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
    return round_points(moment.now) if moment.now.phase is Phase.SCORED else None


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
    return () if now.phase is not Phase.PLAY and now.is_foreseen else moment.everyone


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

    A list that is only added to until the next `Change.ROUND` may tell by `added` what came after its first so many
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
    Field("rules", Change.ROUND, lambda moment: moment.game.rules),
    Field("seat", Change.ROUND, own=_own_seat),
    Field("names", Change.ROUND, lambda moment: moment.game.names),
    Field("peoples", Change.ROUND, lambda moment: moment.game.peoples),
    Field("numbers", Change.ROUND, lambda moment: moment.game.numbers),
    Field("sheet", Change.ROUND, lambda moment: moment.game.sheet),
    Field("totals", Change.ROUND, lambda moment: moment.game.score),
    Field("phase", Change.TRICK, _phase),
    Field("awaited", Change.CARD, _awaited),
    Field("decision", Change.CARD, own=_own_decision, owners=_awaited),
    Field("legal", Change.CARD, own=_own_legal, owners=_awaited, hidden=()),
    Field("winners", Change.ROUND, lambda moment: moment.game.winners),
)
"""The fields of a View, besides `now`."""

ROUND_FIELDS = (
    Field("number", Change.ROUND, lambda moment: moment.now.number),
    Field("dealer", Change.ROUND, lambda moment: moment.now.dealer),
    Field("hand_size", Change.ROUND, lambda moment: moment.now.hand_size),
    Field("hand", Change.CARD, own=_own_hand, owners=_hand_seers),
    Field("hand_sizes", Change.CARD, _hand_sizes),
    Field("foreseen", Change.ROUND, own=_own_foreseen, owners=_foreseers),
    Field("turned_up", Change.ROUND, lambda moment: moment.now.deal.turned_up),
    Field("werewolf", Change.ROUND, lambda moment: moment.now.werewolf),
    Field("naming", Change.ROUND, _naming),
    Field("trump", Change.ROUND, lambda moment: moment.now.trump),
    Field("named_by", Change.ROUND, lambda moment: moment.now.named_by),
    Field(
        "bids",
        Change.TRICK,
        lambda moment: moment.bids().made,
        own=_own_bids,
        owners=_secret_bidders,
    ),
    Field("has_bid", Change.TRICK, _has_bid),
    Field("bids_are_shown", Change.TRICK, lambda moment: moment.bids().are_shown),
    Field("tricks", Change.TRICK, _tricks, added=_tricks_after),
    Field("trick", Change.CARD, _trick),
    Field("winning", Change.CARD, _winning),
    Field("demanded", Change.CARD, _demanded),
    Field("won", Change.TRICK, lambda moment: moment.now.won),
    Field(
        "needs",
        Change.TRICK,
        lambda moment: moment.bids().needs,
        own=_own_needs,
        owners=_secret_bidders,
    ),
    Field("passes", Change.ROUND, own=_own_passes, hidden=()),
    Field("has_passed", Change.ROUND, _has_passed),
    Field("cloud", Change.TRICK, lambda moment: moment.now.cloud_seat),
    Field("change", Change.ROUND, lambda moment: moment.now.change),
    Field("points", Change.ROUND, _points),
    Field(
        "standing",
        Change.TRICK,
        lambda moment: moment.bids().standing,
        own=_own_standing,
        owners=_secret_bidders,
    ),
)
"""The fields of a RoundView."""
