"""One address with 200 sockets does its worst, and people at honest tables hardly notice.

The server and the attackers have processes of their own.  Honest players come from other addresses (127.0.0.2 and so
on: the whole network 127/8 is this machine).  FORETELL_PROVE=1 attacks for a minute, on a machine with nothing else to do.
"""

import asyncio
import contextlib
import json
import os
import signal
import sys
import time
from collections.abc import AsyncIterator
from pathlib import Path
from random import Random
from statistics import quantiles

import pytest
from websockets.asyncio.client import connect

from foretell.client import Player, RefusedByTable, Remote
from foretell.client.transports import Connection, _SocketConnection
from foretell.server.wire import protocol as p
from server.attackers import ATTACKS, Attack, message
from server.child import Child
from server.rooms import all_in, made, ready_and_start

pytestmark = pytest.mark.anyio

PROVING = bool(os.environ.get("FORETELL_PROVE"))
SECONDS = 60 if PROVING else 5
SOCKETS = 200
TABLES, PEOPLE = 4, 3
MOST_MS = 100
QUIET_MS = 20  # on a machine that has nothing else to do, it is less without the attack


class RemoteFrom(Remote):
    """A server, reached from a certain address of this machine."""

    def __init__(self, server: str, own: str) -> None:
        super().__init__(server)
        self.own = own

    async def connect(self, table: str = "") -> Connection:
        address = "ws" + self.address.removeprefix("http") + "/ws"
        return _SocketConnection(
            await connect(address, compression=None, max_size=2**20, local_addr=(self.own, 0))
        )


@contextlib.asynccontextmanager
async def limited_server(folder: Path) -> AsyncIterator[Child]:
    """A server in a process of its own, with the limits that every server has."""
    child = Child(folder, has_usual_limits=True)
    await child.start()
    try:
        yield child
    finally:
        await child.kill(signal.SIGTERM)


async def attack(port: int, address: str) -> dict[str, int]:
    """Waits for the whole attack, and returns how often each thing was done."""
    process = await asyncio.create_subprocess_exec(
        sys.executable,
        "-m",
        "server.attackers",
        *map(str, (port, SECONDS, SOCKETS, address)),
        cwd=Path(__file__).parents[1],
        stdout=asyncio.subprocess.PIPE,
    )
    assert process.stdout is not None
    try:
        async with asyncio.timeout(SECONDS + 60):
            text, _ = await process.communicate()
    finally:
        if process.returncode is None:
            process.kill()
            await process.wait()
    done: dict[str, int] = json.loads(text)
    return done


async def plays(player: Player, waits: list[float], random: Random) -> None:
    """Plays at the speed of quick people, and notes how many milliseconds each action takes."""
    while True:
        seen = await player.turn()
        if seen is None:
            await player.until(lambda me: me.table is not None and me.table.phase == "over")
            await player.ask(p.Rematch())
            await player.until(lambda me: me.view is not None and me.view.phase != "over")
            continue
        await asyncio.sleep(random.uniform(0.0, 0.03))
        begun = time.perf_counter()
        with contextlib.suppress(
            RefusedByTable
        ):  # it was made already, at the end of the last block
            await player.act(random.choice(seen.legal), seen.decision)
        waits.append(1000 * (time.perf_counter() - begun))


@contextlib.asynccontextmanager
async def playing(players: list[Player]) -> AsyncIterator[list[float]]:
    """All of them play until the end of the block, which gets the milliseconds of each action."""
    waits: list[float] = []
    tasks = asyncio.gather(*(plays(one, waits, Random(n)) for n, one in enumerate(players)))
    try:
        yield waits
        assert not tasks.done() or tasks.exception() is None
    finally:
        tasks.cancel()
        await asyncio.gather(tasks, return_exceptions=True)


@contextlib.asynccontextmanager
async def honest_tables(port: int) -> AsyncIterator[list[Player]]:
    """Players at some tables whose games have begun; each table has an address of its own."""
    everyone: list[Player] = []
    async with contextlib.AsyncExitStack() as stack:
        for number in range(TABLES):
            remote = RemoteFrom(f"http://127.0.0.1:{port}", f"127.0.0.{2 + number}")
            seats = [await remote.make(p.NewTable(name="Ada", options=made(seats=PEOPLE)))]
            seats += [await remote.join(seats[0].code, p.Join(name=one)) for one in ("Bo", "Cy")]
            players = [Player(remote, one.table, one.token) for one in seats]
            await stack.enter_async_context(all_in(players))
            await ready_and_start(players)
            everyone += players
        yield everyone


def p99(waits: list[float]) -> float:
    return quantiles(waits, n=100)[98]


@pytest.mark.prove
async def test_the_worst_of_one_address_slows_nobody_else_down(tmp_path: Path) -> None:
    """In `make test` the machine may be busy with other things: what that costs does not count.  In `make prove` it does."""
    async with limited_server(tmp_path) as child, honest_tables(child.port) as everyone:
        for left in (0,) if PROVING else (2, 1, 0):
            async with playing(everyone) as quiet:
                await asyncio.sleep(10 if PROVING else 2)
            async with playing(everyone) as waits:
                # an address that has attacked before has used up its new tables
                done = await attack(child.port, f"127.0.0.{66 + left}")
            others = 0.0 if PROVING else max(0.0, p99(quiet) - QUIET_MS)
            print(
                f"{SECONDS} s, {SOCKETS} sockets: {sum(done.values())} attacks, {len(waits)} honest actions with p99 "
                f"{p99(waits):.1f} ms; without attacks {p99(quiet):.1f} ms. {done}"
            )
            if p99(waits) - others < MOST_MS or not left:
                break
            await asyncio.sleep(5)
        assert all(one.reconnections == 0 for one in everyone)
    assert len(done) == len(ATTACKS)
    assert len(waits) > 20 * SECONDS
    assert p99(waits) - others < MOST_MS


def used_seconds(child: Child) -> float:
    """The processor time that the server has used."""
    assert child.process is not None
    text = Path(f"/proc/{child.process.pid}/stat").read_text(encoding="utf-8")
    fields = text.rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


@pytest.mark.skipif(sys.platform != "linux", reason="reads the processor time from /proc")
async def test_a_thousand_idle_sockets_slow_nobody_down(tmp_path: Path) -> None:
    """All of them watch the list of tables, and a move takes as much of the processor as without them."""
    async with limited_server(tmp_path) as child, honest_tables(child.port) as everyone:
        costs = []
        async with contextlib.AsyncExitStack() as stack:
            for sockets in (0, 1000):
                for number in range(sockets):
                    idle = Attack(child.port, address=f"127.0.1.{number // 100}")
                    writer = await stack.enter_async_context(idle.websocket())
                    writer.write(message("watch_lobby", version=1))
                before = used_seconds(child)
                async with playing(everyone) as waits:
                    await asyncio.sleep(3)
                costs.append((used_seconds(child) - before) / len(waits))
        assert all(one.reconnections == 0 for one in everyone)
    print([f"{1000 * cost:.2f} ms of processor time for an action" for cost in costs])
    assert costs[1] < 1.5 * costs[0] + 0.0002
