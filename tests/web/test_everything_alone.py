"""What one person can do on a device besides playing: the coach, the review, records, replays, my games, settings."""

import json
import re
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from playwright.sync_api import expect

from web.conftest import BUILT
from web.devices import all_replayed, dump, new_table, put, same_cards, static_host
from web.playing import NO_API, Player, waited

Browse = Callable[..., Player]

LOADED = 60_000  # milliseconds, for the engine on a busy machine
REVIEWED = 180_000  # in plain Python, where no compiler was there for the engine
# What lies on the board of a replay, and whose hands are open.
BOARD = "() => [...document.querySelectorAll('.stage [data-face]')].map((one) => one.dataset.face).sort()"

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


def test_everything_one_person_can_do_on_a_device(
    address: str, ada: Player, tmp_path: Path
) -> None:
    page = ada.page
    same_cards(page, 1)
    options = {"seats": 3, "bots": ["counting"] * 2, "bot_pause_ms": 0, "coach": True}
    stored, seated = new_table({**options, "rules": {"rulebook": "es", "rounds": [2, 3]}})
    put(ada, address, stored)
    ada.sit(address, seated, "?start")
    page.locator(".stage").wait_for(timeout=LOADED)

    # The coach is asked for a bid and for a card. Ada then does what costs her most, so that there are mistakes.
    advised = set()
    for asked in ada.turns(lambda: False):
        if asked in ("bid", "play") and asked not in advised:
            advised.add(asked)
            page.get_by_role("button", name="Ask the coach").click()
            page.get_by_text("The coach would").wait_for(timeout=LOADED)
        if asked == "bid":
            page.locator(".prompt [data-action]:enabled").last.click()
        else:
            ada.act(asked)
    assert advised == {"bid", "play"}
    expect(page.get_by_text("Checked in this browser.")).to_be_visible()

    # The review, and one of its mistakes with the cards of that moment.
    page.get_by_role("button", name="Review the game").click()
    mistake = page.locator(".review .mistake").first
    mistake.wait_for(timeout=REVIEWED)
    expect(mistake).to_contain_text(re.compile(r"Better: .+ expected"))
    assert page.locator(".review tbody tr").count() == 3

    # The record is saved as it was stored, which is as CPython writes it.
    page.locator(".fair summary").click()
    with page.expect_download() as saved:
        page.get_by_role("button", name="Download the record").click()
    file = tmp_path / "game.jsonl"
    saved.value.save_as(file)
    (game,) = all_replayed(dump(page))
    assert file.read_text("utf-8").rstrip("\n") == game.row.record == game.record

    # The replay, at an address of this device.
    page.get_by_role("link", name="Replay").click()
    page.locator(".stage[data-step='0']").wait_for(timeout=LOADED)
    assert "~" in page.url
    page.keyboard.press("ArrowRight")
    page.locator(".stage[data-step='1']").wait_for()
    board = page.evaluate(BOARD)
    # A link to the position shows it again.
    expect(page).to_have_url(re.compile(r"/2/1\?seat=0$"))
    page.reload()
    page.locator(".stage[data-step='1']").wait_for(timeout=LOADED)
    assert waited(
        page,
        f"(board) => JSON.stringify(({BOARD})()) === board",
        json.dumps(board, separators=(",", ":")),
    )

    # The file of the record is dropped on the page: the same game.
    page.goto(f"{address}#/")
    page.evaluate(
        """(text) => {
            const data = new DataTransfer()
            data.items.add(new File([text], 'game.jsonl'))
            dispatchEvent(new DragEvent('drop', { dataTransfer: data, cancelable: true }))
        }""",
        file.read_text("utf-8"),
    )
    page.locator(".stage[data-step='0']").wait_for(timeout=LOADED)
    page.keyboard.press("ArrowRight")
    page.locator(".stage[data-step='1']").wait_for()
    assert page.evaluate(BOARD) == board

    # My games have the result, also when only the tables know it; its link leads to the game.
    page.goto(f"{address}#/")
    games = page.locator("section", has_text="My games").locator("li")
    expect(games).to_have_count(1)
    expect(games).to_contain_text("points")
    result = games.inner_text()
    page.evaluate("delete localStorage['foretell.results']")
    page.reload()
    expect(games).to_have_text(re.compile(re.escape(result.split("\n")[0])), timeout=LOADED)
    expect(games).to_contain_text("points", timeout=LOADED)
    games.get_by_role("link", name="Replay, review").click()
    page.locator(".podium").wait_for(timeout=LOADED)

    # The settings stay.
    page.goto(f"{address}#/settings")
    page.locator(".settings select").first.select_option("de")
    expect(page.locator("html")).to_have_attribute("lang", "de")
    page.reload()
    expect(page.locator("html")).to_have_attribute("lang", "de")
    expect(page.locator(".settings select").first).to_have_value("de")
