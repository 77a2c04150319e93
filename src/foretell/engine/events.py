"""What has happened, as everyone at the table may hear it.  No event holds anything hidden.

A bid that is not shown yet is reported without its number, a Juggler's pass without its cards: who may know more finds
it in its View.
"""

from dataclasses import dataclass

from foretell.cards import Card, Colour, Face

__all__ = [
    "BidChanged",
    "BidMade",
    "BidsShown",
    "CardsPassed",
    "Event",
    "Exchanged",
    "GameOver",
    "Played",
    "RoundDealt",
    "RoundScored",
    "TrickEnded",
    "TrumpSettled",
]


@dataclass(frozen=True, slots=True)
class RoundDealt:
    number: int
    dealer: int
    hand_size: int
    turned_up: Card | None


@dataclass(frozen=True, slots=True)
class Exchanged:
    """X6: the seat gave the Werewolf for the turned-up card."""

    seat: int
    card: Card


@dataclass(frozen=True, slots=True)
class TrumpSettled:
    colour: Colour | None
    named_by: int | None
    rule: str


@dataclass(frozen=True, slots=True)
class BidMade:
    """`bid` is None as long as the others may not see it (V2, V3)."""

    seat: int
    bid: int | None


@dataclass(frozen=True, slots=True)
class BidsShown:
    bids: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Played:
    seat: int
    face: Face


@dataclass(frozen=True, slots=True)
class TrickEnded:
    """`winner` is None when the Bomb leaves the trick to no one (X5)."""

    winner: int | None
    next_leader: int


@dataclass(frozen=True, slots=True)
class CardsPassed:
    """X7: every seat has passed one card to its left."""


@dataclass(frozen=True, slots=True)
class BidChanged:
    """X8: the Cloud."""

    seat: int
    change: int


@dataclass(frozen=True, slots=True)
class RoundScored:
    bids: tuple[int, ...]
    won: tuple[int, ...]
    points: tuple[int, ...]
    totals: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class GameOver:
    winners: tuple[int, ...]


Event = (
    RoundDealt
    | Exchanged
    | TrumpSettled
    | BidMade
    | BidsShown
    | Played
    | TrickEnded
    | CardsPassed
    | BidChanged
    | RoundScored
    | GameOver
)
