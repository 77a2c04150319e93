"""One round, from the deal to its points.  A value: `step` returns the round after an action and leaves this one.

The order of things: trump is settled or named (T1-T4, X6), everyone bids (B1-B3), tricks are played (P1-K5) with a pass
after the Juggler's (X7), who took the Cloud changes its bid (X8), points are counted (S1, S2).
"""

from collections.abc import Callable
from enum import StrEnum
from typing import Any, TypeVar

from msgspec import Struct
from msgspec.structs import replace

from foretell.cards import Card, Colour, Face, codes
from foretell.engine.actions import BIDS, PLAYS, Action, Bid, ChangeBid, NameTrump, PassCard, Play
from foretell.engine.events import (
    BidChanged,
    BidMade,
    BidsShown,
    CardsPassed,
    Event,
    Exchanged,
    Played,
    RoundDealt,
    TrickEnded,
    TrumpSettled,
)
from foretell.errors import NotAllowed
from foretell.i18n import Term
from foretell.rules import (
    Deal,
    Naming,
    Rules,
    Trump,
    has_bomb,
    has_cloud,
    has_juggler,
    naming_open_to,
    open_changes,
    points,
    trump_after,
    werewolf_holder,
)

__all__ = [
    "Phase",
    "Round",
    "Trick",
    "awaited",
    "deal_round",
    "legal",
    "open_to",
    "round_points",
    "step",
]


class Phase(StrEnum):
    """What the round is waiting for."""

    TRUMP = "trump"
    BID = "bid"
    PLAY = "play"
    PASS = "pass"
    CHANGE = "change"
    SCORED = "scored"


class Trick(Struct, frozen=True):
    """A trick on the table or taken.  `next_leader` is known once it is complete; a bombed one has no `winner`."""

    leader: int
    faces: tuple[Face, ...] = ()
    winner: int | None = None
    next_leader: int | None = None
    passed: tuple[Card, ...] | None = None  # X7: what each seat gave to its left after it

    @property
    def is_complete(self) -> bool:
        return self.next_leader is not None


class Round(Struct, frozen=True):
    """Everything there is to know about a round; what one seat may know of it is its View."""

    rules: Rules
    number: int
    dealer: int
    deal: Deal
    phase: Phase
    hands: tuple[tuple[Card, ...], ...]
    bids: tuple[int | None, ...]  # as made; the Cloud's change is apart
    won: tuple[int, ...]
    tricks: tuple[Trick, ...] = ()  # complete ones
    trick: Trick | None = None  # the one being played
    werewolf: int | None = None  # the seat that exchanged it (X6)
    trump: Colour | None = None
    named_by: int | None = None
    passing: tuple[Card | None, ...] = ()  # X7: cards chosen so far, while the phase is PASS
    cloud_seat: int | None = None  # X8: who took the trick with the Cloud, if anyone did
    change: int | None = None  # X8, once made

    @property
    def seats(self) -> int:
        return len(self.hands)

    @property
    def hand_size(self) -> int:
        """The cards dealt to each, and so the tricks of the round."""
        return self.rules.deck.hand_size(self.number)

    @property
    def first(self) -> int:
        """B2, P1: the dealer's left neighbour bids and leads first."""
        return (self.dealer + 1) % self.seats

    @property
    def all_bid(self) -> bool:
        return None not in self.bids

    @property
    def all_played(self) -> bool:
        return len(self.tricks) == self.hand_size

    @property
    def bids_are_shown(self) -> bool:
        return self.rules.disclosure.are_shown(all_made=self.all_bid, all_played=self.all_played)

    @property
    def is_foreseen(self) -> bool:
        """V4, V5: until all have bid, each seat sees every hand but its own."""
        return not self.all_bid and self.rules.sight.is_foresight(self.number)

    @property
    def naming(self) -> Trump | Naming:
        """How this round's trump is settled."""
        return trump_after(self.deal.turned_up, self.dealer, self.werewolf)

    @property
    def final_bids(self) -> tuple[int, ...]:
        """The bids that count: as made, with the Cloud's change."""
        bids = tuple([bid or 0 for bid in self.bids])
        if self.change is None or self.cloud_seat is None:
            return bids
        return _with(bids, self.cloud_seat, bids[self.cloud_seat] + self.change)


def deal_round(
    rules: Rules, number: int, dealer: int, deal: Deal
) -> tuple[Round, tuple[Event, ...]]:
    """A round just dealt: the Werewolf exchanged, the trump settled unless a seat must name it."""
    seats = len(deal.hands)
    hands = deal.hands
    holder = werewolf_holder(hands)
    now = Round(
        rules=rules,
        number=number,
        dealer=dealer,
        deal=deal,
        phase=Phase.TRUMP,
        hands=hands,
        bids=(None,) * seats,
        won=(0,) * seats,
        werewolf=holder,
    )
    events: list[Event] = [RoundDealt(number, dealer, now.hand_size, deal.turned_up)]
    if holder is not None and deal.turned_up is not None:
        wolf = next(c for c in hands[holder] if not c.faces)
        swapped = tuple(deal.turned_up if c is wolf else c for c in hands[holder])
        now = replace(now, hands=_with(hands, holder, swapped))
        events.append(Exchanged(holder, deal.turned_up))
    match now.naming:
        case Trump(colour, rule):
            now = replace(now, trump=colour, phase=Phase.BID)
            events.append(TrumpSettled(colour, None, rule))
        case Naming():
            pass
    return now, tuple(events)


