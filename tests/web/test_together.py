"""Two people in two browsers and a bot: lost connections and restarts do not change the game."""

from collections.abc import Callable

from web.playing import Player
from web.serving import Served

ROUNDS = [1, 2, 3, 4, 5]


def test_a_reload_a_lost_network_and_a_restart_lose_nothing(
    serve: Callable[..., Served], browse: Callable[..., Player]
) -> None:
    served = serve()
    ada, bo = browse(), browse(1440, 900, settings={"name": "Bo"})
    options = {
        "seats": 3,
        "bots": ["counting"],
        "bot_pause_ms": 0,
        "rules": {"rulebook": "es", "rounds": ROUNDS},
    }
    seated = served.table(options)
    ada.sit(served.address, seated)
    bo.page.goto(f"{served.address}#/t/{seated['code']}")
    bo.page.get_by_role("button", name="Sit down").click()
    ada.page.get_by_text("Bo", exact=True).wait_for()
    bo.look("gathering")
    bo.page.get_by_role("button", name="I am ready").click()
    ada.page.get_by_title("Ready").wait_for()
    ada.page.get_by_role("button", name="Start the game").click()

    def mishap(count: int) -> None:
        match count:
            case 4:
                bo.page.reload()
            case 8:
                bo.is_line_down = True
                bo.page.context.set_offline(True)
                bo.page.get_by_text("The connection is lost").wait_for(timeout=30_000)
                bo.page.context.set_offline(False)
            case 12:
                ada.is_line_down = bo.is_line_down = True
                served.stop()
                ada.page.get_by_text("The connection is lost").wait_for()
                ada.look("line-down")
                served.start()
            case 16:
                ada.page.reload()

    _play_in_turn([ada, bo], mishap)
    for player in (ada, bo):
        player.page.locator(".podium").wait_for()
    assert ada.sheet() == bo.sheet()
    assert len(ada.sheet()) == 1 + len(ROUNDS) + 1

    ada.page.get_by_role("button", name="Play again").click()
    bo.page.get_by_role("button", name="Play again").click()
    ada.page.locator(".stage").wait_for()
    bo.page.locator(".stage").wait_for()


def _play_in_turn(players: list[Player], mishap: Callable[[int], None]) -> None:
    """Lets every player who is asked act, in their browser."""
    answered: dict[Player, tuple[str, str] | None] = dict.fromkeys(players)
    acts, idle = 0, 0
    while not all(player.page.locator(".podium").count() for player in players):
        is_idle = True
        for player in players:
            asked = player.asked()
            if asked is None or asked[0] == "end" or asked == answered[player]:
                continue
            player.act(asked[0])
            answered[player] = asked
            is_idle = False
            acts += 1
            mishap(acts)
        idle = idle + 1 if is_idle else 0
        if idle:
            players[0].page.wait_for_timeout(30)
            # an answer that was on its way when the connection broke is given again
            if idle % 100 == 0:
                answered = dict.fromkeys(players)
            assert idle < 1000, (
                f"after {acts} acts, asked: {[player.asked() for player in players]}"
            )
