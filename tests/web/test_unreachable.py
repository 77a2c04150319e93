"""A server that cannot be reached: the page says so, tries again by itself, and at once when it is asked to."""

import re
from collections.abc import Callable

from playwright.sync_api import Locator, expect

from web.playing import NO_API, Player
from web.serving import Served

Serve = Callable[..., Served]
Browse = Callable[..., Player]

UNREACHABLE = "The server cannot be reached."


def problem(player: Player) -> Locator:
    return player.page.get_by_role("alert").filter(has_text=UNREACHABLE)


def again(player: Player) -> Locator:
    return player.page.get_by_role("button", name="Try again")


def test_play_now_can_be_tried_again_after_the_server_was_down(
    serve: Serve, browse: Browse
) -> None:
    served, ada = serve(), browse()
    ada.page.goto(served.address)
    play = ada.page.get_by_role("button", name="Play now")
    expect(play).to_contain_text("8 rounds")
    ada.is_line_down = True
    served.stop()
    play.click()
    expect(problem(ada)).to_be_visible()
    ada.look("unreachable")
    again(ada).click()
    expect(problem(ada)).to_be_visible()
    assert ada.page.url == served.address
    served.start()
    # the page finds out by itself that the server is back, and does not go to a table without being asked
    expect(problem(ada)).to_have_count(0)
    ada.page.get_by_text("No public table is open").wait_for()
    assert ada.page.url == served.address
    play.click()
    ada.page.locator(".stage").wait_for()


def test_try_again_takes_the_player_to_the_table(serve: Serve, browse: Browse) -> None:
    served, ada = serve(), browse()
    ada.page.goto(served.address)
    play = ada.page.get_by_role("button", name="Play now")
    expect(play).to_contain_text("8 rounds")
    ada.is_line_down = True
    ada.page.route("**/api/tables", lambda route: route.abort("internetdisconnected"))
    play.click()
    expect(problem(ada)).to_be_visible()
    ada.page.unroute("**/api/tables")
    again(ada).click()
    ada.page.locator(".stage").wait_for()


def test_the_form_comes_when_the_network_is_back(serve: Serve, browse: Browse) -> None:
    served, ada = serve(), browse()
    ada.is_line_down = True
    ada.page.route("**/api/form", lambda route: route.abort("internetdisconnected"))
    ada.page.goto(f"{served.address}#/new")
    expect(problem(ada)).to_be_visible()
    ada.page.context.set_offline(True)
    ada.page.unroute("**/api/form")
    again(ada).click()  # in vain
    expect(problem(ada)).to_be_visible()
    ada.page.context.set_offline(False)  # the browser says that it is online again
    ada.page.get_by_role("button", name="Set up the table").wait_for()
    expect(problem(ada)).to_have_count(0)


def test_the_form_comes_when_the_server_is_back(serve: Serve, browse: Browse) -> None:
    """Nobody touches the page: it asks again after a while, and again."""
    served, ada = serve(), browse()
    ada.may_report = "status of 502"
    asked: list[str] = []
    ada.page.on("request", lambda one: asked.append(one.url) if "/api/form" in one.url else None)
    ada.page.route("**/api/form", lambda route: route.fulfill(status=502, body="Bad Gateway"))
    ada.is_line_down = True
    ada.page.goto(f"{served.address}#/new")
    expect(problem(ada)).to_be_visible()
    served.stop()
    ada.page.unroute("**/api/form")
    while len(asked) < 2:
        ada.page.wait_for_timeout(50)
    served.start()
    ada.page.get_by_role("button", name="Set up the table").wait_for()


def test_a_finished_game_comes_when_the_page_is_seen_again(serve: Serve, browse: Browse) -> None:
    served, ada = serve(), browse()
    options = {"seats": 3, "bots": ["counting"] * 2, "bot_pause_ms": 0, "rules": {"rounds": [1]}}
    ada.sit(served.address, served.table(options), "?start")
    ada.play_to_the_end()
    game = ada.page.locator(".end").get_attribute("data-game")
    ada.is_line_down = True
    ada.page.route("**/api/games/**", lambda route: route.abort("internetdisconnected"))
    ada.page.goto("about:blank")
    ada.page.goto(f"{served.address}#/replay/{game}")
    expect(problem(ada)).to_be_visible()
    expect(again(ada)).to_be_visible()
    ada.page.unroute("**/api/games/**")
    ada.page.evaluate("document.dispatchEvent(new Event('visibilitychange'))")
    ada.page.locator(".podium").wait_for()


def test_the_review_that_could_not_be_loaded_can_be_tried_again(
    serve: Serve, browse: Browse
) -> None:
    served, ada = serve(has_coach=True), browse()
    options = {"seats": 3, "bots": ["counting"] * 2, "bot_pause_ms": 0, "rules": {"rounds": [1]}}
    ada.is_line_down = True
    ada.page.route("**/assets/Review-*.js", lambda route: route.abort("internetdisconnected"))
    ada.sit(served.address, served.table(options), "?start")
    ada.play_to_the_end()
    expect(problem(ada)).to_be_visible()
    ada.page.unroute("**/assets/Review-*.js")
    again(ada).click()
    ada.page.get_by_role("button", name="Review the game").wait_for()


def test_what_the_server_refuses_is_not_tried_again(serve: Serve, browse: Browse) -> None:
    served, ada = serve(), browse()
    ada.may_report = NO_API
    ada.page.goto(f"{served.address}#/replay/nothing")
    expect(ada.page.get_by_role("heading")).to_have_text(re.compile("not found"))
    expect(again(ada)).to_have_count(0)
