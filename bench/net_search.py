"""How much the search on top of the net gains over the net alone, at a table of nets: `python bench/net_search.py`.

Games are played by the net in every seat.  Each round is played a second time with the same cards, with the search in
one seat.  What counts is how much better that seat's margin is (its points less the mean of the others').  The figure
is a sum over the rounds of a game, with a 95 % interval over games.

Every decision of the search is examined, too: how far each candidate seemed to be ahead of the net's favourite, and
how far it really was, if the net had played on with the cards as they lay.  With `--out`, every game is written as one
line of JSON with these decisions, so that other rules of choice can be compared afterwards.
"""

import argparse
import json
import time
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor, as_completed
from dataclasses import asdict, dataclass, field, replace
from math import sqrt
from pathlib import Path
from random import Random
from typing import Any

from foretell.bots.net.candidates import POINT
from foretell.bots.net.net_player import NetPlayer
from foretell.bots.net.net_search import NetSearch, Trials
from foretell.deals import seeded
from foretell.engine import Action, Game, act, awaited_seats, deal, new_game, view
from foretell.kernel.backend.compiled import IS_COMPILED
from foretell.kernel.state import state_layout as in_state
from foretell.kernel.state.from_engine import state_of_game
from foretell.kernel.state.turn_loop import take_turn
from foretell.rules import Rules


@dataclass(frozen=True, slots=True)
class Task:
    """One game to play twice."""

    players: int
    seed: str
    rules: dict[str, Any]
    search: dict[str, Any]
    ends: float  # by `time.time`: a game that is not finished then does not count


@dataclass(frozen=True, slots=True)
class Decision:
    """One decision of the search.  The lists have a number for each candidate; the first is the net's favourite."""

    phase: int
    cards: int  # dealt to each seat in this round
    tricks_left: int
    chances: list[float]
    leads: list[float]  # in the trials
    errors: list[float]  # the standard errors of the leads
    worlds: list[int]  # in how many each was tried
    expected: list[float]  # the leads that had to be expected
    true: list[float]  # the true leads
    chosen: int


@dataclass(frozen=True, slots=True)
class Played:
    """A game: what the search gained in each round, how long its choices took, and its decisions."""

    players: int
    gains: list[float] = field(default_factory=list)
    seconds: list[float] = field(default_factory=list)
    decisions: list[Decision] = field(default_factory=list)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--players", type=int, nargs="+", default=[4])
    parser.add_argument("--games", type=int, default=2, help="for each number of players")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--rules", type=json.loads, default={}, help='such as {"bids": "secret"}')
    parser.add_argument("--search", type=json.loads, default={}, help="settings of NetSearch")
    parser.add_argument("--jobs", type=int, default=1, help="processes")
    parser.add_argument("--minutes", type=float, default=1e6, help="later games do not count")
    parser.add_argument("--out", type=Path, help="where each game is written as it ends")
    asked = parser.parse_args()
    if not IS_COMPILED:
        parser.error("the kernel's library is missing or old: in plain Python there is no search")
    ends = time.time() + 60 * asked.minutes
    tasks = [
        Task(players, f"{asked.seed}/{number}", asked.rules, asked.search, ends)
        for number in range(asked.games)
        for players in asked.players
    ]
    found: dict[int, list[Played]] = {players: [] for players in asked.players}
    with ProcessPoolExecutor(asked.jobs) as pool:
        for done in as_completed([pool.submit(both_ways, task) for task in tasks]):
            played = done.result()
            if played is None:
                continue
            found[played.players].append(played)
            if asked.out:
                with asked.out.open("a") as file:
                    file.write(json.dumps(asdict(played)) + "\n")
    for players, games in found.items():
        print(summary(players, games), flush=True)


def both_ways(task: Task) -> Played | None:
    """Plays a game with the net alone, and every round of it with the search."""
    player = Examined(replace(NetSearch(), **task.search), Played(task.players))
    for gain in gains_of_rounds(task, player):
        if time.time() > task.ends:
            return None
        player.played.gains.append(gain)
    return player.played


def gains_of_rounds(task: Task, search: "Examined") -> Iterator[float]:
    """What the search gains in each round of one game."""
    game = new_game(Rules(**task.rules), [str(seat) for seat in range(task.players)])
    dealing, seat = seeded(task.seed), Random(task.seed).randrange(task.players)
    random = Random(task.seed)
    while not game.is_over:
        game, _ = deal(game, dealing(game))
        by_search = round_of(game, seat, search, random)
        game = round_of(game, seat, None, random)
        yield margin(by_search, seat) - margin(game, seat)


