"""One short game of each set of rules that V7 allows, with each number of players."""

from itertools import count

import pytest

from foretell.engine import from_json, to_json, view
from properties.invariants import check
from tables import PROVING, Setup, every_rules, head_counts, last_round, with_rounds

GAMES = 20 if PROVING else 1


@pytest.mark.parametrize("players", [3, 4, 5, 6])
@pytest.mark.parametrize("bids", ["open", "plus/minus one", "hidden", "secret"])
@pytest.mark.prove
def test_every_allowed_combination_plays_to_its_end(bids: str, players: int) -> None:
    seeds = count(players)
    these = [
        rules
        for rules in every_rules()
        if players in head_counts(rules)
        and bids == ("plus/minus one" if rules.plus_minus_one else rules.bids)
    ]
    assert these
    for rules in these * GAMES:
        seed = next(seeds)
        rounds = (1, last_round(rules, players)) if seed % 20 == 0 else (1, 2 + seed % 3)
        setup = Setup(with_rounds(rules, *rounds), players, seed % players, seed, stop=9999)
        for game in setup.course():
            check(game)
        assert game.is_over
        seen = view(game, seed % players)
        assert from_json(to_json(seen)) == seen
