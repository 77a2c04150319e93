"""What tables count while they run.  Nothing is counted here; a server counts for Prometheus (`network/prometheus`)."""

from typing import Any

__all__ = ["Metrics"]


class _Uncounted:
    """Takes the place of any counter, gauge or histogram."""

    def labels(self, *_values: str) -> "_Uncounted":
        return self

    def inc(self, _amount: float = 1) -> None: ...

    def dec(self, _amount: float = 1) -> None: ...

    def set(self, _value: float) -> None: ...


class Metrics:
    """Counts nothing: for tables without a server, where nobody would look at the numbers."""

    # Counters and gauges of Prometheus, or something that can be called like them.
    tables: Any = _Uncounted()
    sockets: Any = _Uncounted()
    refused: Any = _Uncounted()
    begun: Any = _Uncounted()
    finished: Any = _Uncounted()
    dropped: Any = _Uncounted()
    lost: Any = _Uncounted()
    piped: Any = _Uncounted()
    failures: Any = _Uncounted()
    registry: Any = None  # of Prometheus

    def acted(self, by: str) -> None:
        """Counts an action, by a "bot" or a "person"."""

    def committed(self, _writes: int, seconds: float) -> None:
        """Counts a commit; called in the writing thread."""

    def waited(self, what: str, seconds: float) -> None:
        """Counts how long a bot, the coach or a table that wakes up waited for a thread; called in that thread."""

    def text(self) -> bytes:
        """All metrics, as Prometheus reads them."""
        return b""
