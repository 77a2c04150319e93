"""Bots, coach and review from a static host: after one visit without a network, and where a part is missing."""

import json
import re
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from playwright.sync_api import expect

from web.conftest import BUILT
from web.hosting import Host, kept, parts, site
from web.playing import NO_API, Player

Browse = Callable[..., Player]

LOADED = 60_000  # milliseconds, for the engine on a busy machine
# A static host has no /api, a host that has been stopped has nothing, and Chromium says so; a bot without its worker fails.
MAY_REPORT = f"{NO_API}|ERR_CONNECTION_REFUSED|ERR_FAILED|bot failed"

pytestmark = pytest.mark.skipif(
    not (BUILT.parent / "engine/engine.json").exists(), reason="the engine is not built"
)


@pytest.fixture
def host(tmp_path: Path) -> Iterator[Host]:
    site(tmp_path / "site")
    found = Host(tmp_path / "site")
    found.start()
    yield found
    found.stop()


@pytest.fixture
def ada(browse: Browse) -> Player:
    player = browse(service_workers="allow", locale="en")
    player.may_report = MAY_REPORT
    return player


def visit(ada: Player, host: Host) -> None:
    ada.page.goto(host.address)
    expect(ada.page.get_by_role("heading", level=1)).to_be_visible()


def play_now(ada: Player, level: str, rounds: int = 8) -> None:
    """Presses "Play now", with bots of this level, and waits for the table."""
    game = json.dumps(json.dumps({"seats": 3, "level": level, "length": rounds}))
    ada.page.evaluate(f"localStorage['foretell.game'] = {game}")
    ada.page.reload()
    ada.page.get_by_role("button", name="Play now").click()
    ada.page.locator(".stage").wait_for(timeout=LOADED)


def take(host: Host, pattern: str) -> Callable[[], None]:
    """Removes the file with this name from the host; what is returned puts it back."""
    (file,) = host.folder.rglob(pattern)
    away = host.folder.parent / file.name
    file.rename(away)

    def put_back() -> None:
        away.rename(file)

    return put_back


def rounds_played(ada: Player, most: int) -> None:
    over = 0
    for asked in ada.turns(lambda: False):
        ada.act(asked)
        over += asked == "round"
        if over == most:
            return


def test_after_one_visit_strong_bots_the_coach_and_the_review_work_without_a_network(
    ada: Player, host: Host
) -> None:
    visit(ada, host)
    kept(ada.page, host, "page", "engine", "nets")
    ended = ada.page
    ada.page = ended.context.new_page()
    ended.close()
    host.stop()
    visit(ada, host)
    play_now(ada, "champion", 4)
    page, coached = ada.page, 0
    for asked in ada.turns(lambda: False):
        if asked in ("bid", "play") and coached < 2:
            page.get_by_role("button", name="Ask the coach").click()
            expect(page.get_by_text(re.compile("The coach would"))).to_be_visible(timeout=LOADED)
            coached += 1
        ada.act(asked)
    assert coached == 2
    expect(page.get_by_text(re.compile("is not on this device yet"))).to_have_count(0)
    expect(page.get_by_text("Checked in this browser.")).to_be_visible()
    page.get_by_role("button", name="Review the game").click()
    page.locator(".review .worst, .review .flawless").first.wait_for(timeout=LOADED)


def test_where_a_net_cannot_be_had_the_strongest_bot_that_can_plays_and_the_page_says_so(
    ada: Player, host: Host
) -> None:
    put_back = take(host, "belief.*.bin")
    visit(ada, host)
    play_now(ada, "champion")
    page = ada.page
    told = page.get_by_text("bots of the level Champion play as Master")
    for asked in ada.turns(lambda: told.count() > 0):
        ada.act(asked)
    expect(told).to_be_visible()
    for asked in ada.turns(lambda: False):
        if asked in ("bid", "play"):
            break
        ada.act(asked)
    page.get_by_role("button", name="Ask the coach").click()
    expect(page.get_by_text("The coach needs a part of the game")).to_be_visible(timeout=LOADED)

    put_back()
    page.wait_for_timeout(2000)  # it has just been tried
    page.get_by_role("button", name="Ask the coach").click()
    expect(page.get_by_text(re.compile("The coach would"))).to_be_visible(timeout=LOADED)
    for asked in ada.turns(lambda: told.count() == 0):
        ada.act(asked)
    expect(told).to_have_count(0)


def test_over_a_slow_line_weaker_bots_play_until_a_net_is_here_which_is_loaded_once(
    ada: Player, host: Host
) -> None:
    host.slow = "belief."
    visit(ada, host)
    play_now(ada, "champion")
    page = ada.page
    told = page.get_by_text("bots of the level Champion play as Master")
    loading = page.locator(".bar progress")
    for asked in ada.turns(lambda: told.count() > 0):
        ada.act(asked)
    expect(told).to_be_visible()
    expect(loading).to_be_visible()
    rounds_played(ada, 1)  # now nobody waits for it

    host.slow = None
    expect(loading).to_have_count(0, timeout=LOADED)
    for asked in ada.turns(lambda: told.count() == 0):
        ada.act(asked)
    expect(told).to_have_count(0)
    assert sum("belief." in path for path in host.asked) == 1


def test_without_the_second_worker_bots_play_by_simple_rules_until_it_is_there(
    ada: Player, host: Host
) -> None:
    put_back = take(host, "thinking-worker-*.js")
    visit(ada, host)
    play_now(ada, "skilled")
    told = ada.page.get_by_text("bots of the level Skilled play by simple rules")
    rounds_played(ada, 1)
    expect(told).to_be_visible()
    put_back()
    for asked in ada.turns(lambda: told.count() == 0):
        ada.act(asked)
    expect(told).to_have_count(0)


def test_who_saves_data_is_asked_before_the_larger_nets_are_loaded(ada: Player, host: Host) -> None:
    ada.page.add_init_script(
        "Object.defineProperty(navigator, 'connection', { value: { saveData: true } })"
    )
    visit(ada, host)
    page = ada.page
    game = json.dumps(json.dumps({"seats": 3, "level": "champion", "length": 4}))
    page.evaluate(f"localStorage['foretell.game'] = {game}")
    page.reload()
    page.get_by_role("button", name="Load it").click()
    page.get_by_role("button", name="Play now").click()
    page.locator(".stage").wait_for(timeout=LOADED)
    told = page.get_by_text(re.compile(r"need another \d+ MB, loaded once"))
    for asked in ada.turns(lambda: told.count() > 0):
        ada.act(asked)
    expect(told).to_be_visible()
    large = [path for path, part in parts(host.folder).items() if part == "nets"]
    assert not set(large) & set(host.asked)
    page.get_by_role("button", name="Load it").click()
    expect(told).to_have_count(0)

    def is_loaded() -> bool:
        # the sentence is not there either until the next choice asks for a net
        is_asked = any("belief" in path for path in host.asked)
        return is_asked and page.get_by_text("is not on this device yet").count() == 0

    for asked in ada.turns(is_loaded):
        ada.act(asked)
    assert any("belief" in path for path in host.asked)
