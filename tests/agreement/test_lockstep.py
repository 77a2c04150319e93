"""Engine and kernel agree on turn, legal set, winner, trump and points, in every rule set, after every action."""

import os

import pytest

from agreement.lockstep import named, play_in_step
from foretell.rules import Rules
from foretell.rules.deck import HEADS
from tables import every_rules

PROVE = bool(os.environ.get("FORETELL_PROVE"))
ALL = every_rules()
PROOF_GAMES = 20_000


def tables_for(rules: Rules) -> list[int]:
    return [players for players in HEADS if rules.has_game_for(players)]


@pytest.mark.prove
@pytest.mark.parametrize("rules", ALL, ids=named)
def test_same_deals_and_actions_lead_to_the_same_game(rules: Rules) -> None:
    number = ALL.index(rules)
    players = tables_for(rules)
    games = -(-PROOF_GAMES // len(ALL)) if PROVE else 1
    for game in range(games):
        seats = players[(number + game) % len(players)]
        play_in_step(rules, seats, seed=1000 * number + game, thorough=0.1 if PROVE else 0.25)


@pytest.mark.parametrize("players", [3, 4, 5, 6])
def test_every_word_of_the_state_is_the_round_s(players: int) -> None:
    specials = ("DRAGON", "FAIRY", "BOMB", "WEREWOLF", "JUGGLER", "CLOUD", "SHAPESHIFTER")
    for seed in range(3):
        play_in_step(Rules(specials=specials), players, seed)
        play_in_step(Rules(specials=specials, bids="secret"), players, seed)
