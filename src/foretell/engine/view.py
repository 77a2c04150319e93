"""What one seat may know, and nothing else: the only form in which a game leaves the engine.

A View is built up from named public fields and this seat's own secrets; it is never the state with things taken away,
so a field added to the state reaches nobody until someone adds it here.  It is complete for the round: a bot needs no
memory of its own.  `view(game, None)` is a spectator's: it holds nothing that is hidden from any player.

The JSON form (`to_json`, `from_json`) is documented in `docs/view.md`.
"""

from functools import lru_cache
from typing import Any

import msgspec
from msgspec.structs import replace

from foretell.cards import Card, Colour, Face, card, face
from foretell.engine.actions import Action, Bid, action
from foretell.engine.game import Game, ScoredRound, awaited_seats
from foretell.engine.round import Phase, Round, Trick, open_to, round_points
from foretell.errors import NotAllowed
from foretell.rules import Naming, Rules, points

__all__ = [
    "BY_CARD",
    "BY_TRICK",
    "PassSeen",
    "RoundView",
    "ScoredRound",
    "TrickView",
    "View",
    "asked",
    "by_card",
    "by_trick",
    "decision_of",
    "from_json",
    "hands",
    "is_played_on",
    "own",
    "phase_of",
    "public",
    "to_json",
    "view",
]


Row = tuple[int | None, ...]
"""A number for each seat, None where it is not known."""


class TrickView(msgspec.Struct, frozen=True, omit_defaults=True):
    """A trick: complete ones have a `next_leader`, and a `winner` unless bombed (X5)."""

    leader: int
    faces: tuple[Face, ...]
    winner: int | None = None
    next_leader: int | None = None


class PassSeen(msgspec.Struct, frozen=True):
    """X7: what this seat gave to its left and got from its right after the trick at this place."""

    trick: int
    gave: Card
    received: Card | None  # None until everyone has passed


class RoundView(msgspec.Struct, frozen=True, kw_only=True):
    """The round being played, or the last one."""

    number: int
    dealer: int
    hand_size: int  # cards dealt to each, and so tricks in the round
    hand: tuple[Card, ...] | None  # None: a spectator, or the own hand unseen (V4, V5)
    hand_sizes: tuple[int, ...]
    foreseen: tuple[tuple[Card, ...] | None, ...] | None  # V4, V5: the others' hands as dealt
    turned_up: Card | None
    werewolf: int | None  # X6: who exchanged the Werewolf for the turned-up card
    naming: int | None  # T3, X6: who names the trump, or has named it
    trump: Colour | None
    named_by: int | None
    bids: tuple[int | None, ...]  # as far as this seat may know them; as made
    has_bid: tuple[bool, ...]
    bids_are_shown: bool
    tricks: tuple[TrickView, ...]
    trick: TrickView | None  # the one being played
    winning: int | None  # the seat whose card wins it so far, the Bomb left out
    demanded: Colour | None
    won: tuple[int, ...]
    needs: tuple[
        int | None, ...
    ]  # tricks still missing to the bid, negative when over; None where unknown
    passes: tuple[PassSeen, ...]
    has_passed: tuple[bool, ...] | None  # while a pass is going on
    cloud: int | None  # X8: who took the trick with the Cloud
    change: int | None  # X8: the change made
    points: tuple[int, ...] | None  # once scored
    standing: tuple[
        int | None, ...
    ] = ()  # points if the round ended now; None where the bid is unknown


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
    decision: str | None  # names what is asked of this seat; an answer to another is stale
    legal: tuple[Action, ...]
    winners: tuple[int, ...]

    @property
    def seats(self) -> int:
        return len(self.names)

    @property
    def hand(self) -> tuple[Card, ...]:
        """The own hand; empty where it may not be seen."""
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
    shown = public(game)
    if seat is None:
        return shown
    now, seen = game.now, shown.now
    mine = own(game, shown, seat)
    if now is not None and seen is not None:
        seen = replace(seen, hand=hands(now)[seat], **mine)
    asks = now is not None and seat in shown.awaited
    return replace(
        shown,
        seat=seat,
        now=seen,
        decision=asked(game) if asks else None,
        legal=open_to(now, seat) if now is not None and asks else (),
    )


