"""Seats, dealer, rounds (D1-D6)."""

from collections import Counter

import pytest

from foretell.cards import codes
from foretell.deals import seeded
from foretell.engine import act, awaited_seats, deal, legal_actions, new_game, view
from foretell.errors import BadDeal, RulesClash
from foretell.rules import Deal, Rules
from tables import NAMES, Setup, bid, dealt, now, play, told


@pytest.mark.parametrize("players", [3, 4, 5, 6])
def test_D1_three_to_six_play(players: int) -> None:
    assert new_game(Rules(), NAMES[:players]).seats == players


@pytest.mark.parametrize("players", [0, 1, 2, 7])
def test_D1_fewer_or_more_cannot_sit_down(players: int) -> None:
    with pytest.raises(RulesClash, match=rf"^a game has 3 to 6 players, not {players} \(D1\)$"):
        new_game(Rules(), [str(seat) for seat in range(players)])


def test_D1_the_left_neighbour_of_the_last_seat_is_the_first() -> None:
    game = dealt("R1", "R2", "R3", "R4", turned_up="B7", dealer=2)
    order: list[int] = []
    while now(game).phase == "bid":
        order += now(game).rules.disclosure.bidders(now(game).bids, now(game).first)
        game = told(game, "bid 0")
    assert order == [3, 0, 1, 2]


def test_D2_the_deal_moves_one_seat_to_the_left_each_round() -> None:
    game = Setup(Rules(rounds=(1, 2, 3, 4)), 3, first_dealer=1, seed=1, stop=999).game
    assert [one.dealer for one in game.rounds] == [1, 2, 0, 1]


@pytest.mark.parametrize("seat", [-1, 3])
def test_D2_the_first_dealer_is_one_of_the_seats(seat: int) -> None:
    with pytest.raises(RulesClash, match=rf"no seat {seat} \(D2\): they run from 0 to 2"):
        new_game(Rules(), NAMES[:3], first_dealer=seat)


@pytest.mark.parametrize(
    ("players", "rounds"),
    [
        pytest.param(3, 20, id="D3 three play twenty rounds"),
        pytest.param(4, 15, id="D3 four play fifteen"),
        pytest.param(5, 12, id="D3 five play twelve"),
        pytest.param(6, 10, id="D3 six play ten"),
    ],
)
@pytest.mark.parametrize("specials", [(), ("BOMB", "CLOUD", "JUGGLER")])
def test_how_many_rounds(players: int, rounds: int, specials: tuple[str, ...]) -> None:
    rules = Rules(specials=specials)
    assert new_game(rules, NAMES[:players]).numbers == tuple(range(1, rounds + 1))


def test_D3_in_round_r_each_is_dealt_r_cards() -> None:
    game = Setup(Rules(), 6, first_dealer=0, seed=3, stop=9999).game
    assert game.is_over
    assert [[len(hand) for hand in one.deal.hands] for one in game.rounds] == [
        [number] * 6 for number in range(1, 11)
    ]


def test_D3_a_deal_of_other_hands_is_refused() -> None:
    game = new_game(Rules(rounds=(2,)), NAMES[:3])
    good = dealt("R1 R2", "R3 R4", "R5 R6", turned_up="B1").rounds[0].deal
    with pytest.raises(
        BadDeal, match=r"seat 1 has 1 card, but in this round each seat gets 2 \(D3\)"
    ):
        deal(game, Deal((good.hands[0], good.hands[1][:1], good.hands[2]), good.turned_up))
    with pytest.raises(BadDeal, match=r"2 hands for 3 seats \(D3\)"):
        deal(game, Deal(good.hands[:2], good.turned_up))


def test_D4_every_round_is_dealt_from_all_the_cards() -> None:
    game = new_game(Rules(rounds=(19, 20)), NAMES[:3])
    seen: Counter[str] = Counter()
    for number in (19, 20):
        made = seeded(1)(game)
        seen.update(codes(one for hand in made.hands for one in hand).split())
        game, _ = deal(game, made)
        assert now(game).number == number
        while now(game).phase != "scored":
            seat = awaited_seats(game)[0]
            game, _ = act(game, seat, legal_actions(game, seat)[0])
    assert max(seen.values()) == 2  # what was dealt in round 19 is dealt again in round 20
    assert len(seen) == 60


def test_D5_what_is_not_dealt_is_in_no_view_but_for_the_turned_up_card() -> None:
    game = dealt("R1", "R2", "R3", turned_up="B7")
    for seat in (0, 1, 2, None):
        seen = view(game, seat).now
        assert seen is not None
        assert seen.turned_up is not None
        assert seen.turned_up.code == "B7"
        assert codes(seen.hand or ()) == ("" if seat is None else f"R{seat + 1}")


def test_D6_a_shorter_game_has_the_rounds_agreed_on_each_with_its_own_cards() -> None:
    agreed = (1, 3, 5, 7, 9, 11, 12, 13, 14, 15)
    game = new_game(Rules(rounds=agreed), NAMES[:4], first_dealer=3)
    assert game.numbers == agreed
    game = Setup(Rules(rounds=(1, 3, 6)), 4, first_dealer=3, seed=5, stop=9999).game
    assert game.is_over
    assert [one.hand_size for one in game.rounds] == [1, 3, 6]
    assert [one.dealer for one in game.rounds] == [3, 0, 1]  # by one from round to round played


@pytest.mark.parametrize("rounds", [(), (0, 1), (2, 1), (1, 1, 2), (-3,)])
def test_D6_the_list_rises_from_one(rounds: tuple[int, ...]) -> None:
    with pytest.raises(RulesClash, match=r"a rising list of whole numbers from 1 \(D6\)"):
        Rules(rounds=rounds)


def test_D6_there_is_no_round_beyond_the_last_of_the_full_game() -> None:
    rules = Rules(rounds=(1, 13))
    assert new_game(rules, NAMES[:4]).numbers == (1, 13)
    with pytest.raises(RulesClash, match=r"no round 13 \(D6\): the last one is 12 \(D3\)"):
        new_game(rules, NAMES[:5])


def test_D6_a_last_round_before_the_full_games_last_still_has_a_turned_up_card() -> None:
    made = seeded(7)(new_game(Rules(rounds=(14,)), NAMES[:4]))
    assert made.turned_up is not None


def test_a_game_is_over_after_its_last_round_and_not_before() -> None:
    game = dealt("R1", "R2", "R3", turned_up="B7")
    assert not game.is_over
    game = play(bid(game, 0, 0, 0), "R1 R2 R3")
    assert game.is_over
    assert not game.awaits_deal
