"""Friends at one table, before, between and after games: joining, being missed, what the host may do."""

import re
import time
from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Locator, Page, expect

from web.playing import Player
from web.serving import Served

Serve = Callable[..., Served]
Browse = Callable[..., Player]

SIZES = [(390, 844), (844, 390), (1440, 900)]


def _table(served: Served, *, seats: int = 3, bots: int = 0, pause: int = 0) -> dict[str, Any]:
    options = {
        "seats": seats,
        "bots": ["counting"] * bots,
        "bot_pause_ms": pause,
        "rules": {"rulebook": "es", "rounds": [1]},
    }
    return served.table(options)


def _join(served: Served, table: dict[str, Any], name: str) -> dict[str, Any]:
    joined: dict[str, Any] = served.post(
        f"/api/tables/{table['code']}/seats", {"name": name, "word": "w"}
    )
    return joined


def _button(page: Page | Locator, name: str) -> Locator:
    return page.get_by_role("button", name=name)


def _row(page: Page, seat: int) -> Locator:
    return page.locator(f"li[data-seat='{seat}']")


def _powers(page: Page, name: str) -> Locator:
    """Opens the host's actions in a person's row."""
    _button(page, f"Host actions for {name}").click()
    return page.get_by_role("group", name=f"Host actions for {name}")


def _tops(page: Page, what: str) -> set[float]:
    """In how many rows something lies, and where."""
    tops: list[float] = page.locator(what).evaluate_all(
        "all => all.map((one) => one.getBoundingClientRect().top)"
    )
    return set(tops)


def test_a_table_set_up_for_friends_lets_them_in(serve: Serve, browse: Browse) -> None:
    served, ada, bo = serve(), browse(), browse(settings={"name": "Bo"})
    ada.page.goto(f"{served.address}#/new")
    expect(ada.page.get_by_text("Seats that are still open at the start get bots")).to_be_visible()
    ada.page.get_by_role("radiogroup", name="Players").get_by_text("4").click()
    _button(ada.page, "Set up the table").click()
    _button(ada.page, "Start, with bots in 3 open seats").wait_for()
    bo.page.goto(ada.page.url)
    bo.look("visitor")
    expect(bo.page.get_by_text("watching")).to_have_count(0)  # nobody but Bo, who knows it
    _button(bo.page, "Sit down").press("Enter")
    expect(_button(bo.page, "I am ready")).to_be_focused()
    expect(bo.page.get_by_text("Ada can start when you are ready.")).to_be_visible()
    bo.page.keyboard.press("Enter")
    expect(bo.page.get_by_text("Waiting for Ada to start the game.")).to_be_visible()
    _button(ada.page, "Start, with bots in 2 open seats").click()
    for player in (ada, bo):
        player.page.locator(".stage").wait_for()
    assert ada.page.locator(".place").count() == 4


def test_who_finds_no_seat_is_told_why(serve: Serve, browse: Browse) -> None:
    served, eve = serve(), browse(settings={"name": "Eve"})
    table = _table(served)
    _join(served, table, "Bo")
    _join(served, table, "Cy")
    eve.page.goto(f"{served.address}#/t/{table['code']}")
    said = "Every seat is taken. Stay and watch, or ask Ada for another seat."
    expect(eve.page.get_by_text(said)).to_be_visible()
    expect(_button(eve.page, "Sit")).to_have_count(0)
    eve.look("full")


@pytest.mark.parametrize("size", SIZES)
def test_what_to_press_before_the_game_is_in_sight(
    serve: Serve, browse: Browse, size: tuple[int, int]
) -> None:
    served, ada, bo = serve(), browse(*size), browse(*size, settings={"name": "Bo"})
    table = _table(served, seats=4)
    ada.sit(served.address, table)
    bo.sit(served.address, _join(served, table, "Bo"))
    for page, name in ((bo.page, "I am ready"), (ada.page, "Waiting for Bo")):
        _button(page, name).wait_for()
        box = _button(page, name).bounding_box()
        assert box is not None
        assert box["y"] + box["height"] <= size[1]
    ada.look("gathering-host")
    bo.look("gathering-friend")


