"""Whole rounds and games inside the compiled loop, and batches of games on all cores.

A game depends on the seed and its own number, never on how a batch is divided among threads.
"""

import os
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

from foretell.kernel.backend.compiled import Floats, Ints, inlined, ints, jit
from foretell.kernel.bulk.policies import PLAIN_WORDS, RANDOM, chosen, random_action
from foretell.kernel.hidden.redealing import redeal
from foretell.kernel.state import codes
from foretell.kernel.state import lookup_layout as in_lookup
from foretell.kernel.state import state_layout as in_state
from foretell.kernel.state.random_numbers import RNG_WORDS, seed_rng, shuffle
from foretell.kernel.state.tables import Tables
from foretell.kernel.state.turn_loop import copy_state, deal, new_game, step

__all__ = [
    "LINE_BID",
    "LINE_POINTS",
    "LINE_TRICKS",
    "LINE_TRUMP",
    "LINE_WORDS",
    "GameArrays",
    "PlayedGames",
    "play_game",
    "play_games",
    "play_round",
    "random_games",
    "random_playouts",
    "random_round",
    "redealt_playouts",
]

ROOM_FOR_DECK = 72

# A batch has one line of words for each game, round and seat.
LINE_BID = 0  # after a change by the Cloud
LINE_TRICKS = 1
LINE_POINTS = 2
LINE_TRUMP = 3
LINE_WORDS = 4  # how many words a line has


@jit
def random_round(lookup: Ints, state: Ints, rng: Ints) -> int:
    """Plays the round to its end at random; returns the number of decisions."""
    decisions = 0
    while state[in_state.PHASE] < codes.DEALING:
        step(lookup, state, random_action(lookup, state, rng))
        decisions += 1
    return decisions


@jit
def play_round(lookup: Ints, state: Ints, rng: Ints, policy_words: Ints, policies: Ints) -> int:
    """Plays the round to its end, each seat by its own policy; returns the number of decisions."""
    decisions = 0
    while state[in_state.PHASE] < codes.DEALING:
        step(
            lookup, state, chosen(lookup, state, rng, policy_words, policies[state[in_state.TURN]])
        )
        decisions += 1
    return decisions


@inlined
def begin_game(lookup: Ints, state: Ints, rng: Ints, deck: Ints, seed: int, number: int) -> None:
    """Begins the game with this number; from game to game, the first dealer moves one seat to the left."""
    seed_rng(rng, seed, number)
    new_game(lookup, state, number % lookup[in_lookup.PLAYERS])
    for place in range(lookup[in_lookup.DECK_SIZE]):
        deck[place] = place


@jit
def random_games(
    lookup: Ints, state: Ints, rng: Ints, deck: Ints, seed: int, first: int, count: int
) -> int:
    """Plays `count` games at random, beginning with number `first`; returns the number of decisions."""
    decisions = 0
    for number in range(first, first + count):
        begin_game(lookup, state, rng, deck, seed, number)
        while state[in_state.PHASE] != codes.GAME_OVER:
            if state[in_state.PHASE] == codes.DEALING:
                shuffle(lookup, state, rng, deck)
                deal(lookup, state, deck)
            else:
                step(lookup, state, random_action(lookup, state, rng))
                decisions += 1
    return decisions


@jit
def play_game(
    lookup: Ints,
    state: Ints,
    rng: Ints,
    deck: Ints,
    policy_words: Ints,
    policies: Ints,
    lines: Ints,
    first: int,
) -> int:
    """Plays a game from its first deal to its end; writes a line for each round and seat, beginning at line `first`."""
    decisions = 0
    players = lookup[in_lookup.PLAYERS]
    while state[in_state.PHASE] != codes.GAME_OVER:
        shuffle(lookup, state, rng, deck)
        deal(lookup, state, deck)
        decisions += play_round(lookup, state, rng, policy_words, policies)
        for seat in range(players):
            line = (first + state[in_state.ROUND] * players + seat) * LINE_WORDS
            lines[line + LINE_BID] = state[in_state.BID + seat]
            if seat == state[in_state.CLOUD_SEAT]:
                lines[line + LINE_BID] += state[in_state.BID_CHANGE]
            lines[line + LINE_TRICKS] = state[in_state.TRICKS_WON + seat]
            lines[line + LINE_POINTS] = state[in_state.ROUND_POINTS + seat]
            lines[line + LINE_TRUMP] = state[in_state.TRUMP]
    return decisions


