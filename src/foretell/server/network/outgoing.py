"""What one turn of the event loop sends, to all connections together."""

import asyncio
from typing import Protocol

__all__ = ["OutgoingBatch"]


class Sending(Protocol):
    """A connection with messages to send."""

    def send_waiting(self) -> None: ...


class OutgoingBatch:
    """Connections with messages to send.  All of them are sent together, at the end of this turn of the event loop.

    After a commit many tables have something to send.  If everything leaves back to back, the clients' machine wakes up
    once for all of it.  Waking it for each message would cost us more than the message itself.
    """

    def __init__(self) -> None:
        self._connections: list[Sending] = []

    def add(self, connection: Sending) -> None:
        if not self._connections:
            asyncio.get_running_loop().call_soon(self._send_all)
        self._connections.append(connection)

    def _send_all(self) -> None:
        connections, self._connections = self._connections, []
        for connection in connections:
            connection.send_waiting()
