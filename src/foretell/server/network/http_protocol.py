"""uvicorn's HTTP with an end to its patience: who opens a connection and never ends a request would keep it open for
ever, and there are only so many."""

import asyncio
from typing import Any

import h11
from uvicorn.protocols.http.h11_impl import H11Protocol

__all__ = ["HttpProtocol"]

PATIENCE = 30.0  # seconds for all of a request, its body too


class HttpProtocol(H11Protocol):
    """Leans on what its parent calls its own: `tests/server/test_line.py` says when another uvicorn differs."""

    _waiting: asyncio.TimerHandle | None = None

    def connection_made(self, transport: Any) -> None:
        super().connection_made(transport)
        self._wait()

    def handle_events(self) -> None:
        super().handle_events()
        # A request that is whole may take its time to be answered; a line that is a WebSocket now is another's.
        is_ours = self in self.connections
        if is_ours and self.conn.their_state in (h11.IDLE, h11.SEND_BODY):
            self._wait()
        else:
            self._wait_no_more()

    def connection_lost(self, exc: Exception | None) -> None:
        super().connection_lost(exc)
        self._wait_no_more()

    def _wait(self) -> None:
        # From the request's beginning: a byte now and then gains nothing.
        if self._waiting is None:
            self._waiting = self.loop.call_later(PATIENCE, self.transport.abort)

    def _wait_no_more(self) -> None:
        if self._waiting is not None:
            self._waiting.cancel()
            self._waiting = None
