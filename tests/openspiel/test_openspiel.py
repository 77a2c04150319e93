"""OpenSpiel's own checks on the game, its algorithms on short games, and nothing hidden in what a seat is told."""

from random import Random
from typing import Any

import pytest

from foretell.cards import SPECIALS, card
from foretell.engine import Bid, legal_actions, view
from foretell.engine.view import to_json
from foretell.rules import Rules
from proofs import TIMES
from secrecy.reshuffling import reshuffled, retold
from tables import setup_by_lot

pyspiel = pytest.importorskip("pyspiel", reason="OpenSpiel has no package for this platform")

from foretell.openspiel import ACTIONS, number_of  # noqa: E402
from foretell.openspiel.numbered_actions import dealt_number  # noqa: E402
from foretell.openspiel.what_a_seat_knows import seen_round  # noqa: E402

BASE = "foretell_wizard"
ALL_SPECIALS = "DRAGON+FAIRY+BOMB+WEREWOLF+JUGGLER+CLOUD+SHAPESHIFTER"
GAMES = {
    "three players, one card": BASE,
    "four players, two rounds": f"{BASE}(players=4,last_round=2)",
    "six players, hidden bids": f"{BASE}(players=6,rulebook=hu,bids=hidden)",
    "special cards, secret bids": (
        f"{BASE}(first_round=3,last_round=4,rulebook=pt-BR,bids=secret,specials={ALL_SPECIALS})"
    ),
    "unicolor": f"{BASE}(players=4,rulebook=hu,unicolor=True)",
    "foresight in every round": f"{BASE}(last_round=2,rulebook=hu,foresight=every_round)",
    "the French rule, plus/minus one": (
        f"{BASE}(players=5,last_round=3,rulebook=fr,plus_minus_one=True,wizards_on_trump=barred)"
    ),
    "the last round of all": f"{BASE}(players=3,first_round=20,last_round=0)",
}


def game_called(name: str) -> Any:
    return pyspiel.load_game(GAMES[name])


def at_random(game: Any, random: Random) -> list[Any]:
    """The states of a game played at random, in which a seat is asked."""
    state, found = game.new_initial_state(), []
    while not state.is_terminal():
        if state.is_chance_node():
            state.apply_action(random.choice(state.chance_outcomes())[0])
        else:
            found.append(state.clone())
            state.apply_action(random.choice(state.legal_actions()))
    return [*found, state]


@pytest.mark.prove
@pytest.mark.parametrize("name", GAMES)
@pytest.mark.parametrize("serialize", [False, True])
def test_openspiels_own_random_simulation(name: str, serialize: bool) -> None:
    pyspiel.random_sim_test(
        game_called(name), num_sims=2 * TIMES, serialize=serialize, verbose=False
    )


@pytest.mark.parametrize("name", GAMES)
def test_openspiels_own_playthrough_is_the_same_when_it_is_played_again(name: str) -> None:
    from open_spiel.python.algorithms.generate_playthrough import playthrough

    text = playthrough(GAMES[name], None, seed=7)
    assert text.count("InformationStateString(0)") > 5
    numbers = [
        int(line.split(": ")[1]) for line in text.splitlines() if line.startswith("action: ")
    ]
    assert len(numbers) > 6
    assert playthrough(GAMES[name], numbers) == text


@pytest.mark.parametrize("name", GAMES)
def test_a_state_offers_what_the_engine_offers(name: str) -> None:
    for state in at_random(game_called(name), Random(1))[:-1]:
        seat, game = state.current_player(), state.position.game
        offered = {ACTIONS[number] for number in state.legal_actions()}
        assert offered == set(legal_actions(game, seat))
        assert {number_of(action) for action in offered} == set(state.legal_actions())


@pytest.mark.parametrize("name", GAMES)
def test_returns_are_the_points_of_the_game(name: str) -> None:
    *before, last = at_random(game_called(name), Random(2))
    assert last.returns() == list(map(float, last.position.game.score))
    assert all(not any(state.returns()) for state in before)
    game = game_called(name)
    assert game.min_utility() <= min(last.returns()) <= max(last.returns()) <= game.max_utility()


