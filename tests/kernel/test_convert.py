"""From the engine to the kernel, and back."""

from random import Random

import pytest

from agreement.lockstep import comparable
from foretell.deals import seeded
from foretell.engine import act, awaited_seats, deal, legal_actions, new_game, view
from foretell.engine.round import Phase
from foretell.errors import NotAGame
from foretell.kernel.state import state_layout as in_state
from foretell.kernel.state import turn_loop
from foretell.kernel.state.actions import kernel_actions
from foretell.kernel.state.from_engine import (
    new_state,
    state_of_game,
    state_of_round,
    state_of_view,
)
from foretell.kernel.state.tables import compile_rules
from foretell.rules import Rules
from kernel.to_engine import NoSuchRound, round_of

SPECIALS = ("DRAGON", "FAIRY", "BOMB", "WEREWOLF", "JUGGLER", "CLOUD", "SHAPESHIFTER")
RULES = [
    Rules(rounds=(1, 2, 5, 9)),
    Rules(bids="secret", rounds=(1, 4)),
    Rules(unicolor=True, rounds=(1, 6)),
    Rules(specials=SPECIALS, rounds=(1, 2, 6, 10)),
]


@pytest.mark.parametrize("rules", RULES, ids=["base", "V3", "V6", "X1-X9"])
def test_a_round_goes_to_a_state_and_back(rules: Rules) -> None:
    for seed in range(4):
        random = Random(seed)
        game = new_game(rules, ["x"] * 4, first_dealer=seed)
        tables = compile_rules(rules, 4)
        dealing = seeded(seed)
        while not game.is_over:
            if game.awaits_deal:
                game = deal(game, dealing(game))[0]
                continue
            now = game.now
            assert now is not None
            state = state_of_round(tables, now, game.score, game.sheet)
            assert round_of(tables, state, now.deal) == now
            # Without the deal: another one that leads to the same state.
            assert list(
                state_of_round(tables, round_of(tables, state), game.score, game.sheet)
            ) == list(state)
            seat = random.choice(awaited_seats(game))
            # A view with the true hands is the true state, but for the bids it does not know.
            seen = state_of_view(tables, view(game, seat), now.hands)
            differs = {place for place in range(in_state.SIZE) if seen[place] != state[place]}
            unseen = set(range(in_state.BID, in_state.BID + 4)) | set(
                range(in_state.PASSED_KIND, in_state.PASSED_KIND + 4)
            )
            assert differs <= unseen | {in_state.BID_SUM, in_state.ACTED, in_state.TURN}
            if rules.bids == "open" and now.phase is not Phase.PASS and not now.passing:
                assert differs <= set(range(in_state.PASSED_KIND, in_state.PASSED_KIND + 4))
            # Of several Wizards the first, as `round_of` takes it: a state does not say which one it was.
            alike = {kernel_actions(one): one for one in reversed(legal_actions(game, seat))}
            game = act(game, seat, random.choice(list(alike.values())))[0]
        assert turn_loop.is_over(state_of_game(tables, game))


def test_a_state_that_no_round_can_have_is_refused() -> None:
    rules = Rules(rounds=(3,))
    tables = compile_rules(rules, 4)
    game = new_game(rules, ["x"] * 4)
    game = deal(game, seeded(5)(game))[0]
    state = state_of_game(tables, game)
    state[in_state.HAND + 1] = state[in_state.HAND]  # the same cards twice
    with pytest.raises(NoSuchRound):
        round_of(tables, state)


def test_an_action_leads_to_the_same_state_in_the_kernel() -> None:
    rules = Rules(specials=("SHAPESHIFTER",), rounds=(2,))
    tables = compile_rules(rules, 3)
    game = new_game(rules, ["x"] * 3)
    game = deal(game, seeded(1)(game))[0]
    while not game.is_over:
        seat = awaited_seats(game)[0]
        offered = legal_actions(game, seat)
        for one in offered:
            state = state_of_game(tables, game)
            turn_loop.take_turn(tables.words, state, seat)
            for part in kernel_actions(one):
                assert turn_loop.legal(tables.words, state) >> part & 1
                turn_loop.step(tables.words, state, part)
            expected = state_of_game(tables, act(game, seat, one)[0])
            assert comparable(state) == comparable(expected)
        game = act(game, seat, offered[-1])[0]


def test_before_the_first_deal_there_is_nothing_to_see() -> None:
    rules = Rules()
    tables = compile_rules(rules, 4)
    game = new_game(rules, ["x"] * 4, first_dealer=2)
    state = new_state()
    turn_loop.new_game(tables.words, state, 2)
    assert list(state_of_game(tables, game)) == list(state)
    with pytest.raises(NotAGame):
        state_of_view(tables, view(game, 0))
