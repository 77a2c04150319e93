"""What the coach was asked lately: one thought for each question, however often and by how many tabs it is asked.

The coach thinks in the bots' threads.  A player who asked without end would hold up the bots of every table.
"""

import asyncio
from collections import OrderedDict
from collections.abc import Awaitable, Callable

from foretell.server.wire.protocol import Advice

__all__ = ["AdviceCache", "Asked"]

Asked = tuple[str, str, int]
"""The game, the decision in it, and the seat that it is asked of."""

_MOST_KEPT = 500


class AdviceCache:
    """Those of a process; the oldest are forgotten."""

    def __init__(self) -> None:
        self._thoughts: OrderedDict[Asked, asyncio.Future[tuple[Advice, ...]]] = OrderedDict()

    def ask(
        self, asked: Asked, think: Callable[[], Awaitable[tuple[Advice, ...]]]
    ) -> "asyncio.Future[tuple[Advice, ...]]":
        """The thought about it, under way or done; one that failed is begun anew."""
        found = self._thoughts.get(asked)
        if found is None or (found.done() and (found.cancelled() or found.exception())):
            found = self._thoughts[asked] = asyncio.ensure_future(think())
        self._thoughts.move_to_end(asked)
        if len(self._thoughts) > _MOST_KEPT:
            self._thoughts.popitem(last=False)
        return found