def test_a_friend_chooses_a_seat_and_moves_to_another(serve: Serve, browse: Browse) -> None:
    served, bo = serve(), browse(360, 640, settings={"name": "Bo"})
    table = _table(served, seats=4, bots=1)
    bo.page.goto(f"{served.address}#/t/{table['code']}")
    _row(bo.page, 2).get_by_role("button", name="Sit here").click()
    expect(_row(bo.page, 2)).to_contain_text("Bo")
    bo.look("seated")
    _row(bo.page, 1).get_by_role("button", name="Move here").click()
    expect(_row(bo.page, 1)).to_contain_text("Bo")
    expect(_row(bo.page, 2)).to_contain_text("Open seat")


def test_a_friend_takes_the_seat_of_a_bot_before_the_game(serve: Serve, browse: Browse) -> None:
    served, bo = serve(), browse(settings={"name": "Bo"})
    table = _table(served, bots=2)
    bo.page.goto(f"{served.address}#/t/{table['code']}")
    _button(bo.page, "Sit down").wait_for()
    bo.look("bots-only")
    _button(bo.page, "Sit here: Morgana").click()
    _button(bo.page, "I am ready").wait_for()
    expect(_row(bo.page, 2)).to_contain_text("Bo")


def test_the_host_mutes_passes_the_role_on_and_removes(serve: Serve, browse: Browse) -> None:
    served, ada, bo = serve(), browse(), browse(settings={"name": "Bo"})
    table = _table(served)
    ada.sit(served.address, table)
    bo.sit(served.address, _join(served, table, "Bo"))
    _powers(ada.page, "Bo").get_by_role("button", name="Mute").click()
    expect(_row(bo.page, 1)).to_contain_text("muted")
    ada.look("powers")
    _button(ada.page, "Unmute").click()
    expect(_row(bo.page, 1)).not_to_contain_text("muted")
    _button(ada.page, "Make host").click()
    _button(ada.page, "Really?").click()
    expect(_row(ada.page, 1)).to_contain_text("host")
    expect(_button(ada.page, "Host actions")).to_have_count(0)
    # by keyboard; and the first tap alone does nothing
    _button(bo.page, "Host actions for Ada").press("Enter")
    for name in ("Mute", "Make host", "Remove"):
        bo.page.keyboard.press("Tab")
        expect(_button(bo.page, name)).to_be_focused()
    bo.page.keyboard.press("Enter")
    expect(_button(bo.page, "Really?")).to_be_focused()
    expect(_row(bo.page, 0)).to_contain_text("Ada")
    bo.page.keyboard.press("Enter")
    expect(bo.page.locator(".start")).to_be_focused()
    ada.page.get_by_text("The host has removed you from the table").wait_for()


def test_the_host_mutes_who_watches(serve: Serve, browse: Browse) -> None:
    served, ada, eve = serve(), browse(), browse(settings={"name": "Eve"})
    table = _table(served)
    ada.sit(served.address, table)
    eve.page.goto(f"{served.address}#/t/{table['code']}")
    _button(ada.page, "Mute spectators").click()
    expect(eve.page.locator(".watching")).to_contain_text("muted")
    _button(ada.page, "Unmute spectators").wait_for()
    ada.axe("watching")


def test_quick_words_are_seen_before_the_game(serve: Serve, browse: Browse) -> None:
    served, ada, bo = serve(), browse(), browse(settings={"name": "Bo"})
    table = _table(served)
    ada.sit(served.address, table)
    bo.sit(served.address, _join(served, table, "Bo"))
    _row(ada.page, 1).get_by_text("Bo").wait_for()
    _button(bo.page, "Chat").click()
    bo.page.get_by_role("group", name="Quick messages").get_by_role("button").first.click()
    expect(_row(ada.page, 1).locator(".bubble")).to_be_visible()
    ada.shot("bubble")


def _played(served: Served, players: list[Player], table: dict[str, Any]) -> None:
    """One game of one round, to its end; everyone but the host joins by name."""
    host, *others = players
    host.sit(served.address, table)
    for one, name in zip(others, ("Bo", "Cy"), strict=False):
        one.sit(served.address, _join(served, table, name))
        _button(one.page, "I am ready").click()
    _button(host.page, "Start").click()
    _to_the_end(players)


def _to_the_end(players: list[Player]) -> None:
    answered: dict[Player, Any] = {}
    ends = time.monotonic() + 120
    while not all(player.page.locator(".podium").count() for player in players):
        assert time.monotonic() < ends, "the game does not end"
        for player in players:
            asked = player.asked()
            if asked is not None and asked[0] != "end" and asked != answered.get(player):
                player.act(asked[0])
                answered[player] = asked
        players[0].page.wait_for_timeout(15)


