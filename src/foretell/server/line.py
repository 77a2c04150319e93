"""uvicorn's WebSocket with one more door: what finds room leaves at once, all of it in one piece.

ASGI sends one message at a time, each through a coroutine and a system call of its own; a move at a table of four is
five messages.  An application finds the door among its scope's extensions; where it finds none, it has `send`.
"""

from collections.abc import Callable, Iterable
from struct import Struct

from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol
from websockets.protocol import State

__all__ = ["AT_ONCE", "AtOnce", "Line"]

AT_ONCE = "foretell.at_once"

AtOnce = Callable[[Iterable[bytes]], bool]
"""Sends texts, or does nothing and says no while the other side is slow to read."""


class Line(WebSocketsSansIOProtocol):
    """Leans on what its parent calls its own: `tests/server/test_line.py` says when another uvicorn differs."""

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
