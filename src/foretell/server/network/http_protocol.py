"""uvicorn's HTTP with a timeout for requests.

Without it, clients that never complete a request could use up all connections.
"""

import asyncio
from typing import Any

import h11
from uvicorn.protocols.http.h11_impl import H11Protocol

__all__ = ["HttpProtocol"]

REQUEST_TIMEOUT = 30.0  # seconds for a whole request, with its body


class HttpProtocol(H11Protocol):
    """It uses private attributes of its base class: `tests/server/test_uvicorn.py` fails if uvicorn changes them."""

    _timer: asyncio.TimerHandle | None = None

    def connection_made(self, transport: Any) -> None:
        super().connection_made(transport)
        self._start_timer()

    def handle_events(self) -> None:
        super().handle_events()
        # A complete request may take any time to be answered.  A connection that became a WebSocket is no longer ours.
        is_ours = self in self.connections
        if is_ours and self.conn.their_state in (h11.IDLE, h11.SEND_BODY):
            self._start_timer()
        else:
            self._stop_timer()

    def connection_lost(self, exc: Exception | None) -> None:
        super().connection_lost(exc)
        self._stop_timer()

    def _start_timer(self) -> None:
        # It runs from the beginning of the request: sending a byte now and then does not extend it.
        if self._timer is None:
            self._timer = self.loop.call_later(REQUEST_TIMEOUT, self.transport.abort)

    def _stop_timer(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