@pytest.mark.parametrize("size", SIZES)
def test_who_is_missing_for_the_next_game_is_named_and_need_not_be_waited_for(
    serve: Serve, browse: Browse, size: tuple[int, int]
) -> None:
    served = serve()
    ada, bo, cy = (browse(*size) for _ in range(3))
    _played(served, [ada, bo, cy], _table(served))
    assert len(_tops(ada.page, ".actions > :not(.primary)")) == 1
    for player in (ada, bo):
        _button(player.page, "Play again").click()
    expect(bo.page.get_by_text("Waiting for Cy")).to_be_visible()
    expect(_button(bo.page, "Start")).to_have_count(0)
    without = _button(ada.page, "Start without Cy")
    without.wait_for()
    ada.look("waiting")
    assert len(_tops(ada.page, ".actions > :not(.primary)")) == 1
    without.click()
    for player in (ada, bo, cy):
        player.page.locator(".stage").wait_for()
    # the seat is kept, and a bot plays until Cy is back
    _button(cy.page, "I am back").wait_for()
    cy.shot("played-for")
    expect(ada.page.get_by_role("alert")).to_have_count(0)


def test_quick_words_are_seen_after_the_game(serve: Serve, browse: Browse) -> None:
    served, ada, bo = serve(), browse(), browse()
    _played(served, [ada, bo], _table(served, bots=1))
    _button(bo.page, "Chat").click()
    bo.page.get_by_role("group", name="Quick messages").get_by_role("button").first.click()
    step = ada.page.locator(".step").filter(has_text="Bo")
    expect(step.locator(".bubble")).to_be_visible()
    ada.shot("bubble")


def test_who_only_watched_is_asked_for_the_next_game_and_may_think_again(
    serve: Serve, browse: Browse
) -> None:
    served, ada, eve = serve(), browse(), browse(settings={"name": "Eve"})
    table = _table(served, bots=2)
    ada.sit(served.address, table, "?start")
    ada.page.locator("[data-asked]").wait_for()
    eve.page.goto(f"{served.address}#/t/{table['code']}")
    watching = eve.page.get_by_text("You are watching")
    watching.wait_for()
    _button(eve.page, "Close").click()
    expect(watching).to_have_count(0)
    _button(eve.page, "Menu").click()
    eve.look("menu-watching")
    _button(eve.page, "Take a seat").click()
    expect(_button(eve.page, "Sit here")).to_have_count(2)
    _button(eve.page, "Close").click()
    ada.play_to_the_end()
    _button(eve.page, "Join the next game").wait_for()
    eve.look("end-watching")
    _button(ada.page, "Play again").click()
    watching.wait_for()  # offered again in the next game: the refusal was for the last one
    ada.page.locator("[data-asked]").wait_for()
    ada.play_to_the_end()
    _button(eve.page, "Join the next game").click()
    expect(ada.page.get_by_text("Want to play again: Eve")).to_be_visible()
    _button(ada.page, "Play again").click()
    for player in (ada, eve):
        player.page.locator(".stage").wait_for()
    others = ada.page.locator(".place:not(:has(.own))")
    expect(others.filter(has_text="Eve")).to_have_count(1)


@pytest.mark.parametrize("size", SIZES)
def test_the_menu_has_what_there_is_to_do(
    serve: Serve, browse: Browse, size: tuple[int, int]
) -> None:
    served, ada = serve(), browse(*size)
    ada.sit(served.address, _table(served, bots=2))
    _button(ada.page, "Menu").click()
    menu = ada.page.get_by_role("navigation", name="Menu")
    _button(ada.page, "Give up your seat").wait_for()
    ada.look("menu-gathering")
    for entry in ("Last trick", "What happened", "Block of Truth", "Chart", "Be right back"):
        expect(menu.get_by_role("button", name=entry)).to_have_count(0)
    _button(ada.page, "Give up your seat").click()
    _button(ada.page, "Give it up? Then anyone can take it").wait_for()
    _button(ada.page, "Close").click()
    _button(ada.page, "Start the game").click()
    ada.page.locator("[data-asked]").wait_for()
    _button(ada.page, "Menu").click()
    menu.get_by_role("button", name="Be right back").wait_for()
    ada.look("menu-playing")
    menu.get_by_role("button", name="Who is here").click()
    ada.page.get_by_role("dialog").get_by_text("Merlin").wait_for()
    ada.look("people-playing")


