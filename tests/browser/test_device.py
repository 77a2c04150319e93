"""A device's tables on CPython: the same door and the same store as in a browser, without the browser."""

import asyncio
import json

import pytest

from browser.alone import Alone, PlainHost, started
from foretell.record import loads
from foretell.server.thinking import Thinking

pytestmark = pytest.mark.anyio


async def test_a_whole_game_its_record_replay_and_summary() -> None:
    alone, _, token = await started(PlainHost(), {"rules": {"rulebook": "es", "rounds": [1, 2]}})
    game = await alone.play()
    assert game is not None
    assert game.startswith("~")
    is_right, record = await alone.device.ask("GET", f"/api/games/{game}/record", "")
    assert is_right
    assert loads(record).game.is_over
    assert (await alone.ask("GET", f"/api/games/{game}"))["is_finished"]
    assert (await alone.ask("GET", f"/api/games/{game}/replay/2?seat=0"))["frames"]
    posted = await alone.device.ask("POST", "/api/replay?number=1&seat=1", record)
    assert posted[0]
    mine = await alone.ask("POST", "/api/mine", {"tokens": [token]})
    assert [(one["phase"], one["game"]) for one in mine["games"]] == [("over", game)]


async def test_a_review_is_made_beside_the_tables() -> None:
    alone, _, _ = await started(PlainHost(), {"rules": {"rulebook": "es", "rounds": [1]}})
    game = await alone.play()
    for _ in range(500):
        found = await alone.ask("POST", f"/api/games/{game}/review", {})
        if found["review"]:
            break
        await asyncio.sleep(0.01)
    assert [one["seat"] for one in found["review"]["seats"]] == [0, 1, 2, 3]


async def test_the_coach_answers() -> None:
    alone, _, _ = await started(PlainHost())
    while not (view := (await alone.until("snapshot"))["view"])["legal"]:
        pass
    await alone.send("ask_coach", decision=view["decision"])
    assert (await alone.until("coach"))["is_available"]


@pytest.mark.parametrize("actions", [0, 1, 7, 25])
async def test_a_game_goes_on_from_what_was_stored(actions: int) -> None:
    """Nobody was shown more than was stored: a second device with the same storage shows the same."""
    host = PlainHost()
    alone, table, token = await started(host)
    await alone.play(actions)
    await asyncio.sleep(
        0
    )  # the snapshot that ended `play` is the last one: the person is asked, so nobody else acts
    again = await Alone.at(PlainHost(dict(host.stored)))
    await again.hello(table, token)
    shown = (await again.until("welcome"))["snapshot"]
    assert shown["number"] == len(host.stored["actions"])
    assert shown["view"]["legal"]
    await again.send("act", decision=shown["view"]["decision"], action=shown["view"]["legal"][0])
    assert (await again.until("snapshot"))["number"] == shown["number"] + 1


async def test_nothing_is_told_before_it_is_stored() -> None:
    host = PlainHost()
    alone, _, _ = await started(host)
    while not (shown := await alone.until("snapshot"))["view"]["legal"]:
        pass
    may_store = asyncio.Event()
    store = host.put

    async def slow(writes: str) -> None:
        await may_store.wait()
        await store(writes)

    host.put = slow  # type: ignore[method-assign]
    view = shown["view"]
    await alone.send("act", decision=view["decision"], action=view["legal"][0])
    await asyncio.sleep(0.05)
    told = [host.messages.get_nowait() for _ in range(host.messages.qsize())]
    # What came before may still be on its way, such as the answer to "start"; nothing is about this action.
    assert all(one["type"] != "snapshot" and one.get("id") != alone.last_id for one in told), told
    may_store.set()
    assert (await alone.until("snapshot"))["number"] == shown["number"] + 1


async def test_what_cannot_be_read_or_found_is_refused() -> None:
    device = (await Alone.at(PlainHost())).device
    for method, address, body, code in (
        ("GET", "/api/nothing", "", "not_found"),
        ("POST", "/api/tables", "{", "unreadable_message"),
        ("POST", "/api/tables", '{"name": 5}', "unreadable_message"),
        ("GET", "/api/games/~unknown", "", "no_such_game"),
        ("GET", "/api/tables/~ABCDEFGHJK", "", "no_table"),
    ):
        is_right, answer = await device.ask(method, address, body)
        assert not is_right
        assert json.loads(answer)["error"]["code"] == code


async def test_work_that_nobody_needs_any_more_ends_the_worker(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("foretell.browser.worker_thinkers._GRACE", 0.02)
    host = PlainHost()
    alone = await Alone.at(host)
    thinkers = alone.device._thinkers
    host.is_stuck = True
    stuck = asyncio.ensure_future(thinkers.run("table", Thinking.ADVICE, dict))
    waiting = asyncio.ensure_future(thinkers.run("table", Thinking.REVIEW, list))
    await asyncio.sleep(0)
    stuck.cancel()
    assert await asyncio.wait_for(waiting, 5) == []
    assert host.restarts == 1
