"""The special cards (X1-X9)."""

import pytest

from foretell.cards import SPECIALS, cards, codes, colour, face, faces
from foretell.engine import (
    Game,
    act,
    action,
    awaited_seats,
    deal,
    legal_actions,
    new_game,
    view,
)
from foretell.engine.events import (
    BidChanged,
    BidsShown,
    CardsPassed,
    Exchanged,
    RoundScored,
    TrickEnded,
    TrumpSettled,
)
from foretell.errors import NotAllowed, Unreadable
from foretell.rules import Rules
from tables import NAMES, bid, dealt, heard, legal, now, play, told

RULES = Rules("pt-BR", specials=tuple(SPECIALS))


@pytest.mark.parametrize(
    ("hand", "after", "allowed"),
    [
        pytest.param(
            "G2 Y4 DRAGON FAIRY BOMB JUGGLER CLOUD SHAPESHIFTER",
            "G5",
            "G2 DRAGON FAIRY BOMB JUGGLER CLOUD SHAPESHIFTER",
            id="X1 special cards may always be played, even by one who could follow",
        ),
        pytest.param("G2 Y4", "FAIRY G5", "G2", id="X1 a Fairy led is as a Jester led"),
        pytest.param("G2 Y4", "BOMB G5", "G2", id="X1 a Bomb led is as a Jester led"),
        pytest.param("G2 Y4", "NB NR FAIRY BOMB", "G2 Y4", id="X1 nothing is demanded yet"),
        pytest.param("G2 Y4", "NB FAIRY BOMB Y5", "Y4", id="X1 the next number demands"),
        pytest.param("G2 Y4", "DRAGON G5", "G2 Y4", id="X1 a Dragon led is as a Wizard led"),
        pytest.param("G2 Y4", "BOMB DRAGON G5", "G2 Y4", id="X1 and so at any place"),
        pytest.param("G2 Y4", "G5 DRAGON", "G2", id="X1 but later it frees no one"),
        pytest.param("G2 Y4", "SHAPESHIFTER:Z G5", "G2 Y4", id="X2 led as a Wizard: all free"),
        pytest.param("G2 Y4", "SHAPESHIFTER:N G5", "G2", id="X2 led as a Jester: the next demands"),
        pytest.param("G2 Y4", "NB SHAPESHIFTER:Z G5", "G2 Y4", id="X2 after a Jester it frees"),
        pytest.param("G2 Y4", "G5 SHAPESHIFTER:Z", "G2", id="X2 later it frees no one"),
        pytest.param("G2 Y4", "NB DRAGON G5", "G2 Y4", id="X3 after a Jester the Dragon frees"),
        pytest.param("G2 Y4", "FAIRY NB Y5", "Y4", id="X4 led, it counts as a Jester led"),
        pytest.param("G2 Y4", "BOMB NB Y5", "Y4", id="X5 led, it counts as a Jester led"),
        pytest.param("G2 Y4", "JUGGLER:G", "G2", id="X7 led, its colour is demanded"),
        pytest.param("G2 Y4", "NB FAIRY JUGGLER:G", "G2", id="X7 or first after Jesters"),
        pytest.param("G2 Y4", "Y5 JUGGLER:G", "Y4", id="X7 not when it comes later"),
        pytest.param("G2 Y4", "CLOUD:Y", "Y4", id="X8 led, its colour is demanded"),
        pytest.param("G2 Y4", "BOMB CLOUD:Y", "Y4", id="X8 or first after Jesters"),
        pytest.param("G2 Y4", "ZB CLOUD:Y", "G2 Y4", id="X8 not in a trick that is free"),
        pytest.param("JUGGLER CLOUD Y4", "G5", "JUGGLER CLOUD Y4", id="X9 in hand of no colour"),
        pytest.param("JUGGLER G2 Y4", "G5", "JUGGLER G2", id="X9 and never a reason to follow"),
    ],
)
def test_what_may_be_played(hand: str, after: str, allowed: str) -> None:
    demanded = RULES.tricks.demanded(faces(after))
    assert codes(RULES.tricks.playable(cards(hand), demanded, colour("R"))) == allowed