@jit
def play_batch(
    lookup: Ints, state: Ints, rng: Ints, deck: Ints, policy_words: Ints, policies: Ints,
    lines: Ints, start: int, seed: int, first: int, count: int,
) -> int:  # fmt: skip
    """Plays `count` games, beginning with number `first`; returns the number of decisions.

    The lines of these games begin at line `start`, so that several threads can write into one array.
    """
    decisions = 0
    for number in range(first, first + count):
        begin_game(lookup, state, rng, deck, seed, number)
        line = start + (number - first) * lookup[in_lookup.ROUNDS] * lookup[in_lookup.PLAYERS]
        decisions += play_game(lookup, state, rng, deck, policy_words, policies, lines, line)
    return decisions


@jit
def random_playouts(
    lookup: Ints, start: Ints, state: Ints, rng: Ints, count: int, sums: Ints
) -> int:
    """Plays from `start` to the end of the round at random, `count` times; adds the points of each seat to `sums`."""
    decisions = 0
    for _ in range(count):
        copy_state(start, state)
        decisions += random_round(lookup, state, rng)
        for seat in range(lookup[in_lookup.PLAYERS]):
            sums[seat] += state[in_state.ROUND_POINTS + seat]
    return decisions


@jit
def redealt_playouts(
    lookup: Ints,
    start: Ints,
    state: Ints,
    rng: Ints,
    plan: Ints,
    ways: Floats,
    scratch: Ints,
    count: int,
    sums: Ints,
) -> int:
    """The same with the hidden hands dealt again before each playout."""
    decisions = 0
    for _ in range(count):
        copy_state(start, state)
        redeal(lookup, state, rng, plan, ways, scratch)
        decisions += random_round(lookup, state, rng)
        for seat in range(lookup[in_lookup.PLAYERS]):
            sums[seat] += state[in_state.ROUND_POINTS + seat]
    return decisions


@dataclass(frozen=True, slots=True)
class PlayedGames:
    """The result of `play_games`: a line of words for each game, round and seat."""

    tables: Tables
    first: int
    count: int
    decisions: int
    lines: Any

    def line(self, game: int, place: int, seat: int) -> tuple[int, ...]:
        """The words of one game (counted from 0 in this batch), round and seat."""
        players, rounds = self.tables.players, len(self.tables.numbers)
        start = ((game * rounds + place) * players + seat) * LINE_WORDS
        return tuple(int(word) for word in self.lines[start : start + LINE_WORDS])

    def score(self, game: int) -> tuple[int, ...]:
        """The points of each seat at the end of a game."""
        rounds = range(len(self.tables.numbers))
        seats = range(self.tables.players)
        return tuple(
            sum(self.line(game, place, seat)[LINE_POINTS] for place in rounds) for seat in seats
        )


class GameArrays:
    """The arrays in which one thread plays."""

    def __init__(self) -> None:
        self.state, self.rng, self.deck = ints(in_state.SIZE), ints(RNG_WORDS), ints(ROOM_FOR_DECK)


def cores() -> int:
    """How many cores this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def spread(
    count: int, threads: int | None, work: Callable[[int, int], int], *, least: int = 64
) -> int:
    """Divides 0..count-1 into pieces, calls `work(start, size)` for each piece in a thread, and adds up the results."""
    threads = min(threads or cores(), max(1, count // least))
    if threads == 1:
        return work(0, count)
    from concurrent.futures import ThreadPoolExecutor  # noqa: PLC0415 (a browser has no threads)

    # More pieces than threads, so that a slow thread does not hold up the others.
    pieces = threads * 8
    cuts = [count * piece // pieces for piece in range(pieces + 1)]
    with ThreadPoolExecutor(threads) as pool:
        jobs = [
            pool.submit(work, start, end - start) for start, end in pairwise(cuts) if end > start
        ]
        return sum(job.result() for job in jobs)


def play_games(
    tables: Tables,
    count: int,
    *,
    seed: int = 0,
    first: int = 0,
    policies: Sequence[int] = (),
    words: Ints | None = None,
    threads: int | None = None,
) -> PlayedGames:
    """Plays whole games on all cores, each seat by its policy, or at random if no policies are given.

    `words` are the words of the plain policy (`policies.plain_words`).
    """
    players = tables.players
    by_seat = ints(codes.SEATS)
    for seat in range(players):
        by_seat[seat] = policies[seat] if policies else RANDOM
    policy_words = ints(PLAIN_WORDS) if words is None else words
    size = len(tables.numbers) * players  # lines of a game
    lines = ints(count * size * LINE_WORDS)

    def work(start: int, many: int) -> int:
        room = GameArrays()
        taken: int = play_batch(
            tables.words,
            room.state,
            room.rng,
            room.deck,
            policy_words,
            by_seat,
            lines,
            start * size,
            seed,
            first + start,
            many,
        )
        return taken

    decisions = spread(count, threads, work)
    return PlayedGames(tables, first, count, decisions, lines)
