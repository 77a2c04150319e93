"""Kill -9 at random moments under load: whatever was acknowledged or shown is stored, and every game finishes."""

import asyncio
import contextlib
import os
import signal
import sqlite3
import subprocess
import sys
from dataclasses import dataclass, field
from pathlib import Path
from random import Random

import pytest

from foretell.client import ConnectionLost, Player, RefusedByTable, Remote
from foretell.server.game.live_game import begun, fair_dealing
from foretell.server.store.interface import GameRow, LoggedAction
from foretell.server.store.sqlite import SqliteStore
from foretell.server.wire import protocol as p
from server.child import Child
from server.rooms import made

pytestmark = [pytest.mark.anyio, pytest.mark.prove]

KILLS = 50 if os.environ.get("FORETELL_PROVE") else 4
TABLES = 8


@dataclass
class Witness:
    """What the server has shown or acknowledged to the players."""

    acknowledged: set[tuple[str, int, str, str]] = field(default_factory=set)
    shown: dict[str, int] = field(default_factory=dict)
    games: set[str] = field(default_factory=set)

    def hear(self, message: p.FromServer) -> None:
        found = message.snapshot if isinstance(message, p.Welcome) else message
        if isinstance(found, p.Snapshot):
            self.games.add(found.game)
            self.shown[found.game] = max(found.number, self.shown.get(found.game, 0))


async def plays(player: Player, witness: Witness, random: Random, stop: asyncio.Event) -> None:
    """Plays one game after another.  After `stop` it plays the last one to its end."""
    while True:
        while (seen := await player.turn()) is not None:
            chosen, game = random.choice(seen.legal), player.snapshot and player.snapshot.game
            assert seen.seat is not None
            try:
                await player.ask(p.Act(decision=seen.decision or "", action=str(chosen)))
                witness.acknowledged.add((game or "", seen.seat, seen.decision or "", str(chosen)))
            except (RefusedByTable, ConnectionLost):
                # A bot has acted, or the connection was lost before the answer.
                await asyncio.sleep(0.001)
        if stop.is_set():
            return
        with contextlib.suppress(ConnectionLost, RefusedByTable):
            await player.ask(p.Rematch())
        await player.until(lambda me: stop.is_set() or not me._is_over)


async def confirm(folder: Path, witness: Witness, settled: set[str]) -> None:
    """Everything that was acknowledged or shown is in the logs, and each action answers the right decision."""
    begun_ = await _begun(folder)
    assert witness.games <= begun_
    store = SqliteStore(folder / "foretell.sqlite3")
    for game in begun_ - settled:
        row, log = await store.game(game), await store.log(game)
        assert row is not None
        found = _answered(row, log)
        assert {one for one in witness.acknowledged if one[0] == game} <= found
        assert witness.shown.get(game, 0) <= len(log)
        if row.finished is not None:
            settled.add(game)
    await store.close()


def _answered(row: GameRow, log: list[LoggedAction]) -> set[tuple[str, int, str, str]]:
    playing = begun(row.id, row.setup, fair_dealing).live
    found = set()
    for number, one in enumerate(log):
        assert one.number == number
        decision = playing.asked(one.seat) or ""
        found.add((row.id, one.seat, decision, one.action))
        playing = playing.after(one.seat, decision, one.action)[-1].live
    return found


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
            asyncio.ensure_future(plays(one, witness, Random(n), stop))
            for n, one in enumerate(players)
        ]
        for _ in range(KILLS):
            await asyncio.sleep(random.uniform(0.02, 0.6))
            await child.kill()
            await confirm(tmp_path, witness, settled)
            await child.start()
        stop.set()
        async with asyncio.timeout(60):
            await asyncio.gather(*playing)
        assert len(witness.acknowledged) > 20 * KILLS
        records = [await transport.record(game) for game in sorted(witness.games)]
    assert await child.kill(signal.SIGTERM) in (0, -signal.SIGTERM)
    await confirm(tmp_path, witness, set())
    file = tmp_path / "records.jsonl"
    file.write_text("\n".join(records) + "\n")
    checked = subprocess.run(
        [sys.executable, "-m", "foretell", "check", str(file)],
        capture_output=True,
        text=True,
        check=False,
    )
    assert checked.returncode == 0, checked.stdout


async def _begun(folder: Path) -> set[str]:
    def read() -> set[str]:
        connection = sqlite3.connect(folder / "foretell.sqlite3")
        found = {row[0] for row in connection.execute("SELECT id FROM games")}
        connection.close()
        return found

    return await asyncio.to_thread(read)