@pytest.mark.parametrize(
    ("plays", "winner"),
    [
        pytest.param("G5 ZB SHAPESHIFTER:Z", "ZB", id="X2 the second of two Wizards"),
        pytest.param("SHAPESHIFTER:Z ZB R13", "SHAPESHIFTER:Z", id="X2 the first of them"),
        pytest.param("SHAPESHIFTER:N NB NG", "SHAPESHIFTER:N", id="X2 the first of Jesters"),
        pytest.param("NB SHAPESHIFTER:N NG", "NB", id="X2 not the second"),
        pytest.param("G1 SHAPESHIFTER:N Y2", "G1", id="X2 as a Jester it loses to a number"),
        pytest.param("ZB DRAGON R13", "DRAGON", id="X3 wins over Wizards too"),
        pytest.param("DRAGON ZB SHAPESHIFTER:Z", "DRAGON", id="X3 led or not"),
        pytest.param("FAIRY NB NG", "NB", id="X4 below a Jester: the first Jester wins"),
        pytest.param("NB FAIRY NG", "NB", id="X4 wherever it stands"),
        pytest.param("FAIRY G1 Y13", "G1", id="X4 never wins"),
        pytest.param("ZB DRAGON R13 FAIRY", "FAIRY", id="X4 unless the Dragon is in the trick"),
        pytest.param("FAIRY DRAGON ZB", "FAIRY", id="X4 before it or after it"),
        pytest.param("B5 BOMB B9", "B9", id="X5 the Bomb left out of the reckoning"),
        pytest.param("BOMB FAIRY NG", "NG", id="X5 with the Fairy the Jester leads on"),
        pytest.param("BOMB DRAGON ZB", "DRAGON", id="X5 with the Dragon the Dragon's player"),
        pytest.param("DRAGON BOMB FAIRY", "FAIRY", id="X5 with Dragon and Fairy the Fairy's"),
        pytest.param("G7 JUGGLER:G G3", "JUGGLER:G", id="X9 7 is below the Juggler"),
        pytest.param("G8 JUGGLER:G G3", "G8", id="X9 and 8 above it"),
        pytest.param("G9 CLOUD:G G3", "CLOUD:G", id="X9 9 is below the Cloud"),
        pytest.param("G10 CLOUD:G G3", "G10", id="X9 and 10 above it"),
        pytest.param("G13 JUGGLER:R G3", "JUGGLER:R", id="X9 as trump if the colour is trump"),
        pytest.param("G13 CLOUD:R R10", "R10", id="X9 among the trumps in its place"),
        pytest.param("G1 CLOUD:Y JUGGLER:B", "G1", id="X9 in a third colour it is worth nothing"),
        pytest.param("ZB CLOUD:R R13", "ZB", id="X8 a Wizard beats it"),
        pytest.param("NB JUGGLER:Y Y8", "Y8", id="X7 after a Jester its colour is demanded"),
    ],
)
def test_who_takes_the_trick_when_trump_is_red(plays: str, winner: str) -> None:
    place = RULES.tricks.winning_place(faces(plays), colour("R"))
    assert plays.split()[place] == winner


def test_X1_the_werewolf_is_never_played() -> None:
    with pytest.raises(Unreadable, match=r"WEREWOLF is never played \(X1\)"):
        action("play WEREWOLF")


def test_X2_it_may_be_said_either_way_when_it_is_played() -> None:
    game = bid(dealt("SHAPESHIFTER", "B1", "G1", turned_up="Y7"), 0, 0, 0)
    assert legal(game) == "SHAPESHIFTER:Z SHAPESHIFTER:N"
    assert now(play(game, "SHAPESHIFTER:Z B1 G1")).won == (1, 0, 0)
    assert now(play(game, "SHAPESHIFTER:N B1 G1")).won == (0, 1, 0)


