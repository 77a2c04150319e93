"""What `foretell bench` measures: decisions, games and playouts a second, all in one run on one core.

Rates are counted in seconds of CPU time, so other programs on the machine hardly matter.  Everything is measured in
several short turns, in rotation, and the best turn counts.  Only the scaling over cores is counted in wall-clock time.
"""

import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from importlib.util import find_spec
from itertools import cycle
from random import Random
from typing import Any

from foretell.bots import LEVELS, Bot, bot
from foretell.cards import SPECIALS
from foretell.commands.beside import Beside
from foretell.deals import seeded
from foretell.engine import Game, View, act, awaited_seats, deal, legal_actions, new_game, view
from foretell.engine.round import Phase
from foretell.kernel.backend.compiled import IS_COMPILED, ints
from foretell.kernel.bulk.playouts import (
    GameArrays,
    begin_game,
    cores,
    random_games,
    random_playouts,
    redealt_playouts,
    spread,
)
from foretell.kernel.bulk.policies import random_action
from foretell.kernel.hidden.hidden_hands import hidden_hands
from foretell.kernel.state import codes, turn_loop
from foretell.kernel.state import state_layout as in_state
from foretell.kernel.state.from_engine import state_of_game
from foretell.kernel.state.random_numbers import shuffle
from foretell.kernel.state.tables import Tables, compile_rules
from foretell.rules import Rules
from foretell.rules.deck import HEADS

__all__ = [
    "ALL_SPECIALS",
    "BASE",
    "Measure",
    "Rate",
    "Turn",
    "batches",
    "growth",
    "measures",
    "open_spiel_in_cpp",
    "rates",
    "scaling",
]

Turn = Callable[[], int]
"""Does some work and returns how many units it was."""


@dataclass(frozen=True, slots=True)
class Measure:
    """One thing to measure; `unit` is "decisions", "playouts" or "choices"."""

    key: str
    unit: str
    turn: Turn

    def measured(self, seconds: float) -> tuple[int, float]:
        """Repeats the work for this long; returns the units done and the seconds of CPU time that they took."""
        done, spent = 0, 0.0
        while spent < seconds:
            more, lasted = _seconds(self.turn)
            done, spent = done + more, spent + lasted
        return done, spent


@dataclass(frozen=True, slots=True)
class Rate:
    """A result: how many units a second."""

    key: str
    unit: str
    rate: float


def _seconds(turn: Turn) -> tuple[int, float]:
    start = time.thread_time()
    done = turn()
    return done, max(time.thread_time() - start, 1e-9)


def rates(measured: Sequence[Measure | Beside], seconds: float, rounds: int = 5) -> Iterator[Rate]:
    """The best of several turns of each measurement, in rotation.  The work is repeated until a turn is long enough."""
    best = [0.0] * len(measured)
    for one in measured:
        one.measured(0.0001)  # the first turn loads, and may compile; it does not count
    for _ in range(rounds):
        for place, one in enumerate(measured):
            done, spent = one.measured(seconds / rounds)
            best[place] = max(best[place], done / spent)
    for one, rate in zip(measured, best, strict=True):
        yield Rate(one.key, one.unit, rate)


# The rule sets that are measured.

BASE = Rules()
ALL_SPECIALS = Rules(specials=tuple(kind.value for kind in SPECIALS))
UNICOLOR = Rules(unicolor=True)
FRENCH = Rules(wizards_on_trump="barred")
NAMES = ("Ada", "Bo", "Cy", "Di", "Ed", "Flo")


def measures() -> list[Measure]:
    """Everything that is compared, at tables of four."""
    base = compile_rules(BASE, 4)
    return [
        Measure("engine", "decisions", _engine(BASE)),
        Measure("kernel_step", "decisions", _stepped(base)),
        Measure("kernel_loop", "decisions", _looped(base)),
        Measure("kernel_loop_specials", "decisions", _looped(compile_rules(ALL_SPECIALS, 4))),
        Measure("kernel_loop_french", "decisions", _looped(compile_rules(FRENCH, 4))),
        Measure("kernel_loop_unicolor", "decisions", _looped(compile_rules(UNICOLOR, 4))),
        *_playouts(),
        *_choices(),
        *_open_spiel(),
    ]


