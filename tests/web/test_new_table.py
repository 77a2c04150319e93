"""A new table: from a picture to a table in two taps, with as much to choose as one likes."""

import json
import re
from collections.abc import Callable
from typing import Any

import msgspec
from playwright.sync_api import Locator, expect

from foretell.rules.presets import FEATURED
from web.playing import Player
from web.serving import Served

Serve = Callable[..., Served]
Browse = Callable[..., Player]


def rounds(player: Player) -> Locator:
    return player.page.get_by_role("radiogroup", name="Rounds")


def create(player: Player) -> Locator:
    return player.page.get_by_role("button", name="Set up the table")


def made(player: Player) -> dict[str, Any]:
    """Sets up the table, and returns the options that were sent."""
    with player.page.expect_response(re.compile("/api/tables$")) as answer:
        create(player).click()
    player.page.get_by_role("heading", name="The table is set").wait_for()
    options: dict[str, Any] = json.loads(answer.value.request.post_data or "")["options"]
    return options


def test_each_picture_is_a_game_of_the_server(serve: Serve, browse: Browse) -> None:
    served, ada = serve(), browse()
    for game in FEATURED:
        ada.page.goto(f"{served.address}#/new")
        ada.page.locator(f"label.game:has(input[value={game.name}])").click()
        expect(ada.page.locator("label.game.on input")).to_have_value(game.name)
        ada.look(f"new-{game.name}")
        expected = msgspec.json.decode(msgspec.json.encode(game.rules)) | {
            "rounds": [1, 2, 3, 4, 5, 6, 7, 8]
        }
        assert made(ada)["rules"] == expected


def test_special_cards_are_faces_to_tap(serve: Serve, browse: Browse) -> None:
    served, ada = serve(), browse(360, 640)
    page = ada.page
    page.goto(f"{served.address}#/new")
    expect(page.locator(".special")).to_have_count(0)
    page.get_by_text("25 years").click()
    expect(page.locator(".special.on")).to_have_count(7)
    page.get_by_role("checkbox", name="Juggler").uncheck()
    expect(page.get_by_text("then everyone passes a card to the left")).to_be_visible()
    page.get_by_role("checkbox", name="Bomb").press("Space")
    expect(page.get_by_text("nobody gets the trick")).to_be_visible()
    expect(page.get_by_text("then everyone passes")).to_have_count(0)
    ada.look("special-cards")
    specials = made(ada)["rules"]["specials"]
    assert specials == ["DRAGON", "FAIRY", "WEREWOLF", "CLOUD", "SHAPESHIFTER"]


def test_rounds_are_chosen_one_by_one(serve: Serve, browse: Browse) -> None:
    served, ada = serve(), browse(360, 640)
    page = ada.page
    page.goto(f"{served.address}#/new")
    rounds(ada).get_by_text("choose").click()
    chosen = page.get_by_role("group", name="Which rounds?")
    expect(chosen.get_by_role("button")).to_have_count(20)
    for number in range(1, 9):
        chosen.get_by_role("button", name=str(number), exact=True).click()
    expect(page.get_by_role("alert")).to_have_text("Choose at least one round.")
    expect(create(ada)).to_be_disabled()
    for number in (18, 3):
        chosen.get_by_role("button", name=str(number), exact=True).click()
    ada.look("rounds")
    # a game for more players has fewer rounds
    page.get_by_role("radiogroup", name="Players").get_by_text("6").click()
    expect(chosen.get_by_role("button")).to_have_count(10)
    assert made(ada)["rules"]["rounds"] == [3]


def test_all_rounds_are_as_many_as_the_rules_have(serve: Serve, browse: Browse) -> None:
    served, ada = serve(), browse()
    ada.page.goto(f"{served.address}#/new")
    expect(rounds(ada)).to_contain_text("all 20")
    ada.page.get_by_text("All books and variants").click()
    ada.page.get_by_text("Hungarian book").click()
    ada.page.get_by_label(re.compile("^unicolor")).check()
    expect(rounds(ada)).to_contain_text("all 12")


def test_it_starts_like_the_last_game(serve: Serve, browse: Browse) -> None:
    """It once had four seats and all rounds, whatever the player had played before."""
    served, ada = serve(), browse()
    last = json.dumps({"seats": 5, "level": "beginner", "length": 4})
    ada.page.add_init_script(f"localStorage['foretell.game'] ??= {json.dumps(last)}")
    ada.page.goto(f"{served.address}#/new")
    options = made(ada)
    assert (options["seats"], options["rules"]["rounds"]) == (5, [1, 2, 3, 4])
    # seats that are still open at the start get bots of that level too
    ada.page.get_by_role("button", name="Start, with bots in 4 open seats").click()
    ada.page.locator(".stage").wait_for()
    code = ada.page.url.rpartition("/")[2]
    table = ada.page.request.get(f"{served.address}api/tables/{code}").json()
    assert [seat["level"] for seat in table["seats"][1:]] == ["beginner"] * 4


def test_the_host_changes_the_table_in_the_same_form(serve: Serve, browse: Browse) -> None:
    served, ada = serve(), browse()
    rules = {"rulebook": "pt-BR", "specials": ["BOMB"], "rounds": [2, 5]}
    ada.sit(served.address, served.table({"seats": 4, "rules": rules}))
    ada.page.get_by_role("button", name="Change the table").click()
    dialog = ada.page.get_by_role("dialog")
    expect(dialog.locator("label.game.on b")).to_have_text("25 years")
    expect(dialog.locator(".special.on input")).to_have_attribute("data-value", "BOMB")
    pressed = dialog.locator(".rounds [aria-pressed=true]")
    expect(pressed).to_have_text(["2", "5"])
    ada.look("change-the-table")
    dialog.get_by_text("Plus/minus one").click()
    dialog.get_by_role("button", name="Play by these rules").click()
    shown = ada.page.locator("section", has_text="Rules of this table")
    expect(shown).to_contain_text("Spanish book")
    expect(shown).to_contain_text("plus/minus one")
    # what the book offers is no news at a table that has decided
    expect(shown).not_to_contain_text("One variant")