def round_of(game: Game, of_search: int, search: "Examined | None", random: Random) -> Game:
    """The game after this round: the net plays all seats, or the search has one of them."""
    net = NetPlayer()
    while not game.awaits_deal and not game.is_over:
        seat = awaited_seats(game)[0]
        if search is not None and seat == of_search:
            chosen = search.choose(game, seat, random)
        else:
            chosen = net.choose(view(game, seat), random)
        game, _ = act(game, seat, chosen)
    return game


def margin(game: Game, seat: int) -> float:
    """The score of a seat less the mean of the others'."""
    score = game.score
    return score[seat] - (sum(score) - score[seat]) / (len(score) - 1)


class Examined:
    """The search, with a note of each of its decisions."""

    def __init__(self, bot: NetSearch, played: Played) -> None:
        self.bot, self.played = bot, played

    def choose(self, game: Game, seat: int, random: Random) -> Action:
        seen = view(game, seat)
        if len(seen.legal) == 1:
            return seen.legal[0]
        started = time.perf_counter()
        trials = self.bot.think(seen, random.getrandbits(60))
        chosen = trials.best(self.bot.least_lead)
        self.played.seconds.append(round(time.perf_counter() - started, 3))
        if len(trials.candidates) > 1:
            self.played.decisions.append(examined(trials, game, chosen))
        return trials.candidates[chosen].action


def examined(trials: Trials, game: Game, chosen: int) -> Decision:
    """A decision beside what each candidate would really have brought."""
    position, state = trials.position, trials.position.state
    true = state_of_game(position.tables, game)
    take_turn(position.lookup, true, position.seat)
    unit = POINT * (game.seats - 1)
    values = [position.outcome(one, true) / unit for one in trials.candidates]
    leads = [trials.lead(one) for one in range(len(values))]
    return Decision(
        int(state[in_state.PHASE]),
        int(state[in_state.HAND_SIZE]),
        int(state[in_state.TRICKS_LEFT]),
        [round(one.chance, 4) for one in trials.candidates],
        [round(mean, 3) for mean, _ in leads],
        [round(error, 3) for _, error in leads],
        [len(one) for one in trials.values],
        [round(trials.expected(one)[0], 3) for one in range(len(values))],
        [round(value - values[0], 3) for value in values],
        chosen,
    )


def summary(players: int, games: list[Played]) -> str:
    """The gain a game with its interval, how the leads went with the true ones, and how long choices took."""
    if len(games) < 2:
        return f"{players} players: too few games"
    mean, error = mean_and_error([sum(game.gains) for game in games])
    decisions = [one for game in games for one in game.decisions]
    changed = sum(one.chosen > 0 for one in decisions)
    pairs = [
        pair
        for one in decisions
        for pair in zip(one.expected[1:], one.true[1:], strict=True)
    ]  # fmt: skip
    taken = sorted(one for game in games for one in game.seconds)
    times = ", ".join(f"{taken[int(part * (len(taken) - 1))]:.2f}" for part in (0.5, 0.9, 0.99, 1))
    return (
        f"{players} players, {len(games)} games: {mean:+.1f} ± {error:.1f} a game; of {len(decisions)} decisions "
        f"{changed} changed; {line_through(pairs)}; seconds a choice (50, 90, 99, 100 %): {times}"
    )


def mean_and_error(numbers: list[float]) -> tuple[float, float]:
    """The mean, and half the width of its 95 % interval."""
    count, mean = len(numbers), sum(numbers) / len(numbers)
    spread = sum((number - mean) ** 2 for number in numbers)
    return mean, 1.96 * sqrt(spread / (count - 1) / count)


def line_through(pairs: list[tuple[float, float]]) -> str:
    """The correlation of estimated and true leads, and the slope of the line through 0."""
    xx, yy = sum(x * x for x, _ in pairs), sum(y * y for _, y in pairs)
    if not xx or not yy:
        return "no leads"
    xy = sum(x * y for x, y in pairs)
    slope = xy / xx
    error = 1.96 * sqrt(sum((y - slope * x) ** 2 for x, y in pairs) / len(pairs) / xx)
    return f"correlation of leads {xy / sqrt(xx * yy):.2f}, slope {slope:.2f} ± {error:.2f}"


if __name__ == "__main__":
    main()
