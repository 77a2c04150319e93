"""Trump (T1-T4; X2-X6 for the special cards turned up)."""

import pytest

from foretell.cards import card, colour
from foretell.deals import seeded
from foretell.engine import awaited_seats, deal, new_game
from foretell.engine.events import TrumpSettled
from foretell.errors import BadDeal, NotAllowed
from foretell.rules import Deal, Rules
from tables import NAMES, dealt, heard, legal, now, told

HANDS = ("B1", "B2", "B3")


@pytest.mark.parametrize("letter", ["B", "R", "G", "Y"])
@pytest.mark.parametrize("number", [4, 13])
def test_T1_a_number_turned_up_makes_its_colour_trump(letter: str, number: int) -> None:
    game = dealt(*HANDS, turned_up=f"{letter}{number}")
    assert now(game).trump is colour(letter)
    assert now(game).phase == "bid"


def test_T1_a_card_of_the_stock_must_be_turned_up() -> None:
    with pytest.raises(BadDeal, match=r"must be turned up \(T1\): the stock still has 57"):
        dealt(*HANDS)


def test_T1_the_turned_up_card_is_the_next_after_the_hands() -> None:
    rules = Rules(rounds=(2,))
    order = tuple(rules.deck.cards)  # type: ignore[attr-defined]
    made = rules.deck.deal(lambda cards, _: cards, 3, None, 2, 2)
    assert made.hands == (order[0:6:3], order[1:6:3], order[2:6:3])
    assert made.turned_up is order[6]


@pytest.mark.parametrize(
    "turned_up",
    [
        pytest.param("NB", id="T2 a Jester turned up: no trump"),
        pytest.param("NY", id="T2 whatever its people"),
        pytest.param("FAIRY", id="X4 the Fairy turned up: no trump"),
        pytest.param("BOMB", id="X5 the Bomb turned up: no trump"),
    ],
)
def test_no_trump(turned_up: str) -> None:
    game = dealt(*HANDS, turned_up=turned_up)
    assert now(game).trump is None
    assert now(game).named_by is None
    assert now(game).phase == "bid"


@pytest.mark.parametrize(
    "turned_up",
    [
        pytest.param("ZG", id="T3 a Wizard turned up: the dealer names the trump"),
        pytest.param("SHAPESHIFTER", id="X2 so it is with the Shapeshifter"),
        pytest.param("DRAGON", id="X3 with the Dragon"),
        pytest.param("WEREWOLF", id="X6 with the Werewolf turned up"),
        pytest.param("JUGGLER", id="X7 with the Juggler"),
        pytest.param("CLOUD", id="X8 with the Cloud"),
    ],
)
@pytest.mark.parametrize("dealer", [0, 1, 2])
def test_the_dealer_names_the_trump(turned_up: str, dealer: int) -> None:
    game = dealt(*HANDS, turned_up=turned_up, dealer=dealer)
    assert now(game).phase == "trump"
    assert awaited_seats(game) == (dealer,)
    assert legal(game) == "B R G Y"
    game, events = heard(game, "trump G")
    assert now(game).trump is colour("G")
    assert now(game).named_by == dealer
    assert events == (TrumpSettled(colour("G"), dealer, "T3"),)


def test_T3_the_dealer_cannot_name_no_trump() -> None:
    game = dealt(*HANDS, turned_up="ZG")
    with pytest.raises(NotAllowed, match=r"must name a colour, not \"no trump\" \(T3\)"):
        told(game, "trump none")


def test_T3_nobody_bids_before_the_trump_is_named() -> None:
    game = dealt(*HANDS, turned_up="ZG", dealer=0)
    with pytest.raises(NotAllowed, match=r"it is not seat 1's turn \(T3\): naming the trump"):
        told(game, "1 bid 0")
    with pytest.raises(NotAllowed, match="'bid 0' is not possible now"):
        told(game, "0 bid 0")


def test_T3_another_seat_cannot_name_it() -> None:
    game = dealt(*HANDS, turned_up="ZG", dealer=0)
    with pytest.raises(NotAllowed, match=r"it is not seat 2's turn \(T3\)"):
        told(game, "2 trump R")


@pytest.mark.parametrize(("players", "last"), [(3, 20), (4, 15), (5, 12), (6, 10)])
def test_T4_the_last_round_of_sixty_cards_has_no_trump(players: int, last: int) -> None:
    game = new_game(Rules(rounds=(last,)), NAMES[:players])
    made = seeded(1)(game)
    assert made.turned_up is None
    game, events = deal(game, made)
    assert now(game).trump is None
    assert TrumpSettled(None, None, "T4") in events


def test_T4_nothing_can_be_turned_up_when_no_card_is_left() -> None:
    game = new_game(Rules(rounds=(20,)), NAMES[:3])
    with pytest.raises(BadDeal, match=r"R5 cannot be turned up \(T4\)"):
        deal(game, Deal(seeded(1)(game).hands, card("R5")))


@pytest.mark.parametrize("players", [3, 4, 5, 6])
def test_T4_with_special_cards_the_last_round_has_a_turned_up_card(players: int) -> None:
    game = new_game(Rules(rounds=(60 // players,), specials=("BOMB",)), NAMES[:players])
    made = seeded(1)(game)
    assert made.turned_up is not None
    assert {*made.turned_up.code.split(), *(c.code for h in made.hands for c in h)} == {
        c.code
        for c in game.rules.deck.cards  # type: ignore[attr-defined]
    }