def _choices() -> Iterator[Measure]:
    """Choices of the levels, in positions from all parts of a round of ten cards."""
    positions = [stopped(BASE, 4, 10, tricks, seed) for seed in range(3) for tricks in (0, 2, 5, 8)]
    views = [view(game, awaited_seats(game)[0]) for game in positions]
    for name in LEVELS:
        player, numbered = bot(name), cycle(enumerate(views))

        def turn(player: Bot = player, numbered: Iterator[tuple[int, View]] = numbered) -> int:
            number, seen = next(numbered)
            player.choose(seen, Random(number))
            return 1

        yield Measure(f"choice_{name}", "choices", turn)


def _engine(rules: Rules) -> Turn:
    seeds = iter(range(10**9))

    def turn() -> int:
        seed = next(seeds)
        random, dealing = Random(seed), seeded(seed)
        game = new_game(rules, NAMES[:4])
        decisions = 0
        while not game.is_over:
            if game.awaits_deal:
                game, _ = deal(game, dealing(game))
            seat = awaited_seats(game)[0]
            game, _ = act(game, seat, random.choice(legal_actions(game, seat)))
            decisions += 1
        return decisions

    return turn


def _stepped(tables: Tables) -> Turn:
    """The loop in Python, with one call of the kernel for the choice and one for the step."""

    room, numbers, lookup = GameArrays(), iter(range(10**9)), tables.words

    def turn() -> int:
        state, rng, deck = room.state, room.rng, room.deck
        begin_game(lookup, state, rng, deck, 1, next(numbers))
        decisions = 0
        phase = state[in_state.PHASE]
        while phase != codes.GAME_OVER:
            if phase == codes.DEALING:
                shuffle(lookup, state, rng, deck)
                turn_loop.deal(lookup, state, deck)
            else:
                turn_loop.step(lookup, state, random_action(lookup, state, rng))
                decisions += 1
            phase = state[in_state.PHASE]
        return decisions

    return turn


def _looped(tables: Tables, games: int = 0) -> Turn:
    room, lookup = GameArrays(), tables.words
    games = games or (2_000 if IS_COMPILED else 2)
    numbers = iter(range(0, 10**12, games))

    def turn() -> int:
        first = next(numbers)
        done: int = random_games(lookup, room.state, room.rng, room.deck, 1, first, games)
        return done

    return turn


def stopped(rules: Rules, players: int, number: int, tricks: int, seed: int) -> Game:
    """A random game of the one round `number`, stopped after so many tricks; every seat has bid."""
    random = Random(seed)
    only = Rules(**{key: getattr(rules, key) for key in ("specials",)}, rounds=(number,))
    while True:
        game = new_game(only, NAMES[:players])
        game, _ = deal(game, seeded(random.random().hex())(game))
        while game.now is not None and game.now.phase is not Phase.SCORED:
            if game.now.phase is Phase.PLAY and len(game.now.tricks) == tricks:
                return game
            seat = awaited_seats(game)[0]
            game, _ = act(game, seat, random.choice(legal_actions(game, seat)))


