"""LiveGame a trick (P1-P7)."""

import pytest

from foretell.cards import cards, codes, colour, faces
from foretell.engine import awaited_seats
from foretell.errors import NotAllowed
from foretell.rules import Rules
from tables import bid, dealt, legal, now, play, told


def playable(hand: str, after: str, trump: str | None = "R", **rules: str) -> str:
    tricks = Rules(**rules).tricks  # type: ignore[arg-type]
    demanded = tricks.demanded(faces(after))
    return codes(tricks.playable(cards(hand), demanded, colour(trump) if trump else None))


@pytest.mark.parametrize("dealer", [0, 1, 2])
def test_P1_left_of_the_dealer_leads_and_play_goes_clockwise(dealer: int) -> None:
    game = bid(dealt("R1", "R2", "R3", turned_up="B7", dealer=dealer), 0, 0, 0)
    for place in (1, 2, 3):
        seat = (dealer + place) % 3
        assert awaited_seats(game) == (seat,)
        game = told(game, f"play R{seat + 1}")


def test_P1_the_winner_of_a_trick_leads_the_next() -> None:
    game = bid(dealt("R1 B1", "R2 B2", "R3 B3", "R4 B4", turned_up="G7"), 0, 0, 0, 0)
    assert awaited_seats(game) == (0,)
    game = play(game, "R1 R2 R3 R4")
    assert awaited_seats(game) == (3,)
    assert now(game).trick is not None
    assert now(game).tricks[0].next_leader == 3


def test_P1_nobody_plays_out_of_turn() -> None:
    game = bid(dealt("R1", "R2", "R3", turned_up="B7"), 0, 0, 0)
    with pytest.raises(NotAllowed, match=r"it is not seat 1's turn \(P1\): .* up to seat 0"):
        told(game, "1 play R2")


def test_P2_the_leader_plays_any_card() -> None:
    assert playable("R5 B3 G9 ZB NG", "") == "R5 B3 G9 ZB NG"


def test_only_a_card_in_hand_can_be_played() -> None:
    game = bid(dealt("R1", "R2", "R3", turned_up="B7"), 0, 0, 0)
    with pytest.raises(NotAllowed, match=r"^R2 is not in the hand \(P2\): R1$"):
        told(game, "play R2")


@pytest.mark.parametrize(
    ("hand", "after", "allowed"),
    [
        pytest.param("G2 G9 Y4 R1", "G5", "G2 G9", id="P3 who holds the demanded colour follows"),
        pytest.param("Y4 R1 B2", "G5", "Y4 R1 B2", id="P3 who holds none plays anything"),
        pytest.param("R1 R9 Y4", "G5 R5", "R1 R9 Y4", id="P3 no duty to trump or to overtrump"),
        pytest.param("R1 R9 Y4", "R5", "R1 R9", id="P3 trump demanded is followed, high or low"),
        pytest.param("G2 ZB NB Y4", "G5", "G2 ZB NB", id="P4 Wizards and Jesters at any time"),
        pytest.param("ZB R9", "G5", "ZB R9", id="P4 no need to keep the Wizard"),
        pytest.param("ZB Y4", "R5", "ZB Y4", id="P4 a Wizard need not be played to follow trump"),
        pytest.param("G2 Y4", "G5 Y9", "G2", id="P5 a discard does not change the demand"),
        pytest.param("G2 Y4 NB", "G5 ZY", "G2 NB", id="P5 nor does a Wizard that comes later"),
        pytest.param("G2 Y4", "NB G5 R2", "G2", id="P5 the first number after Jesters demands"),
        pytest.param("G2 Y4 R1", "ZB", "G2 Y4 R1", id="P6 a Wizard led: everyone plays freely"),
        pytest.param("G2 Y4 R1", "ZB G5", "G2 Y4 R1", id="P6 whatever follows the Wizard"),
        pytest.param("G2 Y4 R1", "NB", "G2 Y4 R1", id="P7 a Jester led: free play"),
        pytest.param("G2 Y4 R1", "NB NR", "G2 Y4 R1", id="P7 and still after a second Jester"),
        pytest.param("G2 Y4 R1", "NB NR Y5", "Y4", id="P7 until a number comes"),
        pytest.param("G2 Y4 R1", "NB ZY", "G2 Y4 R1", id="P7 or a Wizard, and it stays free"),
        pytest.param("G2 Y4 R1", "NB ZY G5", "G2 Y4 R1", id="P7 even when a number follows that"),
    ],
)
def test_what_may_be_played(hand: str, after: str, allowed: str) -> None:
    assert playable(hand, after) == allowed


def test_P3_the_refusal_names_the_colour_the_rule_and_what_would_be_allowed() -> None:
    game = bid(dealt("R5 B1", "R2 Y5", "G1 G2", turned_up="B7"), 0, 0, 0)
    game = told(game, "play R5")
    with pytest.raises(NotAllowed) as caught:
        told(game, "play Y5")
    assert str(caught.value) == "seat 1 must follow red (P3): R2; not Y5"
    assert caught.value.rule == "P3"
    assert legal(game) == "R2"


def test_P5_the_demanded_colour_never_changes_within_the_trick() -> None:
    tricks = Rules().tricks
    trick = faces("NB G5 R9 ZB NG Y2")
    assert [tricks.demanded(trick[:played]) for played in range(7)] == [
        None,
        None,
        *[colour("G")] * 5,
    ]
