"""The counting bot plays exactly as it is defined (docs/bots.md)."""

from random import Random

import pytest

from foretell import act, action, bot, deal, face, legal_actions, new_game, preset, view
from foretell.bots import BOTS
from foretell.bots.simple.counting import worth
from foretell.cards import cards
from foretell.engine import Game
from foretell.rules import Deal, Rules

NAMES = ["Ana", "Rui", "Eva", "Ivo", "Uma", "Leo"]
COUNTING = bot("counting")


def _game(hands: str, turned_up: str | None, rules: Rules | None = None, dealer: int = 0) -> Game:
    """A round of the hands given, separated by commas."""
    dealt = tuple(cards(hand) for hand in hands.split(","))
    size = len(dealt[0])
    rules = rules or preset("pt-BR", rounds=(size,), specials=())
    game = new_game(rules, NAMES[: len(dealt)], first_dealer=dealer)
    return deal(game, Deal(dealt, cards(turned_up)[0] if turned_up else None))[0]


def _chosen(game: Game, seat: int) -> str:
    return str(COUNTING.choose(view(game, seat), Random(0)))


def _after(game: Game, *actions: str) -> Game:
    for text in actions:
        seat = next(seat for seat in range(game.seats) if legal_actions(game, seat))
        game = act(game, seat, action(text))[0]
    return game


SPECIALS = preset(
    "pt-BR", rounds=(4,), specials=("DRAGON", "FAIRY", "BOMB", "JUGGLER", "CLOUD", "SHAPESHIFTER")
)


@pytest.mark.parametrize(
    ("card", "turned_up", "tricks"),
    [
        ("ZB", "B5", "1"),
        ("NB", "B5", "0"),
        ("B13", "B5", "0.95"),
        ("B9", "B5", "0.45"),
        ("B1", "B5", "0.3"),
        ("R13", "B5", "0.6"),
        ("R12", "B5", "0.3"),
        ("R11", "B5", "0"),
        ("R13", "NB", "0.75"),
        ("R11", "NB", "0.2"),
        ("R10", "NB", "0"),
    ],
)
def test_what_a_card_is_worth_with_four(card: str, turned_up: str, tricks: str) -> None:
    game = _game("G1,G2,G3,G4", turned_up)
    assert worth(cards(card)[0], view(game, 0)) == pytest.approx(float(tricks))


def test_with_fewer_players_cards_are_worth_more_but_never_more_than_a_trick() -> None:
    with_three, with_six = _game("G1,G2,G3", "B5"), _game("G1,G2,G3,G4,G6,G7", "B5")
    assert worth(cards("R13")[0], view(with_three, 0)) == pytest.approx(0.6 * 1.06)
    assert worth(cards("B13")[0], view(with_three, 0)) == 1
    assert worth(cards("B13")[0], view(with_six, 0)) == pytest.approx(0.95 * 0.88)


def test_a_unicolor_card_is_worth_the_chance_that_all_others_are_lower() -> None:
    game = new_game(preset("hu", unicolor=True, rounds=(1,)), NAMES[:3])
    hands = tuple(cards(f"{c}1 {c}2 {c}3 Z{c}") for c in "BRG")
    seen = view(deal(game, Deal(hands, None))[0], 0)
    assert worth(cards("B7")[0], seen) == pytest.approx((6.5 / 13) ** 2)
    assert worth(cards("ZB")[0], seen) == 1


def test_it_bids_the_sum_rounded_half_up() -> None:
    # trump 13 and 10: .95 + .55 = 1.5 exactly, which is two
    game = _game("G2 G3,B13 B10,R1 R2,Y1 Y2", "B5")
    assert _chosen(game, 1) == "bid 2"


def test_plus_minus_one_makes_it_bid_one_fewer_or_one_from_none() -> None:
    rules = preset("es", plus_minus_one=True, rounds=(1,))
    game = _game("R1,R2,ZB,R3", "B5", rules, dealer=2)
    assert _chosen(_after(game, "bid 0", "bid 0", "bid 0"), 2) == "bid 0"
    assert _chosen(_after(game, "bid 0", "bid 1", "bid 0"), 2) == "bid 1"
    low = _game("R1,R2,R4,R3", "B5", rules, dealer=2)
    assert _chosen(_after(low, "bid 0", "bid 1", "bid 0"), 2) == "bid 1"


def test_unseen_it_bids_its_share() -> None:
    rules = preset("hu", foresight="every_round", rounds=(2,))
    game = _game("ZB ZR,R1 R2,R4 R5,R6 R7", "B5", rules)
    assert _chosen(game, 1) == "bid 1"


@pytest.mark.parametrize(
    ("hand", "named"),
    [
        ("B2 B3 R13 ZB", "trump B"),
        ("B9 R9 G2 Y9", "trump Y"),
        ("ZB ZR NB NR", "trump Y"),
    ],
    ids=["two low cards outweigh a high one", "of equals the last", "without colours the last"],
)
def test_it_names_its_longest_and_highest_colour(hand: str, named: str) -> None:
    game = _game(f"{hand},R1 R2 R3 R4,G5 G6 G7 G8", "ZG")
    assert _chosen(game, 0) == named


