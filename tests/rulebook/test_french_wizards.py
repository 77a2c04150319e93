"""The French wizard rule (F1, F2)."""

import pytest

from foretell.cards import cards, codes, colour, faces
from foretell.errors import NotAllowed, RulesClash
from foretell.rules import Rules
from foretell.rules.presets import preset
from tables import bid, dealt, legal, now, told

FRENCH = preset("fr")


@pytest.mark.parametrize(
    ("hand", "after", "allowed"),
    [
        pytest.param("R1 R9 ZB NB Y4", "R5", "R1 R9 NB", id="F1 with trumps: a trump or a Jester"),
        pytest.param("Y4 B2 ZB NB", "R5", "Y4 B2 NB", id="F1 without trumps: all but a Wizard"),
        pytest.param("ZB NB", "R5", "NB", id="F1 a Jester is another card: it must be played"),
        pytest.param("ZB ZR", "R5", "ZB ZR", id="F1 a hand of Wizards alone plays one"),
        pytest.param("R1 ZB", "NB R5", "R1", id="F1 also when trump is demanded after a Jester"),
        pytest.param("G1 ZB", "G5", "G1 ZB", id="F1 another colour demanded: as usual"),
        pytest.param("G1 ZB", "G5 R2", "G1 ZB", id="F1 trumped is not demanded"),
        pytest.param("R1 ZB", "", "R1 ZB", id="F1 a Wizard may be led"),
        pytest.param("R1 ZB", "NB", "R1 ZB", id="F1 and follow a Jester"),
        pytest.param("R1 ZB Y2", "ZR R5", "R1 ZB Y2", id="F1 a Wizard led demands nothing"),
    ],
)
def test_what_may_be_played_when_trump_is_red(hand: str, after: str, allowed: str) -> None:
    demanded = FRENCH.tricks.demanded(faces(after))
    assert codes(FRENCH.tricks.playable(cards(hand), demanded, colour("R"))) == allowed


@pytest.mark.parametrize(
    ("plays", "winner"),
    [
        pytest.param("R5 ZB R2", "R5", id="F1 a Wizard played so does not win: the trump does"),
        pytest.param("R5 ZB R9", "R9", id="F1 the highest trump does, before or after"),
        pytest.param("NB R5 ZB", "R5", id="F1 after a Jester and a trump too"),
        pytest.param("R5 ZB NB", "R5", id="F1 the Jester does not win either"),
        pytest.param("NB ZB R13", "ZB", id="F1 Jester, Wizard, trump: the Wizard wins"),
        pytest.param("B5 ZB R13", "ZB", id="F1 another colour demanded: the Wizard wins"),
        pytest.param("ZB R13 R2", "ZB", id="F1 a Wizard led wins"),
    ],
)
def test_who_takes_the_trick_when_trump_is_red(plays: str, winner: str) -> None:
    place = FRENCH.tricks.winning_place(faces(plays), colour("R"))
    assert plays.split()[place] == winner


def test_F1_without_trump_nothing_is_barred() -> None:
    demanded = FRENCH.tricks.demanded(faces("R5"))
    assert codes(FRENCH.tricks.playable(cards("R1 ZB"), demanded, None)) == "R1 ZB"
    assert FRENCH.tricks.winning_place(faces("R5 ZB R9"), None) == 1


@pytest.mark.parametrize("after", ["", "NB", "ZB"])
def test_F1_without_trump_and_without_a_demand_nothing_is_barred_either(after: str) -> None:
    """No trump and no demanded colour are not the same colour."""
    demanded = FRENCH.tricks.demanded(faces(after))
    assert codes(FRENCH.tricks.playable(cards("R1 ZR"), demanded, None)) == "R1 ZR"
    assert FRENCH.tricks.winning_place(faces("NB ZR R9"), None) == 1


def test_F1_the_refusal_names_the_rule_and_what_would_be_allowed() -> None:
    game = dealt("R5 B1", "R2 ZB", "G1 G2", turned_up="R7", wizards_on_trump="barred")
    game = told(bid(game, 0, 0, 0), "play R5")
    assert legal(game) == "R2"
    with pytest.raises(NotAllowed) as caught:
        told(game, "play ZB")
    assert caught.value.rule == "F1"
    assert (
        str(caught.value) == "seat 1 may not play a Wizard when trump is demanded (F1): R2; not ZB"
    )


def test_F1_a_card_that_does_not_follow_trump_is_refused_by_P3() -> None:
    game = dealt("R5 B1", "R2 Y1", "G1 G2", turned_up="R7", wizards_on_trump="barred")
    with pytest.raises(NotAllowed, match=r"must follow red \(P3\): R2; not Y1"):
        told(bid(game, 0, 0, 0), "play R5", "play Y1")


def test_F1_a_wizard_from_a_hand_of_wizards_is_played_and_loses() -> None:
    game = dealt("R5 B1", "ZR ZB", "G1 G2", turned_up="R7", wizards_on_trump="barred")
    game = told(bid(game, 0, 0, 0), "play R5")
    assert legal(game) == "ZR ZB"
    game = told(game, "play ZR", "play G1")
    assert now(game).tricks[0].winner == 0


def test_F2_the_french_rule_is_refused_together_with_special_cards() -> None:
    with pytest.raises(RulesClash) as caught:
        Rules(wizards_on_trump="barred", specials=("BOMB",))
    assert caught.value.rule == "F2"
    assert "(F1)" in str(caught.value)
    assert "special cards (C4)" in str(caught.value)
    assert Rules(wizards_on_trump="barred").specials == ()
