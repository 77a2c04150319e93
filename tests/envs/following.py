"""Many games, and the engine beside each of them: compared after every action."""

from random import Random

from foretell.engine import Phase, awaited_seats, legal_actions, view
from foretell.envs.engine_side import EngineSide
from foretell.envs.many_games import ManyGames
from foretell.kernel.state import codes
from foretell.kernel.state import state_layout as in_state
from foretell.kernel.state.actions import kernel_actions
from net.observations import observed_from_view
from tables import NAMES


class Followed:
    """Plays all games at random, and tells the engine what was done."""

    def __init__(self, games: ManyGames, seed: int, *, thorough: float) -> None:
        self.games, self.random, self.thorough = games, Random(seed), thorough
        self.sides = []
        self.decisions = self.rounds = self.finished = self.observed = 0
        for game in range(games.count):
            tables = games.tables_of(game)
            self.sides.append(EngineSide(tables, NAMES[: tables.players]))
            self.sides[game].begin(games.state(game))

    def step(self) -> None:
        games = self.games
        games.random_actions()
        scores = [side.game.score for side in self.sides]
        for game, side in enumerate(self.sides):
            self.decisions += 1
            self.compare(game)
            action = games.kernel_action(game, int(games.actions[game]))
            side.acted(int(games.seats[game]), action)
        games.step()
        for game in range(games.count):
            if games.round_over[game]:
                self.compare_end(game, scores[game])
            else:
                assert not games.rewards[game].any()

    def compare(self, game: int) -> None:
        """Who decides, what is allowed, and now and then the observation are the engine's."""
        games, side = self.games, self.sides[game]
        seat, now, state = int(games.seats[game]), side.game, games.state(game)
        assert seat in awaited_seats(now)
        allowed = {
            games.kernel_action(game, place) for place in games.masks[game].nonzero()[0].tolist()
        }
        if state[in_state.PHASE] == codes.DECLARING:
            chosen = (state[in_state.DECLARING_KIND],)
            offered = {
                kernel_actions(one)[1]
                for one in legal_actions(now, seat)
                if kernel_actions(one)[:1] == chosen
            }
        else:
            offered = {kernel_actions(one)[0] for one in legal_actions(now, seat)}
            if self.random.random() < self.thorough:
                self.observed += 1
                assert games.observations[game].tolist() == observed_from_view(view(now, seat))
        assert allowed == offered

    def compare_end(self, game: int, before: tuple[int, ...]) -> None:
        """The points of a round, or the score of the game, are the engine's; the next round is dealt."""
        games, side = self.games, self.sides[game]
        ended = side.game
        assert ended.now is not None
        assert ended.now.phase is Phase.SCORED
        assert bool(games.game_over[game]) == ended.is_over
        self.rounds += 1
        points = [now - then for now, then in zip(ended.score, before, strict=True)]
        assert games.rewards[game].tolist() == points + [0] * (codes.SEATS - len(points))
        if ended.is_over:
            self.finished += 1
            side.begin(games.state(game))
        else:
            side.dealt(games.state(game))
