"""What reaches a table besides its players' messages."""

import msgspec

from foretell.server.wire import protocol as p

__all__ = [
    "ArrivalTimeout",
    "Disconnected",
    "HostTimeout",
    "MovedElsewhere",
    "RematchTimeout",
    "SleepTimeout",
    "TableMessage",
    "TimeUp",
]


class Disconnected(msgspec.Struct):
    """A participant's line is cut."""


class TimeUp(msgspec.Struct):
    """The time for a decision is up: the player's, or a bot's that is stuck."""

    seat: int
    decision: str
    rings: float | None  # when it was to ring; another time since then is another bell


class ArrivalTimeout(msgspec.Struct):
    """Who has taken this seat has had the time to come."""

    seat: int


class HostTimeout(msgspec.Struct):
    """The host has been gone for long."""


class RematchTimeout(msgspec.Struct):
    """Someone has been gone for a while after a game."""


class SleepTimeout(msgspec.Struct):
    """Nobody has been here for long."""


class MovedElsewhere(msgspec.Struct):
    """The game is at this number now, by the word of another process."""

    game: str
    number: int


TableMessage = (
    p.Hello
    | p.AtTable
    | Disconnected
    | ArrivalTimeout
    | TimeUp
    | HostTimeout
    | RematchTimeout
    | SleepTimeout
    | MovedElsewhere
)
