"""The coach's latest advice: each question is thought about once, however often and from however many tabs it is asked.

The coach thinks in the bots' threads, so a player who asked again and again would hold up the bots of every table.
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
    """The advice that a process has given; the oldest is dropped."""

    def __init__(self) -> None:
        self._thoughts: OrderedDict[Asked, asyncio.Future[tuple[Advice, ...]]] = OrderedDict()

    def ask(
        self, asked: Asked, think: Callable[[], Awaitable[tuple[Advice, ...]]]
    ) -> "asyncio.Future[tuple[Advice, ...]]":
        """The advice, ready or under way.  Thinking that failed is started again."""
        found = self._thoughts.get(asked)
        if found is None or (found.done() and (found.cancelled() or found.exception())):
            found = self._thoughts[asked] = asyncio.ensure_future(think())
        self._thoughts.move_to_end(asked)
        if len(self._thoughts) > _MOST_KEPT:
            self._thoughts.popitem(last=False)
        return found
