"""No observation of any seat, on turn or not, depends on what that seat cannot see."""

from random import Random
from typing import Any

import numpy as np
import pytest

from foretell.bots.net import layout as in_view
from foretell.bots.net.from_view import traits_of
from foretell.engine import Game, awaited_seats
from foretell.envs import wizard_v0
from foretell.envs.loop.game_loop import observe_from
from foretell.kernel.backend.compiled import Ints, ints
from foretell.kernel.state import codes
from foretell.kernel.state import state_layout as in_state
from foretell.kernel.state.from_engine import new_state, state_of_game
from foretell.kernel.state.tables import compile_rules
from foretell.rules import Rules
from net.observations import observed_by_all_knowing
from secrecy.reshuffling import reshuffled, retold
from tables import PROVING, every_rules, setup_by_lot

RESHUFFLED = 40 if PROVING else 1


def seen(game: Game, seat: int) -> list[int]:
    """What wizard_v0 shows a seat of this game."""
    tables = compile_rules(game.rules, game.seats, game.peoples)
    return seen_of(tables.words, state_of_game(tables, game), traits_of(tables), seat)


def seen_of(lookup: Ints, state: Ints, traits: int, seat: int) -> list[int]:
    words, scratch = ints(in_view.WORDS), ints(in_view.SCRATCH_WORDS)
    observe_from(lookup, state, new_state(), traits, scratch, words, seat)
    return [int(word) for word in words]


@pytest.mark.prove
@pytest.mark.parametrize(
    "rules", every_rules(), ids=lambda rules: f"{rules.bids}-{rules.foresight}"
)
def test_no_seat_sees_what_it_may_not_know(rules: Rules) -> None:
    for number in range(RESHUFFLED):
        setup = setup_by_lot(5000 + number, rules)
        game, random = setup.game, Random(number)
        if not awaited_seats(game):
            continue  # a game that is over, or a round that is scored: nothing is dealt anew
        for seat in range(game.seats):
            other, _ = retold(setup.start(), reshuffled(setup, seat, random))
            assert seen(other, seat) == seen(game, seat)


@pytest.mark.prove
def test_the_seat_on_turn_sees_what_the_nets_see() -> None:
    for number in range(60 if PROVING else 20):
        game = setup_by_lot(number).game
        if awaited_seats(game):
            state = state_of_game(compile_rules(game.rules, game.seats, game.peoples), game)
            seat = int(state[in_state.TURN])
            assert seen(game, seat) == observed_by_all_knowing(game, seat)


def test_a_card_that_waits_for_its_declaration_is_a_secret() -> None:
    rules = Rules(rounds=(3,), specials=("JUGGLER", "CLOUD", "SHAPESHIFTER"))
    env: Any = wizard_v0.raw_env(rules, 4)
    waited = 0
    for seed in range(40):
        env.reset(seed=seed)
        random = Random(seed)
        while not any(env.terminations.values()):
            others = [agent for agent in env.agents if agent != env.agent_selection]
            before = [env.observe(agent)["observation"] for agent in others]
            legal = np.flatnonzero(env.observe(env.agent_selection)["action_mask"]).tolist()
            env.step(random.choice(legal))
            if env._games.state(0)[in_state.PHASE] == codes.DECLARING:
                waited += 1
                for agent, seen_before in zip(others, before, strict=True):
                    assert (env.observe(agent)["observation"] == seen_before).all()
    assert waited > 5
