"""uvicorn's WebSocket with a second way to send: many messages in one system call, without waiting.

ASGI's `send` sends one message at a time, each with a coroutine and a system call; a move at a table of four makes five
messages.  The application finds `send_now` in the extensions of its scope.  Other ASGI servers offer only `send`.
"""

from collections.abc import Callable, Iterable
from struct import Struct
from typing import Any

from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol
from websockets.frames import Frame
from websockets.protocol import State

from foretell.server.network.budgets import Bucket
from foretell.server.network.turnstile import Turnstile

__all__ = ["SEND_NOW", "SendNow", "WebSocketProtocol"]

SEND_NOW = "foretell.send_now"

# WebSockets allow any number of pings and pongs, and messages of any number of parts.  Our clients send few of them.
# They cost time and memory: pongs that the client does not read, and parts of a message that never ends.
_PINGS, _PING_BURST = 1, 30
_MOST_PARTS = 64

# One read can bring 256 kB, which is room for 40,000 frames without content.  To parse them takes half a second, and
# everyone would wait.  So larger pieces than this are parsed bit by bit, when it is their turn.
_MOST_AT_ONCE = 512

SendNow = Callable[[Iterable[bytes]], bool]
"""Sends all the texts and returns True.  If the client reads too slowly, it sends nothing and returns False."""


class WebSocketProtocol(WebSocketsSansIOProtocol):
    """It uses private attributes of its base class: `tests/server/test_uvicorn.py` fails if uvicorn changes them."""

    def __init__(self, *args: Any, turnstile: Turnstile | None = None, **more: Any) -> None:
        super().__init__(*args, **more)
        self._turnstile = turnstile or Turnstile()
        self._pings = Bucket(_PINGS, _PING_BURST)
        self._unparsed = b""

    def data_received(self, data: bytes) -> None:
        if self._unparsed or len(data) > _MOST_AT_ONCE:
            is_parsing, self._unparsed = bool(self._unparsed), self._unparsed + data
            if not is_parsing:
                self._parse_later()
        else:
            super().data_received(data)

    def _parse_later(self) -> None:
        if not self.is_lost():
            self.transport.pause_reading()
            self._turnstile.enter(self.client[0] if self.client else "", self._parse_some)

    def _parse_some(self) -> None:
        if self.is_lost():
            self._unparsed = b""
            return
        data, self._unparsed = self._unparsed[:_MOST_AT_ONCE], self._unparsed[_MOST_AT_ONCE:]
        super().data_received(data)
        if self.close_sent or self.transport.is_closing():
            self._unparsed = b""
        elif self._unparsed:
            self.loop.call_soon(self._parse_later)
        elif not self.read_paused:
            self.transport.resume_reading()

    def handle_ping(self) -> None:
        if self._pings.take():
            super().handle_ping()
        else:
            self.transport.abort()

    def handle_pong(self, event: Frame) -> None:
        if self._pings.take():
            super().handle_pong(event)
        else:
            self.transport.abort()

    def handle_cont(self, event: Frame) -> None:
        if len(self.frames) < _MOST_PARTS:
            super().handle_cont(event)
        else:
            self.transport.abort()

    async def run_asgi(self) -> None:
        self.scope["extensions"][SEND_NOW] = {"send": self.send_now, "is_lost": self.is_lost}
        await super().run_asgi()

    def is_lost(self) -> bool:
        """Whether the client is gone.  Messages that it sent before may still wait to be received."""
        return self.disconnected or self.transport.is_closing()

    async def send(self, message: Any) -> None:
        await super().send(message)
        if message["type"] == "websocket.http.response.body":
            # Otherwise uvicorn logs an error for each request that the application refuses.
            self.handshake_complete = True

    def send_now(self, texts: Iterable[bytes]) -> bool:
        """A `SendNow`.  It returns True if the connection is lost: the code that reads from it will notice."""
        # Frames that an extension has to process, such as deflate, are left to `send`.
        if not self.writable.is_set() or self.conn.extensions:
            return False
        if self.conn.state is State.OPEN and not self.transport.is_closing():
            self.transport.write(b"".join([part for text in texts for part in _frame(text)]))
        return True


_SHORT, _MIDDLE, _LONG = Struct("!BB").pack, Struct("!BBH").pack, Struct("!BBQ").pack
_TEXT = 0x81  # a text message in one frame


def _frame(text: bytes) -> tuple[bytes, bytes]:
    """The header of a frame, which depends on the length of the text, and the text (RFC 6455, 5.2)."""
    size = len(text)
    if size < 126:
        return _SHORT(_TEXT, size), text
    if size < 65_536:
        return _MIDDLE(_TEXT, 126, size), text
    return _LONG(_TEXT, 127, size), text
