"""What several processes on PostgreSQL carry, with and without the pipe, beside one process on SQLite.

    python bench/processes.py [--seconds 3] [--sockets 200] [--times 3] [--growth 40,200,800] [--share 0.25]

Servers, the database and the players share the cores of this machine, so moves a second say little about a machine with
more cores.  What each move costs says more: the CPU time of the servers and of the database.  A server uses one core:
1 second / CPU time is what it carries.  The kinds take turns within one run; all figures are medians.

With `--share`, each server gets so much of a core and no more (`bench/load/shares.py`).  If that is little enough,
there are cores for all of them, and moves a second say what several processes carry.  "used" says whether it was: how
much the servers used of what they were given. A server that used less waited for something else.

- direct: the players of a table are connected to the process that has it;
- piped: all of them are connected to the next process;
- p50, p99: from sending an act until the last of the four has the new view, at a quarter of the moves a second that the
  slowest kind carried, which is the same rate for all.
"""

import argparse
import asyncio
import contextlib
import json
import os
import sys
import tempfile
from pathlib import Path
from statistics import median, quantiles
from typing import NamedTuple

import psycopg
import uvloop

ROOT = Path(__file__).parents[1]
sys.path[0:1] = [str(ROOT), str(ROOT / "tests")]

from bench.load.players import SEATS, Load, Place, play, remote_at  # noqa: E402
from bench.load.servers import (  # noqa: E402
    Process,
    busy_seconds,
    end_with_parent,
    ports,
    serve_real,
)
from bench.load.shares import Unavailable  # noqa: E402

from server.postgresql import Postgresql, postgresql  # noqa: E402

FREE = ports()


class Kind(NamedTuple):
    """What is measured: how many processes, on which database, and whether every socket takes a pipe."""

    processes: int
    is_shared: bool = True
    is_piped: bool = False

    @property
    def name(self) -> str:
        if not self.is_shared:
            return "SQLite"
        return f"{self.processes} on PostgreSQL, {'piped' if self.is_piped else 'direct'}"

    def places(self, ports: list[int], tables: int) -> list[Place]:
        remotes = [remote_at(port) for port in ports]
        return [
            Place(remotes[n % len(remotes)], remotes[(n + self.is_piped) % len(remotes)])
            for n in range(tables)
        ]


ONE, TWO = Kind(1), Kind(2)
KINDS = [
    Kind(1, is_shared=False),
    ONE,
    TWO,
    Kind(3),
    Kind(2, is_piped=True),
    Kind(3, is_piped=True),
]


class Measured(NamedTuple):
    moves: float  # a second
    server: float  # CPU time of all servers for a move, in microseconds
    database: float  # the same of the database
    log: float  # bytes for a move in PostgreSQL's log of writes
    used: float  # of the cores, or the shares of them, that the servers were given
    load: Load


class Database:
    """PostgreSQL, and the CPU time that it has used."""

    def __init__(self, server: Postgresql) -> None:
        self._server = server
        self.new = server.new_database
        self._url = server.url("postgres")
        self._ended = 0.0
        self._seen: dict[int, float] = {}

    def busy(self) -> float:
        """Seconds of CPU time of all its processes, also of those that have ended."""
        now = {}
        for path in Path("/proc").glob("[0-9]*/stat"):
            with contextlib.suppress(OSError):
                if int(path.read_text().rpartition(")")[2].split()[1]) == self._server.pid:
                    now[int(path.parent.name)] = busy_seconds(int(path.parent.name))
        self._ended += sum(one for pid, one in self._seen.items() if pid not in now)
        self._seen = now
        return self._ended + sum(now.values()) + busy_seconds(self._server.pid)

    def written(self) -> float:
        """Bytes that it has written to its log so far."""
        with psycopg.connect(self._url) as connection:
            found = connection.execute("SELECT pg_current_wal_lsn() - '0/0'").fetchone()
        assert found is not None
        return float(found[0])


