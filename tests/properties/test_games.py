"""Whatever the rules, the players and the cards: any game, stopped anywhere."""

from functools import partial
from pickle import dumps, loads
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from drawn import setups
from foretell.engine import act, awaited_seats, from_json, legal_actions, to_json, view
from foretell.errors import NotAllowed
from properties.invariants import actions_of, check, views_agree
from tables import UNIVERSE, Setup, refusal_of

pytestmark = pytest.mark.prove


@given(setups())
def test_cards_are_conserved_tricks_add_up_and_someone_can_always_act(setup: Setup) -> None:
    for game in setup.course():
        check(game)
    views_agree(game)


@given(setups(most_cards=6))
def test_every_game_ends_after_the_actions_its_rounds_are_made_of(setup: Setup) -> None:
    endless = Setup(setup.rules, setup.players, setup.first_dealer, setup.seed, stop=9999)
    deals_and_actions = sum(1 for _ in endless.course()) - 1
    game = endless.game
    assert game.is_over
    assert deals_and_actions == sum(1 + actions_of(one) for one in game.rounds)


@given(setups())
def test_every_legal_action_is_accepted_and_every_other_refused_and_nothing_changed(
    setup: Setup,
) -> None:
    game, same = setup.game, setup.game
    for seat in range(-1, game.seats + 1):
        legal = set(legal_actions(game, seat)) if 0 <= seat < game.seats else set()
        assert legal <= set(UNIVERSE)
        for action in UNIVERSE:
            if action in legal:
                after, events = act(game, seat, action)
                assert after != game
                assert events or action.text.startswith("pass")
                continue
            with pytest.raises(NotAllowed):
                act(game, seat, action)
    assert game == same


@given(setups())
def test_a_view_survives_its_json(setup: Setup) -> None:
    game = setup.game
    for seat in (*range(game.seats), None):
        seen = view(game, seat)
        text = to_json(seen)
        assert from_json(text) == seen
        assert to_json(from_json(text)) == text


@given(setups())
def test_each_decision_has_a_name_of_its_own_that_stays_until_it_is_answered(setup: Setup) -> None:
    """Also while others act: unseen bids and passes come in any order (V2, V3, X7)."""
    asked: dict[int, str] = {}
    answered: set[tuple[int, str]] = set()
    for game in setup.course():
        names = {seat: view(game, seat).decision for seat in range(game.seats)}
        changed = [seat for seat, name in asked.items() if names[seat] != name]
        assert len(changed) <= 1  # only who acted is asked something else
        answered |= {(seat, asked.pop(seat)) for seat in changed}
        for seat in awaited_seats(game):
            name = names[seat]
            assert name is not None
            assert (seat, name) not in answered
            asked[seat] = name
        assert set(asked) == set(awaited_seats(game))


@given(setups(), st.integers())
def test_the_order_of_simultaneous_answers_makes_no_difference(setup: Setup, seed: int) -> None:
    game, random = setup.game, Random(seed)
    awaited = awaited_seats(game)
    chosen = {seat: random.choice(legal_actions(game, seat)) for seat in awaited}
    outcomes = []
    for order in (awaited, awaited[::-1]):
        after = game
        for seat in order:
            after, _ = act(after, seat, chosen[seat])
        outcomes.append(after)
    assert outcomes[0] == outcomes[1]


@given(setups(most_cards=4), st.sampled_from(range(6)))
def test_an_error_has_a_code_and_a_sentence_and_can_be_sent(setup: Setup, seat: int) -> None:
    game = setup.game
    for action in UNIVERSE:
        error = refusal_of(partial(act, game, seat, action))
        if error is None:
            continue
        same = loads(dumps(error))
        assert type(same) is type(error)
        assert (same.code, same.rule, str(same)) == (error.code, error.rule, str(error))
        assert "{" not in str(error)
        if error.rule is not None:
            assert error.rule in str(error) or error.code == "not_in_hand"
