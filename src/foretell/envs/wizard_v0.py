"""One game as an environment of PettingZoo (AEC): any rules, three to six players::

    env = wizard_v0.env(rules=Rules(), players=4)
    env.reset(seed=1)
    for agent in env.agent_iter():
        observation, reward, is_over, _, _ = env.last()
        env.step(None if is_over else chosen_for(observation))

The number in the name counts changes of what is observed, rewarded or numbered; `features.VERSION` is the layout's.
"""

from secrets import randbits
from typing import Any

import numpy as np
from gymnasium import spaces
from pettingzoo import AECEnv
from pettingzoo.utils import wrappers

from foretell.bots.net import layout as in_view
from foretell.bots.net.encoding import kernel_action
from foretell.bots.net.from_view import traits_of
from foretell.cards import Colour
from foretell.engine import Action, Game, View, view
from foretell.envs.engine_side import EngineSide
from foretell.envs.features import ACTION_PARTS, ACTIONS, INPUTS, VERSION, as_bits
from foretell.envs.loop.game_loop import observe_from
from foretell.envs.many_games import ManyGames, Rewards
from foretell.i18n import catalogue
from foretell.kernel.backend.compiled import Ints, ints
from foretell.kernel.state import codes
from foretell.kernel.state import lookup_layout as in_lookup
from foretell.kernel.state import state_layout as in_state
from foretell.kernel.state.actions import kernel_actions
from foretell.kernel.state.from_engine import new_state
from foretell.narration import tell
from foretell.rules import Rules

__all__ = ["ACTIONS", "ACTION_PARTS", "INPUTS", "VERSION", "env", "raw_env"]

Array = np.ndarray[Any, Any]
Observation = dict[str, Array]
RENDER_MODES = ["human", "ansi"]


def env(**choices: Any) -> AECEnv[str, Observation, int]:
    """The environment with PettingZoo's checks of the order of calls and of the range of actions."""
    checked = wrappers.AssertOutOfBoundsWrapper(raw_env(**choices))
    return wrappers.OrderEnforcingWrapper(checked)


