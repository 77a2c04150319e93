"""The metrics of a server, in the format of Prometheus.  They contain only numbers: no names, no ids, no cards."""

import time
from bisect import bisect_left
from collections.abc import Iterator
from itertools import accumulate

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, Metric, generate_latest
from prometheus_client.core import CounterMetricFamily, HistogramMetricFamily
from prometheus_client.registry import Collector
from prometheus_client.utils import floatToGoString

from foretell.server.metrics import Metrics

__all__ = ["PrometheusMetrics"]

_THREAD_WAITS = (0.001, 0.005, 0.025, 0.1, 0.25, 0.5, 1.0, 2.5, 10.0, 30.0)
_WAITS = (0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 1.0, float("inf"))


class _Commits(Collector):
    """Counts commits and how long they took.  Only the writing thread counts, so it needs no lock.

    Prometheus' own counters would be slower, and every move waits for a commit.
    """

    def __init__(self) -> None:
        self._created = time.time()
        self._counts = [0] * len(_WAITS)  # by the first limit that was not exceeded
        self._seconds = 0.0

    def count(self, seconds: float) -> None:
        self._counts[bisect_left(_WAITS, seconds)] += 1
        self._seconds += seconds

    def collect(self) -> Iterator[Metric]:
        limits = map(floatToGoString, _WAITS)
        up_to_limit = tuple(accumulate(self._counts))
        waits = HistogramMetricFamily(
            "foretell_append_seconds",
            "From the first action of a commit to its place on disk",
            buckets=list(zip(limits, up_to_limit, strict=True)),
            sum_value=self._seconds,
        )
        waits.add_sample(f"{waits.name}_created", {}, self._created)
        yield waits
        yield CounterMetricFamily(
            "foretell_commits", "Transactions", value=up_to_limit[-1], created=self._created
        )


class PrometheusMetrics(Metrics):
    """The metrics of one server.  Nothing is global, so that each test has its own."""

    def __init__(self) -> None:
        self.registry = CollectorRegistry()
        self.tables = Gauge("foretell_tables_awake", "Tables in memory", registry=self.registry)
        self.sockets = Gauge("foretell_sockets", "Open sockets", registry=self.registry)
        self.actions = Counter(
            "foretell_actions", "Accepted actions", ["by"], registry=self.registry
        )
        self._acted = {"bot": 0, "person": 0}
        self.refused = Counter(
            "foretell_refused", "Refused messages", ["code"], registry=self.registry
        )
        self.games = Counter("foretell_games", "Games", ["what"], registry=self.registry)
        self.begun, self.finished = self.games.labels("begun"), self.games.labels("finished")
        self.dropped = Counter(
            "foretell_sockets_dropped",
            "Sockets closed by the server",
            ["why"],
            registry=self.registry,
        )
        self._commits = _Commits()
        self.registry.register(self._commits)
        self._thread_waits = Histogram(
            "foretell_thread_wait_seconds",
            "How long bots, the coach and tables that wake up wait for a thread",
            ["what"],
            buckets=_THREAD_WAITS,
            registry=self.registry,
        )
        self.lost = Counter(
            "foretell_tables_lost",
            "Tables that this process had to forget",
            registry=self.registry,
        )
        self.piped = Gauge(
            "foretell_sockets_piped",
            "Sockets whose table belongs to another process",
            registry=self.registry,
        )
        self.failures = Counter(
            "foretell_failures", "Mistakes of the server's own", registry=self.registry
        )

    def acted(self, by: str) -> None:
        """Counts an action.  It happens on every move, and Prometheus' own counter would be slower."""
        self._acted[by] += 1

    def committed(self, _writes: int, seconds: float) -> None:
        """Counts a commit; called in the writing thread."""
        self._commits.count(seconds)

    def waited(self, what: str, seconds: float) -> None:
        """Counts how long a bot, the coach or a table that wakes up waited for a thread; called in that thread."""
        self._thread_waits.labels(what).observe(seconds)

    def text(self) -> bytes:
        """All metrics, as Prometheus reads them."""
        for by, count in self._acted.items():
            self.actions.labels(by).inc(count)
            self._acted[by] = 0
        return generate_latest(self.registry)