def test_X4_in_a_whole_trick_the_fairy_takes_the_dragon() -> None:
    game = bid(dealt("ZB", "DRAGON", "FAIRY", turned_up="Y7"), 0, 0, 1)
    assert play(game, "ZB DRAGON FAIRY").score == (20, 20, 30)


def test_X5_a_bombed_trick_belongs_to_no_one_and_counts_for_no_bid() -> None:
    game = bid(dealt("B5 G1", "BOMB G2", "B9 G3", turned_up="Y7"), 0, 0, 1)
    game = told(game, "play B5", "play BOMB")
    game, events = heard(game, "play B9")
    assert TrickEnded(None, 2) in events
    assert now(game).won == (0, 0, 0)
    assert awaited_seats(game) == (2,)  # who would have won it leads
    game = play(game, "G3 G1 G2")
    assert now(game).won == (0, 0, 1)
    assert game.score == (20, 20, 30)


def test_X5_with_dragon_and_fairy_the_fairys_player_leads_on() -> None:
    game = dealt("DRAGON B1", "FAIRY B2", "BOMB B3", "ZB B4", turned_up="Y7")
    game = play(bid(game, 0, 0, 0, 0), "DRAGON FAIRY BOMB ZB")
    assert awaited_seats(game) == (1,)
    assert now(game).won == (0, 0, 0, 0)


@pytest.mark.parametrize("turned_up", ["G5", "NG", "ZG", "DRAGON", "FAIRY", "BOMB", "CLOUD"])
@pytest.mark.parametrize("dealer", [0, 1])
def test_X6_whoever_is_dealt_the_werewolf_exchanges_it_and_names_the_trump(
    turned_up: str, dealer: int
) -> None:
    game = dealt("B1 B2", "WEREWOLF R2", "G1 G2", turned_up=turned_up, dealer=dealer)
    assert codes(now(game).hands[1]) == f"{turned_up} R2"
    assert awaited_seats(game) == (1,)  # in place of the dealer
    assert legal(game) == "B R G Y none"
    game, events = heard(game, "trump none")
    assert events == (TrumpSettled(None, 1, "X6"),)
    assert now(game).trump is None
    assert awaited_seats(game) == ((dealer + 1) % 3,)


def test_X6_the_exchange_is_open() -> None:

    made = now(dealt("B1", "WEREWOLF", "G1", turned_up="ZY")).deal
    game = new_game(Rules(specials=("WEREWOLF",), rounds=(1,)), NAMES[:3])
    game, events = deal(game, made)
    assert Exchanged(1, cards("ZY")[0]) in events
    for seat in (0, 1, 2, None):
        seen = view(game, seat).now
        assert seen is not None
        assert (seen.werewolf, seen.turned_up, seen.naming) == (1, cards("ZY")[0], 1)


def test_X6_nobody_bids_before_the_trump_is_named() -> None:
    game = dealt("B1", "WEREWOLF", "G1", turned_up="G5", dealer=0)
    with pytest.raises(
        NotAllowed, match="'bid 0' is not possible now: the next step is naming the trump"
    ):
        told(game, "1 bid 0")
    with pytest.raises(NotAllowed, match="it is not seat 0's turn"):
        told(game, "0 trump R")


def test_X6_turned_up_from_the_stock_the_dealer_names_a_colour() -> None:
    game = dealt("B1", "R1", "G1", turned_up="WEREWOLF", dealer=1)
    assert now(game).werewolf is None
    assert awaited_seats(game) == (1,)
    assert legal(game) == "B R G Y"


JUGGLED = ("B5 G1 G2", "JUGGLER R1 R2", "B9 Y1 Y2")