def _playouts() -> Iterator[Measure]:
    """Playouts from the first play and from half-way, without and with a re-deal, each over a few positions."""
    for number in (5, 10, 15):
        for tricks, where in ((0, "start"), (number // 2, "half")):
            games = [stopped(BASE, 4, number, tricks, seed) for seed in range(8)]
            yield Measure(f"playouts_{number}_{where}", "playouts", _played(games, redealt=False))
            yield Measure(f"redealt_{number}_{where}", "playouts", _played(games, redealt=True))


def _played(games: list[Game], *, redealt: bool) -> Turn:
    tables = compile_rules(games[0].rules, games[0].seats)
    count = 2_000 if IS_COMPILED else 2
    room, sums = GameArrays(), ints(codes.SEATS)
    room.rng[0], room.rng[1] = 12345, 67891
    positions = cycle(
        [
            (state_of_game(tables, game), hidden_hands(view(game, awaited_seats(game)[0])))
            for game in games
        ]
    )

    def turn() -> int:
        start, hidden = next(positions)
        if redealt:
            redealt_playouts(
                tables.words, hidden.state, room.state, room.rng, *hidden.arrays, count, sums
            )
        else:
            random_playouts(tables.words, start, room.state, room.rng, count, sums)
        return count

    return turn


OH_HELL_DECISIONS = sum(4 + 4 * size for size in range(1, 13))


def _oh_hell() -> list[Any]:
    import pyspiel  # noqa: PLC0415 - an extra

    return [
        pyspiel.load_game(f"oh_hell(players=4,num_tricks_fixed={size},off_bid_penalty=true)")
        for size in range(1, 13)
    ]


def open_spiel_in_cpp() -> Turn:
    """OpenSpiel's own loop in C++ over a random game of oh_hell, without observations."""
    import pyspiel  # noqa: PLC0415 - an extra

    games = _oh_hell()
    bots = [pyspiel.make_uniform_random_bot(seat, seat + 1) for seat in range(4)]
    seeds = iter(range(10**9))

    def turn() -> int:
        for game in games:
            pyspiel.evaluate_bots(game.new_initial_state(), bots, next(seeds))
        return OH_HELL_DECISIONS

    return turn


def _open_spiel() -> Iterator[Measure]:
    """OpenSpiel's oh_hell, four players, rounds of 1 to 12 cards (it has no Wizards), random play."""
    if find_spec("pyspiel") is None:
        return
    games = _oh_hell()
    random = Random(1)

    def in_python() -> int:
        for game in games:
            state = game.new_initial_state()
            while not state.is_terminal():
                state.apply_action(random.choice(state.legal_actions()))
        return OH_HELL_DECISIONS

    yield Measure("open_spiel_cpp", "decisions", open_spiel_in_cpp())
    yield Measure("open_spiel_python", "decisions", in_python)


# How the speed changes with players, rounds, batch size and cores.


def growth(seconds: float) -> Iterator[tuple[str, int, float]]:
    """Games a second by number of players; then by number of cards, in games of a single round."""
    tables = [("players", players, compile_rules(BASE, players)) for players in HEADS]
    tables += [
        ("round", number, compile_rules(Rules(rounds=(number,)), 4))
        for number in (1, 3, 6, 9, 12, 15)
    ]
    for kind, size, one in tables:
        games = 500 if IS_COMPILED else 1
        turn = _looped(one, games)
        turn()
        best, spent = 0.0, 0.0
        while spent < seconds:
            _, lasted = _seconds(turn)
            best, spent = max(best, games / lasted), spent + lasted
        yield kind, size, best


def batches(seconds: float) -> Iterator[tuple[int, float]]:
    """Games a second by the number of games that one call from Python plays."""
    tables = compile_rules(BASE, 4)
    for games in (1, 10, 100, 1_000, 10_000) if IS_COMPILED else (1, 10):
        turn = _looped(tables, games)
        best, spent = 0.0, 0.0
        while spent < seconds:
            _, lasted = _seconds(turn)
            best, spent = max(best, games / lasted), spent + lasted
        yield games, best


def scaling(seconds: float) -> Iterator[tuple[int, float]]:
    """Decisions a second of wall-clock time on 1, 2, ... cores; the best of several turns, in rotation."""
    tables = compile_rules(BASE, 4)
    games = 20_000 if IS_COMPILED else 10

    def work(start: int, many: int) -> int:
        room = GameArrays()
        done: int = random_games(tables.words, room.state, room.rng, room.deck, 1, start, many)
        return done

    best = dict.fromkeys(range(1, cores() + 1), 0.0)
    start = time.perf_counter()
    while time.perf_counter() - start < seconds or not all(best.values()):
        for threads in best:
            began = time.perf_counter()
            done = spread(games, threads, work)
            best[threads] = max(best[threads], done / (time.perf_counter() - began))
    yield from best.items()
