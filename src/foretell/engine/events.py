"""What has happened, in a form that everyone at the table may know.  No event holds anything hidden.

A bid that is not shown yet is reported without its number, and a pass without its cards.  A seat that may know more
finds it in its View.
"""

import re

from msgspec import Struct

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


def _tag(name: str) -> str:
    return re.sub(r"(?<!^)(?=[A-Z])", "_", name).lower()


class _Event(Struct, frozen=True, tag_field="event", tag=_tag):
    """In JSON the key `event` has the name of the event, such as `round_dealt`."""


class RoundDealt(_Event, frozen=True):
    number: int
    dealer: int
    hand_size: int
    turned_up: Card | None


class Exchanged(_Event, frozen=True):
    """X6: the seat exchanged the Werewolf for the turned-up card."""

    seat: int
    card: Card


class TrumpSettled(_Event, frozen=True):
    colour: Colour | None
    named_by: int | None
    rule: str


class BidMade(_Event, frozen=True):
    """`bid` is None as long as the others may not see it (V2, V3)."""

    seat: int
    bid: int | None


class BidsShown(_Event, frozen=True):
    bids: tuple[int, ...]


class Played(_Event, frozen=True):
    seat: int
    face: Face


class TrickEnded(_Event, frozen=True):
    """`winner` is None when the Bomb leaves the trick to no one (X5)."""

    winner: int | None
    next_leader: int


class CardsPassed(_Event, frozen=True):
    """X7: every seat has passed one card to its left."""


class BidChanged(_Event, frozen=True):
    """X8: the seat that took the Cloud has changed its bid."""

    seat: int
    change: int


class RoundScored(_Event, frozen=True):
    bids: tuple[int, ...]
    won: tuple[int, ...]
    points: tuple[int, ...]
    totals: tuple[int, ...]


class GameOver(_Event, frozen=True):
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