def test_it_names_with_the_card_that_the_werewolf_brought() -> None:
    rules = preset("pt-BR", rounds=(1,), specials=("WEREWOLF",))
    assert _chosen(_game("B1,WEREWOLF,B2", "R7", rules), 1) == "trump R"


BIDS_ONE, BIDS_NONE = ("bid 1",) * 3, ("bid 0",) * 3


@pytest.mark.parametrize(
    ("bids", "played", "chosen"),
    [
        pytest.param(BIDS_ONE, (), "play ZG", id="wanting tricks it leads the highest"),
        pytest.param(BIDS_NONE, (), "play G1", id="wanting none it leads the lowest"),
    ],
)
def test_its_lead(bids: tuple[str, ...], played: tuple[str, ...], chosen: str) -> None:
    game = _game("R1 R2 R3,G1 G9 ZG,Y1 Y2 Y3", "B5")
    assert _chosen(_after(game, *bids, *played), 1) == chosen


@pytest.mark.parametrize(
    ("bids", "lead", "chosen"),
    [
        pytest.param(BIDS_ONE, "play R5", "play R8", id="the lowest that takes"),
        pytest.param(BIDS_ONE, "play R13", "play ZG", id="if need be a Wizard"),
        pytest.param(BIDS_ONE, "play ZB", "play NY", id="if none takes, the lowest of all"),
        pytest.param(BIDS_NONE, "play R5", "play R2", id="the highest that ducks"),
        pytest.param(BIDS_NONE, "play ZB", "play ZG", id="under a Wizard its own is harmless"),
    ],
)
def test_its_answer(bids: tuple[str, ...], lead: str, chosen: str) -> None:
    game = _game("Y1 Y2 Y3 Y4 Y6,R5 R13 ZB G3 G4,R2 R8 R12 ZG NY", "B5")
    assert _chosen(_after(game, *bids, lead), 2) == chosen


def test_in_a_bombed_trick_it_throws_what_it_fears() -> None:
    game = _game("G1 G2 G3 G4,BOMB R3 R4 R5,R2 R8 R12 ZG", "B5", SPECIALS)
    assert _chosen(_after(game, *BIDS_NONE, "play BOMB"), 2) == "play ZG"
    assert _chosen(_after(game, *BIDS_ONE, "play BOMB"), 2) == "play R2"


def test_every_declaration_is_a_play_of_its_own() -> None:
    game = _game("G1 G2 G3 G4,R9 R3 R4 R5,R2 R8 CLOUD SHAPESHIFTER", "B5", SPECIALS)
    assert _chosen(_after(game, *BIDS_ONE, "play R9"), 2) == "play CLOUD:R"
    # ducking: the Cloud in another colour is its highest card that loses
    assert _chosen(_after(game, *BIDS_NONE, "play R9"), 2) == "play CLOUD:Y"


def test_it_passes_low_when_it_wants_tricks_and_high_when_not() -> None:
    game = _game("JUGGLER R3 G6 ZB,G1 G2 G3 G4,R2 R8 R12 ZG", "B5", SPECIALS, dealer=2)
    wants, ducks = ("bid 2",) * 3, ("bid 0",) * 3
    plays = ("play JUGGLER:Y", "play G4", "play R8")
    assert _chosen(_after(game, *wants, *plays), 2) == "pass R2"
    assert _chosen(_after(game, *ducks, *plays), 2) == "pass ZG"


@pytest.mark.parametrize(
    ("bid", "chosen"),
    [(0, "change +1"), (1, "change -1")],
    ids=["one over goes up", "met goes down"],
)
def test_it_changes_its_bid_towards_its_tricks(bid: int, chosen: str) -> None:
    rules = preset("pt-BR", rounds=(1,), specials=("CLOUD",))
    game = _game("CLOUD,G2,G3", "B5", rules, dealer=2)
    game = _after(game, f"bid {bid}", "bid 0", "bid 0", "play CLOUD:B", "play G2", "play G3")
    assert _chosen(game, 0) == chosen


@pytest.mark.parametrize("name", sorted(BOTS))
def test_a_bot_needs_only_the_view(name: str) -> None:
    game = _game("R1 R2 R3,G1 G9 ZG,Y1 Y2 Y3", "B5")
    seen = view(game, 1)
    assert bot(name).choose(seen, Random(5)) in seen.legal
    assert bot(name).choose(seen, Random(5)) == bot(name).choose(seen, Random(5))


def test_heights_are_those_of_a_rough_order() -> None:
    order = [
        action(f"play {code}").height
        for code in ("FAIRY", "NB", "R1", "JUGGLER:R", "R13", "ZB", "DRAGON")
    ]
    assert order == sorted(order)
    assert face("SHAPESHIFTER:N").value == 0
