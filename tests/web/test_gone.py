"""What is not there: a drawn scene, a sentence for each case, and the next step."""

from collections.abc import Callable

from playwright.sync_api import expect

from web.playing import NO_API, Player
from web.serving import Served

Serve = Callable[..., Served]
Browse = Callable[..., Player]


def nothing_is_live(player: Player) -> None:
    for name in ("Menu", "Chat"):
        expect(player.page.get_by_role("button", name=name)).to_have_count(0)


def test_a_wrong_code_can_be_corrected(serve: Serve, browse: Browse) -> None:
    served, ada = serve(), browse(360, 640)
    code = served.table({"seats": 3}, "Bo")["code"]
    ada.page.goto(served.address)
    field = ada.page.get_by_label("Join a table")
    field.fill(f"{code[:5]} {code[5:]}X".lower())
    ada.page.get_by_role("button", name="Go", exact=True).click()
    expect(ada.page.get_by_role("heading", name="Table not found")).to_be_visible()
    expect(ada.page.get_by_role("alert")).to_contain_text("Perhaps a letter is wrong?")
    nothing_is_live(ada)
    ada.look("no-table")
    ada.page.get_by_role("link", name="Home").click()
    expect(field).to_have_value(f"{code[:5]} {code[5:]}x".lower())
    ada.page.go_back()
    expect(field).to_have_value(f"{code[:5]} {code[5:]}x".lower())
    field.fill(code)
    ada.page.get_by_role("button", name="Go", exact=True).click()
    ada.page.get_by_role("button", name="Sit down").first.wait_for()
    ada.page.goto(served.address)
    expect(field).to_have_value("")


def test_the_code_of_a_link_is_there_to_be_corrected(serve: Serve, browse: Browse) -> None:
    served, ada = serve(), browse()
    ada.page.goto(f"{served.address}#/t/WRONGCODE")
    expect(ada.page.get_by_label("Join a table")).to_have_value("WRONGCODE")


def test_an_unknown_game_is_no_table(serve: Serve, browse: Browse) -> None:
    served, ada = serve(), browse(360, 640)
    ada.may_report = NO_API
    ada.page.goto(f"{served.address}#/replay/nothing")
    expect(ada.page.get_by_role("heading", name="Game not found")).to_be_visible()
    expect(ada.page.get_by_role("alert")).to_contain_text("There is no game 'nothing'.")
    ada.look("no-game")


def test_an_unknown_path_is_said_and_leads_home(serve: Serve, browse: Browse) -> None:
    served, ada = serve(), browse()
    ada.page.goto(f"{served.address}#/no/such%20page")
    expect(ada.page.get_by_role("alert")).to_contain_text("'no/such page'")
    ada.look("no-path")
    ada.page.get_by_role("link", name="Home").click()
    ada.page.get_by_role("button", name="Play now").wait_for()


def test_a_server_that_is_not_there_is_tried_again(serve: Serve, browse: Browse) -> None:
    served, ada = serve(), browse(360, 640)
    code = served.table({"seats": 3}, "Bo")["code"]
    ada.page.goto(served.address)
    ada.page.get_by_text("No public table is open").wait_for()
    ada.is_line_down = True
    served.stop()
    ada.page.evaluate(f"location.hash = '#/t/{code}'")
    scene = ada.page.get_by_role("heading", name="Cannot reach the server")
    expect(scene).to_be_visible()
    said = "The server cannot be reached. The page tries again by itself."
    expect(ada.page.get_by_role("alert")).to_have_text(said)
    nothing_is_live(ada)
    ada.look("no-server")
    ada.page.get_by_role("button", name="Try again").click()
    expect(scene).to_be_visible()
    served.start()
    ada.page.get_by_role("button", name="Sit down").first.wait_for()


LONGER_THAN_A_RETRY = 600  # milliseconds; a lost connection is tried again after 390 at most
REFUSALS = {
    "other_version": ("This page is out of date", "Reload the page"),
    "bad_token": ("The table goes on without you", "Watch the table"),
    "rules_version": ("This table cannot be opened", None),
}


def test_a_refusal_has_its_own_title_and_next_step(serve: Serve, browse: Browse) -> None:
    """All of them once said "Table not found", or nothing at all."""
    served, ada = serve(), browse(360, 640)
    for code, (title, next_step) in REFUSALS.items():
        refused = ada.refuse_hellos(code)
        ada.page.goto("about:blank")
        ada.page.goto(f"{served.address}#/t/TABLECODE")
        heading = ada.page.get_by_role("heading", name=title)
        expect(heading).to_be_visible()
        nothing_is_live(ada)
        ada.look(f"refused-{code}")
        if next_step:
            with ada.page.expect_navigation():  # the page is loaded again
                ada.page.get_by_role("button", name=next_step).click()
            expect(heading).to_be_visible()
            # Not always two: under load the browser's driver may cut the first socket of a new page.
            assert len(refused) >= 2
        expect(ada.page.get_by_role("link", name="Home")).to_be_visible()
        said = len(refused)
        ada.page.wait_for_timeout(LONGER_THAN_A_RETRY)
        # A refusal is final: the page does not say hello again by itself.
        assert len(refused) == said