def awaited(now: Round) -> tuple[int, ...]:
    """The seats that may act now; several at once in V2, V3 and X7."""
    match now.phase:
        case Phase.PLAY if now.trick is not None:
            return ((now.trick.leader + len(now.trick.faces)) % now.seats,)
        case Phase.BID:
            return now.rules.disclosure.bidders(now.bids, now.first)
        case Phase.TRUMP:
            return (now.naming.seat,) if isinstance(now.naming, Naming) else ()
        case Phase.PASS:
            return tuple(seat for seat, card in enumerate(now.passing) if card is None)
        case Phase.CHANGE:
            return () if now.cloud_seat is None else (now.cloud_seat,)
        case _:
            return ()


def legal(now: Round, seat: int) -> tuple[Action, ...]:
    """What this seat may do now: nothing, unless it is awaited."""
    return open_to(now, seat) if seat in awaited(now) else ()


def open_to(now: Round, seat: int) -> tuple[Action, ...]:
    """What a seat that is awaited may do."""
    match now.phase:
        case Phase.PLAY:
            return tuple([play for card in _playable(now, seat) for play in PLAYS[card]])
        case Phase.BID:
            return tuple([BIDS[bid] for bid in _open_bids(now)])
        case Phase.TRUMP if isinstance(now.naming, Naming):
            return tuple(NameTrump(colour) for colour in naming_open_to(now.naming))
        case Phase.PASS:
            return tuple(PassCard(card) for card in now.hands[seat])
        case Phase.CHANGE:
            return tuple(ChangeBid(c) for c in open_changes(now.bids[seat] or 0, now.hand_size))
        case _:
            return ()


def step(now: Round, seat: int, action: Action) -> tuple[Round, tuple[Event, ...]]:
    """The round after `seat` has done `action`, and what everyone hears of it."""
    awaited_seats = awaited(now)
    if seat not in awaited_seats:
        raise _not_awaited(now, seat, awaited_seats)
    asked, takes = _STEPS[now.phase]
    if not isinstance(action, asked):
        raise NotAllowed("wrong_phase", tried=str(action), phase=Term(f"phase.{now.phase}"))
    return takes(now, seat, action)


def round_points(now: Round) -> tuple[int, ...]:
    """S1, S2: each seat's points, after the Cloud's change."""
    return tuple(points(bid, won) for bid, won in zip(now.final_bids, now.won, strict=True))


def _open_bids(now: Round) -> tuple[int, ...]:
    earlier = [bid for bid in now.bids if bid is not None]
    return now.rules.bidding.open_bids(now.hand_size, earlier, now.seats)


def _playable(now: Round, seat: int) -> tuple[Card, ...]:
    faces = now.trick.faces if now.trick else ()
    tricks = now.rules.tricks
    return tricks.playable(now.hands[seat], tricks.demanded(faces), now.trump)


def _name_trump(now: Round, seat: int, action: NameTrump) -> tuple[Round, tuple[Event, ...]]:
    naming = now.naming
    if isinstance(naming, Naming) and action.colour not in naming_open_to(naming):
        raise NotAllowed("must_name_colour", rule="T3")
    after = replace(now, trump=action.colour, named_by=seat, phase=Phase.BID)
    return after, (TrumpSettled(action.colour, seat, naming.rule),)


def _bid(now: Round, seat: int, action: Bid) -> tuple[Round, tuple[Event, ...]]:
    if action.tricks not in _open_bids(now):
        if not 0 <= action.tricks <= now.hand_size:
            raise NotAllowed("bid_range", rule="B1", bid=action.tricks, most=now.hand_size)
        raise NotAllowed("bid_adds_up", rule="V1", bid=action.tricks, tricks=now.hand_size)
    after = replace(now, bids=_with(now.bids, seat, action.tricks))
    made = BidMade(seat, action.tricks if now.bids_are_shown else None)
    if not after.all_bid:
        return after, (made,)
    after = replace(after, phase=Phase.PLAY, trick=Trick(after.first))
    return after, (made, BidsShown(after.final_bids)) if after.bids_are_shown else (made,)


def _play(now: Round, seat: int, action: Play) -> tuple[Round, tuple[Event, ...]]:
    hand, face = now.hands[seat], action.face
    if face.card not in hand:
        rule = "P3" if now.trick and now.trick.faces else "P2"
        raise NotAllowed("not_in_hand", rule=rule, card=face.card.code, hand=codes(hand))
    playable = _playable(now, seat)
    if face.card not in playable:
        raise _not_playable(now, seat, face, playable)
    trick = now.trick or Trick(seat)
    faces = (*trick.faces, face)
    after = replace(
        now,
        hands=_with(now.hands, seat, tuple([c for c in hand if c is not face.card])),
        trick=replace(trick, faces=faces),
    )
    events: tuple[Event, ...] = (Played(seat, face),)
    if len(faces) < now.seats:
        return after, events
    after, more = _end_trick(after, trick.leader, faces)
    return after, events + more


