"""Real processes on PostgreSQL, killed, paused and deployed under load; a database and a bus that go away.

Nothing that was acknowledged is lost, nothing is applied twice, and every game finishes.
"""

import asyncio
import contextlib
import os
import signal
import time
from collections.abc import AsyncIterator, Iterator
from pathlib import Path
from random import Random

import psycopg
import pytest

from foretell.client import ConnectionLost, Player, Remote
from foretell.client.transports import Connection
from foretell.server.store.postgresql import PostgresqlStore
from foretell.server.store.processes import Process
from foretell.server.wire import protocol as p
from server.child import Child
from server.postgresql import Postgresql
from server.rooms import made
from server.valkey import Valkey
from server.witness import Witness, check_records, confirm, plays

pytestmark = [pytest.mark.anyio, pytest.mark.prove]

IS_PROOF = bool(os.environ.get("FORETELL_PROVE"))
KILLS = 50 if IS_PROOF else 2
PAUSES = 10 if IS_PROOF else 1
PROCESSES, TABLES = (3, 8) if IS_PROOF else (2, 3)
ROUNDS = 5 if IS_PROOF else 1  # in which every process is deployed
LEASE = 1.5
SLEEP = (
    20.0 if IS_PROOF else 0.0
)  # seconds: one process sleeps for so long that every game must go on without it
WITHOUT_BUS = 10.0 if IS_PROOF else 1.0  # seconds
BUSY = 0.0 if IS_PROOF else 10.0
"""Seconds for which a game may stand still because other tests need the machine.  The proof has it for itself."""
PATIENCE = 60 if IS_PROOF else 120
"""Seconds after which nothing will go on any more."""


@pytest.fixture(autouse=True)
def brought_back(database_server: Postgresql, bus_server: Valkey) -> Iterator[None]:
    """Other tests use these servers too: they run before and after each test here, whether it fails or not."""
    for server in (database_server, bus_server):
        server.bring_back()
    yield
    for server in (database_server, bus_server):
        server.bring_back()


class Balanced:
    """A transport to any of several processes, as a balancer would choose one."""

    def __init__(self, remotes: list[Remote], random: Random) -> None:
        self._remotes, self._random = remotes, random
        self._failed: dict[str, float] = {}  # when the process with this address was not reached

    async def connect(self, table: str = "") -> Connection:
        """To any of them.  One that was just not reached comes last, as a balancer would have it."""
        now = time.monotonic()
        chosen = self._random.sample(self._remotes, len(self._remotes))
        for remote in sorted(chosen, key=lambda one: now - self._failed.get(one.address, 0) < 10):
            try:
                return await remote.connect(table)
            except ConnectionLost:
                self._failed[remote.address] = time.monotonic()
        raise ConnectionLost

    async def make(self, ask: p.NewTable) -> p.Seated:
        return await self._random.choice(self._remotes).make(ask)

    async def join(self, table: str, ask: p.Join) -> p.Seated:
        return await self._random.choice(self._remotes).join(table, ask)


class Cluster:
    """Some processes on one database, players who play there, and what they have seen."""

    def __init__(
        self, url: str, folder: Path, *, count: int, lease: float, bus: str | None, grace: float
    ) -> None:
        self.url, self.folder, self.random = url, folder, Random(7)

        def child() -> Child:
            return Child(folder, database=url, lease=lease, bus=bus, grace=grace)

        self.children, self._spare = [child() for _ in range(count)], child()
        self.remotes = [Remote(f"http://127.0.0.1:{one.port}") for one in self.children]
        self.witness, self._stop = Witness(), asyncio.Event()
        self._settled = set[str]()
        self._usual = 0.0  # seconds for which a game stands still although nothing has happened
        self.longest: dict[str, float] = {}  # seconds, by what had happened

    @contextlib.asynccontextmanager
    async def played(self) -> AsyncIterator[None]:
        """Plays at some tables.  At the end every game is finished, and everything is checked."""
        balanced = Balanced(self.remotes, self.random)
        seats: list[p.Seated] = []
        for _ in range(TABLES):
            options = made(seats=4, bots=["random"], rules={"rounds": [1, 2, 3, 4]})
            first = await balanced.make(p.NewTable(name="Ada", options=options))
            joined = [await balanced.join(first.code, p.Join(name=name)) for name in ("Bo", "Cy")]
            seats += [first, *joined]
        players = [
            Player(balanced, one.table, one.token, on_message=self.witness.hear, most_pause=0.2)
            for one in seats
        ]
        async with contextlib.AsyncExitStack() as stack:
            for one in players:
                await stack.enter_async_context(one)
            for one in players:
                await one.ask(p.Ready())
            for host in players[::3]:
                await host.start()
            playing = [
                asyncio.ensure_future(plays(one, players, self.witness, Random(n), self._stop))
                for n, one in enumerate(players)
            ]
            try:
                yield
                self._stop.set()
                async with asyncio.timeout(2 * PATIENCE):
                    await asyncio.gather(*playing)
            finally:
                # If something failed, nothing else may be reported: that players lose their connections then is no news.
                for one_playing in playing:
                    one_playing.cancel()
                await asyncio.gather(*playing, return_exceptions=True)
            records = [await self.remotes[0].record(one) for one in sorted(self.witness.games)]
        await self.confirm()
        check_records(records, self.folder)

    async def measure(self) -> None:
        """How long games stand still while a process starts that nobody needs: this machine may be slow.  Then nobody
        may wait for much longer than that when a process is killed, and starts again.
        """
        since = time.monotonic()
        await self._spare.start()
        await _moves(self)
        await self._spare.kill(signal.SIGTERM)
        self._usual = self.longest["nothing"] = self.witness.longest(since)

    async def go_on(self, what: str, since: float, within: float) -> None:
        """Waits until every game has gone on.  None may have stood still for longer than this since then."""
        now = time.monotonic()
        async with asyncio.timeout(PATIENCE):
            while any(risen < now for risen in self.witness.risen.values()):
                await asyncio.sleep(0.02)
        longest = self.witness.longest(since)
        self.longest[what] = max(longest, self.longest.get(what, 0.0))
        message = f"{what}: a game has stood still for {longest:.2f} s, usually {self._usual:.2f} s"
        assert longest < within + self._usual + BUSY, message

    async def kill(self) -> None:
        for one in (*self.children, self._spare):
            if one.process is not None:
                await one.kill()

    async def confirm(self) -> None:
        """Everything that players know of is in the database."""
        witness = self.witness.copy()
        store = PostgresqlStore(self.url, Process("reader", "nowhere:1", "", 1.0))
        async with await psycopg.AsyncConnection.connect(self.url) as connection:
            rows = await (await connection.execute("SELECT id FROM games")).fetchall()
        await confirm(store, {row[0] for row in rows}, witness, self._settled)
        await store.close()


