"""The variants (V1-V7).  What clashes with what, one by one, is in tests/variants."""

import pytest

from foretell.cards import Colour, codes, faces
from foretell.deals import seeded
from foretell.engine import Game, awaited_seats, deal, new_game, view
from foretell.engine.events import BidMade, BidsShown, TrumpSettled
from foretell.engine.view import RoundView
from foretell.errors import BadDeal, NotAllowed, RulesClash
from foretell.rules import Rules
from tables import NAMES, Setup, bid, dealt, heard, legal, now, play, told

HANDS = ("R1 R2", "B1 B2", "G1 G2")


def seen_by(game: Game, seat: int | None) -> RoundView:
    seen = view(game, seat).now
    assert seen is not None
    return seen


@pytest.mark.parametrize(
    ("earlier", "open_to_the_last"),
    [
        pytest.param("0 0", "0 1", id="V1 two tricks and none bid: the last may not say 2"),
        pytest.param("1 0", "0 2", id="V1 one is bid: the last may not say 1"),
        pytest.param("1 1", "1 2", id="V1 both are bid: the last may not say 0"),
        pytest.param("2 1", "0 1 2", id="V1 more are bid than there are: nothing is closed"),
    ],
)
def test_plus_minus_one(earlier: str, open_to_the_last: str) -> None:
    game = dealt(*HANDS, turned_up="Y7", plus_minus_one=True)
    for said in earlier.split():
        assert legal(game) == "0 1 2"  # it is the last bidder who gives way
        game = told(game, f"bid {said}")
    assert legal(game) == open_to_the_last


def test_V1_the_refusal_names_the_rule() -> None:
    game = told(dealt(*HANDS, turned_up="Y7", plus_minus_one=True), "bid 1", "bid 0")
    with pytest.raises(NotAllowed, match=r"1 is barred \(V1\): .* add up to 2, the tricks"):
        told(game, "bid 1")
    with pytest.raises(NotAllowed, match=r"\(B1\)"):
        told(game, "bid 3")


def test_V1_in_unicolor_the_number_is_that_of_the_cards_drawn() -> None:
    hands = ("B1 B2 B3 B4", "R1 R2 R3 R4", "G1 G2 G3 G4")
    game = told(dealt(*hands, unicolor=True, plus_minus_one=True), "bid 1", "bid 1")
    assert legal(game) == "0 1 3 4"


def test_V1_the_bomb_does_not_lessen_the_number() -> None:
    game = dealt("BOMB R2", "B1 B2", "G1 G2", turned_up="Y7", plus_minus_one=True)
    assert legal(told(game, "bid 0", "bid 0")) == "0 1"


def test_V1_the_clouds_change_is_not_measured_by_it() -> None:
    game = dealt("CLOUD R2", "B1 B2", "G1 G2", turned_up="Y7", plus_minus_one=True)
    game = play(bid(game, 1, 0, 0), "CLOUD:Y B1 G1", "R2 B2 G2")
    assert legal(game) == "+1 -1"
    assert sum(now(told(game, "change +1")).final_bids) == 2


@pytest.mark.parametrize("bids", ["hidden", "secret"])
def test_V2_V3_everyone_bids_at_the_same_time_in_any_order(bids: str) -> None:
    game = dealt(*HANDS, turned_up="Y7", bids=bids)
    assert awaited_seats(game) == (0, 1, 2)
    game = told(game, "2 bid 1")
    assert awaited_seats(game) == (0, 1)
    game = told(game, "0 bid 2")
    assert awaited_seats(game) == (1,)
    assert now(told(game, "1 bid 0")).phase == "play"


@pytest.mark.parametrize("bids", ["hidden", "secret"])
def test_V2_V3_a_bid_is_unseen_by_the_others(bids: str) -> None:
    game, events = heard(dealt(*HANDS, turned_up="Y7", bids=bids), "2 bid 1")
    assert events == (BidMade(2, None),)
    assert seen_by(game, 2).bids == (None, None, 1)
    for other in (0, 1, None):
        assert seen_by(game, other).bids == (None, None, None)
        assert seen_by(game, other).has_bid == (False, False, True)


def test_V2_hidden_bids_are_shown_together_once_everyone_has_bid() -> None:
    game = told(dealt(*HANDS, turned_up="Y7", bids="hidden"), "2 bid 1", "0 bid 2")
    game, events = heard(game, "1 bid 0")
    assert events == (BidMade(1, None), BidsShown((2, 0, 1)))
    for seat in (0, 1, 2, None):
        assert seen_by(game, seat).bids == (2, 0, 1)