def juggled() -> Game:
    game = bid(dealt(*JUGGLED, turned_up="R7"), 0, 0, 0)
    return play(game, "B5 JUGGLER:G B9")


def test_X7_after_the_trick_everyone_passes_a_card_to_the_left_at_the_same_time() -> None:
    game = juggled()
    assert now(game).phase == "pass"
    assert awaited_seats(game) == (0, 1, 2)
    assert [legal(game, seat) for seat in range(3)] == ["G1 G2", "R1 R2", "Y1 Y2"]
    game = told(game, "2 pass Y1", "0 pass G1")
    assert awaited_seats(game) == (1,)
    game, events = heard(game, "1 pass R2")
    assert events == (CardsPassed(),)
    assert [codes(hand) for hand in now(game).hands] == ["G2 Y1", "R1 G1", "Y2 R2"]
    assert awaited_seats(game) == (2,)  # then the winner leads


def test_X7_a_passed_card_is_known_to_giver_and_receiver_alone() -> None:
    game = told(juggled(), "2 pass Y1", "0 pass G1", "1 pass R2")
    known = []
    for seat in (0, 1, 2, None):
        seen = view(game, seat).now
        assert seen is not None
        known.append([(one.trick, one.gave.code, str(one.received)) for one in seen.passes])
    assert known == [[(0, "G1", "Y1")], [(0, "R2", "G1")], [(0, "Y1", "R2")], []]


def test_X7_nothing_is_received_before_everyone_has_passed() -> None:
    game, events = heard(juggled(), "2 pass Y1")
    assert events == ()
    seen = view(game, 0).now
    assert seen is not None
    assert seen.passes == ()
    assert seen.has_passed == (False, False, True)
    assert codes(now(game).hands[2]) == "Y1 Y2"


def test_X7_a_seat_passes_one_card_of_its_hand_and_only_once() -> None:
    with pytest.raises(NotAllowed, match=r"^R1 is not in the hand \(X7\): G1 G2$") as caught:
        told(juggled(), "0 pass R1")
    assert caught.value.rule == "X7"
    with pytest.raises(NotAllowed, match=r"it is not seat 0's turn \(X7\)"):
        told(juggled(), "0 pass G1", "0 pass G2")


def test_X7_with_one_card_left_that_card_is_passed() -> None:
    game = bid(dealt("B5 G1", "JUGGLER R1", "B9 Y1", turned_up="R7"), 0, 0, 0)
    game = play(game, "B5 JUGGLER:G B9")
    game = told(game, "0 pass G1", "1 pass R1", "2 pass Y1")
    assert [codes(hand) for hand in now(game).hands] == ["Y1", "G1", "R1"]


def test_X7_no_pass_after_the_rounds_last_trick() -> None:
    game = bid(dealt("B5", "JUGGLER", "B9", turned_up="R7"), 0, 0, 0)
    assert play(game, "B5 JUGGLER:G B9").is_over


def test_X7_in_a_bombed_trick_all_pass_and_the_player_of_X5_leads() -> None:
    game = bid(dealt("B5 G1", "JUGGLER R1", "BOMB Y1", turned_up="R7"), 0, 0, 0)
    game = play(game, "B5 JUGGLER:R BOMB")
    assert now(game).phase == "pass"
    game = told(game, "0 pass G1", "1 pass R1", "2 pass Y1")
    assert awaited_seats(game) == (1,)
    assert now(game).won == (0, 0, 0)


def test_X7_a_passed_juggler_is_played_later_by_its_new_holder() -> None:
    """Once it lies in a trick it makes all pass; still in hand it is a card like any other."""
    game = dealt("JUGGLER G1", "B2 R1", "B9 Y1", turned_up="R7")
    game = play(bid(game, 0, 0, 0), "JUGGLER:B B2 B9")
    game = told(game, "0 pass G1", "1 pass R1", "2 pass Y1")
    assert now(play(game, "R1 Y1 G1")).phase == "scored"


