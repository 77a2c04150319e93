"""uvicorn's WebSocket with one more door: what finds room leaves at once, all of it in one piece.

ASGI sends one message at a time, each through a coroutine and a system call of its own; a move at a table of four is
five messages.  An application finds the door among its scope's extensions; where it finds none, it has `send`.
"""

from collections.abc import Callable, Iterable
from struct import Struct
from typing import Any

from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol
from websockets.frames import Frame
from websockets.protocol import State

from foretell.server.network.guards import Bucket

__all__ = ["AT_ONCE", "AtOnce", "WebSocketProtocol"]

AT_ONCE = "foretell.at_once"

# What a WebSocket allows without end, and no client of ours does: pings, each answered whether or not the answers are
# read, and messages in ever more parts.  Both would be kept in memory.
_PINGS, _PING_BURST = 1, 30
_MOST_PARTS = 64

AtOnce = Callable[[Iterable[bytes]], bool]
"""Sends texts, or does nothing and says no while the other side is slow to read."""


class WebSocketProtocol(WebSocketsSansIOProtocol):
    """Leans on what its parent calls its own: `tests/server/test_line.py` says when another uvicorn differs."""

    def __init__(self, *args: Any, **more: Any) -> None:
        super().__init__(*args, **more)
        self._pings = Bucket(_PINGS, _PING_BURST)

    def handle_ping(self) -> None:
        if self._pings.take():
            super().handle_ping()
        else:
            self.transport.abort()

    def handle_cont(self, event: Frame) -> None:
        if len(self.frames) < _MOST_PARTS:
            super().handle_cont(event)
        else:
            self.transport.abort()

    async def run_asgi(self) -> None:
        self.scope["extensions"][AT_ONCE] = {"send": self.send_at_once}
        await super().run_asgi()

    def send_at_once(self, texts: Iterable[bytes]) -> bool:
        """An `AtOnce`.  On a line that is gone everything has room: the reader will hear of its end."""
        # a frame that an extension has to see, as deflate would, is left to `send`
        if not self.writable.is_set() or self.conn.extensions:
            return False
        if self.conn.state is State.OPEN and not self.transport.is_closing():
            self.transport.write(b"".join([part for text in texts for part in _frame(text)]))
        return True


_SHORT, _MIDDLE, _LONG = Struct("!BB").pack, Struct("!BBH").pack, Struct("!BBQ").pack
_TEXT = 0x81  # a whole message


def _frame(text: bytes) -> tuple[bytes, bytes]:
    """RFC 6455, 5.2: what stands before a text, by its length, and the text."""
    size = len(text)
    if size < 126:
        return _SHORT(_TEXT, size), text
    if size < 65_536:
        return _MIDDLE(_TEXT, 126, size), text
    return _LONG(_TEXT, 127, size), text
