"""Thousands of games at once, as arrays: each step, every game takes one action and goes on to its next decision::

    games = ManyGames(4096, seed=1)
    while learning:
        games.step(chosen_for(games.observations, games.masks))
        ... games.rewards, games.round_over, games.game_over

The arrays stay the same and are written again in each step; copy what you keep.  docs/environments.md has the details.
"""

from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any, Literal

import numpy as np

from foretell.bots.net import layout as in_view
from foretell.bots.net.encoding import kernel_action
from foretell.bots.net.evaluation import first_answer
from foretell.bots.net.from_view import traits_of
from foretell.bots.simple.counting import kernel_words
from foretell.envs.buffers import given_or_new, lent
from foretell.envs.loop import game_layout as in_game
from foretell.envs.loop import game_loop
from foretell.errors import NotAllowed
from foretell.kernel.backend.compiled import Ints
from foretell.kernel.bulk.policies import PLAIN, RANDOM
from foretell.kernel.state import state_layout as in_state
from foretell.kernel.state.codes import SEATS
from foretell.kernel.state.tables import Tables, compile_rules
from foretell.rules import Rules

__all__ = ["BUFFERS", "ManyGames", "Rewards", "SimpleBot"]

Array = np.ndarray[Any, Any]
Rewards = Literal["round", "game"]
SimpleBot = Literal["random", "counting"]

# A type checker cannot know how many arrays a list has.
BEGIN: Callable[..., None] = game_loop.begin_games
PLAY_ON: Callable[..., None] = game_loop.play_on

BOTS = {"random": RANDOM, "counting": PLAIN}

BUFFERS = {
    "actions": ((), "int64"),
    "observations": ((in_view.WORDS,), "int64"),
    "masks": ((in_view.ACTIONS,), "int8"),
    "seats": ((), "int8"),
    "rewards": ((SEATS,), "int32"),
    "round_over": ((), "int8"),
    "game_over": ((), "int8"),
}
"""The arrays by name: the shape for each game, and the kind of number."""


