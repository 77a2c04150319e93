"""An answer on its way to the server: what was chosen turns gold, the rest fades, and nothing looks barred."""

import json
import re
from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import WebSocketRoute, expect

from web.playing import Player
from web.serving import Served, Stack
from web.test_hands import up_to
from web.test_page import seated

Serve = Callable[..., Served]
Browse = Callable[..., Player]

LOOKS = """() => [...document.querySelectorAll('.prompt [data-action]')].map((one) => {
    const style = getComputedStyle(one)
    return {
        action: one.dataset.action,
        isGold: one.classList.contains('sent') && style.backgroundColor === 'rgb(242, 199, 92)',
        isFaded: Number(style.opacity) < 0.6,
        isStruck: getComputedStyle(one.querySelector('span')).textDecorationLine === 'line-through',
        isBarred: one.classList.contains('barred'),
    }
})"""


class SlowLine:
    """A connection that keeps what the player does until it is let through."""

    def __init__(self, player: Player) -> None:
        self._kept: list[Callable[[], None]] = []
        self.sent: list[str] = []
        self.is_slow = False
        player.page.route_web_socket(re.compile("/ws(/|$)"), self._between)

    def _between(self, page: WebSocketRoute) -> None:
        server = page.connect_to_server()

        def say(message: str | bytes) -> None:
            if self.is_slow and json.loads(message)["type"] == "act":
                self.sent.append(json.loads(message)["action"])
                self._kept.append(lambda: server.send(message))
            else:
                server.send(message)

        page.on_message(say)

    def let_through(self) -> None:
        self.is_slow = False
        for send in self._kept:
            send()


@pytest.mark.parametrize(
    ("asked", "stack", "rules"),
    [
        ("bid", Stack(turned_up="B7"), {"rounds": [4], "plus_minus_one": True}),
        ("trump", Stack(turned_up="ZB"), {"rounds": [2, 3, 4]}),
    ],
    ids=["a bid", "the trump"],
)
def test_the_chosen_answer_turns_gold_and_the_others_fade(
    serve: Serve, browse: Browse, asked: str, stack: Stack, rules: dict[str, Any]
) -> None:
    served, ada = serve(stack=stack), browse(color_scheme="dark")
    line = SlowLine(ada)
    ada.sit(served.address, seated(served, **rules), "?start")
    up_to(ada, asked)
    before = ada.page.evaluate(LOOKS)
    assert not any(one["isGold"] or one["isFaded"] for one in before if not one["isBarred"])
    line.is_slow = True
    offered = ada.page.locator(".prompt [data-action]:enabled")
    chosen, other = offered.nth(1), offered.nth(0)
    name = chosen.get_attribute("data-action")
    chosen.click()
    other.click(force=True)  # too late: one answer is enough
    expect(ada.page.locator(".prompt .sent")).to_have_count(1)
    for was, one in zip(before, ada.page.evaluate(LOOKS), strict=True):
        assert one["isGold"] is (one["action"] == name)
        assert one["isFaded"] is (one["action"] != name)
        assert one["isStruck"] is one["isBarred"] is was["isBarred"]
    ada.look(f"{asked}-on-its-way")
    assert line.sent == [name]
    line.let_through()
    expect(ada.page.locator(".prompt .sent")).to_have_count(0)
    assert ada.page.get_by_role("alert").count() == 0


def test_a_card_on_its_way_to_the_left_is_not_asked_for_again(serve: Serve, browse: Browse) -> None:
    served = serve(stack=Stack(own="JUGGLER R2 R3 R4", turned_up="B7"))
    ada = browse()
    line = SlowLine(ada)
    ada.sit(served.address, seated(served, rounds=[4], specials=["JUGGLER"]), "?start")
    for asked in ada.turns(lambda: False):
        if asked == "pass":
            break
        juggler = ada.page.locator(".piece.hand.bright[data-card=JUGGLER]")
        if asked == "play" and juggler.count():
            juggler.click(position={"x": 15, "y": 28})
            juggler.click(position={"x": 15, "y": 28})
            ada.page.locator(".prompt [data-action]").first.click()
        else:
            ada.act(asked)
    expect(ada.page.locator(".prompt")).to_have_count(1)
    line.is_slow = True
    ada.act("pass")
    expect(ada.page.locator(".piece.sending")).to_have_count(1)
    expect(ada.page.locator(".prompt")).to_have_count(0)
    line.let_through()
    expect(ada.page.locator(".piece.sending")).to_have_count(0)