@pytest.mark.prove
@pytest.mark.parametrize("name", GAMES)
def test_two_situations_with_one_text_are_one_view(name: str) -> None:
    """The text leaves out nothing that a seat sees."""
    views: dict[str, bytes] = {}
    for number in range(6 * TIMES):
        for state in at_random(game_called(name), Random(number)):
            game = state.position.game
            for seat in range(game.seats):
                seen = to_json(view(game, seat))
                text = f"{state.observation_string(seat)} {state.current_player()}"
                assert views.setdefault(text, seen) == seen


def test_chance_deals_every_card_alike_and_none_twice() -> None:
    state = game_called("three players, one card").new_initial_state()
    for left in (60, 59, 58, 57):
        outcomes = state.chance_outcomes()
        assert len(outcomes) == left
        assert sum(chance for _, chance in outcomes) == pytest.approx(1)
        assert {chance for _, chance in outcomes} == {1 / left}
        gone = outcomes[5][0]
        state.apply_action(gone)
        assert state.is_chance_node() is (left > 57)
        assert not state.is_chance_node() or gone not in dict(state.chance_outcomes())


def test_a_hand_does_not_tell_in_which_order_it_was_dealt() -> None:
    game = pyspiel.load_game(f"{BASE}(first_round=2,last_round=2)")
    texts = []
    for order in ((0, 1, 2, 3, 4, 5, 6), (3, 1, 2, 0, 4, 5, 6)):
        state = game.new_initial_state()
        for number in order:
            state.apply_action(number)
        texts.append(state.information_state_string(0))
    assert texts[0] == texts[1]


def test_a_seat_remembers_the_rounds_before() -> None:
    last = at_random(game_called("four players, two rounds"), Random(3))[-1]
    for seat in range(4):
        remembered = last.information_state_string(seat)
        assert remembered.count("round ") == 2
        assert f"points {' '.join(map(str, last.position.game.sheet[0].points))}" in remembered


HIDING = [
    Rules(bids="secret"),
    Rules(bids="secret", specials=tuple(SPECIALS)),
    Rules("hu", bids="hidden"),
    Rules("hu", foresight="every_round"),
    Rules("hu", foresight="first_round", bids="secret"),
    Rules("hu", unicolor=True),
]


@pytest.mark.prove
@pytest.mark.parametrize("rules", HIDING, ids=str)
def test_what_is_hidden_from_a_seat_is_not_in_its_text(rules: Rules) -> None:
    """Whatever differs in what a seat cannot see, its text is the same."""
    cases, changed = 0, 0
    for number in range(8 * TIMES):
        setup = setup_by_lot(number, rules, most_cards=5)
        start = setup.start()
        game, _ = retold(start, list(setup.happenings()))
        for seat in range(setup.players):
            other, _ = retold(start, reshuffled(setup, seat, Random(number)))
            assert seen_round(other, seat) == seen_round(game, seat)
            cases += 1
            changed += other.rounds[-1].hands != game.rounds[-1].hands
    assert changed > cases / 4


def dealt_wizard() -> Any:
    """Seat 0 holds the first Wizard of the trick, so it takes it."""
    state = game_called("three players, one card").new_initial_state()
    for code in ("ZB", "R5", "G9", "Y2"):
        state.apply_action(dealt_number(card(code)))
    return state


def test_openspiels_best_response_bids_on_a_sure_trick() -> None:
    from open_spiel.python import policy
    from open_spiel.python.algorithms import best_response, expected_game_score

    game, state = game_called("three players, one card"), dealt_wizard()
    anything = policy.UniformRandomPolicy(game)
    values = expected_game_score.policy_value(state, [anything] * 3)
    assert values[0] == pytest.approx((30 - 10) / 2)
    best = best_response.BestResponsePolicy(game, 0, anything, root_state=state)
    assert best.value(state) == pytest.approx(30)
    assert ACTIONS[best.best_response_action(state.information_state_string(0))] == Bid(1)


@pytest.mark.prove
def test_regret_minimisation_runs() -> None:
    game = pyspiel.load_game(f"{BASE}(rulebook=es)")
    solver = pyspiel.ExternalSamplingMCCFRSolver(game, seed=1)
    for _ in range(30 * TIMES):
        solver.run_iteration()
    average = solver.average_policy()
    chances = dict(average.action_probabilities(dealt_wizard()))
    assert sum(chances.values()) == pytest.approx(1)
    assert {ACTIONS[number] for number in chances} == {Bid(0), Bid(1)}