class raw_env(AECEnv[str, Observation, int]):
    """The environment without checks.  It refuses an action that is not legal, and names the legal ones.

    rules, players   any rules, and three to six players
    rewards          "round": the points of each round when it ends; "game": the score at the end of the game
    render_mode      "human" prints what happens, "ansi" returns it as text
    """

    metadata = {  # noqa: RUF012 - PettingZoo's form
        "name": "wizard_v0",
        "render_modes": RENDER_MODES,
        "is_parallelizable": False,
    }

    def __init__(
        self,
        rules: Rules | None = None,
        players: int = 4,
        *,
        rewards: Rewards = "round",
        render_mode: str | None = None,
    ) -> None:
        super().__init__()
        if render_mode not in (None, *RENDER_MODES):
            raise ValueError(f"render_mode: one of {RENDER_MODES}, or None")
        self.render_mode = render_mode
        self._games = ManyGames(1, rules, players, rewards=rewards, goes_on=False)
        self._tables = self._games.tables_of(0)
        self.possible_agents = [f"seat_{seat}" for seat in range(players)]
        self.agents: list[str] = []
        self._actions = {agent: spaces.Discrete(ACTIONS) for agent in self.possible_agents}
        self._observations = {agent: _observation_space() for agent in self.possible_agents}
        self._side = EngineSide(self._tables, self.possible_agents)
        self._traits = traits_of(self._tables)
        # Room for the observation of a seat that is not on turn.
        self._copy, self._words = new_state(), ints(in_view.WORDS)
        self._scratch = ints(in_view.SCRATCH_WORDS)
        self._number = -1
        self._seed: int | None = None

    def observation_space(self, agent: str) -> spaces.Space[Any]:
        return self._observations[agent]

    def action_space(self, agent: str) -> spaces.Space[Any]:
        return self._actions[agent]

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Begins a game: the first one of this seed, or without one the next game of the last seed."""
        self._number += 1
        if seed is not None or self._seed is None:
            self._seed, self._number = randbits(60) if seed is None else int(seed), 0
        self._games.reset(self._seed, first=self._number)
        self.agents = list(self.possible_agents)
        self.rewards = dict.fromkeys(self.agents, 0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in self.agents}
        self.agent_selection = self.possible_agents[int(self._games.seats[0])]
        self._side.begin(self._games.state(0))

    def step(self, action: int | None) -> None:
        if self.terminations[self.agent_selection]:
            self._was_dead_step(action)
            return
        before = self._games.state(0)
        self._games.actions[0] = action
        taken = self._games.kernel_action(0, self._games.actions[0])
        self._games.step()
        self._cumulative_rewards[self.agent_selection] = 0
        self._side.acted(int(before[in_state.TURN]), taken)
        points = self._games.rewards[0]
        self.rewards = {agent: int(points[seat]) for seat, agent in enumerate(self.agents)}
        if self._games.game_over[0]:
            self.terminations = dict.fromkeys(self.agents, True)
        else:
            self.agent_selection = self.possible_agents[int(self._games.seats[0])]
            if self._games.round_over[0]:
                self._side.dealt(self._games.state(0))
        self._accumulate_rewards()
        if self.render_mode == "human":
            self.render()

    def observe(self, agent: str) -> Observation:
        """What a seat may know: `observation`, the 2,048 inputs, and `action_mask`, its legal actions.

        A seat that is not asked has no legal actions.
        """
        seat = self.possible_agents.index(agent)
        if agent == self.agent_selection and not self.terminations.get(agent, True):
            words, mask = self._games.observations[0], self._games.masks[0].copy()
        else:
            mask = np.zeros(ACTIONS, dtype=np.int8)
            observe_from(
                self._tables.words,
                _as_state(self._games.state(0)),
                self._copy,
                self._traits,
                self._scratch,
                self._words,
                seat,
            )
            words = np.array(self._words, dtype=np.int64)
        return {"observation": as_bits(words).view(np.int8), "action_mask": mask}

    def render(self) -> str | None:
        """What has happened since the last time, in English: as text, or printed."""
        texts = catalogue("en")
        news = self._side.news()
        lines = [line for event in news for line in tell(event, self.possible_agents, texts)]
        text = "\n".join(lines)
        if self.render_mode == "human":
            if text:
                print(text)
            return None
        return text

    def close(self) -> None:
        """Nothing is open."""

    # For Foretell's bots, and for looking at a game.

    @property
    def game(self) -> Game:
        """The game as the engine has it, with every hand.  Which of the four Wizards lies where is made up."""
        return self._side.game

    def view(self, agent: str) -> View:
        """What a seat may know, as a View: any bot of Foretell can choose from it."""
        return view(self.game, self.possible_agents.index(agent))

    def actions_for(self, action: Action) -> tuple[int, ...]:
        """An action of the engine for the seat on turn, as numbers: two for a card with a declaration."""
        before = self._games.state(0)
        first, *declared = kernel_actions(action)
        legal = np.flatnonzero(self._games.masks[0]).tolist()
        found = [next(one for one in legal if self._games.kernel_action(0, one) == first)]
        for declaration in declared:
            chosen = _as_state(before)
            chosen[in_state.PHASE], chosen[in_state.DECLARING_KIND] = codes.DECLARING, first
            offered = self._tables.words[in_lookup.DECLARATIONS + first]
            shapes = range(in_view.SHAPES, in_view.SHAPES + 2)
            places = range(in_view.SHAPES) if offered.bit_count() == len(Colour) else shapes
            notes = self._games.notes(0)
            found.append(
                in_view.ACTION_DECLARE
                + next(one for one in places if kernel_action(chosen, notes, one) == declaration)
            )
        return tuple(found)


def _as_state(words: list[int]) -> Ints:
    """These words as a state that compiled functions take."""
    state = new_state()
    state[:] = words
    return state


def _observation_space() -> spaces.Dict:
    bits = spaces.Box(0, 1, (INPUTS,), np.int8)
    return spaces.Dict({"observation": bits, "action_mask": spaces.Box(0, 1, (ACTIONS,), np.int8)})