@contextlib.asynccontextmanager
async def cluster(
    server: Postgresql,
    folder: Path,
    *,
    count: int,
    lease: float = LEASE,
    bus: str | None = None,
    grace: float = 0.5,
) -> AsyncIterator[Cluster]:
    url = server.new_database()
    found = Cluster(url, folder, count=count, lease=lease, bus=bus, grace=grace)
    try:
        await asyncio.gather(*(one.start() for one in found.children))
        yield found
    finally:
        await found.kill()


async def _moves(found: Cluster, more: int = 20) -> None:
    """Waits until players have made some more moves."""
    wanted = len(found.witness.acknowledged) + more
    async with asyncio.timeout(PATIENCE):
        while len(found.witness.acknowledged) < wanted:
            await asyncio.sleep(0.02)


async def _kill(found: Cluster, child: Child) -> None:
    """Within the lease time, and a second in which clients try again, the other processes have its tables."""
    since = time.monotonic()
    await child.kill()
    await found.confirm()
    await child.start()
    await found.go_on("a kill", since, LEASE + 1)


async def _pause(_found: Cluster, child: Child) -> None:
    """Longer than the lease, so that the others take its tables; then it wakes up, and believes that it has them."""
    assert child.process is not None
    child.process.send_signal(signal.SIGSTOP)
    await asyncio.sleep(1.5 * LEASE)
    child.process.send_signal(signal.SIGCONT)


async def _long_pause(found: Cluster, child: Child) -> None:
    """A process hangs, with all its connections open.  Clients notice that it does not answer, and go elsewhere."""
    assert child.process is not None
    since = time.monotonic()
    child.process.send_signal(signal.SIGSTOP)
    try:
        await found.go_on("a long pause", since, SLEEP)
        await asyncio.sleep(since + SLEEP - time.monotonic())
    finally:
        child.process.send_signal(signal.SIGCONT)


async def test_nothing_is_lost_whatever_fails(
    database_server: Postgresql, bus_server: Valkey, tmp_path: Path
) -> None:
    """Processes are killed and paused; the bus is gone for a while, and then hangs; the database is restarted, first in
    order and then as after a crash.
    """
    cluster_ = cluster(database_server, tmp_path, count=PROCESSES, bus=bus_server.url)
    async with cluster_ as found, found.played():
        await found.measure()
        for disturb in [_kill] * KILLS + [_pause] * PAUSES:
            await _moves(found)
            await asyncio.sleep(found.random.uniform(0.0, 0.3))
            await disturb(found, found.random.choice(found.children))
        if SLEEP:
            await _moves(found)
            await _long_pause(found, found.random.choice(found.children))
        await _moves(found)
        bus_server.stop()
        await asyncio.sleep(WITHOUT_BUS)
        await _moves(found)
        await _kill(found, found.children[0])  # a process may start without it
        await _moves(found)
        await asyncio.to_thread(bus_server.start)
        await _moves(found)
        bus_server.pause()
        await asyncio.sleep(WITHOUT_BUS)
        await _moves(found)
        bus_server.go_on()
        for how in (signal.SIGINT, signal.SIGQUIT):
            await _moves(found)
            await asyncio.to_thread(database_server.stop, how)
            await asyncio.sleep(0.5)
            await asyncio.to_thread(database_server.start)
            await found.confirm()
        await _moves(found)
    _report(found)


def _report(found: Cluster) -> None:
    """Shown with `pytest -s`: how much was played, and for how long a game stood still at most."""
    longest = ", ".join(f"{seconds:.2f} s after {what}" for what, seconds in found.longest.items())
    moves, games = len(found.witness.acknowledged), len(found.witness.games)
    print(f"\n{moves} moves acknowledged in {games} games; a game stood still for {longest}")


async def test_nobody_waits_for_two_seconds_when_all_processes_are_deployed(
    database_server: Postgresql, tmp_path: Path
) -> None:
    """Every process is stopped and started again.  With this lease, a table that was not handed over would fail the test.

    Bots play for nobody here: otherwise they would hide that a player waits.
    """
    cluster_ = cluster(database_server, tmp_path, count=3, lease=300, grace=300)
    async with cluster_ as found, found.played():
        await found.measure()
        for child in found.children * ROUNDS:
            await _moves(found)
            since = time.monotonic()
            assert await child.kill(signal.SIGTERM) in (0, -signal.SIGTERM)
            await found.go_on("a deploy", since, 2)
            await child.start()
        await _moves(found)
    _report(found)
