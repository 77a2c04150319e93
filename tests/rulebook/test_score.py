"""Points and the end (S1-S4)."""

import pytest

from foretell.cards import cards
from foretell.engine import act, awaited_seats, deal, legal_actions, new_game, view
from foretell.engine.events import GameOver, RoundScored
from foretell.rules import Deal, Rules, points, winners
from tables import NAMES, bid, dealt, heard, now, play, told


@pytest.mark.parametrize(
    ("bid_made", "won", "expected"),
    [
        pytest.param(0, 0, 20, id="S1 none bid, none won: 20"),
        pytest.param(1, 1, 30, id="S1 a bid met: 20 and 10 for each trick"),
        pytest.param(20, 20, 220, id="S1 all twenty"),
        pytest.param(1, 0, -10, id="S2 one under: minus 10"),
        pytest.param(0, 3, -30, id="S2 three over: minus 30, and nothing for the tricks"),
        pytest.param(20, 0, -200, id="S2 twenty under"),
    ],
)
def test_points(bid_made: int, won: int, expected: int) -> None:
    assert points(bid_made, won) == expected


def test_S3_totals_run_on_from_round_to_round_and_may_be_negative() -> None:
    game = new_game(Rules(rounds=(1, 2)), NAMES[:3], first_dealer=2)
    for hands, turned_up, bids, tricks in (
        (("R1", "R2", "R3"), "B7", (1, 1, 1), ("R1 R2 R3",)),
        (("R1 G1", "R2 G2", "R3 G3"), "B7", (0, 1, 2), ("R2 R3 R1", "G3 G1 G2")),
    ):
        made = Deal(tuple(cards(hand) for hand in hands), cards(turned_up)[0])
        game = play(bid(deal(game, made)[0], *bids), *tricks)
    assert game.totals == ((-10, -10, 30), (10, -20, 70))
    assert game.score == (10, -20, 70)


def test_S3_the_sheet_shows_the_bid_beside_each_total() -> None:
    game = play(bid(dealt("R1", "R2", "R3", turned_up="B7"), 1, 0, 1), "R1 R2 R3")
    (line,) = view(game, None).sheet
    assert (line.bids, line.won) == ((1, 0, 1), (0, 0, 1))
    assert (line.points, line.totals) == ((-10, 20, 30), (-10, 20, 30))


@pytest.mark.parametrize(
    ("totals", "expected"),
    [
        pytest.param((10, 50, 40), (1,), id="S4 the most points win"),
        pytest.param((50, 10, 50), (0, 2), id="S4 players level on top share the victory"),
        pytest.param((-30, -10, -20), (1,), id="S4 below zero too"),
        pytest.param((0, 0, 0), (0, 1, 2), id="S4 all of them, if all are level"),
    ],
)
def test_who_wins(totals: tuple[int, ...], expected: tuple[int, ...]) -> None:
    assert winners(totals) == expected


def test_S4_nobody_wins_before_the_last_round_is_scored() -> None:
    game = bid(dealt("R1", "R2", "R3", turned_up="B7"), 0, 0, 1)
    game = told(game, "play R1", "play R2")
    assert game.winners == ()
    game, events = heard(game, "play R3")
    assert game.winners == (2,)
    assert events[-2:] == (
        RoundScored((0, 0, 1), (0, 0, 1), (20, 20, 30), (20, 20, 30)),
        GameOver((2,)),
    )


def test_S4_no_winner_is_named_after_a_round_that_is_not_the_last() -> None:
    game = new_game(Rules(rounds=(1, 2)), NAMES[:3])
    made = Deal(tuple(cards(hand) for hand in ("R1", "R2", "R3")), cards("B7")[0])
    game, _ = deal(game, made)
    while now(game).phase != "scored":
        seat = awaited_seats(game)[0]
        game, events = act(game, seat, legal_actions(game, seat)[0])
    assert game.winners == ()
    assert not any(isinstance(event, GameOver) for event in events)
