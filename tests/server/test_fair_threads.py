"""Bots of all tables share a few threads: tables take turns, people come first, and nothing waits for ever."""

import asyncio
import contextlib
import dataclasses
import gc
import threading
import time
import weakref
from collections.abc import AsyncIterator, Iterator
from pathlib import Path
from random import Random
from typing import Any

import pytest

from foretell.bots import BOTS
from foretell.client import Player, Remote
from foretell.engine import Action, View, view
from foretell.server.bot_threads import BotTask, BotThreads
from foretell.server.coach.advice import OddsCoach
from foretell.server.fair_queue import FairQueue, Job
from foretell.server.fair_threads import TooMuchWork
from foretell.server.game.live_game import begun, fair_dealing
from foretell.server.thinking import NotNeeded, Thinkers, Thinking
from foretell.server.wire import protocol as p
from server.rooms import OPEN, Room, eventually, made, open_room, settled
from server.stores import a_game

pytestmark = pytest.mark.anyio


def _queue(*jobs: tuple[str, int]) -> FairQueue:
    queue = FairQueue(4)
    for since, (table, urgency) in enumerate(jobs):
        assert queue.put(Job(table, urgency, lambda: None, since))
    return queue


def _tables(queue: FairQueue) -> Iterator[str]:
    while (job := queue.take()) is not None:
        yield job.table


def test_in_a_queue_tables_take_turns() -> None:
    assert "".join(_tables(_queue(*[("a", 0)] * 3, *[("b", 0)] * 2, ("c", 0)))) == "abcaba"


def test_the_tables_of_one_payer_share_its_turns() -> None:
    queue = FairQueue(1)
    for since, (table, payer) in enumerate(zip("abcadde", "XXXXYYZ", strict=True)):
        assert queue.put(Job(table, 0, lambda: None, since, payer=payer))
    assert "".join(_tables(queue)) == "adebdca"


def test_a_table_becomes_urgent_whoever_pays() -> None:
    queue = _queue(("c", 0))
    jobs = [Job("a", 2, lambda: None, n, payer=payer) for n, payer in enumerate("XYX")]
    for job in (*jobs, Job("b", 2, lambda: None, 9, payer="X")):
        queue.put(job)
    queue.hurry("a", 0)
    assert queue.remove(jobs[0])
    assert "".join(_tables(queue)) == "caab"


def test_urgent_work_comes_first_and_the_rest_gets_its_share() -> None:
    jobs = [("review", 3), *[("absent", 2)] * 10, *[(f"table {n}", 0) for n in range(16)]]
    found = list(_tables(_queue(*jobs)))
    assert [one.split()[0] for one in found[:7]] == ["table"] * 7
    assert found[7] == "review"  # it has waited longest
    assert found[15] == "absent"
    assert sum(one.startswith("table") for one in found[:18]) == 16
    assert len(found) == 27


def test_one_table_cannot_fill_the_queue() -> None:
    queue = _queue(*[("a", 1)] * 16)
    assert not queue.put(Job("a", 1, lambda: None, 0))
    assert queue.put(Job("b", 1, lambda: None, 0))


def test_removed_jobs_leave_nothing_behind() -> None:
    queue = _queue(("a", 0))
    job = Job("b", 2, lambda: None, 0)
    queue.put(job)
    queue.hurry("b", 0)
    assert queue.remove(job)
    assert not queue.remove(job)
    assert list(_tables(queue)) == ["a"]
    assert len(queue) == 0


@contextlib.asynccontextmanager
async def one_thread(tmp_path: Path, **services: Any) -> AsyncIterator[Room]:
    threads = BotThreads(1)
    async with open_room(
        tmp_path / "t.sqlite3", bot_threads=threads, dealing=settled, **services
    ) as room:
        yield room


