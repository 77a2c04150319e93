"""What the score sheet says about a player, and the bots with unusual bids that it was made for."""

from random import Random
from statistics import fmean

import pytest

from foretell.bots import BOTS, bot, play_out
from foretell.bots.conformance import check
from foretell.bots.levels import UNUSUAL_BIDDERS
from foretell.bots.search.habits import counts_of, habit_of, oddity_of
from foretell.deals import seeded
from foretell.engine import Bid, new_game, view
from foretell.engine.game import ScoredRound
from foretell.rules import Rules
from tables import dealt


def sheet(*lines: tuple[int, int]) -> list[ScoredRound]:
    """Rounds of ten cards in which seat 0 made this bid and took so many tricks."""
    return [
        ScoredRound(10, 0, (bid, 3, 3), (won, 3, 7 - won), (0, 0, 0), (0, 0, 0))
        for bid, won in lines
    ]


def test_nothing_is_known_about_anybody_before_the_first_round() -> None:
    assert habit_of([], 0) == 0
    assert counts_of([], 0, 0.35) == pytest.approx(0.35)
    assert oddity_of([], 0) == pytest.approx(0.05)


def test_a_habit_shows_more_clearly_the_longer_it_lasts() -> None:
    for way in (1, -1):
        shown = [habit_of(sheet(*[(3, 3 - way)] * rounds), 0) for rounds in (1, 3, 9)]
        assert [way * one for one in shown] == sorted(way * one for one in shown)
        assert way * shown[0] > 0


def test_one_wild_miss_counts_as_two() -> None:
    assert habit_of(sheet((7, 0)), 0) == habit_of(sheet((2, 0)), 0)


def test_a_player_that_is_often_far_off_bids_at_random() -> None:
    assert oddity_of(sheet(*[(7, 1)] * 4), 0) > 0.9
    assert oddity_of(sheet(*[(2, 2), (3, 2), (1, 1), (2, 3)]), 0) < 0.01


@pytest.mark.parametrize("seed", range(3))
def test_random_bidders_are_recognised(seed: int) -> None:
    names = ("random-bidder", "casual", "counting", "overbidder")
    game = new_game(Rules(), list(names))
    game = play_out(game, [bot(name) for name in names], seeded(seed), Random(seed))
    odd = {name: oddity_of(game.sheet, seat) for seat, name in enumerate(names)}
    assert odd["random-bidder"] > 0.95
    assert max(odd["casual"], odd["counting"]) < 0.5


@pytest.mark.parametrize("players", [3, 4])
def test_counting_players_are_distinguished_from_searches(players: int) -> None:
    names = ("counting", "skilled", "counting", "skilled")[:players]
    thought: dict[str, list[float]] = {"counting": [], "skilled": []}
    for seed in range(4):
        game = new_game(Rules(), [f"P{seat}" for seat in range(players)])
        game = play_out(game, [bot(name) for name in names], seeded(seed), Random(seed))
        for seat, name in enumerate(names):
            thought[name].append(counts_of(game.sheet, seat, 0.35))
    assert fmean(thought["counting"]) > 0.5
    assert fmean(thought["skilled"]) < 0.3
    assert all(0.02 < one < 0.9 for both in thought.values() for one in both)


@pytest.mark.parametrize("name", sorted(UNUSUAL_BIDDERS))
def test_an_unusual_bidder_conforms(name: str) -> None:
    assert name in BOTS
    assert check(bot(name)).choices > 1000


def test_unusual_bids_are_off_by_one() -> None:
    hands = ("R1 R9 R12 G3 G8 B4 Y13", "R2 R3 R4 G1 G2 B1 B2", "Y1 Y2 Y3 Y4 Y5 B8 B9")
    seen = view(dealt(*hands, turned_up="R5"), 0)

    def bids(name: str) -> int:
        chosen = bot(name).choose(seen, Random(0))
        assert isinstance(chosen, Bid)
        return chosen.tricks

    assert bids("overbidder") == bids("casual") + 1
    assert bids("underbidder") == bids("counting") - 1
    assert len({str(bot("random-bidder").choose(seen, Random(n))) for n in range(40)}) > 5