@pytest.mark.parametrize("size", SIZES)
def test_the_host_changes_the_table_before_the_game(
    serve: Serve, browse: Browse, size: tuple[int, int]
) -> None:
    served, ada, bo = serve(), browse(*size), browse(settings={"name": "Bo"})
    table = _table(served)
    ada.sit(served.address, table)
    bo.sit(served.address, _join(served, table, "Bo"))
    expect(_row(bo.page, 2)).to_contain_text("Open seat")
    expect(_button(bo.page, "Change the table")).to_have_count(0)
    _button(ada.page, "Change the table").click()
    panel = ada.page.get_by_role("dialog")
    panel.get_by_role("radiogroup", name="Players").get_by_text("4").click()
    expect(panel.locator(".rounds [aria-pressed=true]")).to_have_count(1)  # as now
    panel.get_by_text("All books and variants").click()
    panel.get_by_text("Brazilian book").click()
    panel.get_by_label(re.compile("^plus/minus one")).check()
    ada.look("options")
    panel.get_by_role("button", name="Play by these rules").click()
    expect(panel).to_have_count(0)
    expect(_row(bo.page, 3)).to_contain_text("Open seat")
    expect(bo.page.get_by_text("The bids may not add up to the number of tricks")).to_be_visible()
    expect(bo.page.get_by_text("The host has changed the rules")).to_be_visible()
    expect(ada.page.get_by_text("The host has changed the rules")).to_have_count(0)
    # fewer seats than players: the reason is shown in the dialog
    _join(served, table, "Cy")
    _join(served, table, "Di")
    _button(ada.page, "Change the table").click()
    panel.get_by_role("radiogroup", name="Players").get_by_text("3").click()
    panel.get_by_role("button", name="Play by these rules").click()
    expect(panel.get_by_role("alert")).to_be_visible()


def test_the_host_changes_the_table_between_games(serve: Serve, browse: Browse) -> None:
    served, ada, bo = serve(), browse(), browse()
    _played(served, [ada, bo], _table(served, bots=1))
    _button(ada.page, "Menu").click()
    _button(ada.page.get_by_role("navigation"), "Change the table").click()
    panel = ada.page.get_by_role("dialog")
    panel.get_by_role("radiogroup", name="Rounds").get_by_text("8", exact=True).click()
    panel.get_by_role("button", name="Play by these rules").click()
    expect(panel).to_have_count(0)
    for player in (ada, bo):
        _button(player.page, "Play again").click()
    expect(ada.page.locator(".round")).to_contain_text("1/8")
    expect(bo.page.locator(".round")).to_contain_text("1/8")


def test_the_host_has_the_same_powers_in_the_game_and_after_it(
    serve: Serve, browse: Browse
) -> None:
    served, ada, bo = serve(), browse(), browse()
    _played(served, [ada, bo], _table(served, bots=1))
    for player in (ada, bo):
        _button(player.page, "Play again").click()
    ada.page.locator(".stage").wait_for()
    _button(ada.page, "Menu").click()
    _button(ada.page, "Who is here").click()
    powers = _powers(ada.page, "Bo")
    ada.look("powers-playing")
    expect(_button(powers, "Remove")).to_be_visible()
    _button(powers, "Let a bot play").click()
    _button(bo.page, "I am back").click()
    _button(powers, "Let a bot play").wait_for()
    ask = _button(powers, "Make host")
    before = ask.bounding_box()
    ask.click()
    assert _button(powers, "Really?").bounding_box() == before
    _button(powers, "Really?").click()
    expect(powers).to_have_count(0)
    expect(_row(ada.page, 1)).to_contain_text("host")
    _button(ada.page, "Close").click()
    _to_the_end([ada, bo])
    _button(bo.page, "Menu").click()
    _button(bo.page, "Who is here").click()
    powers = _powers(bo.page, "Ada")
    _button(powers, "Remove").click()
    _button(powers, "Really?").click()
    ada.page.get_by_text("The host has removed you from the table").wait_for()
    expect(_row(bo.page, 0)).to_contain_text("Open seat")
    bo.look("after-removing")


def test_i_am_back_stays_on_one_line(serve: Serve, browse: Browse) -> None:
    served, ada = serve(), browse(360, 640)
    ada.sit(served.address, _table(served, bots=2, pause=5_000), "?start")
    ada.page.locator(".stage").wait_for()
    _button(ada.page, "Menu").click()
    _button(ada.page, "Be right back").click()
    back = _button(ada.page, "I am back")
    back.wait_for()
    ada.look("away")
    box = back.bounding_box()
    assert box is not None
    assert box["height"] < 50
