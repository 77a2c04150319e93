"""Tables on a device whose browser stores nothing, or has no room, or where another tab has them."""

from collections.abc import Callable, Iterator
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from proofs import TIMES
from web.conftest import BUILT
from web.devices import before_the_tables, dump, new_table, put, static_host
from web.playing import NO_API, Player, waited

Browse = Callable[..., Player]

LOADED = 60_000  # milliseconds, for the engine on a busy machine
FULL = "There is no room left to store games"
BLOCKED = "This browser does not let the page store games"
NEWER = "A newer version of this page has stored games here"
ELSEWHERE = "The tables of this device are open in another tab."
UNREADABLE = "Some games stored on this device cannot be read."
DECISION = "() => document.querySelector('.stage[data-asked]')?.dataset.decision ?? ''"

# As Chromium does where the disk is full: the transaction ends with this error when it is about to be complete.
NO_ROOM = """const commit = IDBTransaction.prototype.commit
IDBTransaction.prototype.commit = function () {
    if (!self.isFull) return commit.call(this)
    Object.defineProperty(this, 'error', { value: new DOMException('full', 'QuotaExceededError') })
    this.abort()
}"""
# How browsers refuse to store anything: at once, a moment later, or by no answer.
REFUSALS = {
    "at once": "indexedDB.open = () => { throw new DOMException('', 'SecurityError') }",
    "later": """indexedDB.open = () => {
        const asked = { error: new DOMException('', 'InvalidStateError') }
        setTimeout(() => asked.onerror())
        return asked
    }""",
    "never": "indexedDB.open = () => ({})",
}
NO_LOCAL_STORAGE = """Object.defineProperty(window, 'localStorage', {
    get() { throw new DOMException('', 'SecurityError') }
})"""
NEWER_STORAGE = """() => new Promise((done) => {
    const asked = indexedDB.open('foretell', 99)
    asked.onsuccess = () => (asked.result.close(), done())
})"""
OTHER_OWNER = """() => new Promise((done) => {
    const asked = indexedDB.open('foretell')
    asked.onsuccess = () => {
        const writing = asked.result.transaction('owner', 'readwrite')
        writing.objectStore('owner').put('another tab', 'owner')
        writing.oncomplete = () => (asked.result.close(), done())
    }
})"""

pytestmark = pytest.mark.skipif(
    not (BUILT.parent / "engine/engine.json").exists(), reason="the engine is not built"
)


@pytest.fixture
def address() -> Iterator[str]:
    with static_host() as (found, _):
        yield found


@pytest.fixture
def ada(browse: Browse) -> Player:
    player = browse()
    player.may_report = NO_API
    return player


def table() -> tuple[dict[str, dict[str, str]], dict[str, Any]]:
    return new_table({"seats": 3, "bots": ["counting"] * 2, "bot_pause_ms": 0})


def ready(page: Page) -> None:
    page.locator(".stage[data-asked]").wait_for(timeout=LOADED)


def started(ada: Player, address: str) -> None:
    """At a table with bots, in a running game."""
    stored, seated = table()
    put(ada, address, stored)
    ada.sit(address, seated, "?start")
    ready(ada.page)


def act(player: Player, times: int) -> str:
    """Answers so many times; returns what is asked then, so that the last answer has been given."""
    for asked in player.turns(lambda: False):
        if asked != "round" and times == 0:
            break
        player.act(asked)
        times -= asked != "round"
    decision: str = player.page.evaluate(DECISION)
    return decision


def logged(page: Page) -> list[int]:
    """The numbers of the actions that are stored."""
    return [int(key.partition("/")[2]) for key in sorted(dump(page)["actions"])]


def tables_worker(page: Page) -> Any:
    (found,) = (one for one in page.workers if "table-worker" in one.url)
    return found


