"""The review of a game: every choice is found again, judged by the odds at that moment, and added up by seat."""

from random import Random

import pytest

from foretell.bots import Counting, bot, play_out
from foretell.bots.net.candidates import Candidate
from foretell.cards import SPECIALS
from foretell.coach.odds import _Tried, _Tries, weighed_up
from foretell.coach.review import Judged, choices_of, judged, review, summed_up
from foretell.deals import seeded
from foretell.engine import Game, act, new_game, view
from foretell.engine.round import round_points
from foretell.rules import Rules


def _played(rules: Rules, seed: int, players: int = 4) -> Game:
    game = new_game(rules, "ABCDEF"[:players], first_dealer=1)
    return play_out(game, [Counting()] * players, seeded(seed), Random(seed))


@pytest.mark.parametrize(
    "rules",
    [
        Rules(rounds=(1, 8, 15)),
        Rules(specials=SPECIALS, bids="secret", rounds=(5, 9, 15)),
        Rules(specials=SPECIALS, rounds=(12, 13, 14)),
        Rules(unicolor=True, bids="hidden", rounds=(1, 2)),
        Rules(foresight="every_round", wizards_on_trump="barred", rounds=(1, 7)),
    ],
    ids=["base", "X1-X9 V3", "X1-X9", "V6 V2", "V5 F1"],
)
def test_the_choices_of_a_game_make_that_game(rules: Rules) -> None:
    verbs = set()
    for seed in range(4):
        game = _played(rules, seed)
        for before, seat, chosen in choices_of(game):
            after, _ = act(before, seat, chosen)
            verbs.add(str(chosen).split()[0])
        assert after == game
    assert {"bid", "play"} <= verbs
    if rules.specials:
        assert {"trump", "pass", "change"} <= verbs


def test_a_choice_costs_its_difference_to_the_best_if_that_is_not_chance() -> None:
    costs = set()
    for before, seat, chosen in choices_of(_played(Rules(rounds=(5,)), 2)):
        one, seen = judged(before, seat, chosen, 40), view(before, seat)
        if len(seen.legal) < 2:
            assert one is None
            continue
        assert one is not None
        found = weighed_up(seen, 40, Random(f"{seat}/{seen.decision}"), made=chosen)
        made = found.of(chosen)
        is_mistake = made.behind > 2 * made.behind_error
        assert one.cost == (made.behind if is_mistake else 0)
        assert (one.action, one.points) == (str(chosen), made.points)
        assert (one.best, one.best_points) == (found.best.action, found.best.points)
        assert (one.round, one.seat, one.decision) == (5, seat, seen.decision)
        costs.add(one.cost > 0)
    assert costs == {True, False}


def _judged(place: int, seat: int, action: str, best_points: float, cost: float) -> Judged:
    return Judged(
        round=2 * place,
        decision=f"{place}:{action.split(maxsplit=1)[0]}:0",
        seat=seat,
        action=action,
        best="",
        points=best_points - cost,
        best_points=best_points,
        best_error=3.0,
        cost=cost,
        cost_error=2.0,
    )


def test_choices_are_added_up_by_seat() -> None:
    game = _played(Rules(rounds=(2, 4, 6)), 3, players=3)
    found = [
        _judged(1, 0, "bid 1", 12, 3),
        _judged(1, 0, "play R5", 99, 7),
        _judged(2, 0, "play R6", 99, 0),
        _judged(2, 0, "trump B", 99, 1),
        _judged(1, 1, "bid 0", 20, 0),
        _judged(2, 2, "bid 2", -5, 4),
    ]
    # If a seat had no choice of bids, its cards count as what it scored.
    made = [round_points(one) for one in game.rounds]
    cards = [12 + made[1][0] + made[2][0], 20 + made[1][1] + made[2][1]]
    cards.append(made[0][2] - 5 + made[2][2])
    told = summed_up(game, found, worlds=7, worst=2)
    assert (told.worlds, told.choices) == (7, tuple(found))
    assert [one.cards for one in told.seats] == cards
    assert [one.mistakes for one in told.seats] == [11, 0, 4]
    assert [one.choices for one in told.seats] == [4, 1, 1]
    assert [(one.by_bids, one.by_plays) for one in told.seats] == [(3, 7), (0, 0), (4, 0)]
    assert [[bad.cost for bad in one.worst] for one in told.seats] == [[7, 3], [], [4]]
    for one in told.seats:
        assert one.name == "ABC"[one.seat]
        assert one.points == game.score[one.seat]
        assert one.fortune == one.points - one.cards + one.mistakes
        assert one.luck == pytest.approx(one.cards - sum(cards) / 3 + one.fortune)
    # Each cost has an error of 2; three bids were judged, each with an error of 3.
    assert [one.mistakes_error for one in told.seats] == [4, 2, 2]
    assert [one.cards_error for one in told.seats] == [3, 3, 3]
    assert told.seats[0].luck_error == pytest.approx((16 + 3 * 9 / 9) ** 0.5)


def _tried(chance: float, points: list[int]) -> _Tried:
    return _Tried(Candidate((0,), chance, ()), points)


def test_a_large_lead_in_few_worlds_counts_little() -> None:
    """The net's favourite is ahead by 5 points a world in three of four worlds, and 20 behind in the other."""
    points = [20, 20, 20, -20]
    other = _tried(0.3, [points[n % 4] + (20 if n % 4 == 3 else -5) for n in range(8)])
    likely = _Tries([_tried(0.7, [points[n % 4] for n in range(8)]), other])
    seen, error = other.lead(likely.favourite)
    lead, deviation = likely.lead(other)
    assert (seen, 0 < lead < seen / 2, error > 3 > deviation) == (1.25, True, True)
    assert likely.best is other
    likely.give_up_worse()
    assert likely.alive == likely.all


def test_an_action_that_loses_the_bid_in_all_worlds_is_given_up_but_not_the_favourite() -> None:
    lost = _tried(1e-9, [-10] * 8)
    better = _tried(0.02, [30] * 8)
    tries = _Tries([_tried(0.9, [20] * 7 + [30]), better, lost])
    tries.give_up_worse()
    assert tries.best is better
    assert tries.alive == [tries.favourite, better]


def test_the_nets_own_choices_are_hardly_ever_mistakes_and_a_beginners_often_are() -> None:
    shares = {}
    for level in ("master", "beginner"):
        game = new_game(Rules(rounds=(3, 7)), "ABCD")
        game = play_out(game, [bot(level)] * 4, seeded(1), Random(1))
        choices = review(game).choices
        shares[level] = sum(one.cost > 0 for one in choices) / len(choices)
    assert shares["master"] < 0.02
    assert shares["beginner"] > 0.05
