"""The bus: small news from each process to all others.

It may lose news, and it may be gone for any time: only how fresh something is may depend on it (docs/processes.md).
"""

from collections.abc import Callable
from typing import Protocol

import msgspec

__all__ = ["MOST_BYTES", "Bus", "News", "Used", "read_news", "write_news"]

MOST_BYTES = 7900
"""Of one message: NOTIFY takes less than 8,000."""

Used = tuple[str, str, float]
"""An address, or the network around it; one of its budgets; and how much of it was used."""


class News(msgspec.Struct, frozen=True, omit_defaults=True):
    """What a process tells the others.  Nothing about cards, names or seats is ever among it."""

    process: str
    is_list_new: bool = False  # its public tables have changed
    used: tuple[Used, ...] = ()


class Bus(Protocol):
    """Where news go.  Nothing here raises when the bus is gone."""

    def listen(self, on_news: Callable[[bytes], None]) -> None:
        """Calls the function, in the running event loop, with every message; with b"" if some may have been missed."""

    async def tell(self, message: bytes) -> None:
        """Sends a message to all processes, or loses it."""

    async def close(self) -> None: ...


write_news = msgspec.json.Encoder().encode
_decoder = msgspec.json.Decoder(News)


def read_news(message: bytes) -> News | None:
    """The news in a message; None if there are none that this version understands."""
    try:
        return _decoder.decode(message)
    except msgspec.DecodeError:
        return None
