"""Every phase of every variant and special card through the page, on a phone and on a laptop.

A picture of each is kept in build/shots (or FORETELL_SHOTS), and axe looks at each.
"""

import json
import os
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import pytest

from web.knowing import Knowing
from web.playing import Player
from web.serving import Served, Stack

PHONE, LAPTOP = pytest.param(390, 844, id="phone"), pytest.param(1440, 900, id="laptop")
# `make test` plays each on a phone, `make prove` on a laptop too.
SIZES = [PHONE, LAPTOP] if os.environ.get("FORETELL_PROVE") else [PHONE]


@dataclass(frozen=True)
class Case:
    """Rules, the cards that lead to the wanted situations, and what must have been asked by the end."""

    name: str
    rules: dict[str, object]
    asks: frozenset[str]
    stack: Stack = field(default_factory=Stack)
    seats: int = 3


def case(
    name: str, asks: str, stack: Stack | None = None, seats: int = 3, **rules: object
) -> object:
    made = Case(name, rules, frozenset(asks.split()), stack or Stack(), seats)
    return pytest.param(made, id=name)


SPECIALS = ["DRAGON", "FAIRY", "BOMB", "WEREWOLF", "JUGGLER", "CLOUD", "SHAPESHIFTER"]
CASES = [
    case("T3 the dealer names the trump", "trump bid play round", Stack(turned_up="ZB"), rounds=[2, 3, 4]),
    case("V1 plus minus one", "bid play round", plus_minus_one=True, rounds=[1, 2, 3]),
    case("V2 hidden bids", "bid play round", bids="hidden", rounds=[2, 3]),
    case("V3 secret bids", "bid play round", bids="secret", rounds=[2, 3]),
    case("V4 foresight in the first round", "bid play round", foresight="first_round", rounds=[1, 2]),
    case("V5 foresight in every round", "bid play round", foresight="every_round", rounds=[5, 9], seats=4),
    case("V6 unicolor", "bid play round", unicolor=True, rounds=[1, 2]),
    case("F1 wizards barred", "bid play round", Stack(own="ZB ZR ZG"), rulebook="fr", wizards_on_trump="barred", rounds=[3, 4]),
    case("X2 shapeshifter", "bid play round", Stack(own="SHAPESHIFTER"), specials=["SHAPESHIFTER"], rounds=[2, 3]),
    case("X3 X4 dragon and fairy", "bid play round", Stack(own="DRAGON R5", others="FAIRY"), specials=["DRAGON", "FAIRY"], rounds=[2, 3]),
    case("X5 bomb", "bid play round", Stack(own="BOMB"), specials=["BOMB"], rounds=[2, 3]),
    case("X6 werewolf", "trump bid play round", Stack(own="WEREWOLF", turned_up="G7"), specials=["WEREWOLF"], rounds=[2, 3]),
    case("X7 juggler", "bid play pass round", Stack(own="JUGGLER"), specials=["JUGGLER"], rounds=[3, 4]),
    case("X8 cloud", "bid play change round", Stack(own="CLOUD ZB", others="NB NR NG NY", turned_up="B1"), specials=["CLOUD"], rounds=[1, 2]),
    case("C4 all seven", "bid play round", Stack(own="JUGGLER CLOUD SHAPESHIFTER"), specials=SPECIALS, rounds=[5, 6], seats=4),
    case("D1 six players", "bid play round", rounds=[9, 10], seats=6),
    case("D1 five players", "bid play round", rounds=[6, 7], seats=5),
]  # fmt: skip


@pytest.mark.prove
@pytest.mark.parametrize(("width", "height"), SIZES)
@pytest.mark.parametrize("one", CASES)
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
