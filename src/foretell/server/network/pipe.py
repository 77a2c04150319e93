"""A client's messages, carried to the process that has its table and back.  Nothing is read on the way."""

import asyncio
import contextlib
from collections.abc import Callable

from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed, InvalidHandshake

from foretell.server.network.inner import inner_headers
from foretell.server.store.interface import Peer
from foretell.server.table.internal_messages import Disconnected
from foretell.server.table.participants import Participant
from foretell.server.wire import protocol as p

__all__ = ["SERVICE_RESTART", "Pipe"]

SERVICE_RESTART = 1012
"""The close code in the registry of RFC 6455 that makes a client come back."""

_MOST_WAITING = 100  # messages on their way to the other process
_TIMEOUT = 5.0  # seconds to connect, and for the last answers
# How an answer begins; everything else is news.
_ANSWERS = tuple(
    b'{"type":"%b"' % kind.encode()
    for kind in ("done", "refused", "welcome", "seated", "requested", "coach", "pong")
)


def _is_answer(message: bytes) -> bool:
    """Whether it answers a message of the client.  To be let in by the host is news, and has no id."""
    is_let_in = message.startswith(b'{"type":"seated"') and b'"id":null' in message
    return message.startswith(_ANSWERS) and not is_let_in


class Pipe:
    """A connection to another process, used like a table there.

    `deliver` is called with every message from there, and `on_end` with the close code when the connection ends.
    `last` is the pipe that the same client had before.  A player leaves before they come again: otherwise the table
    would count them twice for a moment.
    """

    def __init__(
        self,
        peer: Peer,
        socket: ClientConnection,
        deliver: Callable[[bytes], None],
        on_end: Callable[[int], None],
        last: "Pipe | None" = None,
    ) -> None:
        self._peer, self._socket = peer, socket
        self._deliver, self._on_end = deliver, on_end
        self._last = last
        self._closing: asyncio.Future[None] | None = None
        self._waiting: asyncio.Queue[bytes | None] = asyncio.Queue(_MOST_WAITING)
        self._unanswered = 0  # messages
        self._all_answered = asyncio.Event()
        self.is_asleep = False
        self._tasks = [asyncio.ensure_future(one) for one in (self._send(), self._receive())]

    @classmethod
    async def opened(
        cls,
        there: Peer,
        client: str | None,
        deliver: Callable[[bytes], None],
        on_end: Callable[[int], None],
        last: "Pipe | None" = None,
    ) -> "Pipe | None":
        """A pipe to this process; None if it cannot be reached."""
        try:
            socket = await connect(
                f"ws://{there.address}/ws",
                additional_headers=inner_headers(there, client),
                compression=None,
                max_size=None,
                open_timeout=_TIMEOUT,
                proxy=None,
            )
        except (OSError, InvalidHandshake, TimeoutError, EOFError):
            return None
        return cls(there, socket, deliver, on_end, last)

    def end_unless_among(self, living: frozenset[str]) -> None:
        """Ends the pipe if the other process is not among the living any more, even if its socket is still open."""
        if self._peer.id not in living:
            self._end(SERVICE_RESTART)

    def post(self, _participant: Participant, message: p.FromClient | Disconnected) -> None:
        if isinstance(message, Disconnected):
            self._end()
            return
        self._unanswered += 1
        self._all_answered.clear()
        try:
            self._waiting.put_nowait(p.write(message))
        except asyncio.QueueFull:
            self._end(SERVICE_RESTART)

    async def answered(self) -> None:
        """Waits until everything that was posted is answered, but not for long."""
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(_TIMEOUT):
                await self._all_answered.wait()

    async def _send(self) -> None:
        with contextlib.suppress(ConnectionClosed):
            while (text := await self._waiting.get()) is not None:
                if self._last is not None:
                    await self._last._closed()
                    self._last = None
                await self._socket.send(text, text=True)

    async def _receive(self) -> None:
        try:
            while True:
                message = await self._socket.recv(decode=False)
                self._deliver(message)
                if _is_answer(message):
                    self._unanswered -= 1
                    if self._unanswered <= 0:
                        self._all_answered.set()
        except ConnectionClosed as error:
            self._end(SERVICE_RESTART if error.rcvd is None else error.rcvd.code)

    async def _closed(self) -> None:
        """Waits until the other process has noticed that the player is gone, but not for long."""
        if self._closing is not None:
            await asyncio.wait({self._closing}, timeout=_TIMEOUT)

    def _end(self, code: int | None = None) -> None:
        """Closes the pipe; with a code, the client's socket too."""
        if self.is_asleep:
            return
        self.is_asleep = True
        self._all_answered.set()
        for task in self._tasks:
            task.cancel()
        # The other process must learn at once that the player is gone.
        self._closing = asyncio.ensure_future(self._socket.close())
        if code is not None:
            self._on_end(code)