class ManyGames:
    """Games that are played together, by the same rules or by different ones.

    rules, players   what is played at every table; or `tables`, a list of both, which the games take in turn
    seed             decides the cards of every game, whatever is played
    rewards          "round": the points of each round; "game": the score, at the end of the game
    bots             who plays a seat instead of being asked: {1: "counting", 2: "random"}
    skips_forced     leaves out decisions with only one legal action
    goes_on          a game that is over is followed by the next one; otherwise it has no legal actions any more
    threads          how many threads play; more than one is worth its while from some thousand games on
    buffers          arrays of yours to write into, by name (BUFFERS): NumPy's, or any others by DLPack
    """

    def __init__(
        self,
        count: int,
        rules: Rules | None = None,
        players: int = 4,
        *,
        tables: Sequence[tuple[Rules, int]] = (),
        seed: int = 0,
        rewards: Rewards = "round",
        bots: Mapping[int, SimpleBot] | None = None,
        skips_forced: bool = False,
        goes_on: bool = True,
        threads: int = 1,
        buffers: Mapping[str, object] | None = None,
    ) -> None:
        if count < 1 or threads < 1:
            raise ValueError("there must be at least one game and one thread")
        if rewards not in ("round", "game"):
            raise ValueError(f"rewards: 'round' or 'game', not {rewards!r}")
        self.count = count
        self.tables = [
            compile_rules(one, heads)
            for one, heads in (tables or [(Rules() if rules is None else rules, players)])
        ]
        given = buffers or {}
        if unknown := set(given) - set(BUFFERS):
            raise ValueError(f"unknown buffers: {sorted(unknown)}; there are {list(BUFFERS)}")
        made = {
            name: given_or_new(name, (count, *shape), kind, given)
            for name, (shape, kind) in BUFFERS.items()
        }
        self.actions, self.observations, self.masks = (
            made["actions"],
            made["observations"],
            made["masks"],
        )
        self.seats, self.rewards = made["seats"], made["rewards"]
        self.round_over, self.game_over = made["round_over"], made["game_over"]
        self._rules, self._places = _rules_of(self.tables)
        self._settings = self._settings_for(rewards, bots or {}, skips_forced, goes_on)
        self._room = np.zeros((count, in_game.ROOM_WORDS), dtype=np.int64)
        own = [lent(one) for one in (self._rules, self._settings, self._room)]
        self._room_words = own[2]
        self._own, self._arrays = own, [*own, *(lent(one) for one in made.values())]
        self._pieces = [(count * n // threads, count * (n + 1) // threads) for n in range(threads)]
        self._pool = ThreadPoolExecutor(threads) if threads > 1 else None
        self.reset(seed)

    def _settings_for(
        self, rewards: Rewards, bots: Mapping[int, SimpleBot], skips_forced: bool, goes_on: bool
    ) -> Array:
        settings = np.zeros(in_game.SETTINGS_WORDS, dtype=np.int64)
        settings[in_game.STRIDE] = self.count if goes_on else 0
        settings[in_game.IS_BY_GAME] = rewards == "game"
        settings[in_game.SKIPS_FORCED] = skips_forced
        settings[in_game.POLICY :] = in_game.ASKED
        fewest = min(table.players for table in self.tables)
        for seat, name in bots.items():
            if seat not in range(SEATS) or name not in BOTS:
                raise ValueError(f"bots: seats 0 to 5 with one of {list(BOTS)}, not {seat}: {name}")
            settings[in_game.POLICY + seat] = BOTS[name]
        if all(settings[in_game.POLICY + seat] >= 0 for seat in range(fewest)):
            raise ValueError("bots: at least one seat of every table must be asked")
        return settings

    def reset(self, seed: int | None = None, *, first: int = 0) -> None:
        """Begins all games anew.  The first game has the number `first`; number and seed decide its cards."""
        if seed is not None:
            self._settings[in_game.SEED] = seed % 2**62  # the kernel takes no other ones
        self._room[:] = 0
        for place, words in enumerate(self._places):
            self._room[place :: len(self._places), : len(words)] = words
        self._room[:, in_game.NUMBER] = first + np.arange(self.count)
        self._each(lambda start, end: BEGIN(*self._own, start, end - start))
        self.actions[:] = -1
        self._play()

    def step(self, actions: Any = None) -> None:
        """Every game takes its action and goes on to its next decision.

        Without an argument, the actions are those in `self.actions`.  If one of them is not legal, an error says so,
        and no game has gone on.
        """
        if actions is not None:
            np.copyto(self.actions, actions, casting="same_kind")
        refused = game_loop.first_refused(self._room_words, self._arrays[3], 0, self.count)
        if refused >= 0:
            allowed = ", ".join(map(str, np.flatnonzero(self._legal(refused))))
            raise NotAllowed(
                "not_among_actions",
                game=refused,
                seat=int(self.seats[refused]),
                tried=int(self.actions[refused]),
                allowed=allowed,
            )
        self._play()

    def random_actions(self) -> Array:
        """Fills in and returns `self.actions`: random legal ones, each equally likely."""
        self._each(
            lambda start, end: game_loop.choose_at_random(
                self._room_words, self._arrays[3], start, end - start
            )
        )
        return self.actions

    def state(self, game: int) -> list[int]:
        """A copy of the kernel's state of a game.  It holds every hand: it is not for those who play."""
        found: list[int] = self._state(game).tolist()
        return found

    def kernel_action(self, game: int, action: int) -> int:
        """The kernel's action for an action of the seat that decides in this game."""
        state = lent(self._state(game))
        answer = int(action) - first_answer(state[in_state.PHASE])
        return kernel_action(state, self.notes(game), answer)

    def notes(self, game: int) -> Ints:
        """What has been noted of the plays of a game, with the order of colours of the seat that decides."""
        return lent(self._room[game, in_game.NOTES :])

    def _state(self, game: int) -> Array:
        return self._room[game, in_game.STATE : in_game.STATE + in_state.SIZE]

    def tables_of(self, game: int) -> Tables:
        """The rules and the lookup tables of a game."""
        return self.tables[game % len(self.tables)]

    def _legal(self, game: int) -> Array:
        """The mask as the games know it, whatever has been written over theirs."""
        word = int(self._room[game, in_game.LEGAL])
        phase = int(self._room[game, in_game.STATE + in_state.PHASE])
        mask = np.zeros(in_view.ACTIONS, dtype=bool)
        start = first_answer(phase)
        mask[[start + bit for bit in range(in_view.WORD_BITS) if word >> bit & 1]] = True
        return mask

    def _play(self) -> None:
        self._each(lambda start, end: PLAY_ON(*self._arrays, start, end - start))

    def _each(self, work: Callable[[int, int], None]) -> None:
        """Does this for all games, in pieces where there are threads."""
        if self._pool is None:
            work(0, self.count)
        else:
            for _ in self._pool.map(lambda piece: work(*piece), self._pieces):
                pass


def _rules_of(tables: Sequence[Tables]) -> tuple[Array, list[list[int]]]:
    """All lookup tables and words of the counting bot as one array; and where those of each rule set are."""
    parts: list[Array] = []
    places: list[list[int]] = []
    size = 0
    for one in tables:
        lookup = np.array(one.words, dtype=np.int64)
        policy = np.array(kernel_words(one), dtype=np.int64)
        places.append([size, size + len(lookup), traits_of(one)])
        parts += [lookup, policy]
        size += len(lookup) + len(policy)
    return np.concatenate(parts), places
