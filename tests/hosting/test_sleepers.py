"""nginx and Caddy, with the files of `deploy/`, in front of a process that does not answer any more, but is still there."""

import asyncio
import contextlib
import signal
import urllib.request
from collections.abc import AsyncIterator, Callable
from pathlib import Path
from typing import Any

import pytest

from foretell.client import ConnectionLost, Player, RefusedByTable, Remote
from foretell.server.wire import protocol as p
from hosting.balancers import caddy, certificate, compose_caddy, nginx
from ports import lasting_port
from server.child import Child
from server.postgresql import Postgresql
from server.rooms import all_in, made

pytestmark = pytest.mark.anyio

LEASE = 1.5
PATIENCE = 1.0  # of these players, who play fast
BALANCERS = [
    pytest.param(nginx, id="nginx.conf"),
    pytest.param(caddy, id="Caddyfile"),
    pytest.param(compose_caddy, id="compose.Caddyfile"),
]


@contextlib.asynccontextmanager
async def processes(server: Postgresql, folder: Path) -> AsyncIterator[dict[str, Child]]:
    """Two processes with the same port, by their addresses."""
    url, port = server.new_database(), lasting_port()
    found = {
        f"{host}:{port}": Child(folder, database=url, lease=LEASE, host=host, port=port)
        for host in ("127.0.0.1", "127.0.0.2")
    }
    await asyncio.gather(*(one.start() for one in found.values()))
    try:
        yield found
    finally:
        for one in found.values():
            await one.kill()


def has_tables(address: str) -> bool:
    with urllib.request.urlopen(f"http://{address}/metrics", timeout=10) as answer:
        lines = answer.read().decode().splitlines()
    (found,) = (line for line in lines if line.startswith("foretell_tables_awake "))
    return float(found.split()[1]) > 0


async def plays(player: Player) -> None:
    """Plays until it is cancelled."""
    while True:
        await asyncio.sleep(0.05)
        with contextlib.suppress(ConnectionLost, RefusedByTable):
            seen = await player.turn()
            if seen is not None:
                await player.act(seen.legal[0], seen.decision)


@contextlib.asynccontextmanager
async def all_play(players: list[Player]) -> AsyncIterator[None]:
    async with all_in(players):
        for one in players[1:]:
            await one.ask(p.Ready())
        await players[0].start()
        playing = [asyncio.ensure_future(plays(one)) for one in players]
        try:
            yield
        finally:
            for task in playing:
                task.cancel()
            await asyncio.gather(*playing, return_exceptions=True)


@pytest.mark.parametrize("balancer", BALANCERS)
async def test_the_tables_of_a_process_that_sleeps_are_reached_at_another(
    balancer: Callable[..., Any],
    database_server: Postgresql,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Its connections stay open and new ones are accepted, but nobody answers.  The same addresses lead there."""
    tls = certificate(tmp_path)
    monkeypatch.setenv("SSL_CERT_FILE", str(tls[0]))
    loop = asyncio.get_running_loop()
    async with (
        processes(database_server, tmp_path) as found,
        balancer(tmp_path, list(found), tls) as site,
    ):
        remote = Remote(site)
        options = made(seats=3, rules={"rounds": [10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20]})
        seats = [await remote.make(p.NewTable(name="Ada", options=options))]
        seats += [await remote.join(seats[0].code, p.Join(name=name)) for name in ("Bo", "Cy")]
        players = [
            Player(
                remote,
                seats[0].code,
                one.token,
                make_word=None,
                most_pause=0.2,
                patience=PATIENCE,
            )
            for one in seats
        ]
        async with all_play(players):

            def number() -> int:
                return max(one.snapshot.number for one in players if one.snapshot is not None)

            async def goes_on(more: int) -> None:
                wanted = number() + more
                while number() < wanted:
                    await asyncio.sleep(0.02)

            await goes_on(5)
            (sleeper,) = [
                child
                for address, child in found.items()
                if await asyncio.to_thread(has_tables, address)
            ]
            assert sleeper.process is not None
            sleeper.process.send_signal(signal.SIGSTOP)
            slept = loop.time()
            try:
                async with asyncio.timeout(20):
                    await goes_on(10)
                print(f"\nthe game went on after {loop.time() - slept:.1f} s")
                # Whoever comes now is not led to the sleeper, or not for long.
                asked = loop.time()
                async with asyncio.timeout(10), Player(remote, seats[0].code, make_word=None) as me:
                    assert me.snapshot is not None
                print(f"a spectator was welcome after {loop.time() - asked:.1f} s")
                more = await asyncio.gather(
                    *(
                        remote.ask("GET", f"/api/tables/{seats[0].code}", None, p.Table)
                        for _ in "12"
                    )
                )
                assert {one.code for one in more} == {seats[0].code}
            finally:
                sleeper.process.send_signal(signal.SIGCONT)
            # It wakes up, and believes for a moment that it has the table.
            await goes_on(10)
