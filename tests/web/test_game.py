"""Whole games through the page, by clicks."""

from collections.abc import Callable

import pytest

from foretell.i18n import catalogue
from web.playing import Player
from web.serving import Served


def table(served: Served, **options: object) -> dict[str, object]:
    """A table with two bots, made over HTTP; the key to its first seat."""
    body = {"seats": 3, "bots": ["counting", "counting"], "bot_pause_ms": 0, **options}
    made: dict[str, object] = served.table(body)
    return made


def test_one_tap_and_a_round_is_on(
    serve: Callable[..., Served], browse: Callable[..., Player]
) -> None:
    served, ada = serve(), browse()
    ada.page.goto(served.address)
    ada.page.get_by_role("button", name="Play now").click()
    for asked in ada.turns(lambda: False):
        ada.act(asked)
        if asked == "round":
            break
    assert ada.page.locator("h1").inner_text().endswith("2/8")
    assert ada.page.title().endswith("Foretell")


@pytest.mark.parametrize(
    ("language", "seats", "rounds"), [("hu", 3, 20), ("fr", 6, 10)], ids=["Hungarian", "French"]
)
def test_a_whole_game_by_clicks_in_the_language_of_its_rulebook(
    serve: Callable[..., Served],
    browse: Callable[..., Player],
    language: str,
    seats: int,
    rounds: int,
) -> None:
    served, ada, texts = serve(), browse(locale=language), catalogue(language)
    options = {"seats": seats, "bots": ["counting"] * (seats - 1), "rules": {"rulebook": language}}
    ada.sit(served.address, table(served, **options), "?start")
    ended: list[str] = []
    for asked in ada.turns(lambda: False):
        ada.look(asked)
        if asked == "round":
            ended.append(ada.page.locator(".over h2").inner_text())
        ada.act(asked)
    ada.look("end")
    assert ended == [texts.say("web.round.over", number=n + 1) for n in range(rounds - 1)]
    assert ada.page.locator("html").get_attribute("lang") == language
    written = ada.sheet()
    assert written[0][0] == texts.say("web.sheet.round")
    assert len(written) == 1 + rounds + 1
    assert [row[0] for row in written[1:-1]] == [str(number + 1) for number in range(rounds)]
