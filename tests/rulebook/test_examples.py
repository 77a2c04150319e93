"""The rulebooks' own examples, numbered as in docs/rules.md."""

import pytest

from foretell.cards import card, cards
from foretell.engine import deal, legal_actions, new_game, view
from foretell.rules import Deal, Rules, points
from foretell.rules.possible_results import open_changes
from tables import NAMES, bid, dealt, legal, now, play, told


def test_examples_1_and_2_three_rounds_on_the_pad_S1_S2_S3() -> None:
    """The books give bids and tricks; the hands of the first two rounds are made to fit them."""
    game = new_game(Rules("es", rounds=(1, 2, 3)), NAMES[:3], first_dealer=0)
    rounds = (
        ("B2 / B5 / B9", (0, 1, 1), ("B5 B9 B2",)),
        ("B9 G2 / B5 G5 / B2 G9", (2, 0, 0), ("B2 B9 B5", "G2 G5 G9")),
        ("B5 ZB NB / B3 G11 R7 / NG B7 R3", (2, 2, 0), ("B5 B3 NG", "ZB G11 B7", "NB R7 R3")),
    )
    for hands, bids, tricks in rounds:
        made = Deal(tuple(cards(hand) for hand in hands.split("/")), card("R8"))
        game = play(bid(deal(game, made)[0], *bids), *tricks)
    assert [one.won for one in game.rounds] == [(0, 0, 1), (1, 0, 1), (2, 1, 0)]
    assert [one.points for one in view(game, None).sheet] == [
        (20, -10, 30),
        (-10, 20, -10),
        (40, -10, 20),
    ]
    assert game.totals == ((20, -10, 30), (10, 10, 20), (50, 0, 40))


def test_example_3_the_spanish_round_trick_by_trick_P3_P6_P7_K1_K2_K3() -> None:
    game = dealt("B5 ZB NB", "B3 G11 R7", "NG B7 R3", turned_up="R8", rulebook="es")
    game = bid(game, 2, 2, 0)
    game = told(game, "play B5")
    assert legal(game) == "B3"  # must follow, and may not trump
    game = told(game, "play B3")
    assert legal(game) == "NG B7"  # a Jester may always be played
    game = told(game, "play NG")
    assert now(game).tricks[0].winner == 0
    game = told(game, "play ZB")
    assert legal(game) == "G11 R7"
    game = told(game, "play G11")
    assert legal(game) == "B7 R3"
    game = told(game, "play B7")
    assert now(game).tricks[1].winner == 0
    game = play(game, "NB R7 R3")
    assert now(game).tricks[2].winner == 1
    assert game.score == (40, -10, 20)


@pytest.mark.parametrize("won", [6, 10])
def test_example_4_eight_bid_six_or_ten_won_S2(won: int) -> None:
    assert points(8, won) == -20


def test_example_5_the_cloud_after_a_bid_met_X8() -> None:
    assert [points(3 + change, 3) for change in open_changes(["CLOUD"], 3, 9)] == [-10, -10]


def test_example_5_the_cloud_after_a_bid_missed_by_one_X8() -> None:
    assert -1 in open_changes(["CLOUD"], 5, 9)
    assert points(5 - 1, 4) == 60


def test_example_5_played_out_X8() -> None:
    """Three bid, three won, one of them with the Cloud: whatever is said, it costs ten."""
    game = dealt("ZB ZR CLOUD", "B1 B2 B3", "G1 G2 G3", turned_up="R8", rulebook="pt-BR")
    game = play(bid(game, 3, 0, 0), "ZB B1 G1", "ZR B2 G2", "CLOUD:R B3 G3")
    assert [str(one) for one in legal_actions(game, 0)] == ["change -1"]
    assert told(game, "change -1").score == (-10, 20, 20)
    game = dealt("ZB ZR CLOUD", "B1 B2 B3", "G1 G2 G3", turned_up="R8", rulebook="pt-BR")
    game = play(bid(game, 2, 0, 0), "ZB B1 G1", "ZR B2 G2", "CLOUD:R B3 G3")
    assert told(game, "change +1").score == (50, 20, 20)
