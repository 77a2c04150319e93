"""The environments agree with the engine action by action, in every rule set."""

import pytest

from envs.following import Followed
from foretell.envs.many_games import ManyGames
from foretell.rules import Rules
from foretell.rules.deck import HEADS
from tables import PROVING, every_rules, head_counts, last_round, with_rounds

ALL = every_rules()


def short(number: int, rules: Rules) -> tuple[Rules, int]:
    """These rules with some number of players and two short rounds; when proving, with all rounds."""
    heads = head_counts(rules)
    players = heads[number % len(heads)]
    if PROVING:
        return rules, players
    last = min(3, last_round(rules, players))
    return with_rounds(rules, 1, last) if last > 1 else rules, players


@pytest.mark.prove
@pytest.mark.parametrize("first", range(4))
def test_many_games_of_different_rules_are_the_engine_s(first: int) -> None:
    """A quarter of all rule sets in one batch, each with its own game."""
    chosen = [short(number, rules) for number, rules in enumerate(ALL)][first::4]
    games = ManyGames(len(chosen), tables=chosen, seed=first)
    followed = Followed(games, first, thorough=0.02)
    for _ in range(2000 if PROVING else 20):
        followed.step()
    assert followed.rounds > len(chosen) // 2
    assert followed.observed > 10


@pytest.mark.prove
@pytest.mark.parametrize("players", HEADS)
def test_whole_games_with_all_special_cards_are_the_engine_s(players: int) -> None:
    """To the end and on into the next game, by itself."""
    specials = ("DRAGON", "FAIRY", "BOMB", "WEREWOLF", "JUGGLER", "CLOUD", "SHAPESHIFTER")
    rounds = None if PROVING else (1, 2, 4)
    rules = Rules(specials=specials, bids="secret" if players % 2 else "open")
    if rounds:
        rules = with_rounds(rules, *rounds)
    games = ManyGames(8 if PROVING else 2, rules, players, seed=players)
    followed = Followed(games, players, thorough=0.1)
    while followed.finished < 2 * games.count:
        followed.step()
