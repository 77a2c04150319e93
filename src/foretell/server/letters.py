"""What reaches a table besides its players' messages."""

import msgspec

from foretell.server import protocol as p

__all__ = ["ArrivalBell", "Bell", "Gone", "HostBell", "Letter", "Moved", "RematchBell", "SleepBell"]


class Gone(msgspec.Struct):
    """A guest's line is cut."""


class Bell(msgspec.Struct):
    """The time for a decision is up: the player's, or a bot's that is stuck."""

    seat: int
    decision: str
    rings: float | None  # when it was to ring; another time since then is another bell


class ArrivalBell(msgspec.Struct):
    """Who has taken this seat has had the time to come."""

    seat: int


class HostBell(msgspec.Struct):
    """The host has been gone for long."""


class RematchBell(msgspec.Struct):
    """Someone has been gone for a while after a game."""


class SleepBell(msgspec.Struct):
    """Nobody has been here for long."""


class Moved(msgspec.Struct):
    """The game is at this number now, by the word of another process."""

    game: str
    number: int


Letter = (
    p.Hello | p.AtTable | Gone | ArrivalBell | Bell | HostBell | RematchBell | SleepBell | Moved
)
