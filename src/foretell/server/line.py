"""uvicorn's WebSocket with one more door: what finds room leaves at once, all of it in one piece.

ASGI sends one message at a time, each through a coroutine and a system call of its own; a move at a table of four is
five messages.  An application finds the door among its scope's extensions; where it finds none, it has `send`.
"""

from collections.abc import Callable, Iterable

from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol
from websockets.protocol import State

__all__ = ["AT_ONCE", "AtOnce", "Line"]

AT_ONCE = "foretell.at_once"

AtOnce = Callable[[Iterable[bytes]], bool]
"""Sends texts, or does nothing and says no while the other side is slow to read."""


class Line(WebSocketsSansIOProtocol):
    async def run_asgi(self) -> None:
        self.scope["extensions"][AT_ONCE] = {"send": self.send_at_once}
        await super().run_asgi()

    def send_at_once(self, texts: Iterable[bytes]) -> bool:
        """An `AtOnce`.  On a line that is gone everything has room: the reader will hear of its end."""
        if not self.writable.is_set():
            return False
        if self.conn.state is State.OPEN and not self.transport.is_closing():
            for text in texts:
                self.conn.send_text(text)
            self.transport.write(b"".join(self.conn.data_to_send()))
        return True
