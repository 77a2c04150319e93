"""Games of the kernel as values of the engine: the same as if the engine had played them."""

import pytest

from foretell.bots.simple.counting import kernel_words
from foretell.kernel import PLAIN, RANDOM, compile_rules, play_games
from foretell.kernel.bulk.recorded_games import played_game
from foretell.kernel.bulk.totals import Tallying, batches
from foretell.kernel.state.from_engine import state_of_round
from foretell.record import Record, dumps, loads
from foretell.rules import Rules
from kernel.to_engine import round_of

SPECIALS = ("DRAGON", "FAIRY", "BOMB", "WEREWOLF", "JUGGLER", "CLOUD", "SHAPESHIFTER")


@pytest.mark.parametrize("policy", [RANDOM, PLAIN])
@pytest.mark.parametrize(
    ("rules", "players"),
    [
        (Rules(), 4),
        (Rules(bids="secret", rounds=(2, 5)), 6),
        (Rules(unicolor=True), 3),
        (Rules(specials=SPECIALS), 5),
        (Rules(specials=SPECIALS), 3),
    ],
    ids=["base", "V3 D6", "V6", "X1-X9 5", "X1-X9 3"],
)
def test_a_game_is_put_together_as_the_engine_would_have_played_it(
    rules: Rules, players: int, policy: int
) -> None:
    tables = compile_rules(rules, players)
    words = kernel_words(tables)
    policies = [policy] * players
    batch = play_games(tables, 3, seed=4, policies=policies, words=words)
    for number in range(3):
        game = played_game(tables, number, seed=4, policies=policies, words=words)
        assert game.is_over
        assert game.score == batch.score(number)
        for now, totals in zip(game.rounds, game.totals, strict=True):
            assert round_of(tables, state_of_round(tables, now, totals), now.deal) == now
        record = Record(game, ("x",) * players)
        assert loads(dumps(record)) == record


def test_a_tally_adds_up_what_the_games_say() -> None:
    rules = Rules(rounds=(1, 4))
    tables = compile_rules(rules, 3)
    games, rounds = 40, range(2)
    tallying, one_by_one = Tallying(tables), Tallying(tables)
    for batch in batches(tables, games, seed=2, policies=[RANDOM] * 3, batch=16):
        tallying.add(batch)
    for number in range(games):
        one_by_one.add_game(played_game(tables, number, seed=2, policies=[RANDOM] * 3))
    tally = tallying.tally
    for other in (one_by_one.tally,):
        assert list(other.by_place) == list(tally.by_place)
        assert list(other.trumps) == list(tally.trumps)
        assert list(other.scores) == list(tally.scores)
        assert list(other.shares) == pytest.approx(list(tally.shares))
    played = play_games(tables, games, seed=2)
    lines = [[[played.line(g, p, s) for s in range(3)] for p in rounds] for g in range(games)]
    for place in rounds:
        met = [
            lines[g][place][s][0] == lines[g][place][s][1] for g in range(games) for s in range(3)
        ]
        assert tally.met(place) == pytest.approx(sum(met) / len(met))
        # The order of bidding: in game g the first dealer is seat g mod 3, and the deal moves on.
        dealers = [
            lines[g][place][(g + place) % 3][0] == lines[g][place][(g + place) % 3][1]
            for g in range(games)
        ]
        assert tally.met(place, 2) == pytest.approx(sum(dealers) / games)
    scores = [played.score(game) for game in range(games)]
    assert tally.score(1)[0] == pytest.approx(sum(score[1] for score in scores) / games)
    wins = sum((score[0] == max(score)) / score.count(max(score)) for score in scores)
    assert tally.wins(0) == pytest.approx(wins / games)
    assert sum(tally.trump(number) for number in range(5)) == pytest.approx(1)
    assert sum(count for _, count in tally.histogram()) == 3 * games
