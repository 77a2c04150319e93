"""Players who note what a server has shown them and acknowledged, and a check that all of it was stored."""

import asyncio
import contextlib
import subprocess
import sys
import time
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path
from random import Random

from foretell.client import ConnectionLost, Player, RefusedByTable
from foretell.server.game.live_game import begun, fair_dealing
from foretell.server.store.interface import GameRow, LoggedAction, Store
from foretell.server.wire import protocol as p

__all__ = ["Witness", "check_records", "confirm", "plays"]


@dataclass
class Witness:
    """What the server has shown or acknowledged to the players."""

    acknowledged: set[tuple[str, int, str, str]] = field(default_factory=set)
    shown: dict[str, int] = field(default_factory=dict)
    games: set[str] = field(default_factory=set)
    risen: dict[str, float] = field(default_factory=dict)
    """When each unfinished game last had a new action that was shown to anyone."""
    gaps: list[tuple[float, float]] = field(default_factory=list)
    """The times between two such moments in one game: when each began, and how long it was in seconds."""

    def copy(self) -> "Witness":
        """What was seen so far.  Take it before the database is read: more is seen meanwhile."""
        return Witness(set(self.acknowledged), dict(self.shown), set(self.games))

    def hear(self, message: p.FromServer) -> None:
        found = message.snapshot if isinstance(message, p.Welcome) else message
        if isinstance(found, p.Snapshot):
            self.games.add(found.game)
            if found.number > self.shown.get(found.game, -1):
                self.shown[found.game] = found.number
                self._note_rise(found)

    def _note_rise(self, found: p.Snapshot) -> None:
        """A game stands still for everyone, or for nobody: bots may act for players whose connection is lost, so how
        long one player waits says less than how long nothing happens in a game.
        """
        now = time.monotonic()
        before = self.risen.get(found.game)
        if before is not None:
            self.gaps.append((before, now - before))
        if found.view.phase == "over":
            self.risen.pop(found.game, None)
        else:
            self.risen[found.game] = now

    def longest(self, since: float) -> float:
        """The longest time for which an unfinished game has stood still, up to now, if that ended after `since`."""
        now = time.monotonic()
        ended = (gap for begun, gap in reversed(self.gaps) if begun + gap > since)
        return max([0.0, *ended, *(now - risen for risen in self.risen.values())])


async def plays(
    player: Player,
    everyone: "list[Player]",
    witness: Witness,
    random: Random,
    stop: asyncio.Event,
) -> None:
    """Plays one game after another.  After `stop` it plays until everyone's last game is over.

    The others may have begun one more game with the last rematch that was asked for, and wait for this player there.
    """
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
            if all(one._is_over for one in everyone):
                return
            await asyncio.sleep(0.02)
            continue
        # It may get lost with the connection: then it is asked again.
        with contextlib.suppress(ConnectionLost, RefusedByTable, TimeoutError):
            await player.ask(p.Rematch())
            async with asyncio.timeout(0.5):
                await player.until(lambda me: stop.is_set() or not me._is_over)


async def confirm(store: Store, begun_: Iterable[str], witness: Witness, settled: set[str]) -> None:
    """Everything that was acknowledged or shown is in the logs, and each action answers the right decision."""
    found_games = set(begun_)
    assert witness.games <= found_games
    for game in found_games - settled:
        row, log = await store.game(game), await store.log(game)
        assert row is not None
        found = _answered(row, log)
        assert {one for one in witness.acknowledged if one[0] == game} <= found
        assert witness.shown.get(game, 0) <= len(log)
        if row.finished is not None:
            settled.add(game)


def _answered(row: GameRow, log: list[LoggedAction]) -> set[tuple[str, int, str, str]]:
    playing = begun(row.id, row.setup, fair_dealing).live
    found = set()
    for number, one in enumerate(log):
        assert one.number == number
        decision = playing.asked(one.seat) or ""
        found.add((row.id, one.seat, decision, one.action))
        playing = playing.after(one.seat, decision, one.action)[-1].live
    return found


def check_records(records: list[str], folder: Path) -> None:
    """Every record passes `foretell check`."""
    file = folder / "records.jsonl"
    file.write_text("\n".join(records) + "\n")
    command = [sys.executable, "-m", "foretell", "check", str(file)]
    checked = subprocess.run(command, capture_output=True, text=True, check=False)
    assert checked.returncode == 0, checked.stdout