def test_V3_secret_bids_are_shown_only_after_the_last_trick() -> None:
    game = told(dealt(*HANDS, turned_up="Y7", bids="secret"), "2 bid 1", "0 bid 2")
    game, events = heard(game, "1 bid 0")
    assert events == (BidMade(1, None),)
    for _ in range(5):
        for player in range(3):
            own = [now(game).bids[player] if one == player else None for one in range(3)]
            assert list(seen_by(game, player).bids) == own
            assert [need is None for need in seen_by(game, player).needs] == [
                b is None for b in own
            ]
        assert seen_by(game, None).bids == (None, None, None)
        (turn,) = awaited_seats(game)
        game, events = heard(game, f"play {legal(game, turn).split()[0]}")
        assert not any(isinstance(event, BidsShown) for event in events)
    game, events = heard(game, f"play {legal(game)}")
    assert BidsShown((2, 0, 1)) in events
    for seat in (0, 1, 2, None):
        assert seen_by(game, seat).bids == (2, 0, 1)


@pytest.mark.parametrize("foresight", ["first_round", "every_round"])
def test_V4_V5_in_the_first_round_one_sees_every_card_but_the_own(foresight: str) -> None:
    game = dealt("R1", "B1", "G1", turned_up="Y7", foresight=foresight)
    seen = seen_by(game, 1)
    assert seen.hand is None
    assert seen.foreseen is not None
    assert [hand and codes(hand) for hand in seen.foreseen] == ["R1", None, "G1"]
    assert seen_by(game, None).foreseen is None


@pytest.mark.parametrize("foresight", ["first_round", "every_round"])
def test_V4_V5_once_all_have_bid_each_sees_its_own_hand_alone(foresight: str) -> None:
    game = bid(dealt("R1", "B1", "G1", turned_up="Y7", foresight=foresight), 0, 0, 0)
    for seat, own in enumerate(("R1", "B1", "G1")):
        assert codes(seen_by(game, seat).hand or ()) == own


def test_V4_the_other_rounds_are_as_usual() -> None:
    game = dealt(*HANDS, turned_up="Y7", foresight="first_round")
    assert codes(seen_by(game, 1).hand or ()) == "B1 B2"
    assert seen_by(game, 1).foreseen is None


def test_V5_every_round_is_bid_so() -> None:
    game = dealt(*HANDS, turned_up="Y7", foresight="every_round")
    seen = seen_by(game, 1)
    assert seen.hand is None
    assert seen.foreseen is not None
    assert [hand and codes(hand) for hand in seen.foreseen] == ["R1 R2", None, "G1 G2"]


def test_V5_what_was_seen_may_be_remembered_for_the_round() -> None:
    game = bid(dealt(*HANDS, turned_up="Y7", foresight="every_round"), 0, 0, 0)
    remembered = seen_by(play(game, "R1 B1 G1"), 1).foreseen
    assert remembered is not None
    assert [hand and codes(hand) for hand in remembered] == ["R1 R2", None, "G1 G2"]


@pytest.mark.parametrize("foresight", ["first_round", "every_round"])
def test_V4_V5_the_dealer_names_the_trump_without_seeing_their_hand(foresight: str) -> None:
    game = dealt("R1", "B1", "G1", turned_up="ZY", dealer=1, foresight=foresight)
    assert awaited_seats(game) == (1,)
    assert seen_by(game, 1).hand is None
    game, events = heard(game, "trump G")
    assert events == (TrumpSettled(Colour.GREEN, 1, "T3"),)
    assert seen_by(game, 1).hand is None


def test_V6_three_or_four_play_twelve_rounds_of_four_to_fifteen_cards() -> None:
    for players in (3, 4):
        game = Setup(Rules(unicolor=True), players, first_dealer=0, seed=2, stop=9999).game
        assert game.is_over
        assert [one.hand_size for one in game.rounds] == list(range(4, 16))
        assert [one.dealer for one in game.rounds] == [r % players for r in range(12)]


@pytest.mark.parametrize("players", [5, 6])
def test_V6_not_more_than_four(players: int) -> None:
    with pytest.raises(RulesClash) as caught:
        new_game(Rules(unicolor=True), NAMES[:players])
    assert str(caught.value) == f"unicolor (V6) is for 3 or 4 players, not {players} (D1)"


def test_V6_each_has_the_fifteen_cards_of_its_people() -> None:
    rules = Rules(unicolor=True, rounds=(12,))
    game = new_game(rules, NAMES[:3], peoples=(Colour.YELLOW, Colour.BLUE, Colour.GREEN))
    made = seeded(3)(game)
    assert made.turned_up is None
    for letter, hand in zip("YBG", made.hands, strict=True):
        expected = {f"{letter}{n}" for n in range(1, 14)} | {f"Z{letter}", f"N{letter}"}
        assert {one.code for one in hand} == expected


def test_V6_everyone_has_a_people_of_its_own() -> None:
    with pytest.raises(RulesClash, match=r"needs a different people \(V6\), not: B B R"):
        new_game(Rules(unicolor=True), NAMES[:3], peoples=(Colour.BLUE, Colour.BLUE, Colour.RED))
    with pytest.raises(RulesClash, match=r"only in unicolor \(V6\)"):
        new_game(Rules(), NAMES[:3], peoples=(Colour.BLUE, Colour.GREEN, Colour.RED))