@contextlib.asynccontextmanager
async def busy(threads: Thinkers) -> AsyncIterator[None]:
    """Inside this context the only thread does nothing else, so that all work waits."""
    assert isinstance(threads, BotThreads)
    gate, has_begun = threading.Event(), threading.Event()

    def wait() -> None:
        has_begun.set()
        gate.wait(20)

    threads.submit("gate", Thinking.FOR_PEOPLE, wait)
    await eventually(has_begun.is_set)
    try:
        yield
    finally:
        gate.set()


class Noting:
    """Notes who thinks, by the name of the player in the first seat."""

    order: list[str]

    def choose(self, view: View, random: Random) -> Action:
        self.order.append(view.names[0])
        return view.legal[0]


@pytest.fixture
def order(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    noted: list[str] = []
    monkeypatch.setattr(Noting, "order", noted, raising=False)
    monkeypatch.setitem(BOTS, "noting", Noting)
    return noted


async def _host(room: Room, name: str, bots: int, remote: Remote | None = None) -> Player:
    """A player at a table with these bots.  All seats bid at the same time."""
    remote = remote or room.remote
    rules = {"bids": "hidden", "rounds": [1]}
    options = made(seats=bots + 1, bots=["noting"] * bots, rules=rules)
    seat = await remote.make(p.NewTable(name=name, options=options))
    return Player(remote, seat.table, seat.token, make_word=None)


async def test_tables_take_turns(tmp_path: Path, order: list[str]) -> None:
    async with one_thread(tmp_path) as room:
        threads = room.services.bot_threads
        async with await _host(room, "Large", 5) as large, await _host(room, "Small", 2) as small:
            async with busy(threads):
                await large.start()
                await eventually(lambda: threads.waiting == 5)
                await small.start()
                await eventually(lambda: threads.waiting == 7)
            await eventually(lambda: len(order) >= 7)
            assert order[:7] == ["Large", "Small", "Large", "Small", "Large", "Large", "Large"]


async def test_many_tables_of_one_address_do_not_hold_up_the_table_of_another(
    tmp_path: Path, order: list[str]
) -> None:
    async with one_thread(tmp_path) as room, contextlib.AsyncExitStack() as open_tables:
        threads = room.services.bot_threads
        async with busy(threads):
            for number in range(8):
                flood = await open_tables.enter_async_context(
                    await _host(room, f"Flood {number}", 2)
                )
                await flood.start()
            await eventually(lambda: threads.waiting == 16)
            honest = await _host(room, "Honest", 2, room.elsewhere())
            await open_tables.enter_async_context(honest)
            await honest.start()
            await eventually(lambda: threads.waiting == 18)
        await eventually(lambda: len(order) >= 18)
        assert [number for number, name in enumerate(order) if name == "Honest"] == [1, 3]


async def test_bots_of_an_address_that_has_used_up_its_time_come_after_all_others(
    tmp_path: Path, order: list[str]
) -> None:
    """They still play: on a quiet server nobody notices."""
    limits = dataclasses.replace(OPEN, bot_thinking=1e-6)  # the address has a million times as much
    async with one_thread(tmp_path, limits=limits) as room:
        threads, door = room.services.bot_threads, room.app.door
        async with await _host(room, "Much", 2) as much:
            await much.start()
            await eventually(lambda: len(order) == 2)
            assert not door.is_bot_time_used_up("127.0.0.1")
            burst = door.budgets.bot_thinking.burst
            room.services.on_bot_thought("127.0.0.1", burst + 100)
            assert door.is_bot_time_used_up("127.0.0.1")
        async with (
            await _host(room, "Much", 2) as much,
            await _host(room, "Little", 2, room.elsewhere()) as little,
        ):
            async with busy(threads):
                await much.start()
                await eventually(lambda: threads.waiting == 2)
                await little.start()
                await eventually(lambda: threads.waiting == 4)
            await eventually(lambda: len(order) >= 6)
            assert order[2:6] == ["Little", "Little", "Much", "Much"]


@pytest.mark.usefixtures("order")
async def test_what_bots_think_is_charged_to_the_host_of_their_table(tmp_path: Path) -> None:
    charged: list[tuple[str | None, float]] = []
    async with one_thread(tmp_path) as room:
        room.services.on_bot_thought = lambda *one: charged.append(one)
        async with await _host(room, "Ada", 2, room.elsewhere(7)) as ada:
            await ada.start()
            await eventually(lambda: len(charged) >= 2)
    assert {address for address, _ in charged} == {"198.51.100.7"}
    assert all(seconds > 0 for _, seconds in charged)


async def test_tables_whose_people_are_away_come_last(tmp_path: Path, order: list[str]) -> None:
    async with one_thread(tmp_path) as room:
        threads = room.services.bot_threads
        async with await _host(room, "Away", 5) as away, await _host(room, "Here", 2) as here:
            async with busy(threads):
                await away.ask(p.Away())
                await away.start()
                await eventually(lambda: threads.waiting == 6)
                await here.start()
                await eventually(lambda: threads.waiting == 8)
            await eventually(lambda: len(order) >= 3)
            assert order[:2] == ["Here", "Here"]


async def test_a_table_becomes_urgent_when_a_player_is_back(
    tmp_path: Path, order: list[str]
) -> None:
    async with one_thread(tmp_path) as room:
        threads = room.services.bot_threads
        async with await _host(room, "Away", 2) as away, await _host(room, "Back", 2) as back:
            async with busy(threads):
                for waiting, one in ((3, away), (5, back)):
                    await one.ask(p.Away())
                    await one.start()
                    await eventually(lambda waiting=waiting: threads.waiting >= waiting)  # type: ignore[misc]
                await back.ask(p.Back())
            await eventually(lambda: len(order) >= 3)
            assert order[:2] == ["Back", "Back"]


async def test_what_nobody_needs_any_more_is_not_thought_about(
    tmp_path: Path, order: list[str]
) -> None:
    """Everyone leaves while the bots wait for a thread, and the decision is made while the coach waits."""
    advised: list[View] = []

    class Coach(OddsCoach):
        def advise(self, view: View) -> tuple[p.Advice, ...]:
            advised.append(view)
            return super().advise(view)

    async with one_thread(tmp_path, coach=Coach()) as room:
        threads = room.services.bot_threads
        async with await _host(room, "Gone", 5) as gone:
            async with busy(threads):
                await gone.start()
                seen = await gone.turn()
                assert seen is not None
                asked = asyncio.ensure_future(gone.ask(p.AskCoach(decision=seen.decision or "")))
                await eventually(lambda: threads.waiting == 6)
                await gone.act(seen.legal[0])
                await gone.ask(p.Leave())
                await eventually(lambda: threads.waiting == 1)
            told = await asked
            assert isinstance(told, p.Coach)
            assert not told.is_available
        assert not advised
        assert not order


async def test_reviews_and_advice_do_not_hold_up_bots(tmp_path: Path) -> None:
    threads = BotThreads(1)
    done: list[str] = []
    async with busy(threads):
        waiting = [
            asyncio.ensure_future(
                threads.run(f"{kind.name} {n}", kind, lambda kind=kind: done.append(kind.name))  # type: ignore[misc]
            )
            for kind in (Thinking.REVIEW, Thinking.ADVICE)
            for n in range(5)
        ]
        await asyncio.sleep(0)
        bots = [
            asyncio.ensure_future(
                threads.run(f"table {n}", Thinking.FOR_PEOPLE, lambda: done.append("bot"))
            )
            for n in range(5)
        ]
        await asyncio.sleep(0)
    await asyncio.gather(*waiting, *bots)
    assert done[:5] == ["bot"] * 5
    assert done[5] == "ADVICE"
    threads.close()


async def test_with_several_threads_one_stays_free_for_people() -> None:
    threads = BotThreads(2)
    gate = threading.Event()
    slow = [
        asyncio.ensure_future(threads.run(f"review {n}", Thinking.REVIEW, lambda: gate.wait(20)))
        for n in range(4)
    ]
    await asyncio.sleep(0.02)
    assert threads.waiting == 3
    assert await asyncio.wait_for(threads.run("t", Thinking.FOR_PEOPLE, lambda: 1), 5) == 1
    gate.set()
    await asyncio.gather(*slow)  # none of them is forgotten
    threads.close()


async def test_nothing_piles_up_while_the_threads_are_always_busy() -> None:
    threads, done = BotThreads(1), [0]

    def again(table: str) -> None:
        done[0] += 1
        if done[0] < 500:
            threads.submit(table, Thinking.FOR_ABSENT, lambda: again(table))

    async with busy(threads):
        for table in "abc":
            threads.submit(table, Thinking.FOR_ABSENT, lambda table=table: again(table))  # type: ignore[misc]
    most = 0
    while done[0] < 500:
        most = max(most, threads._pool._work_queue.qsize())
        await asyncio.sleep(0)
    assert most <= 4
    threads.close()


async def test_bots_leave_nothing_for_the_garbage_collector() -> None:
    """A server collects garbage very rarely, and bots think thousands of times a second."""
    threads = BotThreads(1)
    live = begun("g", a_game().setup, fair_dealing).live
    seat = live.awaited[0]
    chosen: list[Action | None] = []

    def think() -> BotTask:
        seen = view(live.game, seat)
        return threads.think("counting", seen, Random(0), chosen.append, table="t")

    gc.collect()
    gc.disable()
    try:
        done = weakref.ref(think())
        await eventually(lambda: len(chosen) == 1)
        async with busy(threads):
            task = think()
            task.stop()
            stopped = weakref.ref(task)
            del task
        await eventually(lambda: done() is None and stopped() is None, 5)
    finally:
        gc.enable()
    threads.close()


async def test_work_that_fails_or_is_not_needed_says_so_and_the_thread_goes_on() -> None:
    threads = BotThreads(1)

    def fail() -> None:
        raise SystemExit

    def explode() -> None:
        raise ValueError

    with pytest.raises(RuntimeError, match="SystemExit"):
        await threads.run("t", Thinking.REVIEW, fail)
    with pytest.raises(NotNeeded):
        await threads.run("t", Thinking.REVIEW, lambda: 1, is_needed=lambda: False)
    threads.submit("t", Thinking.REVIEW, explode)
    assert await threads.run("t", Thinking.REVIEW, lambda: 1) == 1
    async with busy(threads):
        jobs = [threads.submit("t", Thinking.ADVICE, lambda: None) for _ in range(16)]
        with pytest.raises(TooMuchWork):
            await threads.run("t", Thinking.ADVICE, lambda: 1)
        assert all(threads.cancel(one) for one in jobs)
        cancelled = asyncio.ensure_future(threads.run("t", Thinking.ADVICE, lambda: 1))
        await asyncio.sleep(0)
        assert threads.waiting == 1
        cancelled.cancel()
        await asyncio.gather(cancelled, return_exceptions=True)
        assert threads.waiting == 0
    threads.close()


async def test_the_metrics_say_how_long_bots_wait(tmp_path: Path, order: list[str]) -> None:
    async with one_thread(tmp_path) as room:
        async with await _host(room, "Ada", 2) as ada:
            async with busy(room.services.bot_threads):
                await ada.start()
                await eventually(lambda: room.services.bot_threads.waiting == 2)
                time.sleep(0.03)
            await eventually(lambda: len(order) >= 2)
        value = room.services.metrics.registry.get_sample_value
        labels = {"what": "for_people"}
        assert (value("foretell_thread_wait_seconds_count", labels) or 0) >= 2
        assert (value("foretell_thread_wait_seconds_sum", labels) or 0) >= 0.06
