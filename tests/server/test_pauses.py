"""The time until a bot acts says nothing about its hand: a forced card takes as long as a chosen one.

Most tests run in an event loop whose clock jumps to the next timer, so that seconds of pauses take no time and the delays
are exact.
"""

import asyncio
import time
from collections.abc import Callable
from itertools import pairwise
from pathlib import Path
from random import Random
from typing import Any

import pytest

from chance import keys_by_chance
from foretell.bots import BOTS, Counting
from foretell.client import Local, Player
from foretell.deals import seeded
from foretell.engine import Action, View
from foretell.server.bot_threads import BotTask, BotThreads
from foretell.server.keys import hashed_at, random_keys
from foretell.server.store.interface import Place
from foretell.server.store.memory import MemoryStore
from foretell.server.table.pauses import acts_after, drawn_pause, table_pause
from foretell.server.table.seating import new_table, with_new_place
from foretell.server.table.services import Services
from foretell.server.wire import protocol as p
from server.rooms import made, open_room, played, settled

PAUSE = 0.7
SHORTEST, LONGEST = 0.8 * PAUSE, 1.2 * PAUSE


class JumpingLoop(asyncio.SelectorEventLoop):
    """An event loop that does not wait: when nothing is ready, its clock jumps to the next timer."""

    _now = 1000.0

    def time(self) -> float:
        return self._now

    def _run_once(self) -> None:
        if not self._ready and self._scheduled:  # type: ignore[attr-defined]
            self._now = max(self._now, self._scheduled[0]._when)  # type: ignore[attr-defined]
        super()._run_once()  # type: ignore[misc]


class TimedThreads(BotThreads):
    """Bots that think for as long as the test says, by the clock of the event loop."""

    def __init__(self, thinks: Callable[[View], float]) -> None:
        super().__init__(1)
        self._thinks = thinks
        # For each seat, in order: whether its decision was forced, and when it was asked.
        self.asked: dict[int, list[tuple[bool, float]]] = {0: [], 1: [], 2: []}

    def think(
        self,
        level: str,
        view: View,
        random: Random,
        on_choice: Callable[[Action | None], None],
        **_more: Any,
    ) -> BotTask:
        task = BotTask(self)
        chosen = Counting().choose(view, random)
        assert view.seat is not None
        now = asyncio.get_running_loop().time()
        self.asked[view.seat].append((len(view.legal) == 1, now))

        def report() -> None:
            if not task.is_stopped():
                on_choice(chosen)

        asyncio.get_running_loop().call_later(self._thinks(view), report)
        return task


Delays = list[tuple[bool, float]]
"""For each action of a bot, whether it was forced, and the seconds since the seat was asked."""


def delays(
    thinks: Callable[[View], float], *, is_host_away: bool = False, **options: Any
) -> Delays:
    """The delays of a whole game, which is the same each time."""

    async def play() -> Delays:
        loop = asyncio.get_running_loop()
        threads = TimedThreads(thinks)
        services = Services(
            store=MemoryStore(),
            bot_threads=threads,
            keys=keys_by_chance(),
            now=loop.time,
            dealing=lambda _setup: seeded(7),
            pause_random=Random(3),
        )
        tables = Local(services)
        rules = {"rounds": [1, 2, 3, 4, 5, 6], "specials": ["JUGGLER", "CLOUD"]}
        table = made(seats=3, bots=["random"] * 2, rules=rules, **options)
        seat = await tables.make(p.NewTable(name="Ada", options=table))
        async with Player(tables, seat.table, seat.token, make_word=None) as ada:
            if is_host_away:
                await ada.ask(p.Away())
            await ada.start()
            if is_host_away:
                await ada.until(lambda me: me.table is not None and me.table.phase == "over")
            else:
                await played(ada, lambda seen: seen.legal[0])
            assert ada.table is not None
            log = await services.store.log(ada.table.game or "")
        await tables.close()
        asked = {seat: iter(times) for seat, times in threads.asked.items()}
        found = [(one.at, *next(asked[one.seat])) for one in log if one.by_bot]
        return [(was_forced, at - since) for at, was_forced, since in found]

    with asyncio.Runner(loop_factory=JumpingLoop) as runner:
        return runner.run(play())


def only_free_choices(seen: View) -> float:
    """A bot that thinks as long as it can without being late, but only if it has a choice."""
    return 0.0 if len(seen.legal) == 1 else 0.55