def public(game: Game) -> View:
    """What everyone may know: the View of a spectator."""
    now = game.now
    return View(
        rules=game.rules,
        seat=None,
        names=game.names,
        peoples=game.peoples,
        numbers=game.numbers,
        sheet=game.sheet,
        totals=game.score,
        now=None if now is None else _round(now),
        phase=phase_of(game),
        awaited=awaited_seats(game),
        decision=None,
        legal=(),
        winners=game.winners,
    )


def own(game: Game, shown: View, seat: int) -> dict[str, Any]:
    """The fields of the RoundView that this seat has otherwise than everyone, besides its hand.

    At one moment they are the same fields for every seat.
    """
    if not 0 <= seat < game.seats:
        # A seat of -1 would be shown the last seat's hand.
        raise NotAllowed("no_such_seat", rule="D1", seat=seat, most=game.seats - 1)
    now, seen = game.now, shown.now
    found: dict[str, Any] = {}
    if now is None or seen is None:
        return found
    if now.rules.sight.is_foresight(now.number):
        found["foreseen"] = _foreseen(now, seat)
    if not seen.bids_are_shown:
        found["bids"], found["needs"], found["standing"] = _own_bid(now, seen, seat)
    if now.passing or any(trick.passed for trick in now.tricks):
        found["passes"] = _passes(now, seat)
    return found


def hands(now: Round) -> tuple[tuple[Card, ...] | None, ...]:
    """What each seat may know of its own hand: nothing while it bids by foresight (V4, V5)."""
    return (None,) * now.seats if now.is_foreseen else now.hands


BY_CARD = ("hand_sizes", "trick", "winning", "demanded")
BY_TRICK = ("bids", "has_bid", "won", "needs", "standing", "tricks")
"""The fields of a RoundView that a card changes, and those that a bid changes or the end of a trick."""


def is_played_on(now: Round, was: Round) -> bool:
    """Whether no more came between than bids that all may see, or cards of one trick.

    Then everyone's View differs in the fields above, in its phase, the own hand, and in who is asked what.
    """
    if now.deal is not was.deal or now.phase not in _PLAYED_ON or was.phase not in _PLAYED_ON:
        return False
    if now.trump is not was.trump or now.named_by != was.named_by:
        return False
    if now.tricks is was.tricks:
        return now.bids is was.bids or (now.bids_are_shown and was.bids_are_shown)
    return (
        now.tricks[:-1] == was.tricks
        and now.tricks[-1].passed is None
        and now.cloud_seat == was.cloud_seat
        and was.bids_are_shown
    )


_PLAYED_ON = frozenset({Phase.BID, Phase.PLAY})


def by_card(now: Round) -> tuple[tuple[int, ...], TrickView | None, int | None, Colour | None]:
    """The values of `BY_CARD`."""
    sizes, trick = tuple(map(len, now.hands)), now.trick
    if trick is None:
        return sizes, None, None, None
    rules, shown = now.rules.tricks, _trick(trick)
    if not trick.faces:
        return sizes, shown, None, None
    place = rules.winning_place(trick.faces, now.trump)
    return sizes, shown, (trick.leader + place) % now.seats, rules.demanded(trick.faces)


def by_trick(
    now: Round, known: int = 0
) -> tuple[Row, tuple[bool, ...], tuple[int, ...], Row, Row, tuple[TrickView, ...]]:
    """The values of `BY_TRICK`; of the tricks those after the first `known`."""
    bids = now.bids if now.bids_are_shown else (None,) * now.seats
    return (
        bids,
        tuple([bid is not None for bid in now.bids]),
        now.won,
        *_standing(bids, now.final_bids, now.won),
        tuple(map(_trick, now.tricks[known:])),
    )


def decision_of(game: Game, seat: int | None) -> str | None:
    """The name of what this seat is asked now, such as `7:play:3`: the same until it has answered.

    It depends on nothing that others do meanwhile, so that unseen bids made at the same moment do not collide.
    """
    return asked(game) if seat in awaited_seats(game) else None


def asked(game: Game) -> str | None:
    """The name of what all awaited seats are asked; None where nobody is."""
    now = game.now
    return None if now is None or now.phase is Phase.SCORED else _decision(game, now)


