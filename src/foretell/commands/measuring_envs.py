"""What `foretell bench envs` measures: decisions a second of environments for learning, all in one run on one core.

Each is played at random, and each gives an observation for every decision, unless its name says otherwise.  Card games
of other libraries are measured where these are installed: `pip install 'foretell[bench]'`.
"""

import warnings
from collections.abc import Callable, Iterator
from importlib import import_module
from importlib.util import find_spec
from random import Random
from typing import Any

import numpy as np

from foretell.commands.measuring import ALL_SPECIALS, BASE, Measure, Turn
from foretell.envs import wizard_v0
from foretell.envs.many_games import ManyGames
from foretell.rules import Rules

__all__ = ["LIBRARIES", "env_measures"]

LIBRARIES = {
    "rlcard": "RLCard",
    "pettingzoo": "PettingZoo classic",
    "pyspiel": "OpenSpiel",
    "pyspiel_cpp": "OpenSpiel C++",
}

RULE_SETS = (
    ("envs_many", BASE, 4),
    ("envs_many_specials", ALL_SPECIALS, 4),
    ("envs_many_unicolor", Rules(unicolor=True), 4),
    ("envs_many_foresight", Rules(foresight="every_round"), 4),
    ("envs_many_secret", Rules(bids="secret"), 4),
    ("envs_many_three", BASE, 3),
    ("envs_many_six", BASE, 6),
)

RLCARD = (
    "blackjack", "leduc-holdem", "limit-holdem", "no-limit-holdem", "gin-rummy", "uno", "doudizhu",
    "mahjong", "bridge",
)  # fmt: skip
PETTINGZOO = (
    "leduc_holdem_v4", "texas_holdem_v4", "texas_holdem_no_limit_v6", "hanabi_v5",
)  # fmt: skip
# Without bridge: it works out every deal with open cards first, and a game takes a third of a second.
OPEN_SPIEL = (
    "kuhn_poker", "leduc_poker", "repeated_leduc_poker", "universal_poker", "blackjack",
    "crazy_eights", "cribbage", "dou_dizhu", "euchre", "gin_rummy", "go_fish", "goofspiel", "hanabi",
    "tiny_hanabi", "hearts", "oh_hell", "skat", "solitaire", "spades", "tarok", "tiny_bridge_2p",
    "tiny_bridge_4p",
)  # fmt: skip

GAMES = 1024
"""How many games are played at once."""

DECISIONS = 100
"""How many decisions one turn of the slower ones is."""

COUNTED = 200
"""So many games tell how many decisions a game has, where the library does not count them."""


def env_measures(skipped: dict[str, str]) -> Iterator[Measure]:
    """Ours first, then those of the libraries that are installed.

    `skipped` gets the games that cannot be measured, each with the reason.
    """
    for key, rules, players in RULE_SETS:
        yield Measure(key, "decisions", _many(rules, players))
    yield Measure("envs_wizard", "decisions", _aec(lambda: wizard_v0.env(players=4)))
    for library, names, turn_of in (
        ("rlcard", RLCARD, _rlcard),
        ("pettingzoo", PETTINGZOO, _pettingzoo),
        ("pyspiel", OPEN_SPIEL, _open_spiel),
        ("pyspiel_cpp", OPEN_SPIEL, _open_spiel_in_cpp),
    ):
        for name in names if find_spec(library.removesuffix("_cpp")) else ():
            turn = _begun(turn_of, name, f"{library}:{name}", skipped)
            if turn is not None:
                yield Measure(f"{library}:{name}", "decisions", turn)


def _begun(
    turn_of: Callable[[str], Turn], name: str, key: str, skipped: dict[str, str]
) -> Turn | None:
    """The first decisions of a game.  A version of a library may lack it, or need more that is not installed."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            turn = turn_of(name)
            turn()
    except Exception as error:  # whatever stops a game of others must not stop the other games
        said = str(error).strip().splitlines()
        skipped[key] = f"{type(error).__name__}: {said[0]}" if said else type(error).__name__
        return None
    return turn


def _many(rules: Rules, players: int) -> Turn:
    games = ManyGames(GAMES, rules, players)

    def turn() -> int:
        for _ in range(10):
            games.random_actions()
            games.step()
        return 10 * GAMES

    return turn


def _aec(made: Callable[[], Any]) -> Turn:
    """As PettingZoo's own performance test plays."""
    env = made()
    random = Random(1)
    env.reset(seed=1)

    def turn() -> int:
        done = 0
        while done < DECISIONS:
            if not env.agents:
                env.reset()
            seen, _, is_over, is_cut, _ = env.last()
            if is_over or is_cut:
                env.step(None)
            else:
                env.step(random.choice(np.flatnonzero(seen["action_mask"]).tolist()))
                done += 1
        return done

    return turn


def _pettingzoo(name: str) -> Turn:
    return _aec(getattr(import_module("pettingzoo.classic"), name).env)


def _rlcard(name: str) -> Turn:
    env = import_module("rlcard").make(name, config={"seed": 1})
    random = Random(1)
    state, _ = env.reset()

    def turn() -> int:
        nonlocal state
        for _ in range(DECISIONS):
            if env.is_over():
                state, _ = env.reset()
            state, _ = env.step(random.choice(list(state["legal_actions"])))
        return DECISIONS

    return turn


def _open_spiel(name: str) -> Turn:
    """The loop in Python over OpenSpiel's C++, which is faster than its own environments in Python."""
    game = import_module("pyspiel").load_game_as_turn_based(name)
    random = Random(1)
    kind = game.get_type()
    has_tensor = kind.provides_observation_tensor or kind.provides_information_state_tensor
    if not has_tensor:
        raise ValueError(f"{name} has no observations")
    state = game.new_initial_state()

    def turn() -> int:
        nonlocal state
        done = 0
        while done < DECISIONS:
            if state.is_terminal():
                state = game.new_initial_state()
            if state.is_chance_node():
                actions, odds = zip(*state.chance_outcomes(), strict=True)
                state.apply_action(random.choices(actions, odds)[0])
                continue
            seat = state.current_player()
            if kind.provides_observation_tensor:
                state.observation_tensor(seat)
            else:
                state.information_state_tensor(seat)
            state.apply_action(random.choice(state.legal_actions()))
            done += 1
        return done

    return turn


def _open_spiel_in_cpp(name: str) -> Turn:
    """OpenSpiel's own loop in C++ over random games, without observations.

    It does not count decisions, so some games are played and counted first; each turn counts their mean.
    """
    played = _played_in_cpp(name)
    mean = decisions_in_a_game(played)
    games = max(1, round(DECISIONS / mean))

    def turn() -> int:
        for _ in range(games):
            played()
        return round(games * mean)

    return turn


def _played_in_cpp(name: str) -> Callable[[], Any]:
    """Plays a random game and returns its last state."""
    spiel = import_module("pyspiel")
    game = spiel.load_game_as_turn_based(name)
    bots = [spiel.make_uniform_random_bot(seat, seat + 1) for seat in range(game.num_players())]
    seeds = iter(range(10**9))

    def played() -> Any:
        state = game.new_initial_state()
        spiel.evaluate_bots(state, bots, next(seeds))
        return state

    return played


def decisions_in_a_game(played: Callable[[], Any]) -> float:
    """The mean of some games.  What chance does, such as a card dealt, is no decision."""
    counted: int = sum(step.player >= 0 for _ in range(COUNTED) for step in played().full_history())
    return counted / COUNTED