@pytest.mark.parametrize("is_host_away", [False, True])
def test_a_forced_card_takes_as_long_as_a_chosen_one(is_host_away: bool) -> None:
    """Nothing but the thinking differs between the two games, and it cannot be seen."""
    quick = delays(lambda _seen: 0.0, is_host_away=is_host_away, bot_pause_ms=700)
    slow = delays(only_free_choices, is_host_away=is_host_away, bot_pause_ms=700)
    assert [was_forced for was_forced, _ in quick] == [was_forced for was_forced, _ in slow]
    assert [one for _, one in quick] == pytest.approx([one for _, one in slow])
    forced = [one for was_forced, one in slow if was_forced]
    free = [one for was_forced, one in slow if not was_forced]
    assert min(len(forced), len(free)) > 10
    for some in (forced, free):
        # Not always the same: a player does not act like clockwork.
        assert SHORTEST <= min(some) < 0.9 * PAUSE
        assert 1.1 * PAUSE < max(some) <= LONGEST
    assert sum(forced) / len(forced) == pytest.approx(sum(free) / len(free), rel=0.08)


def test_a_bot_that_is_late_acts_at_one_of_a_few_moments() -> None:
    """So that what can be seen of its thinking is little."""
    usual = [one for _, one in delays(lambda _seen: 0.0, bot_pause_ms=700)]
    late = [one for _, one in delays(lambda _seen: 1.9, bot_pause_ms=700)]
    steps = [(slow - quick) / 0.5 for slow, quick in zip(late, usual, strict=True)]
    assert {round(one, 6) for one in steps} <= {3.0}


def test_at_a_public_table_bots_pause_even_if_it_has_chosen_no_pause() -> None:
    """Strangers may come to it, who must not see how long a bot has thought."""
    quick = delays(lambda _seen: 0.0, is_public=True)
    slow = delays(lambda seen: only_free_choices(seen) / 6, is_public=True)
    assert [one for _, one in quick] == pytest.approx([one for _, one in slow])
    assert min(one for _, one in quick) >= 0.1


def test_people_from_two_homes_may_be_strangers() -> None:
    options = made(seats=3, bots=["random"])
    state, _ = new_table(p.NewTable(name="Ada", options=options), random_keys, 0.0, "192.0.2.1")
    assert table_pause(state) == 0.0
    homes = {one: hashed_at(state.id, one) for one in ("192.0.2.1", "192.0.2.2")}
    for address, pause in (("192.0.2.1", 0.0), ("192.0.2.2", 0.1)):
        bo = Place(kind="person", name="Bo", address=homes[address])
        assert table_pause(with_new_place(state, 1, bo)) == pause
    left = Place(kind="person", name="Bo", address=homes["192.0.2.2"], has_left=True)
    assert table_pause(with_new_place(state, 1, left)) == 0.0


def test_without_a_pause_a_bot_acts_at_once() -> None:
    assert {one for _, one in delays(lambda _seen: 0.0)} == {0.0}
    assert drawn_pause(0.0, "champion", Random(0)) == 0.0
    assert acts_after(0.0, 1.25) == 1.25


@pytest.mark.parametrize("level", sorted(BOTS))
def test_even_a_short_pause_is_longer_than_a_bot_usually_thinks(level: str) -> None:
    """The champion thinks for 0.5 s at most; the others need less than 2 ms at p99 (docs/bots.md)."""
    longest = 0.5 if level == "champion" else 0.032
    random = Random(1)
    assert min(drawn_pause(0.001, level, random) for _ in range(200)) > longest


class Dozing:
    """Thinks for a moment if it has a choice."""

    def choose(self, view: View, random: Random) -> Action:
        if len(view.legal) > 1:
            time.sleep(0.4)
        return view.legal[0]


class Lowest(Random):
    """Draws the shortest pause."""

    def uniform(self, a: float, b: float) -> float:
        return a


@pytest.mark.anyio
async def test_a_bot_thinks_during_its_pause(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """With a real server, store and threads: the delay is the longer of the two, and not the sum."""
    monkeypatch.setitem(BOTS, "dozing", Dozing)
    async with open_room(tmp_path / "t.sqlite3", dealing=settled, pause_random=Lowest()) as room:
        bots = ["dozing", "dozing"]
        (seat,) = await room.table(seats=3, bots=bots, bot_pause_ms=800, rules={"rounds": [1]})
        async with room.player(seat) as ada:
            await ada.start()
            await played(ada)
            assert ada.table is not None
            log = await room.services.store.log(ada.table.game or "")
        waited = [one.at - before.at for before, one in pairwise(log) if one.by_bot]
        assert len(waited) >= 3
        assert min(waited) > 0.6
        assert max(waited) < 1.0  # one after the other, the two would take 1.04 s at least
