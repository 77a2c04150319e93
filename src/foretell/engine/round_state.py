"""One round as a value: everything there is to know about it at one moment."""

from enum import StrEnum
from typing import TypeVar

from msgspec import Struct

from foretell.cards import Card, Colour, Face
from foretell.cards.specials import AfterRound, AfterTrick
from foretell.rules import (
    Deal,
    Exchange,
    Naming,
    Rules,
    Trump,
    change_after,
    pass_after,
    points,
    trump_after,
)

__all__ = ["Phase", "Round", "Trick", "round_points", "with_value"]

T = TypeVar("T")


def with_value(row: tuple[T, ...], seat: int, value: T) -> tuple[T, ...]:
    """The row with another value for this seat."""
    return (*row[:seat], value, *row[seat + 1 :])


class Phase(StrEnum):
    """What the round is waiting for."""

    TRUMP = "trump"
    BID = "bid"
    PLAY = "play"
    PASS = "pass"
    CHANGE = "change"
    SCORED = "scored"


class Trick(Struct, frozen=True):
    """A trick on the table or taken.  `next_leader` is known once it is complete; a bombed one has no `winner` (X5)."""

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
    bids: tuple[int | None, ...]  # as made, before `change`
    won: tuple[int, ...]
    tricks: tuple[Trick, ...] = ()  # complete ones
    trick: Trick | None = None  # the one being played
    exchange: Exchange | None = None  # X6: made with the deal, before the bids
    trump: Colour | None = None
    named_by: int | None = None
    passing: tuple[Card | None, ...] = ()  # X7: cards chosen so far, while the phase is PASS
    cloud_seat: int | None = None  # X8: the seat that must change its bid, if there is one
    change: int | None = None  # X8, once made

    @property
    def seats(self) -> int:
        return len(self.hands)

    @property
    def hand_size(self) -> int:
        """The number of cards dealt to each seat, which is also the number of tricks."""
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
        return trump_after(self.deal.turned_up, self.dealer, self.exchange)

    @property
    def werewolf(self) -> int | None:
        """X6: the seat that exchanged a card before the bids.  The name is that of the key in records and Views."""
        return None if self.exchange is None else self.exchange.seat

    @property
    def final_bids(self) -> tuple[int, ...]:
        """The bids that count: as made, except the one that was changed (X8)."""
        bids = tuple([bid or 0 for bid in self.bids])
        if self.change is None or self.cloud_seat is None or self.change_step is None:
            return bids
        changed = self.change_step.bid_after(bids[self.cloud_seat], self.change)
        return with_value(bids, self.cloud_seat, changed)

    @property
    def pass_step(self) -> AfterTrick:
        """X7: the pass that the last trick causes, while the phase is PASS."""
        step = pass_after(self.tricks[-1].faces)
        assert step is not None
        return step

    @property
    def change_step(self) -> AfterRound | None:
        """X8: the change of bid that a trick of this round asks for, if a seat has to make it."""
        if self.cloud_seat is None:
            return None
        steps = (change_after(trick.faces) for trick in self.tricks)
        return next(step for step in steps if step is not None)


def round_points(now: Round) -> tuple[int, ...]:
    """S1, S2: each seat's points, by the bids that count."""
    return tuple(points(bid, won) for bid, won in zip(now.final_bids, now.won, strict=True))
