"""Whole games through the page, by clicks."""

from collections.abc import Callable

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


def test_all_twenty_rounds_by_clicks(
    serve: Callable[..., Served], browse: Callable[..., Player]
) -> None:
    served, ada = serve(), browse()
    ada.sit(served.address, table(served), "?start")
    ada.play_to_the_end(looks=True)
    ada.look("end")
    written = ada.sheet()
    assert len(written) == 1 + 20 + 1
    assert [row[0] for row in written[1:-1]] == [str(number) for number in range(1, 21)]
