"""My games: what this browser plays and has played, with results; each can be taken out of the list."""

from collections.abc import Callable

import pytest
from playwright.sync_api import Locator, expect

from web.playing import Player
from web.serving import Served, Stack
from web.test_page import seated
from web.test_play_now import NO_STORAGE, play_now

Serve = Callable[..., Served]
Browse = Callable[..., Player]

EMPTY = "The games that you play in this browser appear here."


def listed(player: Player) -> Locator:
    return player.page.locator("section", has_text="My games").locator("li")


def remove(player: Player) -> None:
    """Two taps on the same place."""
    cross = listed(player).get_by_role("button")
    cross.click()
    player.look("my-games-remove")
    expect(cross).to_have_text("Remove?")
    cross.click()


@pytest.fixture
def winner(serve: Serve, browse: Browse) -> tuple[Served, Player]:
    """Ada, at home after a game of one round in which she had a Wizard."""
    served, ada = serve(stack=Stack(own="ZB", others="R2 R3", turned_up="B1")), browse(360, 640)
    ada.sit(served.address, seated(served, rounds=[1]), "?start")
    for asked in ada.turns(lambda: False):
        if asked == "bid":
            ada.page.locator(".prompt [data-action='bid 1']").click()
        else:
            ada.act(asked)
    ada.page.goto(served.address)
    return served, ada


def test_a_finished_game_has_its_result_and_its_replay(winner: tuple[Served, Player]) -> None:
    _, ada = winner
    expect(listed(ada)).to_have_count(1)
    expect(listed(ada)).to_contain_text("Merlin and Morgana")
    expect(listed(ada)).to_contain_text("You won: 30 points")
    ada.look("my-games")
    expect(listed(ada).get_by_role("link", name="Go to the table")).to_be_visible()
    listed(ada).get_by_role("link", name="Replay, review").click()
    ada.page.locator(".podium").wait_for()
    # had the game ended while the page was closed, the server would tell the result
    ada.page.evaluate("delete localStorage['foretell.results']")
    ada.page.goto(ada.page.url.partition("#")[0])
    expect(listed(ada)).to_contain_text("You won: 30 points")


def test_a_result_is_removed_by_two_taps_and_stays_removed(winner: tuple[Served, Player]) -> None:
    _, ada = winner
    cross = listed(ada).get_by_role("button")
    cross.click()
    ada.page.get_by_label("Your name").focus()  # the player does something else in between
    expect(cross).to_have_text("")
    cross.click()
    expect(listed(ada)).to_have_count(1)
    cross.click()
    expect(ada.page.get_by_text(EMPTY)).to_be_visible()
    expect(ada.page.get_by_role("heading", name="My games")).to_be_focused()
    with ada.page.expect_response("**/api/mine"):  # the server still names the table and its game
        ada.page.reload()
    ada.page.get_by_text("No public table is open").wait_for()
    expect(ada.page.get_by_text(EMPTY)).to_be_visible()


def test_a_game_that_goes_on_can_be_continued_or_removed(serve: Serve, browse: Browse) -> None:
    served, ada = serve(), browse()
    ada.page.goto(served.address)
    expect(ada.page.get_by_text(EMPTY)).to_be_visible()
    play_now(ada).click()
    ada.page.locator("[data-asked]").wait_for()
    ada.page.goto(served.address)
    expect(listed(ada)).to_contain_text("Your turn")
    listed(ada).get_by_role("link").click()
    ada.page.locator("[data-asked]").wait_for()
    table = ada.page.url
    ada.page.goto(served.address)
    remove(ada)
    expect(ada.page.get_by_text(EMPTY)).to_be_visible()
    # whoever has the link still has the seat
    ada.page.goto(table)
    ada.page.get_by_role("button", name="Sit down").click()
    ada.page.get_by_role("dialog").get_by_role("button", name="Sit here").first.click()
    ada.page.locator("[data-asked]").wait_for()


def test_without_storage_a_reload_keeps_the_seat_and_the_list(serve: Serve, browse: Browse) -> None:
    """A reload once turned players into spectators of their own seats."""
    served, ada = serve(), browse()
    ada.page.add_init_script(NO_STORAGE)
    ada.page.goto(served.address)
    ada.page.get_by_label("Your name").fill("Zoe")
    play_now(ada).click()
    hand = ada.page.locator(".piece.hand")
    expect(hand.first).to_be_visible()
    ada.page.reload()
    expect(hand.first).to_be_visible()
    expect(ada.page.get_by_text("You are watching")).to_have_count(0)
    # an open panel is a step of its own in the history
    ada.page.get_by_role("button", name="Menu").click()
    ada.page.get_by_role("dialog").get_by_role("button", name="Invite").click()
    link = ada.page.get_by_label("Link to this table").input_value()
    ada.page.reload()
    expect(hand.first).to_be_visible()
    ada.page.get_by_role("button", name="Menu").click()
    ada.page.get_by_role("link", name="Go to the start page").click()
    expect(listed(ada)).to_contain_text("Merlin")
    ada.page.reload()
    expect(listed(ada)).to_contain_text("Merlin")
    expect(ada.page.get_by_label("Your name")).to_have_value("Zoe")
    # neither the address nor the link for friends holds the key
    token = ada.page.evaluate("JSON.parse(history.state.kept['foretell.seats'])[0].token")
    assert len(token) > 20
    assert token not in link + ada.page.url
    bo = browse(settings={"name": "Bo"})
    bo.page.goto(link)
    expect(bo.page.get_by_text("You are watching")).to_be_visible()
