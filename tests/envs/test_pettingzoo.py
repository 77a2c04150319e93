"""wizard_v0 passes PettingZoo's own tests as they come, and is the same game as the first of many."""

import warnings
from random import Random
from typing import Any

import numpy as np
import pytest

from foretell.bots import bot
from foretell.envs import wizard_v0
from foretell.envs.many_games import ManyGames
from foretell.errors import NotAllowed
from foretell.rules import Rules

# Importing PettingZoo's tests imports one of its games, in a way that PettingZoo itself has deprecated.
with warnings.catch_warnings():
    warnings.simplefilter("ignore", DeprecationWarning)
    from pettingzoo.test import api_test, performance_benchmark, seed_test

SPECIALS = ("DRAGON", "FAIRY", "BOMB", "WEREWOLF", "JUGGLER", "CLOUD", "SHAPESHIFTER")
TABLES = [
    pytest.param({"players": 4}, id="base"),
    pytest.param({"players": 3, "rules": Rules(unicolor=True), "rewards": "game"}, id="unicolor"),
    pytest.param({"players": 5, "rules": Rules(specials=SPECIALS, bids="secret")}, id="specials"),
    pytest.param({"players": 6, "rules": Rules(foresight="every_round")}, id="foresight"),
]
# PettingZoo says this of every observation with an action mask that is not on its list of names.
ABOUT_MASKS = [
    "ignore:Observation space for each agent probably should be:UserWarning",
    "ignore:Observation is not a NumPy array:UserWarning",
]


@pytest.mark.filterwarnings(*ABOUT_MASKS)
@pytest.mark.parametrize("choices", TABLES)
def test_pettingzoo_s_test_of_the_api(choices: dict[str, Any]) -> None:
    api_test(wizard_v0.env(**choices), num_cycles=1000)


@pytest.mark.parametrize("choices", TABLES)
def test_pettingzoo_s_test_of_seeds(choices: dict[str, Any]) -> None:
    seed_test(lambda: wizard_v0.env(**choices))


def test_pettingzoo_s_measurement_of_speed(capsys: pytest.CaptureFixture[str]) -> None:
    performance_benchmark(wizard_v0.env())
    assert "Finished performance benchmark" in capsys.readouterr().out


def random_game(env: Any, seed: int) -> dict[str, int]:
    """Plays a game at random; returns the sum of each agent's rewards."""
    random, total = Random(seed), dict.fromkeys(env.possible_agents, 0)
    env.reset(seed=seed)
    for agent in env.agent_iter():
        seen, reward, is_over, _, _ = env.last()
        total[agent] += reward
        env.step(None if is_over else random.choice(np.flatnonzero(seen["action_mask"]).tolist()))
    return total


@pytest.mark.parametrize("rewards", ["round", "game"])
def test_rewards_add_up_to_the_score(rewards: str) -> None:
    env = wizard_v0.env(rules=Rules(rounds=(1, 3)), players=5, rewards=rewards)
    total = random_game(env, 3)
    assert tuple(total.values()) == env.unwrapped.game.score
    assert env.unwrapped.game.is_over


@pytest.mark.parametrize("seed", [2**63, -1])
def test_any_whole_number_is_a_seed(seed: int) -> None:
    env = wizard_v0.env(players=3)
    hands = []
    for one in (seed, seed + 1, seed, seed % 2**62):
        env.reset(seed=one)
        hands.append(env.unwrapped.view(env.agent_selection).hand)
    assert hands[0] == hands[2] == hands[3] != hands[1]


def test_it_is_the_first_of_many_games() -> None:
    env, games = wizard_v0.raw_env(players=3), ManyGames(2, players=3, seed=9)
    env.reset(seed=9)
    for _ in range(200):
        assert env.agent_selection == f"seat_{games.seats[0]}"
        seen = env.observe(env.agent_selection)
        assert (seen["action_mask"] == games.masks[0]).all()
        games.random_actions()
        env.step(int(games.actions[0]))
        games.step()


def test_games_of_one_seed_follow_each_other() -> None:
    def deals(env: Any) -> list[Any]:
        found = []
        for seed in (5, None, None):
            env.reset(seed=seed)
            found.append(env.unwrapped.game.now.deal)
        return found

    first = deals(wizard_v0.env())
    assert first == deals(wizard_v0.env())
    assert len({str(one) for one in first}) == 3
    env = wizard_v0.env()
    env.reset()  # without any seed: some game


def test_the_end_is_seen_and_nothing_may_be_done() -> None:
    env = wizard_v0.raw_env(Rules(rounds=(1,)), 3)
    env.reset(seed=1)
    while not any(env.terminations.values()):
        env.step(int(env.observe(env.agent_selection)["action_mask"].argmax()))
    for agent in env.possible_agents:
        seen = env.observe(agent)
        assert seen["observation"].any()
        assert not seen["action_mask"].any()


def test_an_illegal_action_names_the_legal_ones() -> None:
    env = wizard_v0.env()
    env.reset(seed=1)
    with pytest.raises(NotAllowed, match=r"seat .: 0 is not among the legal actions 122, 123"):
        env.step(0)


@pytest.mark.parametrize("level", ["counting", "beginner"])
def test_any_bot_of_foretell_can_play(level: str) -> None:
    env = wizard_v0.raw_env(Rules(rounds=(2, 4), specials=SPECIALS), 4)
    player = bot(level)
    for seed in range(6):
        env.reset(seed=seed)
        while not env.game.is_over:
            seen = env.view(env.agent_selection)
            chosen = player.choose(seen, Random(seed))
            for number in env.actions_for(chosen):
                env.step(number)
        assert all(env.terminations.values())


def test_it_can_be_read(capsys: pytest.CaptureFixture[str]) -> None:
    env = wizard_v0.env(rules=Rules(rounds=(1,)), players=3, render_mode="ansi")
    random_game(env, 1)
    told = env.render()
    assert isinstance(told, str)
    assert "takes the trick" in told
    assert env.render() == ""
    random_game(wizard_v0.env(rules=Rules(rounds=(1,)), players=3, render_mode="human"), 1)
    assert capsys.readouterr().out.strip() == told
    with pytest.raises(ValueError, match="render_mode"):
        wizard_v0.raw_env(render_mode="rgb")
