"""One address with 200 sockets does its worst, and people at honest tables hardly notice.

The server and the attackers have processes of their own.  Honest players come from other addresses (127.0.0.2 and so
on: the whole network 127/8 is this machine).  FORETELL_PROVE=1 attacks for a minute.
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

from foretell.client import Player, Remote
from foretell.client.transports import Connection, _SocketConnection
from foretell.server.wire import protocol as p
from server.child import Child
from server.rooms import all_in, made, ready_and_start

pytestmark = pytest.mark.anyio

SECONDS = 60 if os.environ.get("FORETELL_PROVE") else 5
SOCKETS = 200
TABLES, PEOPLE = 4, 3
MOST_MS = 100


class RemoteFrom(Remote):
    """A server, reached from a certain address of this machine."""

    def __init__(self, server: str, own: str) -> None:
        super().__init__(server)
        self.own = own

    async def connect(self) -> Connection:
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


@contextlib.asynccontextmanager
async def attacked(port: int, *only: str) -> AsyncIterator[asyncio.subprocess.Process]:
    """The attack, which has begun."""
    process = await asyncio.create_subprocess_exec(
        sys.executable,
        "-m",
        "server.attackers",
        *map(str, (port, SECONDS, SOCKETS)),
        *only,
        cwd=Path(__file__).parents[1],
        stdout=asyncio.subprocess.PIPE,
    )
    assert process.stdout is not None
    try:
        assert await asyncio.wait_for(process.stdout.readline(), 30) == b"begun\n"
        yield process
    finally:
        if process.returncode is None:
            process.kill()
        await process.wait()


async def plays(player: Player, waits: list[float], stop: asyncio.Event, random: Random) -> None:
    """Plays at the speed of quick people, one game after another, and notes how long each action takes."""
    while not stop.is_set():
        async with asyncio.timeout(10):
            seen = await player.turn()
        if seen is None:
            return
        await asyncio.sleep(random.uniform(0.0, 0.03))
        begun = time.perf_counter()
        await player.act(random.choice(seen.legal), seen.decision)
        waits.append(1000 * (time.perf_counter() - begun))


async def test_the_worst_of_one_address_slows_nobody_else_down(tmp_path: Path) -> None:
    waits: list[float] = []
    random = Random(1)
    async with limited_server(tmp_path) as child, contextlib.AsyncExitStack() as stack:
        server = f"http://127.0.0.1:{child.port}"
        everyone: list[Player] = []
        for number in range(TABLES):
            remote = RemoteFrom(server, f"127.0.0.{2 + number}")
            ask = p.NewTable(name="Ada", options=made(seats=PEOPLE))
            seats = [await remote.make(ask)]
            seats += [await remote.join(seats[0].code, p.Join(name=one)) for one in ("Bo", "Cy")]
            players = [Player(remote, one.table, one.token) for one in seats]
            await stack.enter_async_context(all_in(players))
            await ready_and_start(players)
            everyone += players
        stop = asyncio.Event()
        async with attacked(child.port, *sys.argv[99:]) as attack:
            playing = asyncio.gather(*(plays(one, waits, stop, random) for one in everyone))
            assert attack.stdout is not None
            done = json.loads(await asyncio.wait_for(attack.stdout.readline(), SECONDS + 60))
            stop.set()
            for one in everyone:  # those who wait for their turn wait no longer
                one._notify()
            playing.cancel()
            await asyncio.gather(playing, return_exceptions=True)
        reconnections = [one.reconnections for one in everyone]
    cuts = quantiles(waits, n=100)
    print(f"{len(waits)} actions, p50 {cuts[49]:.1f} ms, p99 {cuts[98]:.1f} ms, {done}")
    assert all(count > 0 for count in done.values())
    assert len(waits) > 20 * SECONDS
    assert max(reconnections) == 0
    assert cuts[98] < MOST_MS
