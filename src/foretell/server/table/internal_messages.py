"""Messages that the server posts to a table itself: timeouts, lost connections, the end of the table here."""

import msgspec

from foretell.server.wire import protocol as p

__all__ = [
    "ArrivalTimeout",
    "Disconnected",
    "Dropped",
    "Finished",
    "HostTimeout",
    "RematchTimeout",
    "RequestTimeout",
    "RevealTimeout",
    "SleepTimeout",
    "TableMessage",
    "TimeUp",
]


class Disconnected(msgspec.Struct):
    """A participant's connection is closed."""


class TimeUp(msgspec.Struct):
    """The time for a decision is up: a player's clock has run out, or a bot is stuck.

    `due` is the time for which the timer was set.  If the turn has another one by now, this message comes from an old
    timer.
    """

    seat: int
    decision: str
    due: float | None


class ArrivalTimeout(msgspec.Struct):
    """The player who took this seat by HTTP has not connected in time."""

    seat: int


class HostTimeout(msgspec.Struct):
    """The host has been disconnected for too long."""


class RematchTimeout(msgspec.Struct):
    """After a game, a player has been disconnected for so long that the others may start the next one."""


class RequestTimeout(msgspec.Struct):
    """Someone who asked the host for a seat has been disconnected for too long."""

    request: int


class RevealTimeout(msgspec.Struct):
    """Players had time enough to reveal their words: the game begins without the missing ones."""


class SleepTimeout(msgspec.Struct):
    """Nobody has been at the table for a while: it may be removed from memory."""


class Dropped(msgspec.Struct):
    """The table belongs to another process now: it must be forgotten."""


class Finished(msgspec.Struct):
    """This process is stopping: what was posted before this is the last."""


TableMessage = (
    p.Hello
    | p.AtTable
    | Disconnected
    | ArrivalTimeout
    | TimeUp
    | HostTimeout
    | RematchTimeout
    | RequestTimeout
    | RevealTimeout
    | SleepTimeout
    | Dropped
    | Finished
)
