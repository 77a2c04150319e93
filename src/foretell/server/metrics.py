"""The metrics of a server, in the format of Prometheus.  They contain only numbers: no names, no ids, no cards."""

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, generate_latest

__all__ = ["Metrics"]

_THREAD_WAITS = (0.001, 0.005, 0.025, 0.1, 0.25, 0.5, 1.0, 2.5, 10.0, 30.0)
_WAITS = (0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 1.0)


class Metrics:
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
        self.append = Histogram(
            "foretell_append_seconds",
            "From the first action of a commit to its place on disk",
            buckets=_WAITS,
            registry=self.registry,
        )
        self.commits = Counter("foretell_commits", "Transactions", registry=self.registry)
        self._thread_waits = Histogram(
            "foretell_thread_wait_seconds",
            "How long bots, the coach and tables that wake up wait for a thread",
            ["what"],
            buckets=_THREAD_WAITS,
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
        self.commits.inc()
        self.append.observe(seconds)

    def waited(self, what: str, seconds: float) -> None:
        """Counts how long a bot, the coach or a table that wakes up waited for a thread; called in that thread."""
        self._thread_waits.labels(what).observe(seconds)

    def text(self) -> bytes:
        """All metrics, as Prometheus reads them."""
        for by, count in self._acted.items():
            self.actions.labels(by).inc(count)
            self._acted[by] = 0
        return generate_latest(self.registry)