def test_V6_nobody_is_dealt_anothers_cards_and_nothing_is_turned_up() -> None:
    with pytest.raises(BadDeal, match=r"seat 1 holds another people's cards \(V6\): B9"):
        dealt("B1 B2 B3 B4", "R1 R2 R3 B9", "G1 G2 G3 G4", unicolor=True)
    with pytest.raises(BadDeal, match=r"no card is turned up in unicolor \(V6\), so not Y5"):
        dealt("B1 B2 B3 B4", "R1 R2 R3 R9", "G1 G2 G3 G4", turned_up="Y5", unicolor=True)
    with pytest.raises(BadDeal, match=r"only one of each card \(C1\); more than once here: R3"):
        dealt("B1 B2 B3 B4", "R1 R2 R3 R3", "G1 G2 G3 G4", unicolor=True)


def test_V6_no_trump_and_nobody_ever_follows() -> None:
    game = dealt("B1 B2 B3 B4", "R1 R2 ZR NR", "G1 G2 G3 G4", unicolor=True)
    assert now(game).trump is None
    game = told(bid(game, 0, 0, 0), "play B1")
    assert legal(game) == "R1 R2 ZR NR"


@pytest.mark.parametrize(
    ("plays", "winner"),
    [
        pytest.param("B7 R9 G3", "R9", id="V6 the highest card wins whatever its colour"),
        pytest.param("B7 R7 G3", "B7", id="V6 among equals the first played"),
        pytest.param("B13 ZR G3", "ZR", id="V6 a Wizard is above 13"),
        pytest.param("ZB ZR G3", "ZB", id="V6 of two Wizards the first"),
        pytest.param("NB R1 NG", "R1", id="V6 a Jester is below 1"),
        pytest.param("NB NR NG", "NB", id="V6 of Jesters alone the first"),
    ],
)
def test_who_takes_the_trick_in_unicolor(plays: str, winner: str) -> None:
    place = Rules(unicolor=True).tricks.winning_place(faces(plays), None)
    assert plays.split()[place] == winner


def test_V6_in_unicolor_the_french_rule_has_no_effect() -> None:
    tricks = Rules(unicolor=True, wizards_on_trump="barred").tricks
    assert tricks.winning_place(faces("B13 ZR G3"), None) == 1


def test_V6_the_first_bid_and_lead_go_by_the_dealers_seat() -> None:
    game = dealt("B1 B2 B3 B4", "R1 R2 R3 R4", "G1 G2 G3 G4", unicolor=True, dealer=0)
    assert awaited_seats(game) == (1,)
    assert awaited_seats(bid(game, 0, 0, 0)) == (1,)


@pytest.mark.parametrize(
    ("chosen", "message"),
    [
        pytest.param(
            {"plus_minus_one": True, "bids": "hidden"},
            "plus/minus one (V1) and hidden bids (V2) do not go together: V7",
            id="V7 plus/minus one needs open bids, not hidden ones",
        ),
        pytest.param(
            {"plus_minus_one": True, "bids": "secret"},
            "plus/minus one (V1) and secret bids (V3) do not go together: V7",
            id="V7 nor secret ones",
        ),
        pytest.param(
            {"specials": ("BOMB",), "foresight": "first_round"},
            "special cards (C4) and foresight in the first round (V4) do not go together: V7",
            id="V7 special cards exclude foresight in the first round",
        ),
        pytest.param(
            {"specials": ("BOMB",), "foresight": "every_round"},
            "special cards (C4) and foresight in every round (V5) do not go together: V7",
            id="V7 and in every round",
        ),
        pytest.param(
            {"specials": ("BOMB",), "unicolor": True},
            "special cards (C4) and unicolor (V6) do not go together: V7",
            id="V7 and unicolor",
        ),
        pytest.param(
            {"unicolor": True, "foresight": "every_round"},
            "unicolor (V6) and foresight in every round (V5) do not go together: V7",
            id="V7 unicolor excludes foresight",
        ),
    ],
)
def test_what_does_not_go_together(chosen: dict[str, object], message: str) -> None:
    with pytest.raises(RulesClash) as caught:
        Rules(**chosen)  # type: ignore[arg-type]
    assert str(caught.value) == message
    assert caught.value.rule == "V7"


def test_V7_one_of_three_ways_to_bid_and_one_of_three_sights() -> None:
    with pytest.raises(RulesClash, match=r"'silent' is not a choice for bids \(V7\)"):
        Rules(bids="silent")  # type: ignore[arg-type]
    with pytest.raises(RulesClash, match=r"'last_round' is not a choice for foresight \(V7\)"):
        Rules(foresight="last_round")  # type: ignore[arg-type]


def test_a_deal_is_awaited_only_between_rounds() -> None:
    game = dealt(*HANDS, turned_up="Y7")
    with pytest.raises(NotAllowed, match="no round can be dealt now"):
        deal(game, now(game).deal)
