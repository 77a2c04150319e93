"""The observation read back: each bit says what the View says, by the rules and not by the kernel."""

from random import Random

import pytest

from foretell.rules import Rules
from net.decoding import decoded, order_of, told_by
from net.observations import awaited_view, observed_from_view
from tables import PROVING, every_rules, setup_by_lot

GAMES = 40 if PROVING else 1
RULES = every_rules() if PROVING else every_rules()[::5]


@pytest.mark.prove
@pytest.mark.parametrize("rules", RULES, ids=str)
def test_the_bits_say_what_the_view_says(rules: Rules) -> None:
    for number in range(GAMES):
        random = Random(number)
        for game in setup_by_lot(2000 + number, rules).course():
            seen = awaited_view(game, random) if game.rounds else None
            if seen is not None and seen.seat is not None:
                assert decoded(observed_from_view(seen), order_of(seen)) == told_by(seen)
