"""What the net is shown: the same from the whole state and from a View, and nothing that the seat may not know."""

from random import Random

import pytest

from foretell.engine import awaited_seats, view
from foretell.rules import Rules
from net.observations import awaited_view, observed_by_all_knowing, observed_from_view
from secrecy.reshuffling import reshuffled, retold
from tables import PROVING, every_rules, setup_by_lot

GAMES = 40 if PROVING else 1
RESHUFFLED = 40 if PROVING else 3


def named(rules: Rules) -> str:
    return f"{rules.bids}-{rules.foresight}-{len(rules.specials)}"


@pytest.mark.prove
@pytest.mark.parametrize("rules", every_rules(), ids=named)
def test_training_and_play_see_the_same(rules: Rules) -> None:
    for number in range(GAMES):
        random = Random(number)
        for game in setup_by_lot(number, rules).course():
            seen = awaited_view(game, random) if game.rounds else None
            if seen is not None and seen.seat is not None:
                assert observed_from_view(seen) == observed_by_all_knowing(game, seen.seat)


@pytest.mark.prove
@pytest.mark.parametrize("rules", every_rules(), ids=named)
def test_unseen_cards_do_not_change_the_observation(rules: Rules) -> None:
    for number in range(RESHUFFLED):
        setup = setup_by_lot(1000 + number, rules)
        game = setup.game
        random = Random(number)
        for seat in awaited_seats(game):
            other, _ = retold(setup.start(), reshuffled(setup, seat, random))
            assert view(other, seat) == view(game, seat)
            assert observed_by_all_knowing(other, seat) == observed_by_all_knowing(game, seat)
