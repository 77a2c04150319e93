"""A turnstile for expensive input: new requests, and large pieces of data.  Players' small messages pass beside it.

One turn of the event loop handles everything that has arrived.  If 200 connections send a request at once, that takes
a fifth of a second, and everyone waits.  So only a few milliseconds of each turn are for such work.  If more is
waiting, addresses take turns: a flood from one of them does not delay the request of another.
"""

import asyncio
import time
from collections import OrderedDict, deque
from collections.abc import Callable

__all__ = ["Turnstile"]

_SLICE = 0.003  # seconds of each turn of the event loop

Work = Callable[[], None]


class Turnstile:
    """Work that waits, by address."""

    def __init__(self) -> None:
        self._waiting: OrderedDict[str, deque[Work]] = OrderedDict()
        self._left = _SLICE  # of this turn
        self._is_scheduled = False

    def enter(self, address: str, work: Work) -> bool:
        """Does the work now if there is time, and says whether that was so.  Otherwise it is done in a later turn."""
        if not self._waiting and self._left > 0:
            self._do(work)
            self._schedule()
            return True
        self._waiting.setdefault(address, deque()).append(work)
        self._schedule()
        return False

    def _schedule(self) -> None:
        if not self._is_scheduled:
            self._is_scheduled = True
            asyncio.get_running_loop().call_soon(self._turn)

    def _turn(self) -> None:
        self._is_scheduled = False
        self._left = _SLICE
        while self._waiting and self._left > 0:
            address, works = self._waiting.popitem(last=False)
            work = works.popleft()
            if works:
                self._waiting[address] = works  # behind the other addresses
            try:
                self._do(work)
            finally:  # even if it fails
                if self._waiting:
                    self._schedule()

    def _do(self, work: Work) -> None:
        begun = time.perf_counter()
        work()
        self._left -= time.perf_counter() - begun
