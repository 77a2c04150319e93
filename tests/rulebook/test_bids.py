"""Bidding (B1-B3)."""

import pytest

from foretell.engine import Bid, act, awaited_seats, view
from foretell.engine.events import BidMade, BidsShown
from foretell.errors import NotAllowed, Unreadable
from tables import bid, dealt, heard, legal, now, play, told

HANDS = ("R1 R2", "B1 B2", "G1 G2")


def test_B1_a_bid_is_a_whole_number_from_none_to_all_cards_in_hand() -> None:
    game = dealt(*HANDS, turned_up="Y7")
    assert legal(game) == "0 1 2"
    with pytest.raises(NotAllowed, match=r"^3 is not a possible bid \(B1\): bid from 0 to 2$"):
        told(game, "bid 3")
    with pytest.raises(NotAllowed, match=r"^-1 is not a possible bid \(B1\): bid from 0 to 2$"):
        act(game, 0, Bid(-1))


@pytest.mark.parametrize("text", ["-1", "1.5", "x", "", "²", "1 2", "9999"])
def test_B1_nothing_else_reads_as_a_bid(text: str) -> None:
    with pytest.raises(Unreadable, match="is not a number of tricks"):
        told(dealt(*HANDS, turned_up="Y7"), f"bid {text}")


def test_B1_a_bid_once_made_stands() -> None:
    game = told(dealt(*HANDS, turned_up="Y7"), "bid 1")
    with pytest.raises(NotAllowed, match=r"it is not seat 0's turn \(B2\)"):
        told(game, "0 bid 2")
    hidden = told(dealt(*HANDS, turned_up="Y7", bids="hidden"), "1 bid 1")
    with pytest.raises(NotAllowed, match="it is not seat 1's turn"):
        told(hidden, "1 bid 2")
    with pytest.raises(NotAllowed):
        told(bid(game, 1, 0, 0), "0 bid 2")


@pytest.mark.parametrize("dealer", [0, 1, 2])
def test_B2_bids_are_said_in_turn_from_the_dealers_left_the_dealer_last(dealer: int) -> None:
    game = dealt(*HANDS, turned_up="Y7", dealer=dealer)
    for place in (1, 2, 3):
        assert awaited_seats(game) == ((dealer + place) % 3,)
        game = told(game, "bid 0")
    assert now(game).phase == "play"


def test_B2_bids_are_said_aloud() -> None:
    game, events = heard(dealt(*HANDS, turned_up="Y7"), "bid 2")
    assert events == (BidMade(0, 2),)
    for seat in (0, 1, 2, None):
        seen = view(game, seat).now
        assert seen is not None
        assert seen.bids == (2, None, None)


def test_B3_all_bids_are_read_out_before_the_first_trick() -> None:
    game = told(dealt(*HANDS, turned_up="Y7"), "bid 2", "bid 0")
    game, events = heard(game, "bid 1")
    assert events == (BidMade(2, 1), BidsShown((2, 0, 1)))


def test_B3_bids_can_be_looked_up_at_any_time() -> None:
    game = bid(dealt(*HANDS, turned_up="Y7"), 2, 0, 1)
    for trick in ("R1 B1 G1", "R2 B2 G2"):
        for seat in (0, 1, 2, None):
            seen = view(game, seat).now
            assert seen is not None
            assert seen.bids == (2, 0, 1)
        game = play(game, trick)
