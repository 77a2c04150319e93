"""The cards (C1-C4)."""

from collections import Counter
from copy import deepcopy
from importlib import import_module
from pickle import dumps, loads

import pytest

from foretell.cards import CARDS, FACES, SPECIALS, Colour, Kind, card, cards, codes, colour, face
from foretell.cards.specials import BY_KIND
from foretell.errors import BadDeal, RulesClash, Unreadable
from foretell.rules import Rules
from tables import bid, dealt, legal, told

SIXTY = [one for one in CARDS.values() if not one.is_special]


def test_C1_sixty_cards_four_colours_of_thirteen_four_wizards_four_jesters() -> None:
    assert len(SIXTY) == len(set(SIXTY)) == 60
    assert Counter(one.kind for one in SIXTY) == {
        Kind.NUMBER: 52,
        Kind.WIZARD: 4,
        Kind.JESTER: 4,
    }
    for people in Colour:
        numbers = [one.value for one in SIXTY if one.colour is people]
        assert numbers == list(range(1, 14))


def test_C1_there_is_one_of_each_card() -> None:
    with pytest.raises(BadDeal, match=r"only one of each card \(C1\); more than once here: R5$"):
        dealt("R5", "B2", "R5", turned_up="G3")
    with pytest.raises(BadDeal, match=r"only one of each card \(C1\); more than once here: R5$"):
        dealt("R5", "B2", "R7", turned_up="R5")


def test_C2_the_colours_are_four_peoples() -> None:
    names = [(one.name, one.value) for one in Colour]
    assert names == [("BLUE", "B"), ("RED", "R"), ("GREEN", "G"), ("YELLOW", "Y")]
    assert all(one.people is Colour(one.code[0]) for one in SIXTY if one.kind is Kind.NUMBER)


@pytest.mark.parametrize("letter", ["B", "R", "G", "Y"])
def test_C3_each_wizard_and_jester_bears_a_people_but_has_no_colour(letter: str) -> None:
    for code in (f"Z{letter}", f"N{letter}"):
        assert card(code).people is colour(letter)
        assert card(code).colour is None
        assert face(code).colour is None


def test_C3_a_wizard_of_the_demanded_colour_is_no_reason_to_follow() -> None:
    game = dealt("R5 B2", "ZR Y3", "NR Y4", turned_up="B7")
    game = told(bid(game, 0, 0, 0), "play R5")
    assert legal(game) == "ZR Y3"
    assert legal(told(game, "play Y3")) == "NR Y4"


def test_C4_seven_special_cards_in_the_order_of_the_book() -> None:
    assert codes(one for one in CARDS.values() if one.is_special) == (
        "DRAGON FAIRY BOMB WEREWOLF JUGGLER CLOUD SHAPESHIFTER"
    )
    assert len(CARDS) == 67


def test_C4_special_cards_are_in_as_the_table_agrees() -> None:
    with pytest.raises(BadDeal, match=r"plays without BOMB \(C4\)"):
        dealt("R5", "CLOUD", "B3", turned_up="G3").rules.deck.check(
            dealt("R5", "BOMB", "B3", turned_up="G3").rounds[0].deal, 3, None, 1
        )
    assert len(Rules(specials=("CLOUD",)).deck.cards) == 61  # type: ignore[attr-defined]
    assert len(Rules(specials=tuple(SPECIALS)).deck.cards) == 67  # type: ignore[attr-defined]


def test_C4_every_special_kind_has_a_module_of_its_own_and_they_are_in_one_order() -> None:
    assert tuple(BY_KIND) == SPECIALS == tuple(Kind)[3:]
    for kind, special in BY_KIND.items():
        assert import_module(f"foretell.cards.specials.{kind.lower()}").__all__ == [kind.value]
        assert special.kind is kind
        assert all(kind in BY_KIND[other].companions for other in special.companions)
    # A round has one place for each of these.
    assert len([one for one in BY_KIND.values() if one.when_dealt]) <= 1
    assert len([one for one in BY_KIND.values() if one.after_round]) <= 1


@pytest.mark.parametrize("alone", ["DRAGON", "FAIRY"])
def test_C4_dragon_and_fairy_go_in_together_or_not_at_all(alone: str) -> None:
    with pytest.raises(RulesClash) as caught:
        Rules(specials=("CLOUD", alone))
    assert caught.value.rule == "C4"
    assert "Dragon (X3)" in str(caught.value)
    assert "Fairy (X4)" in str(caught.value)
    assert str(caught.value).endswith(f"only {alone.capitalize()} was chosen")


def test_C4_the_order_in_which_special_cards_are_agreed_on_means_nothing() -> None:
    assert Rules(specials=("CLOUD", "BOMB")) == Rules(specials=("BOMB", "CLOUD"))


@pytest.mark.parametrize(
    ("specials", "message"),
    [
        pytest.param(("UNICORN",), "'UNICORN' is not a special card", id="C4 no eighth kind"),
        pytest.param(("BOMB", "BOMB"), "one special card of each kind", id="C4 no second Bomb"),
    ],
)
def test_special_cards_that_there_are_not(specials: tuple[str, ...], message: str) -> None:
    with pytest.raises(RulesClash, match=message) as caught:
        Rules(specials=specials)
    assert caught.value.rule == "C4"


def test_a_card_code_reads_as_the_card_and_a_card_is_written_as_its_code() -> None:
    for code, one in CARDS.items():
        assert card(code) is one
        assert str(one) == one.code == code
        assert loads(dumps(one)) is one
        assert deepcopy(one) is one
    for code, played in FACES.items():
        assert face(code) is played
        assert played.card is card(code.partition(":")[0])
        assert loads(dumps(played)) is played
    assert codes(cards("R5 ZB JUGGLER")) == "R5 ZB JUGGLER"


@pytest.mark.parametrize("text", ["", "X9", "B0", "B14", "b5", "R05", "Z", "ZZ", "Dragon", "R5 "])
def test_what_is_not_a_card(text: str) -> None:
    with pytest.raises(Unreadable) as caught:
        card(text)
    assert f"'{text}' is not a card" in str(caught.value)


@pytest.mark.parametrize(
    ("text", "rule"),
    [
        pytest.param("JUGGLER", "X7", id="X7 the Juggler needs a colour"),
        pytest.param("JUGGLER:Z", "X7", id="X7 and a colour it must be"),
        pytest.param("CLOUD", "X8", id="X8 the Cloud needs a colour"),
        pytest.param("CLOUD:", "X8", id="X8 and one of the four"),
        pytest.param("SHAPESHIFTER", "X2", id="X2 the Shapeshifter is said to be something"),
        pytest.param("SHAPESHIFTER:B", "X2", id="X2 a Wizard or a Jester"),
        pytest.param("WEREWOLF", "X1", id="X1 the Werewolf is never played"),
        pytest.param("WEREWOLF:R", "X1", id="X1 with no word either"),
    ],
)
def test_a_play_carries_the_declaration_it_needs(text: str, rule: str) -> None:
    with pytest.raises(Unreadable) as caught:
        face(text)
    assert caught.value.rule == rule
    assert rule in str(caught.value)


@pytest.mark.parametrize("text", ["R5:R", "ZB:Z", "DRAGON:R", "R5:"])
def test_a_play_that_needs_no_declaration_carries_none(text: str) -> None:
    with pytest.raises(Unreadable, match="is played as it is"):
        face(text)
