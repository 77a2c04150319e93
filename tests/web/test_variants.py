"""Every phase of every variant and special card through the page, on a phone and on a laptop.

A picture of each is kept in build/shots (or FORETELL_SHOTS), and axe looks at each.
"""

import json
import os
from collections.abc import Callable
from typing import Any

import pytest

from web.cases import CASES, Case
from web.knowing import Knowing
from web.playing import Player
from web.serving import Served

PHONE, LAPTOP = pytest.param(390, 844, id="phone"), pytest.param(1440, 900, id="laptop")
# `make test` plays each on a phone, `make prove` on a laptop too.
SIZES = [PHONE, LAPTOP] if os.environ.get("FORETELL_PROVE") else [PHONE]


@pytest.mark.prove
@pytest.mark.parametrize(("width", "height"), SIZES)
@pytest.mark.parametrize("one", [pytest.param(one, id=one.name) for one in CASES])
def test_through_the_page(
    serve: Callable[..., Served],
    browse: Callable[..., Player],
    one: Case,
    width: int,
    height: int,
) -> None:
    served = serve(stack=one.stack)
    ada = browse(width, height)
    options = {
        "seats": one.seats,
        "bots": ["counting"] * (one.seats - 1),
        "bot_pause_ms": 0,
        "rules": {"rulebook": "pt-BR", **one.rules},
    }
    seated = served.table(options)
    ada.sit(served.address, seated, "?start")
    asked: set[str] = set()
    for what in ada.turns(lambda: False):
        asked.add(what)
        ada.look(f"{one.name.replace(' ', '-')}-{what}")
        ada.act(what)
    ada.look(f"{one.name.replace(' ', '-')}-end")
    assert asked >= one.asks
    knowing = Knowing(ada.finished_game(), seated["seat"])
    assert knowing.leaks(ada.received) == []
    assert knowing.checked > 20


def test_a_leak_would_be_noticed(
    serve: Callable[..., Served], browse: Callable[..., Player]
) -> None:
    """The check itself works: it finds another player's card, a hidden bid or the secret in any frame."""
    served, ada = serve(), browse()
    options = {
        "seats": 3,
        "bots": ["counting"] * 2,
        "bot_pause_ms": 0,
        "rules": {"rulebook": "hu", "bids": "hidden", "rounds": [4, 5]},
    }
    seated = served.table(options)
    ada.sit(served.address, seated, "?start")
    ada.play_to_the_end()
    game = ada.finished_game()
    at = next(n for n, frame in enumerate(ada.received) if '"number":5,"dealer"' in frame)
    message = json.loads(ada.received[at])
    # a card of the last trick before may be in the frame, and that is no leak
    other = next(
        card.code
        for card in game.rounds[1].deal.hands[1]
        if f'"{card.code}' not in ada.received[at]
    )
    assert Knowing(game, 0).leaks(ada.received) == []
    broken: list[dict[str, Any]] = [
        {**message, "more": {"deep": [f"play {other}"]}},
        {**message, "fair": {"secret": "5e" * 32}},
        {
            **message,
            "view": {**message["view"], "now": {**message["view"]["now"], "bids": [0] * 3}},
        },
    ]
    for one in broken:
        frames = [*ada.received]
        frames[at] = json.dumps(one, separators=(",", ":"))
        assert Knowing(game, 0).leaks(frames)
