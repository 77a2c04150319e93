"""uvicorn's HTTP with a timeout for requests, and with limits on the connections of one address.

Without them, one address could use up all connections with requests that it never completes, or all our time with
connections that it opens and closes.
"""

import asyncio
from collections.abc import Callable
from functools import partial
from typing import Any

import h11
from uvicorn.protocols.http.h11_impl import H11Protocol

from foretell.server.network.budgets import Account
from foretell.server.network.door import Door
from foretell.server.network.turnstile import Turnstile

__all__ = ["HttpProtocol"]

REQUEST_TIMEOUT = 30.0  # seconds for a whole request, with its body


class HttpProtocol(H11Protocol):
    """It uses private attributes of its base class: `tests/server/test_uvicorn.py` fails if uvicorn changes them."""

    _timer: asyncio.TimerHandle | None = None
    _account: Account | None = None

    def __init__(
        self,
        *args: Any,
        door: Door | None = None,
        turnstile: Turnstile | None = None,
        trusts: Callable[[str], bool] = lambda _address: False,
        inner_port: int | None = None,
        **more: Any,
    ) -> None:
        super().__init__(*args, **more)
        self._door, self._trusts, self._inner_port = door, trusts, inner_port
        self._turnstile = turnstile or Turnstile()

    def connection_made(self, transport: Any) -> None:
        super().connection_made(transport)
        # Behind a proxy or another process, the address is known only with the request: `App` counts that one.
        is_inner = bool(self.server and self.server[1] == self._inner_port)
        is_counted = not (is_inner or (self.client and self._trusts(self.client[0])))
        if self._door is not None and is_counted:
            self._account = self._door.open_request(self.client)
            if self._account is None:
                transport.abort()  # an answer would cost more than the connection
                return
        self._start_timer()

    def data_received(self, data: bytes) -> None:
        address = self.client[0] if self.client else ""
        if not self._turnstile.enter(address, partial(self._data_received, data)):
            self.transport.pause_reading()  # until it is our turn

    def _data_received(self, data: bytes) -> None:
        if self.transport.is_closing():
            return
        super().data_received(data)
        if not self.flow.read_paused and not self.transport.is_closing():
            self.transport.resume_reading()

    def handle_events(self) -> None:
        super().handle_events()
        # A complete request may take any time to be answered.  A connection that became a WebSocket is no longer ours.
        is_ours = self in self.connections
        if is_ours and self.conn.their_state in (h11.IDLE, h11.SEND_BODY):
            self._start_timer()
        else:
            self._stop_timer()
        if not is_ours:
            self._close_account()

    def connection_lost(self, exc: Exception | None) -> None:
        super().connection_lost(exc)
        self._stop_timer()
        self._close_account()

    def _close_account(self) -> None:
        if self._account is not None and self._door is not None:
            self._door.close_request(self._account)
            self._account = None

    def _start_timer(self) -> None:
        # It runs from the beginning of the request: sending a byte now and then does not extend it.
        if self._timer is None:
            self._timer = self.loop.call_later(REQUEST_TIMEOUT, self.transport.abort)

    def _stop_timer(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
