"""The WebSocket endpoint: decides whether to accept a connection, and limits their number.

It is a plain ASGI application.  uvicorn limits the size of a message (`ws_max_size`).  Accepted connections are handled
in `socket_connection`.
"""

from collections import Counter
from collections.abc import Iterable

from foretell.server.network.asgi import Receive, Scope, Send
from foretell.server.network.guards import Limits, is_origin_allowed, rate_limit_key
from foretell.server.network.socket_connection import OutgoingBatch, SocketConnection
from foretell.server.network.websocket_protocol import SEND_NOW, SendNow
from foretell.server.table.lobby import Lobby

__all__ = ["MOST_MESSAGE", "SocketApp"]

MOST_MESSAGE = 64 * 1024  # bytes
_POLICY_VIOLATION, _TRY_AGAIN_LATER = 1008, 1013  # close codes of RFC 6455 and its registry


class SocketApp:
    """The application at `/ws`."""

    def __init__(self, lobby: Lobby, limits: Limits, origins: Iterable[str] = ()) -> None:
        self.lobby = lobby
        self.limits = limits
        self.origins = frozenset(origins)
        self.addresses: Counter[str] = Counter()
        self._outgoing = OutgoingBatch()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        headers = {name: value.decode("latin-1") for name, value in scope["headers"]}
        address = rate_limit_key(scope.get("client"))
        metrics = self.lobby.services.metrics
        await receive()  # websocket.connect
        if not is_origin_allowed(headers.get(b"origin"), headers.get(b"host"), self.origins):
            metrics.dropped.labels("origin").inc()
            # Before the connection is accepted this becomes HTTP 403.
            await send({"type": "websocket.close", "code": _POLICY_VIOLATION})
            return
        await send({"type": "websocket.accept"})
        if self._is_full(address):
            metrics.dropped.labels("full").inc()
            await send({"type": "websocket.close", "code": _TRY_AGAIN_LATER})
            return
        self.addresses[address] += 1
        metrics.sockets.inc()
        try:
            send_now: SendNow | None = scope.get("extensions", {}).get(SEND_NOW, {}).get("send")
            await SocketConnection(
                self.lobby,
                self.limits,
                self._outgoing,
                receive,
                send,
                send_now=send_now,
                address=address or None,
            ).run()
        finally:
            metrics.sockets.dec()
            self.addresses[address] -= 1
            if not self.addresses[address]:
                del self.addresses[address]

    def _is_full(self, address: str) -> bool:
        return (
            self.addresses.total() >= self.limits.sockets
            or self.addresses[address] >= self.limits.sockets_per_address
        )
