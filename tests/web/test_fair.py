"""Fair deals on the page: the commitment before the game, a word of one's own, and one line at the end."""

import hashlib
import json
from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import expect

from web.playing import Player
from web.serving import Served, Stack

Serve = Callable[..., Served]
Browse = Callable[..., Player]

OPTIONS: dict[str, Any] = {
    "seats": 3,
    "bots": ["counting"] * 2,
    "bot_pause_ms": 0,
    "rules": {"rulebook": "es", "rounds": [1]},
}
PROVEN = (
    "The deal is fair: the server fixed its secret before anyone chose a word, "
    "and every card follows from it."
)


@pytest.mark.parametrize(("width", "height"), [(360, 640), (1440, 900)])
def test_a_player_takes_part_and_reads_at_the_end_that_the_deals_are_fair(
    serve: Serve, browse: Browse, width: int, height: int
) -> None:
    served, ada = serve(), browse(width, height)
    page = ada.page
    ada.sit(served.address, served.table(OPTIONS))
    own = page.get_by_label("A word of your own, if you like")
    own.fill("moon")
    own.press("Tab")
    page.get_by_text("Details").click()
    commit = page.locator(".commit").inner_text()
    word = page.locator("dd bdi").inner_text()
    assert word.startswith("moon ")
    page.locator(".commit").scroll_into_view_if_needed()
    ada.look("word")
    page.reload()  # the word is kept in this browser
    page.get_by_role("button", name="Start the game").click()
    ada.play_to_the_end()
    expect(page.get_by_text(PROVEN)).to_be_visible()
    ada.look("end")
    fair = page.get_by_role("region", name="Fair cards")
    fair.get_by_text("Details").click()
    details = fair.locator("dd").all_inner_texts()
    assert details[0] == commit
    assert hashlib.sha256(bytes.fromhex(details[1])).hexdigest() == commit
    assert details[2:] == [word, "none", "none"]
    fair.scroll_into_view_if_needed()
    ada.look("end-details")
    # The next game has another commitment and another word.
    page.get_by_role("button", name="Play again").click()
    page.locator(".stage").wait_for()
    ada.play_to_the_end()
    expect(page.get_by_text(PROVEN)).to_be_visible()
    tables = [one for one in map(json.loads, ada.received) if one["type"] == "table"]
    assert len({one["table"]["fair"]["commit"] for one in tables if one["table"]["fair"]}) == 2
    assert tables[-1]["table"]["fair"]["words"][0] != word


def test_a_server_that_chose_the_cards_is_found_out(serve: Serve, browse: Browse) -> None:
    """The server stacks the cards.  Someone who was not at the table finds it out too, from the record."""
    served, ada, bo = serve(stack=Stack(own="ZB")), browse(), browse()
    ada.sit(served.address, served.table(OPTIONS))
    ada.page.get_by_role("button", name="Start the game").click()
    ada.play_to_the_end()
    game = ada.page.locator(".end").get_attribute("data-game")
    bo.page.goto(f"{served.address}#/replay/{game}")
    for player in (ada, bo):
        alert = player.page.get_by_role("alert").filter(has_text="Warning")
        expect(alert).to_contain_text("these deals are not fair, or the server made a mistake.")
    ada.look("not-fair")


def test_everyone_sees_whose_word_is_missing(serve: Serve, browse: Browse) -> None:
    """Bo's browser sends a hash, and then shows no word."""
    served, ada, bo = serve(), browse(360, 640), browse(settings={"name": "Bo"})
    table = served.table({**OPTIONS, "bots": ["counting"]})
    seated = served.post(f"/api/tables/{table['code']}/seats", {"name": "Bo"})
    bo.page.add_init_script(
        """const send = WebSocket.prototype.send
        WebSocket.prototype.send = function (text) { text.includes('"reveal"') || send.call(this, text) }"""
    )
    ada.sit(served.address, table)
    bo.sit(served.address, seated)
    bo.page.get_by_role("button", name="I am ready").click()
    ada.page.get_by_role("button", name="Start the game").click()
    expect(ada.page.get_by_text("Waiting for the word of Bo…")).to_be_visible()
    ada.look("waiting")
    missing = "Bo did not show the word in time, so its hash counts instead."
    for player in (ada, bo):
        expect(player.page.locator(".says").filter(has_text=missing)).to_be_visible()
    ada.look("missing")
