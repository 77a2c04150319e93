"""The coach's review: at the end of a game, and at the address that people share."""

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import expect

from web.playing import NO_API, Player
from web.serving import Served
from web.test_page import seated

Serve = Callable[..., Served]
Browse = Callable[..., Player]


def shown(ada: Player, served: Served, rounds: list[int]) -> None:
    """Plays a game to its end and has it reviewed."""
    ada.sit(served.address, seated(served, rounds=rounds), "?start")
    ada.play_to_the_end()
    ada.page.get_by_role("button", name="Review the game").click()
    ada.page.locator(".review .worst, .review .flawless").first.wait_for(timeout=90_000)


@pytest.mark.parametrize(
    ("width", "height", "theme"), [(360, 640, "dark"), (390, 844, "light"), (1440, 900, "dark")]
)
def test_a_review_at_the_end_of_a_game(
    serve: Serve, browse: Browse, width: int, height: int, theme: str
) -> None:
    served, ada = serve(has_coach=True), browse(width, height, color_scheme=theme)
    shown(ada, served, rounds=[3, 4, 5, 6])
    page, review = ada.page, ada.page.locator(".review")
    assert review.locator("tbody tr").count() == 3
    ada.look(f"{theme}-review")
    for name in ("Ada", "Merlin", "Morgana"):
        review.locator(".who label", has_text=name).click()
        page.locator(".seat details").first.wait_for()
        mistakes = review.locator(".mistake")
        for number in range(mistakes.count()):
            one = mistakes.nth(number)
            assert re.search(r"Round \d", one.inner_text())
            assert re.search(r"Better: .+ expected", one.inner_text())
            # the card played and the better one are both in the hand that is shown
            if "trick" in one.locator("header").inner_text():
                assert one.locator(".hand .played").count() == 1
                assert one.locator(".hand .best").count() == 1
    rounds = review.locator("details")
    assert rounds.count() == 4
    rounds.last.locator("summary").click()
    choices = rounds.last.locator("li")
    assert 2 <= choices.count() <= 8  # the trump, the bid, and the plays with a choice
    expect(choices.first).to_contain_text(re.compile("bid|trump"))
    ada.axe("review, rounds open")
    assert page.evaluate("document.querySelector('.scroll').scrollWidth") <= width
    # all of it in one picture: the page itself scrolls
    tall = page.evaluate("document.querySelector('.scroll').scrollHeight")
    page.set_viewport_size({"width": width, "height": tall + 60})
    ada.shot(f"{theme}-review-whole")


def test_what_the_review_says_adds_up(serve: Serve, browse: Browse) -> None:
    served, ada = serve(has_coach=True), browse()
    shown(ada, served, rounds=[2, 3])
    totals = ada.sheet()
    rows = ada.page.locator(".review tbody tr").all_inner_texts()
    for row in rows:
        name, points = row.split()[0], row.split()[-1]
        column = totals[0].index(name)
        assert totals[-1][column] == points


def test_the_shared_address_shows_the_result_and_the_review(serve: Serve, browse: Browse) -> None:
    served, ada, bo = serve(has_coach=True), browse(), browse(settings={"name": "Bo"})
    ada.sit(served.address, seated(served, rounds=[1, 2]), "?start")
    ada.play_to_the_end()
    game = ada.page.evaluate("document.querySelector('.end').dataset.game")
    bo.page.goto(f"{served.address}#/replay/{game}")
    bo.page.locator(".podium").wait_for()
    assert bo.page.get_by_role("button", name="Play again").count() == 0
    assert bo.sheet() == ada.sheet()
    bo.look("shared")
    bo.page.get_by_role("button", name="Review the game").click()
    bo.page.locator(".review .seat").wait_for(timeout=90_000)
    bo.may_report = NO_API
    bo.page.goto(f"{served.address}#/replay/nothing")
    bo.page.get_by_role("alert").wait_for()


def test_a_review_can_be_stopped_while_it_is_made(serve: Serve, browse: Browse) -> None:
    # so many worlds that no machine finishes before it is stopped
    served, ada = serve(has_coach=True, worlds=20_000), browse()
    ada.sit(served.address, seated(served, bots=3, rounds=[12, 13]), "?start")
    ada.play_to_the_end()
    ada.page.get_by_role("button", name="Review the game").click()
    ada.page.locator(".review progress").wait_for()
    expect(ada.page.locator(".review")).to_contain_text(
        re.compile(r"[1-9]\d* of \d+ choices"), timeout=60_000
    )
    ada.look("review-made")
    ada.page.get_by_role("button", name="Stop").click()
    ada.page.get_by_role("button", name="Review the game").wait_for()


def test_no_review_is_offered_where_there_is_no_coach(serve: Serve, browse: Browse) -> None:
    served, ada = serve(), browse()
    ada.sit(served.address, seated(served, rounds=[1]), "?start")
    ada.play_to_the_end()
    ada.page.locator(".podium").wait_for()
    assert ada.page.get_by_role("button", name="Review the game").count() == 0
