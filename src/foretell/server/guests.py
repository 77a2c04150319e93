"""Whoever a table talks to: a socket, a bot, a question that came by HTTP.  A table knows them only as this."""

import asyncio
from collections.abc import Callable

from foretell.errors import ForetellError, NotAllowed
from foretell.i18n import Term, catalogue, languages
from foretell.server import protocol as p

__all__ = ["Asker", "BotGuest", "Guest", "Visitor", "retold", "seat_of", "told"]


Deliver = Callable[[bytes], None]
"""One message on its way, whole and already written; never waits."""


def _unheard(_message: bytes) -> None:
    pass


class Guest:
    """Someone at the table, and how a message reaches them."""

    is_bot = False

    def __init__(self, deliver: Deliver = _unheard) -> None:
        self.deliver = deliver
        self.seat: int | None = None
        self.name: str | None = None  # a spectator's
        self.language = "en"

    def answer(self, message: p.FromServer) -> None:
        self.deliver(p.write(message))


class Visitor(Guest):
    """A player's line at one table.  Another hello is another visitor, so that no seat is ever carried to the next
    table: the old one may still be at work on what was asked there, and answers by the seat it was asked from.
    """

    def __init__(self, deliver: Deliver, answer: Callable[[p.FromServer], None]) -> None:
        super().__init__(deliver)
        self._answer = answer

    def answer(self, message: p.FromServer) -> None:
        self._answer(message)  # whatever was asked is answered

    def depart(self) -> None:
        """Hears no more of this table."""
        self.deliver = _unheard


def seat_of(guest: Guest) -> int:
    """The guest's seat; refuses who has none."""
    if guest.seat is None:
        raise NotAllowed("spectator")
    return guest.seat


class BotGuest(Guest):
    """A bot's way in: the same door as everyone's.  It hears nothing: it is shown each View it is asked about."""

    is_bot = True

    def __init__(self, seat: int) -> None:
        super().__init__()
        self.seat = seat


class Asker(Guest):
    """A single question, whose answer is waited for."""

    def __init__(self) -> None:
        super().__init__()
        self.heard: asyncio.Future[p.FromServer] = asyncio.get_running_loop().create_future()

    def answer(self, message: p.FromServer) -> None:
        if not self.heard.done():
            self.heard.set_result(message)


_LANGUAGES = frozenset(languages())


def told(error: ForetellError, language: str = "en") -> p.Error:
    """The error as it travels.  Its values are plain, and hold nothing the receiver may not know."""
    values = {
        key: value if isinstance(value, int | float) else str(value)  # a Term becomes a plain text
        for key, value in error.values.items()
    }
    if error.rule is not None:
        values["rule"] = error.rule
    # The language came from outside: only one that exists becomes a file's name.
    spoken = (
        language
        if language in _LANGUAGES and catalogue(language).has(f"error.{error.code}")
        else "en"
    )
    return p.Error(
        code=error.code,
        sentence=error.sentence(spoken),
        rule=error.rule,
        values=values,
        terms=tuple(key for key, value in error.values.items() if isinstance(value, Term)),
    )


def retold(error: p.Error) -> NotAllowed:
    """The error as it was before it travelled; the reverse of `told`."""
    values = {
        key: Term(str(value)) if key in error.terms else value
        for key, value in error.values.items()
        if key != "rule"
    }
    return NotAllowed(error.code, rule=error.rule, **values)