def test_with_a_full_disk_the_game_goes_on_and_is_stored_when_there_is_room(
    ada: Player, address: str
) -> None:
    page = ada.page
    before_the_tables(page, NO_ROOM)
    started(ada, address)
    act(ada, 2)
    before = logged(page)
    tables_worker(page).evaluate("() => { self.isFull = true }")
    act(ada, 2)
    expect(page.get_by_text(FULL)).to_be_visible()
    act(ada, 2)
    assert logged(page) == before
    tables_worker(page).evaluate("() => { self.isFull = false }")
    act(ada, 2)
    expect(page.get_by_text(FULL)).to_have_count(0)
    # nothing that was played meanwhile is missing
    after = logged(page)
    assert len(after) > len(before) + 6
    assert after == list(range(len(after)))
    shown = waited(page, DECISION)
    page.reload()
    ready(page)
    assert page.evaluate(DECISION) == shown


@pytest.mark.prove
@pytest.mark.parametrize("how", list(REFUSALS) if TIMES > 1 else ["at once"])
def test_where_the_browser_stores_nothing_a_sentence_says_so_and_the_game_goes_on(
    ada: Player, address: str, how: str
) -> None:
    page = ada.page
    before_the_tables(page, REFUSALS[how])
    page.add_init_script(NO_LOCAL_STORAGE)
    page.goto(address)
    page.get_by_role("button", name="Play now").click()
    ready(page)
    expect(page.get_by_text(BLOCKED)).to_be_visible()
    act(ada, 3)
    expect(page.get_by_text(BLOCKED)).to_be_visible()


def test_where_a_newer_page_has_changed_the_storage_a_sentence_says_so(
    ada: Player, address: str
) -> None:
    page = ada.page
    page.goto(f"{address}icon.svg")
    page.evaluate(NEWER_STORAGE)
    page.goto(address)
    page.get_by_role("button", name="Play now").click()
    ready(page)
    expect(page.get_by_text(NEWER)).to_be_visible()
    act(ada, 1)


def test_a_second_tab_says_so_and_takes_the_tables_over(ada: Player, address: str) -> None:
    started(ada, address)
    first = ada.page
    act(ada, 1)
    second = first.context.new_page()
    second.goto(first.url.replace("?start", ""))
    expect(second.get_by_text(ELSEWHERE)).to_be_visible(timeout=LOADED)
    shown = act(ada, 1)  # meanwhile the first tab has the tables
    second.get_by_role("button", name="Play here").click()
    expect(first.get_by_text(ELSEWHERE)).to_be_visible(timeout=LOADED)
    ready(second)
    assert second.evaluate(DECISION) == shown
    ada.page = second
    shown = act(ada, 2)
    first.get_by_role("button", name="Play here").click()
    expect(second.get_by_text(ELSEWHERE)).to_be_visible(timeout=LOADED)
    first.bring_to_front()
    ada.page = first
    waited(first, f"(shown) => ({DECISION})() === shown", shown)  # until then it shows what it had
    act(ada, 1)


def test_a_tab_that_has_lost_the_storage_writes_nothing(ada: Player, address: str) -> None:
    """Without locks, as over plain http, or in a tab that was frozen meanwhile: the storage itself refuses it."""
    started(ada, address)
    page = ada.page
    act(ada, 1)
    before = dump(page)["actions"]
    page.evaluate(OTHER_OWNER)
    asked = ada.asked()
    assert asked is not None
    ada.act(asked[0])
    expect(page.get_by_text(ELSEWHERE)).to_be_visible()
    assert dump(page)["actions"] == before
    page.get_by_role("button", name="Play here").click()
    expect(page.get_by_text(ELSEWHERE)).to_have_count(0)
    act(ada, 2)


def test_a_damaged_game_does_not_keep_the_others_from_being_played(
    ada: Player, address: str
) -> None:
    stored, seated = table()
    damaged, _ = table()
    stored["tables"] |= dict.fromkeys(damaged["tables"], "{")
    stored["games"] = {"~x": "[]", "~y": "\0"}
    stored["actions"] = {"nothing": "1", "~x/000000": '{"number": 0}'}
    put(ada, address, stored)
    ada.sit(address, seated, "?start")
    ready(ada.page)
    act(ada, 1)
    expect(ada.page.get_by_text(UNREADABLE)).to_be_visible()
    assert dump(ada.page)["games"]["~y"] == "\0"  # it is left for whoever can read it
