"""Kill -9 at random moments under load: whatever was acknowledged or shown is stored, and every game finishes."""

import asyncio
import contextlib
import os
import signal
import sqlite3
from pathlib import Path
from random import Random

import pytest

from foretell.client import Player, Remote
from foretell.server.store.sqlite import SqliteStore
from foretell.server.wire import protocol as p
from server.child import Child
from server.rooms import made
from server.witness import Witness, check_records, confirm, plays

pytestmark = [pytest.mark.anyio, pytest.mark.prove]

KILLS = 50 if os.environ.get("FORETELL_PROVE") else 4
TABLES = 8


async def confirm_stored(folder: Path, witness: Witness, settled: set[str]) -> None:
    store = SqliteStore(folder / "foretell.sqlite3")
    await confirm(store, await _begun(folder), witness, settled)
    await store.close()


async def test_nothing_acknowledged_is_lost_and_every_game_finishes(tmp_path: Path) -> None:
    random, settled = Random(7), set[str]()
    child, witness, stop = Child(tmp_path), Witness(), asyncio.Event()
    await child.start()
    transport = Remote(f"http://127.0.0.1:{child.port}")
    seats: list[p.Seated] = []
    for _ in range(TABLES):
        options = made(seats=4, bots=["random"], rules={"rounds": [1, 2, 3, 4]})
        first = await transport.make(p.NewTable(name="Ada", options=options))
        joined = [await transport.join(first.code, p.Join(name=name)) for name in ("Bo", "Cy")]
        seats += [first, *joined]
    players = [
        Player(transport, seat.table, seat.token, on_message=witness.hear, most_pause=0.2)
        for seat in seats
    ]
    async with contextlib.AsyncExitStack() as stack:
        for one in players:
            await stack.enter_async_context(one)
        for one in players:
            await one.ask(p.Ready())
        for host in players[::3]:
            await host.start()
        playing = [
            asyncio.ensure_future(plays(one, players, witness, Random(n), stop))
            for n, one in enumerate(players)
        ]
        for _ in range(KILLS):
            await asyncio.sleep(random.uniform(0.02, 0.6))
            await child.kill()
            await confirm_stored(tmp_path, witness, settled)
            await child.start()
        stop.set()
        async with asyncio.timeout(60):
            await asyncio.gather(*playing)
        assert len(witness.acknowledged) > 20 * KILLS
        records = [await transport.record(game) for game in sorted(witness.games)]
    assert await child.kill(signal.SIGTERM) in (0, -signal.SIGTERM)
    await confirm_stored(tmp_path, witness, set())
    check_records(records, tmp_path)
    print(
        f"{KILLS} kills: {len(witness.acknowledged)} actions acknowledged, none lost; "
        f"{len(records)} games, all finished, every record right"
    )


async def _begun(folder: Path) -> set[str]:
    def read() -> set[str]:
        connection = sqlite3.connect(folder / "foretell.sqlite3")
        found = {row[0] for row in connection.execute("SELECT id FROM games")}
        connection.close()
        return found

    return await asyncio.to_thread(read)
