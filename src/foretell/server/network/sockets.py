"""The WebSocket endpoint: decides whether to accept a connection, and limits their number.

It is a plain ASGI application.  uvicorn limits the size of a message (`ws_max_size`).  Accepted connections are handled
in `socket_connection`.
"""

from foretell.server.network.asgi import Receive, Scope, Send
from foretell.server.network.door import Door
from foretell.server.network.inner import IS_INNER
from foretell.server.network.outgoing import OutgoingBatch
from foretell.server.network.socket_connection import SocketConnection
from foretell.server.network.websocket_protocol import SEND_NOW
from foretell.server.table.lobby import Lobby

__all__ = ["MOST_MESSAGE", "SocketApp"]

MOST_MESSAGE = 64 * 1024  # bytes
_TRY_AGAIN_LATER = 1013  # a close code in the registry of RFC 6455


class SocketApp:
    """The application at `/ws`, for requests whose Host and Origin are allowed."""

    def __init__(self, lobby: Lobby, door: Door) -> None:
        self._lobby, self._door = lobby, door
        self._outgoing = OutgoingBatch()
        self._connections = set[SocketConnection]()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        client = scope.get("client")
        account = self._door.account(client)
        is_inner = scope.get(IS_INNER, False)
        metrics = self._lobby.services.metrics
        await send({"type": "websocket.accept"})
        if not self._door.open_socket(account):
            metrics.dropped.labels("full").inc()
            await send({"type": "websocket.close", "code": _TRY_AGAIN_LATER})
            return
        metrics.sockets.inc()
        try:
            offered = scope.get("extensions", {}).get(SEND_NOW, {})
            connection = SocketConnection(
                self._lobby,
                self._door,
                self._door.account_elsewhere(client) if is_inner else account,
                self._outgoing,
                receive=receive,
                send=send,
                send_now=offered.get("send"),
                is_lost=offered.get("is_lost", lambda: False),
                is_inner=is_inner,
            )
            self._connections.add(connection)
            try:
                await connection.run()
            finally:
                self._connections.discard(connection)
        finally:
            metrics.sockets.dec()
            self._door.close_socket(account)

    def send_away(self) -> None:
        """Closes all connections, so that their clients come to another process."""
        for connection in tuple(self._connections):
            connection.send_away()