def test_X7_any_of_the_four_colours_may_be_said() -> None:
    game = bid(dealt("JUGGLER", "B1", "G1", turned_up="Y7"), 0, 0, 0)
    assert legal(game) == "JUGGLER:B JUGGLER:R JUGGLER:G JUGGLER:Y"
    assert face("JUGGLER:R").value == 7.5


CLOUDED = ("CLOUD B1", "B9 Y1", "B10 G1")


def clouded(*bids: int) -> Game:
    """Seat 2 takes the Cloud's trick, and the next."""
    game = bid(dealt(*CLOUDED, turned_up="R7"), *bids)
    return play(game, "CLOUD:B B9 B10", "G1 B1 Y1")


def test_X8_who_took_the_cloud_must_change_its_bid_before_scoring() -> None:
    game = clouded(0, 0, 1)
    assert now(game).phase == "change"
    assert awaited_seats(game) == (2,)  # not the Cloud's player
    assert legal(game) == "+1 -1"
    assert not game.totals
    game, events = heard(game, "change +1")
    assert events[0] == BidChanged(2, 1)
    assert isinstance(events[1], RoundScored)
    assert events[1].bids == (0, 0, 2)
    assert game.score == (20, 20, 40)


@pytest.mark.parametrize(
    ("made", "allowed"),
    [
        pytest.param(0, "+1", id="X8 a bid of 0 goes up"),
        pytest.param(1, "+1 -1", id="X8 a bid between goes either way"),
        pytest.param(2, "-1", id="X8 a bid of all goes down"),
    ],
)
def test_the_clouds_change(made: int, allowed: str) -> None:
    game = clouded(0, 0, made)
    assert legal(game) == allowed
    for change in {"+1", "-1"} - set(allowed.split()):
        with pytest.raises(NotAllowed, match=rf"a bid of {made} cannot change .* \(X8\)"):
            told(game, f"change {change}")


def test_X8_nobody_else_changes_a_bid() -> None:
    with pytest.raises(NotAllowed, match=r"it is not seat 0's turn \(X8\)"):
        told(clouded(1, 0, 1), "0 change +1")


def test_X8_secret_bids_are_shown_first() -> None:
    game = bid(dealt(*CLOUDED, turned_up="R7", bids="secret"), 0, 1, 1)
    game = told(play(game, "CLOUD:B B9 B10"), "play G1", "play B1")
    game, events = heard(game, "play Y1")
    assert events[-1] == BidsShown((0, 1, 1))
    assert now(game).phase == "change"
    seen = view(game, 0).now
    assert seen is not None
    assert seen.bids == (0, 1, 1)


def test_X8_in_a_bombed_trick_the_cloud_changes_nothing() -> None:
    game = bid(dealt("CLOUD B1", "BOMB Y1", "B10 G1", turned_up="R7"), 0, 0, 1)
    game = play(game, "CLOUD:B BOMB B10", "G1 B1 Y1")
    assert game.is_over
    assert game.score == (20, 20, 30)


def test_X8_any_of_the_four_colours_may_be_said() -> None:
    game = bid(dealt("CLOUD", "B1", "G1", turned_up="Y7"), 0, 0, 0)
    assert legal(game) == "CLOUD:B CLOUD:R CLOUD:G CLOUD:Y"
    assert face("CLOUD:R").value == 9.75


def test_X8_the_change_counts_in_the_points() -> None:
    game = clouded(0, 0, 1)
    assert act(game, 2, legal_actions(game, 2)[1])[0].score == (20, 20, -20)


def test_X9_a_juggler_in_hand_does_not_oblige_anyone() -> None:
    game = told(bid(dealt("G5", "JUGGLER", "Y1", turned_up="R7"), 0, 0, 0), "play G5")
    assert legal(game) == "JUGGLER:B JUGGLER:R JUGGLER:G JUGGLER:Y"