def _decision(game: Game, now: Round) -> str:
    return f"{len(game.rounds)}:{now.phase}:{len(now.tricks)}"


def phase_of(game: Game) -> str:
    """What the game waits for: a Phase, "deal" or "over"."""
    now = game.now
    if now is not None and now.phase is not Phase.SCORED:
        return now.phase.value
    return "over" if game.is_over else "deal"


def _round(now: Round) -> RoundView:
    """What everyone may know of it."""
    naming = now.naming
    sizes, trick, winning, demanded = by_card(now)
    bids, has_bid, won, needs, standing, tricks = by_trick(now)
    return RoundView(
        number=now.number,
        dealer=now.dealer,
        hand_size=now.hand_size,
        hand=None,
        hand_sizes=sizes,
        foreseen=None,
        turned_up=now.deal.turned_up,
        werewolf=now.werewolf,
        naming=naming.seat if isinstance(naming, Naming) else None,
        trump=now.trump,
        named_by=now.named_by,
        bids=bids,
        has_bid=has_bid,
        bids_are_shown=now.bids_are_shown,
        tricks=tricks,
        trick=trick,
        winning=winning,
        demanded=demanded,
        won=won,
        needs=needs,
        passes=(),
        has_passed=tuple(c is not None for c in now.passing) if now.phase is Phase.PASS else None,
        cloud=now.cloud_seat,
        change=now.change,
        points=round_points(now) if now.phase is Phase.SCORED else None,
        standing=standing,
    )


@lru_cache(maxsize=4096)
def _standing(bids: Row, final: tuple[int, ...], won: tuple[int, ...]) -> tuple[Row, Row]:
    """Tricks still needed, and points if the round ended now; of who has not bid nothing is known.

    Asked at every card, and the same until a trick is taken.
    """
    made = tuple(zip(bids, final, won, strict=True))
    return (
        tuple([None if bid is None else counts - tricks for bid, counts, tricks in made]),
        tuple([None if bid is None else points(counts, tricks) for bid, counts, tricks in made]),
    )


def _with(row: Row, seat: int, value: int) -> Row:
    return (*row[:seat], value, *row[seat + 1 :])


def _own_bid(now: Round, seen: RoundView, seat: int) -> tuple[Row, Row, Row]:
    """V2, V3: bids, needs and standing with the own ones in them, which nobody else may see yet."""
    bid = now.bids[seat]
    if bid is None:
        return seen.bids, seen.needs, seen.standing
    counts, won = now.final_bids[seat], now.won[seat]
    return (
        _with(seen.bids, seat, bid),
        _with(seen.needs, seat, counts - won),
        _with(seen.standing, seat, points(counts, won)),
    )


def _foreseen(now: Round, seat: int) -> tuple[tuple[Card, ...] | None, ...]:
    """V4, V5: what a seat has seen while bidding it may remember for the round."""
    return tuple(None if owner == seat else hand for owner, hand in enumerate(now.deal.hands))


def _trick(trick: Trick) -> TrickView:
    return TrickView(trick.leader, trick.faces, trick.winner, trick.next_leader)


def _passes(now: Round, seat: int) -> tuple[PassSeen, ...]:
    """X7."""
    done = [
        PassSeen(place, trick.passed[seat], trick.passed[seat - 1])
        for place, trick in enumerate(now.tricks)
        if trick.passed is not None
    ]
    chosen = now.passing[seat] if now.passing else None
    if chosen is not None:
        done.append(PassSeen(len(now.tricks) - 1, chosen, None))
    return tuple(done)


def _encoded(value: Any) -> Any:
    if isinstance(value, Card | Face | Action):
        return str(value)
    raise NotImplementedError(type(value))


def _decoded(kind: type, value: Any) -> Any:
    if kind is Card:
        return card(value)
    if kind is Face:
        return face(value)
    return action(value)


_ENCODER = msgspec.json.Encoder(enc_hook=_encoded)


def to_json(seen: View) -> bytes:
    """The View as JSON."""
    return _ENCODER.encode(seen)


def from_json(text: bytes | str) -> View:
    """The View that was written by `to_json`."""
    return msgspec.json.decode(text, type=View, dec_hook=_decoded)