def _end_trick(now: Round, leader: int, faces: tuple[Face, ...]) -> tuple[Round, tuple[Event, ...]]:
    """K1-K4; X5: a bombed trick is nobody's, but who would have won it leads.  X7: the Juggler makes all pass."""
    best = (leader + now.rules.tricks.winning_place(faces, now.trump)) % now.seats
    winner = None if has_bomb(faces) else best
    done = Trick(leader, faces, winner, best)
    won = now.won if winner is None else _with(now.won, winner, now.won[winner] + 1)
    cloud = winner if has_cloud(faces) else now.cloud_seat
    after = replace(now, tricks=(*now.tricks, done), trick=None, won=won, cloud_seat=cloud)
    event = TrickEnded(winner, best)
    if after.all_played:
        after, more = _end_play(after)
        return after, (event, *more)
    if has_juggler(faces):
        return replace(after, phase=Phase.PASS, passing=(None,) * now.seats), (event,)
    return replace(after, trick=Trick(best)), (event,)


def _end_play(now: Round) -> tuple[Round, tuple[Event, ...]]:
    """V3: secret bids are shown now.  X8: then the Cloud's change, if someone took it."""
    was_shown = now.rules.disclosure.are_shown(all_made=True, all_played=False)
    events = () if was_shown else (BidsShown(now.final_bids),)
    phase = Phase.SCORED if now.cloud_seat is None else Phase.CHANGE
    return replace(now, phase=phase), events


def _pass(now: Round, seat: int, action: PassCard) -> tuple[Round, tuple[Event, ...]]:
    if action.card not in now.hands[seat]:
        raise NotAllowed(
            "not_in_hand", rule="X7", card=action.card.code, hand=codes(now.hands[seat])
        )
    passing = _with(now.passing, seat, action.card)
    given = tuple(card for card in passing if card is not None)
    if len(given) < now.seats:
        return replace(now, passing=passing), ()
    hands = tuple(
        (*(c for c in hand if c is not given[own]), given[own - 1])  # from the right neighbour
        for own, hand in enumerate(now.hands)
    )
    done = replace(now.tricks[-1], passed=given)
    after = replace(
        now,
        phase=Phase.PLAY,
        hands=hands,
        passing=(),
        tricks=(*now.tricks[:-1], done),
        trick=Trick(done.next_leader or 0),
    )
    return after, (CardsPassed(),)


def _change(now: Round, seat: int, action: ChangeBid) -> tuple[Round, tuple[Event, ...]]:
    bid = now.bids[seat] or 0
    if action.change not in open_changes(bid, now.hand_size):
        raise NotAllowed(
            "change_range", rule="X8", bid=bid, change=f"{action.change:+d}", most=now.hand_size
        )
    return replace(now, change=action.change, phase=Phase.SCORED), (
        BidChanged(seat, action.change),
    )


# What each phase asks for, and what then happens.
_STEPS: dict[
    Phase, tuple[type[Action], Callable[[Round, int, Any], tuple[Round, tuple[Event, ...]]]]
] = {
    Phase.TRUMP: (NameTrump, _name_trump),
    Phase.BID: (Bid, _bid),
    Phase.PLAY: (Play, _play),
    Phase.PASS: (PassCard, _pass),
    Phase.CHANGE: (ChangeBid, _change),
}


T = TypeVar("T")


def _with(row: tuple[T, ...], seat: int, value: T) -> tuple[T, ...]:
    return (*row[:seat], value, *row[seat + 1 :])


def _not_awaited(now: Round, seat: int, awaited_seats: tuple[int, ...]) -> NotAllowed:
    if not awaited_seats:
        return NotAllowed("round_over")
    rule = {Phase.TRUMP: "T3", Phase.BID: "B2", Phase.PASS: "X7", Phase.CHANGE: "X8"}.get(
        now.phase, "P1"
    )
    seats = ", ".join(map(str, awaited_seats))
    return NotAllowed(
        "not_your_turn", rule=rule, seat=seat, awaited=seats, phase=Term(f"phase.{now.phase}")
    )


def _not_playable(now: Round, seat: int, face: Face, playable: tuple[Card, ...]) -> NotAllowed:
    """P3 or F1, whichever stands in the way."""
    demanded = now.rules.tricks.demanded(now.trick.faces if now.trick else ())
    if face.card.is_wizard:
        return NotAllowed(
            "wizard_barred", rule="F1", seat=seat, tried=face.code, allowed=codes(playable)
        )
    return NotAllowed(
        "must_follow",
        rule="P3",
        seat=seat,
        colour=Term(f"colour.{demanded}"),
        allowed=codes(playable),
        tried=face.code,
    )
