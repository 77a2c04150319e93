"""Whoever a table talks to: a socket, a bot, a question that came by HTTP.  A table knows them only as this."""

import asyncio
from collections.abc import Callable

from foretell.errors import NotAllowed
from foretell.server.wire import protocol as p

__all__ = ["BotParticipant", "HttpParticipant", "Participant", "SocketParticipant", "seat_of"]


Deliver = Callable[[bytes], None]
"""One message on its way, whole and already written; never waits."""


def _unheard(_message: bytes) -> None:
    pass


class Participant:
    """Someone at the table, and how a message reaches them."""

    is_bot = False

    def __init__(self, deliver: Deliver = _unheard) -> None:
        self.deliver = deliver
        self.seat: int | None = None
        self.name: str | None = None  # a spectator's
        self.language = "en"

    def answer(self, message: p.FromServer) -> None:
        self.deliver(p.write(message))


class SocketParticipant(Participant):
    """A player's line at one table.  Another hello is another participant, so that no seat is ever carried to the next
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


def seat_of(participant: Participant) -> int:
    """The participant's seat; refuses who has none."""
    if participant.seat is None:
        raise NotAllowed("spectator")
    return participant.seat


class BotParticipant(Participant):
    """A bot's way in: the same door as everyone's.  It hears nothing: it is shown each View it is asked about."""

    is_bot = True

    def __init__(self, seat: int) -> None:
        super().__init__()
        self.seat = seat


class HttpParticipant(Participant):
    """A single question, whose answer is waited for."""

    def __init__(self) -> None:
        super().__init__()
        self.heard: asyncio.Future[p.FromServer] = asyncio.get_running_loop().create_future()

    def answer(self, message: p.FromServer) -> None:
        if not self.heard.done():
            self.heard.set_result(message)
