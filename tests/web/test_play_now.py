""" "Play now" starts the game that the player had last: as many players, bots of that level, as many rounds."""

import json
import re
from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Locator, expect

from web.playing import Player
from web.serving import Served

Serve = Callable[..., Served]
Browse = Callable[..., Player]

DEFAULT = "Wizard · 3 players · 8 rounds · Skilled bots"
NO_STORAGE = """Object.defineProperty(window, 'localStorage', { value: {
    getItem() { throw new Error('no storage') }, setItem() { throw new Error('no storage') },
} })"""


def play_now(player: Player) -> Locator:
    return player.page.get_by_role("button", name="Play now")


def started(player: Player) -> dict[str, Any]:
    """Plays now, and returns the table that the server made."""
    with player.page.expect_response(re.compile("/api/tables$")) as answer:
        play_now(player).click()
    player.page.locator(".stage").wait_for()
    options: dict[str, Any] = json.loads(answer.value.request.post_data or "")["options"]
    return options


def test_the_button_says_what_it_starts_and_keeps_what_is_changed(
    serve: Serve, browse: Browse
) -> None:
    served, ada = serve(), browse()
    page = ada.page
    page.goto(served.address)
    expect(play_now(ada)).to_contain_text(DEFAULT)
    change = page.get_by_role("button", name="Change players, level or length")
    expect(change).to_have_attribute("aria-expanded", "false")
    change.click()
    page.get_by_role("radiogroup", name="Players").get_by_text("4", exact=True).click()
    page.get_by_label("Level").select_option(label="Casual")
    page.get_by_role("radiogroup", name="Rounds").get_by_text("all 15").click()
    ada.look("play-now-changed")
    expect(play_now(ada)).to_contain_text("Wizard · 4 players · 15 rounds · Casual bots")
    page.reload()
    expect(play_now(ada)).to_contain_text("Wizard · 4 players · 15 rounds · Casual bots")
    options = started(ada)
    assert (options["seats"], options["bots"]) == (4, ["casual"] * 3)
    assert options["rules"]["rounds"] is None
    expect(page.locator(".place")).to_have_count(4)


def test_a_table_that_was_set_up_is_the_last_game_too_but_without_its_variants(
    serve: Serve, browse: Browse
) -> None:
    served, ada = serve(), browse()
    page = ada.page
    page.goto(f"{served.address}#/new")
    page.get_by_text("All books and variants").click()
    page.get_by_text("Spanish book").click()
    page.get_by_role("radiogroup", name="Players").get_by_text("5").click()
    page.get_by_label("Bots").select_option("4")
    page.get_by_label("Level").select_option(label="Beginner")
    page.get_by_label(re.compile("^plus/minus one")).check()
    page.get_by_role("radiogroup", name="Rounds").get_by_text("4", exact=True).click()
    page.get_by_role("button", name="Set up the table").click()
    page.get_by_role("button", name="Start the game").click()
    page.locator(".stage").wait_for()
    page.goto(served.address)
    expect(play_now(ada)).to_contain_text("Wizard · 5 players · 4 rounds · Beginner bots")
    rules = started(ada)["rules"]
    assert (rules["rulebook"], rules["plus_minus_one"]) == ("pt-PT", False)


def test_the_guided_game_is_not_remembered(serve: Serve, browse: Browse) -> None:
    served, ada = serve(), browse()
    ada.page.goto(served.address)
    ada.page.get_by_role("button", name="guided first game").click()
    ada.page.locator(".stage").wait_for()
    ada.page.goto(served.address)
    expect(play_now(ada)).to_contain_text(DEFAULT)


@pytest.mark.parametrize(
    "kept",
    [
        "nonsense",
        "null",
        "[1, 2]",
        '"text"',
        '{"seats": 99, "level": "no such level", "isShort": "perhaps"}',
        '{"seats": "4", "level": 7, "isShort": null}',
    ],
)
def test_what_was_kept_may_be_nonsense(serve: Serve, browse: Browse, kept: str) -> None:
    served, ada = serve(), browse()
    ada.page.add_init_script(f"localStorage['foretell.game'] ??= {json.dumps(kept)}")
    ada.page.goto(served.address)
    expect(play_now(ada)).to_contain_text(DEFAULT)
    assert started(ada)["seats"] == 3


def test_without_storage_it_is_kept_as_long_as_the_page_is_open(
    serve: Serve, browse: Browse
) -> None:
    served, ada = serve(), browse()
    ada.page.add_init_script(NO_STORAGE)
    ada.page.goto(served.address)
    expect(play_now(ada)).to_contain_text(DEFAULT)
    ada.page.get_by_role("button", name="Change players, level or length").click()
    ada.page.get_by_role("radiogroup", name="Players").get_by_text("6", exact=True).click()
    expect(play_now(ada)).to_contain_text("6 players")
    assert started(ada)["seats"] == 6


def test_the_plain_game_has_the_games_name(serve: Serve, browse: Browse) -> None:
    """On the start screen, in the form, and at a table."""
    served, ada = serve(), browse()
    served.table({"seats": 3, "is_public": True})
    ada.page.goto(served.address)
    expect(ada.page.locator("li.open")).to_contain_text("Wizard · 1 of 3 seats taken")
    expect(ada.page.locator("body")).not_to_contain_text("Portuguese")
    ada.page.get_by_role("link", name="New table").click()
    expect(ada.page.locator("label.game.on b")).to_have_text("Classic")
    ada.page.get_by_text("All books and variants").click()
    expect(ada.page.locator("label.book.on b")).to_have_text("Wizard")
    ada.page.get_by_role("button", name="Set up the table").click()
    expect(ada.page.locator("section", has_text="Rules of this table")).to_contain_text("Wizard")
