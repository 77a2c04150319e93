"""How a table reaches one participant: a socket, a bot, or an HTTP request that waits for its answer.

A table knows nothing else about connections.  Who is connected now is in `presence`; who has which seat, connected or
not, is in `seating`.
"""

import asyncio
from collections.abc import Callable

from foretell.errors import NotAllowed
from foretell.server.wire import protocol as p

__all__ = ["BotParticipant", "HttpParticipant", "Participant", "SocketParticipant", "required_seat"]


Deliver = Callable[[bytes], None]
"""Sends one encoded message, without waiting."""


def _discard(_message: bytes) -> None:
    pass


class Participant:
    """Someone at a table.  `deliver` sends them an encoded message; `answer` answers a message of theirs."""

    is_bot = False

    def __init__(
        self, deliver: Deliver = _discard, *, address: str | None = None, key: str | None = None
    ) -> None:
        self.deliver = deliver
        self.address = address  # of the network, in the form in which limits count it
        self.key = key  # the browser's secret
        self.seat: int | None = None
        self.next_seat: int | None = None  # which they get with the next deal
        self.token_hash: str | None = None  # of a seat that they wait for
        self.is_removed = False  # the host does not want this connection at the table
        self.name: str | None = None  # a spectator's
        self.language = "en"

    def answer(self, message: p.FromServer) -> None:
        self.deliver(p.write(message))

    def drop(self) -> None:
        """Called when this process no longer has the table: nothing more will be answered."""


class SocketParticipant(Participant):
    """A connection at one table.

    Each hello makes a new participant, so that no seat is carried over to the next table.  The old table may still be
    handling a message, and must answer it for the seat from which it was sent.
    """

    def __init__(
        self,
        deliver: Deliver,
        answer: Callable[[p.FromServer], None],
        *,
        address: str | None = None,
        drop: Callable[[], None] = lambda: None,
    ) -> None:
        super().__init__(deliver, address=address)
        self._answer, self._drop = answer, drop

    def drop(self) -> None:
        self._drop()

    def answer(self, message: p.FromServer) -> None:
        self._answer(message)

    def disconnect(self) -> None:
        """Stops the messages from this table, except answers to earlier messages."""
        self.deliver = _discard
        self._drop = lambda: None


def required_seat(participant: Participant) -> int:
    """The participant's seat; refuses a spectator."""
    if participant.seat is None:
        raise NotAllowed("spectator")
    return participant.seat


class BotParticipant(Participant):
    """A bot.  It acts like everyone else, but receives no messages: for each decision it is given a View."""

    is_bot = True

    def __init__(self, seat: int) -> None:
        super().__init__()
        self.seat = seat


class HttpParticipant(Participant):
    """An HTTP request: one message, and one answer, which the request awaits."""

    def __init__(self, *, address: str | None = None, key: str | None = None) -> None:
        super().__init__(address=address, key=key)
        self.answered: asyncio.Future[p.FromServer] = asyncio.get_running_loop().create_future()

    def answer(self, message: p.FromServer) -> None:
        if not self.answered.done():
            self.answered.set_result(message)

    def drop(self) -> None:
        if not self.answered.done():
            self.answered.set_exception(NotAllowed("table_moving"))
