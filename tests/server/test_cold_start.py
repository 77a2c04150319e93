"""The first choice of every level, the first odds and the first part of a review, by a server that was just started.

It has an empty home that it may not write to, and no caches; once with the native library and once without.  CPU time is
measured and not the clock, because the machine may be busy.
"""

import asyncio
import os
import sys
from pathlib import Path

import pytest

from foretell.bots import LEVELS
from foretell.client import Player, Remote
from foretell.kernel import BACKEND
from foretell.rules import Rules
from foretell.server.wire import protocol as p
from server.test_serve import address_in, serving

pytestmark = [
    pytest.mark.anyio,
    pytest.mark.skipif(sys.platform != "linux", reason="CPU time is read from /proc"),
]

A_CHOICE, ODDS, A_REVIEW = 1.5, 3.0, 3.0  # seconds
TICKS = os.sysconf("SC_CLK_TCK") if hasattr(os, "sysconf") else 100


def cpu_seconds(process: int) -> float:
    fields = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / TICKS


async def first_choice(address: str, process: int, level: str) -> float:
    """The CPU time from the start of a game of 20 cards until a bot has bid."""
    transport = Remote(address)
    options = p.TableOptions(
        seats=3, bots=(level, level), rules=Rules(rounds=(20,)), bot_pause_ms=0
    )
    seated = await transport.make(p.NewTable(name="Ada", options=options))
    async with Player(transport, seated.table, seated.token, make_word=None) as ada:
        before = cpu_seconds(process)
        await ada.start()
        seen = await ada.turn()
        assert seen is not None
        if not any(seen.now.has_bid if seen.now else ()):  # Ada is first to bid
            await ada.act(seen.legal[0])
            await ada.until(lambda one: one.view is not None and sum(_bids(one)) > 1)
        return cpu_seconds(process) - before


def _bids(player: Player) -> tuple[bool, ...]:
    return player.view.now.has_bid if player.view and player.view.now else ()


async def first_odds(address: str, process: int) -> float:
    """The CPU time of the odds of a first bid."""
    transport = Remote(address)
    options = p.TableOptions(seats=3, bots=("random", "random"), bot_pause_ms=0)
    seated = await transport.make(p.NewTable(name="Ada", options=options))
    async with Player(transport, seated.table, seated.token, make_word=None) as ada:
        await ada.start()
        seen = await ada.turn()
        assert seen is not None
        before = cpu_seconds(process)
        told = await ada.ask(p.AskCoach(decision=seen.decision or ""))
        assert isinstance(told, p.Coach)
        return cpu_seconds(process) - before


async def first_of_a_review(address: str, process: int) -> float:
    """The CPU time until a review of a game of eight rounds shows that it has begun."""
    transport = Remote(address)
    options = p.TableOptions(
        seats=3, bots=("random", "random"), bot_pause_ms=0, rules=Rules(rounds=(1, 8))
    )
    seated = await transport.make(p.NewTable(name="Ada", options=options))
    async with Player(transport, seated.table, seated.token, make_word=None) as ada:
        await ada.start()
        while (seen := await ada.turn()) is not None:
            await ada.act(seen.legal[0])
        game = (ada.table.game if ada.table else "") or ""
    before = cpu_seconds(process)
    while (await transport.review(game)).done == 0:
        await asyncio.sleep(0.05)
    return cpu_seconds(process) - before


@pytest.mark.parametrize("backend", ["native", "python"])
async def test_nothing_waits_for_a_machine_that_was_never_used(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, backend: str
) -> None:
    if backend == "native" and BACKEND != "native":
        pytest.skip("there is no native library")
    home = tmp_path / "home"
    home.mkdir()
    home.chmod(0o500)
    for name in ("HOME", "XDG_CACHE_HOME", "XDG_CONFIG_HOME", "NUMBA_CACHE_DIR"):
        monkeypatch.setenv(name, str(home))
    monkeypatch.setenv("FORETELL_KERNEL", backend)
    with serving(tmp_path / "data", "--port", "0") as (process, printed):
        address = address_in(printed)
        took = {level: await first_choice(address, process.pid, level) for level in LEVELS}
        assert max(took.values()) < A_CHOICE, took
        assert await first_odds(address, process.pid) < ODDS
        assert await first_of_a_review(address, process.pid) < A_REVIEW
        process.terminate()
        _, logged = await asyncio.to_thread(process.communicate)
    assert "bot is stuck" not in logged
    assert not list(home.iterdir())