class Servers:
    """One process on SQLite and three on PostgreSQL, all running; a kind uses some of them."""

    def __init__(
        self, database: Database, folder: Path, stack: contextlib.ExitStack, share: float | None
    ) -> None:
        self._database, self._share = database, share
        url = database.new()
        starting = [
            Process(__file__, (f"{folder}/{number}", address), next(FREE), share=share)
            for number, address in enumerate(("", url, url, url))
        ]
        self._alone, *self._shared = [stack.enter_context(one) for one in starting]

    def of(self, kind: Kind) -> list[Process]:
        return self._shared[: kind.processes] if kind.is_shared else [self._alone]

    async def measure(
        self, kind: Kind, sockets: int, seconds: float, rate: float | None = None
    ) -> Measured:
        running = self.of(kind)
        places = kind.places([one.port for one in running], sockets // SEATS)
        used: list[tuple[float, float, float]] = []

        def busy() -> float:
            ours = sum(one.busy() for one in running)
            used.append((ours, self._database.busy(), self._database.written()))
            return used[-1][0]

        load = await play(places, busy, seconds, rate)
        server, database, log = (end - begun for begun, end in zip(*used, strict=True))
        return Measured(
            load.moves_a_second,
            1e6 * server / load.moves,
            1e6 * database / load.moves,
            log / load.moves,
            load.busy[0] / kind.processes / (self._share or 1.0),
            load,
        )


def line(name: str, found: list[Measured], quiet: list[Measured], beside: float) -> str:
    """One row: what was found at full speed, and waiting times at the common rate."""
    moves = median(one.moves for one in found)
    server = median(one.server for one in found)
    database = median(one.database for one in found)
    waits = [1000 * wait for one in quiet for wait in one.load.waits]
    cuts = quantiles(waits, n=100) if len(waits) > 1 else [0.0] * 99
    ratios = sorted(one.moves / beside for one in found)
    used = median(one.used for one in found)
    return (
        f"{name:<26} {moves:>8.0f} {median(ratios):>6.2f} ({ratios[0]:.2f}-{ratios[-1]:.2f})"
        f" {server:>10.0f} {database:>10.0f} {1e6 / server:>10.0f} {cuts[49]:>8.1f} {cuts[98]:>7.1f} {100 * used:>6.0f}"
    )


HEADING = (
    f"{'':<26} {'moves/s':>8} {'of 1 on PostgreSQL':>18}"
    f" {'server µs':>10} {'database µs':>11} {'a core':>9} {'p50 ms':>8} {'p99 ms':>7} {'used %':>6}"
)


async def main(
    sockets: int, growth: list[int], seconds: float, times: int, share: float | None
) -> None:
    with (
        postgresql(syncs=True) as server,
        tempfile.TemporaryDirectory() as folder,
        contextlib.ExitStack() as stack,
    ):
        assert server is not None, "no PostgreSQL here"
        servers = Servers(Database(server), Path(folder), stack, share)
        print(f"{os.cpu_count()} cores, load {os.getloadavg()[0]:.1f}, {sockets} sockets")
        print("each server has a core" if share is None else f"each server has {share:g} of a core")
        found: dict[Kind, list[Measured]] = {kind: [] for kind in KINDS}
        for _ in range(times):
            for kind in KINDS:
                found[kind].append(await servers.measure(kind, sockets, seconds))
        rate = min(one.moves for each in found.values() for one in each) / 4
        beside = median(one.moves for one in found[ONE])
        print(HEADING)
        for kind in KINDS:
            quiet = [await servers.measure(kind, sockets, seconds, rate)]
            print(line(kind.name, found[kind], quiet, beside), flush=True)
        print(f"waiting times at {rate:.0f} moves/s\n\ngrowth, {TWO.name}:\n{HEADING}")
        for size in growth:
            each = [await servers.measure(TWO, size, seconds) for _ in range(times)]
            quiet = [await servers.measure(TWO, size, seconds, rate)]
            print(line(f"{size // SEATS} tables", each, quiet, beside), flush=True)
        print(f"load {os.getloadavg()[0]:.1f}\n")
        _print_costs(found)


def _print_costs(found: dict[Kind, list[Measured]]) -> None:
    """Prints what a move costs, for `bench/players_needed.py`, which works out how many machines players need."""
    costs = {
        kind.name: {
            "server_us": round(median(one.server for one in each)),
            "database_us": round(median(one.database for one in each)),
            "view_bytes": round(median(one.load.bytes / one.load.moves / SEATS for one in each)),
            "log_bytes": round(median(one.log for one in each)),
        }
        for kind, each in found.items()
    }
    print(json.dumps(costs))


if __name__ == "__main__":
    if sys.argv[1:2] == ["--serve"]:
        folder, address, port = sys.argv[2:5]
        end_with_parent()
        serve_real(folder, int(port), address or None)
    else:
        parser = argparse.ArgumentParser(description=__doc__)
        parser.add_argument("--seconds", type=float, default=3)
        parser.add_argument("--sockets", type=int, default=200)
        parser.add_argument("--times", type=int, default=3)
        parser.add_argument("--growth", default="40,200,800")
        parser.add_argument("--share", type=float, default=None)
        asked = parser.parse_args()
        sizes = [int(one) for one in asked.growth.split(",")]
        measuring = main(asked.sockets, sizes, asked.seconds, asked.times, asked.share)
        try:
            asyncio.Runner(loop_factory=uvloop.new_event_loop).run(measuring)
        except Unavailable as missing:
            sys.exit(str(missing))
