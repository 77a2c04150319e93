"""The examples of the players' rules are games that the engine plays: what each of them shows is what its text says."""

from itertools import pairwise

import pytest

from foretell.cards import codes
from foretell.engine.events import BidChanged, CardsPassed, Exchanged, RoundScored, TrickEnded
from foretell.handbook import EXAMPLES, Example, Step, steps
from foretell.record import Record, dumps, loads
from tables import legal, now, refusal_of

SHOWN = {key: steps(example) for key, example in EXAMPLES.items()}
MERLIN, MORGANA, NIMUE, VIVIANE = range(4)


def barred(step: Step) -> str:
    """The cards of the player to move that may not be played."""
    assert step.asked is not None
    assert isinstance(step.asked.cards, tuple)
    allowed = step.asked.cards
    return codes([card for card in step.hands[step.asked.seat] if card not in allowed])


def winner(key: str) -> str:
    """The card that takes the first trick."""
    step = next(step for step in SHOWN[key] if isinstance(step.event, TrickEnded))
    assert step.winner is not None
    return next(laid.face.code for laid in step.trick if laid.seat == step.winner)


@pytest.mark.parametrize("example", EXAMPLES.values(), ids=EXAMPLES.keys())
def test_an_example_is_a_record_that_is_read_back_the_same(example: Example) -> None:
    game = example.played()
    assert loads(dumps(Record(game))).game == game


@pytest.mark.parametrize("example", EXAMPLES.values(), ids=EXAMPLES.keys())
def test_the_last_step_is_the_table_after_all_moves(example: Example) -> None:
    last, played = SHOWN[example.key][-1], now(example.played())
    assert last.hands == played.hands
    assert last.won == played.won
    assert last.trump == played.trump
    assert last.bids == (played.bids if played.change is None else played.final_bids)


@pytest.mark.parametrize("example", EXAMPLES.values(), ids=EXAMPLES.keys())
def test_no_card_is_lost_or_doubled_from_step_to_step(example: Example) -> None:
    """Cards go from hands to the trick, and leave the table only when the next trick begins or cards are passed."""
    for before, after in pairwise(SHOWN[example.key]):
        seen = [_cards(step) for step in (before, after)]
        assert all(len(found) == len(set(found)) for found in seen)
        gone = set(seen[0]) - set(seen[1])
        assert set(seen[1]) <= set(seen[0])
        assert gone <= {laid.face.card for laid in before.trick}
        if gone:
            assert isinstance(before.event, TrickEnded)


def _cards(step: Step) -> list[object]:
    hands = [card for hand in step.hands for card in hand]
    return [*hands, *(laid.face.card for laid in step.trick), step.turned_up]


def test_a_trick_is_taken_only_when_it_is_told() -> None:
    for shown in SHOWN.values():
        for before, after in pairwise(shown):
            if before.won != after.won:
                assert isinstance(after.event, TrickEnded)


def test_following_a_colour() -> None:
    shown = SHOWN["follow"]
    assert barred(shown[1]) == "R9"
    assert barred(shown[2]) == ""
    assert winner("follow") == "G7"


def test_a_jester_is_led() -> None:
    shown = SHOWN["jester_led"]
    assert barred(shown[1]) == ""
    assert barred(shown[2]) == "B3"
    assert winner("jester_led") == "G9"


@pytest.mark.parametrize(
    ("key", "card"),
    [
        pytest.param("trump_beats", "R3", id="K2"),
        pytest.param("first_wizard", "ZB", id="K1"),
        pytest.param("all_jesters", "NB", id="K4"),
        pytest.param("shapeshifter", "SHAPESHIFTER:Z", id="X2"),
        pytest.param("dragon", "DRAGON", id="X3"),
        pytest.param("fairy", "FAIRY", id="X4"),
        pytest.param("juggler", "G8", id="X7"),
        pytest.param("cloud", "B10", id="X8"),
        pytest.param("french", "R6", id="F1"),
    ],
)
def test_the_card_that_takes_the_trick(key: str, card: str) -> None:
    assert winner(key) == card


def test_the_points_of_a_round() -> None:
    last = SHOWN["score"][9].event
    assert isinstance(last, RoundScored)
    assert last.points == (30, -10, 30)


def test_plus_minus_one_bars_a_bid() -> None:
    third, last = SHOWN["plus_minus_one"][3:5]
    assert third.asked is not None
    assert (third.asked.seat, third.asked.bids) == (NIMUE, (1, 2))
    assert sum(bid or 0 for bid in last.bids) == 3


def test_the_french_rule_bars_wizards() -> None:
    shown = SHOWN["french"]
    assert [barred(shown[place]) for place in (1, 2, 3)] == ["ZB", "ZG", ""]
    assert {card.is_wizard for card in shown[3].hands[VIVIANE]} == {True}


def test_after_the_bomb_the_player_leads_who_would_have_won() -> None:
    ended = SHOWN["bomb"][4]
    assert isinstance(ended.event, TrickEnded)
    assert (ended.event.winner, ended.event.next_leader) == (None, NIMUE)
    assert ended.winner is None
    assert ended.won == (0, 0, 0)
    assert SHOWN["bomb"][5].trick[0].seat == NIMUE


def test_the_werewolf_is_exchanged_and_its_player_names_the_trump() -> None:
    dealt, exchanged, named = SHOWN["werewolf"]
    assert isinstance(exchanged.event, Exchanged)
    assert (codes(dealt.hands[MORGANA]), codes(exchanged.hands[MORGANA])) == (
        "WEREWOLF R11",
        "ZG R11",
    )
    assert exchanged.asked is not None
    assert exchanged.asked.seat == MORGANA
    assert named.trump == "R"


def test_the_juggler_makes_everyone_pass_a_card() -> None:
    before, after = SHOWN["juggler"][-2:]
    assert isinstance(after.event, CardsPassed)
    for seat in (MERLIN, MORGANA, NIMUE):
        (given,) = set(before.hands[seat]) - set(after.hands[seat])
        assert given in after.hands[(seat + 1) % 3]


def test_the_cloud_changes_a_bid_of_0_to_1() -> None:
    changed, scored = SHOWN["cloud"][-2:]
    assert isinstance(changed.event, BidChanged)
    assert isinstance(scored.event, RoundScored)
    assert (changed.event.seat, changed.event.change) == (NIMUE, 1)
    assert scored.event.points[NIMUE] == 30
    # X8: a bid of 0 can only go up
    example = EXAMPLES["cloud"]
    game, _ = example.begun()
    for move in example.moves[:-1]:
        game, _ = example.moved(game, move)
    assert legal(game) == "+1"
    assert refusal_of(lambda: example.moved(game, "change -1")) is not None
