"""Whole rounds and games inside the compiled loop, and batches of them over all cores, reproducible by seed.

A game depends on the seed and its own number, never on how a batch is cut up among threads.
"""

import os
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

from foretell.kernel.backend.compiled import Floats, Ints, inlined, ints, jit
from foretell.kernel.bulk.policies import PLAIN_WORDS, RANDOM, chosen, random_action
from foretell.kernel.hidden.redealing import SCRATCH, redeal
from foretell.kernel.state import layout as at
from foretell.kernel.state.chance import CHANCE, seed_chance, shuffle
from foretell.kernel.state.tables import Tables
from foretell.kernel.state.turn_loop import copy_state, deal, new_game, step

__all__ = [
    "LINE",
    "Games",
    "Played",
    "play_game",
    "play_games",
    "play_round",
    "random_games",
    "random_playouts",
    "random_round",
    "redealt_playouts",
]

ROOM_FOR_DECK = 72
LINE = 6
"""Words for each game, round and seat of a batch: bid as it counts, tricks, points, trump, turned up, decisions."""


@jit
def random_round(t: Ints, s: Ints, g: Ints) -> int:
    """Plays the round to its end at random; answers with the number of decisions."""
    decisions = 0
    while s[at.PHASE] < at.DEALING:
        step(t, s, random_action(t, s, g))
        decisions += 1
    return decisions


@jit
def play_round(t: Ints, s: Ints, g: Ints, w: Ints, policies: Ints) -> int:
    """Plays the round to its end, each seat by its policy; answers with the number of decisions."""
    decisions = 0
    while s[at.PHASE] < at.DEALING:
        step(t, s, chosen(t, s, g, w, policies[s[at.TURN]]))
        decisions += 1
    return decisions


@inlined
def begin_game(t: Ints, s: Ints, g: Ints, deck: Ints, seed: int, number: int) -> None:
    """The game with this number; the first dealer goes round from game to game."""
    seed_chance(g, seed, number)
    new_game(t, s, number % t[at.PLAYERS])
    for place in range(t[at.CARDS]):
        deck[place] = place


@jit
def random_games(t: Ints, s: Ints, g: Ints, deck: Ints, seed: int, first: int, count: int) -> int:
    """So many games at random, from the one with number `first` on; answers with the decisions taken in all."""
    decisions = 0
    for number in range(first, first + count):
        begin_game(t, s, g, deck, seed, number)
        while s[at.PHASE] != at.OVER:
            if s[at.PHASE] == at.DEALING:
                shuffle(t, s, g, deck)
                deal(t, s, deck)
            else:
                step(t, s, random_action(t, s, g))
                decisions += 1
    return decisions


@jit
def play_game(
    t: Ints, s: Ints, g: Ints, deck: Ints, w: Ints, policies: Ints, lines: Ints, line: int
) -> int:
    """From the first deal to the end, with a line for each round and seat written from `line` on."""
    decisions = 0
    n = t[at.PLAYERS]
    while s[at.PHASE] != at.OVER:
        shuffle(t, s, g, deck)
        deal(t, s, deck)
        taken = play_round(t, s, g, w, policies)
        decisions += taken
        for seat in range(n):
            to = (line + s[at.ROUND] * n + seat) * LINE
            lines[to] = s[at.BID + seat]
            if seat == s[at.CLOUD]:
                lines[to] += s[at.CHANGE]
            lines[to + 1] = s[at.WON + seat]
            lines[to + 2] = s[at.POINTS + seat]
            lines[to + 3] = s[at.TRUMP]
            lines[to + 4] = s[at.TURNED_UP]
            lines[to + 5] = taken
    return decisions


@jit
def play_batch(
    t: Ints, s: Ints, g: Ints, deck: Ints, w: Ints, policies: Ints, lines: Ints, seed: int,
    first: int, count: int,
) -> int:  # fmt: skip
    decisions = 0
    for number in range(first, first + count):
        begin_game(t, s, g, deck, seed, number)
        line = (number - first) * t[at.ROUNDS] * t[at.PLAYERS]
        decisions += play_game(t, s, g, deck, w, policies, lines, line)
    return decisions


@jit
def random_playouts(t: Ints, start: Ints, s: Ints, g: Ints, count: int, sums: Ints) -> int:
    """Plays the same position out at random, again and again; adds each seat's points to `sums`."""
    decisions = 0
    for _ in range(count):
        copy_state(start, s)
        decisions += random_round(t, s, g)
        for seat in range(t[at.PLAYERS]):
            sums[seat] += s[at.POINTS + seat]
    return decisions


@jit
def redealt_playouts(
    t: Ints, start: Ints, s: Ints, g: Ints, h: Ints, f: Floats, b: Ints, count: int, sums: Ints
) -> int:
    """The same with the hidden hands dealt anew for each."""
    decisions = 0
    for _ in range(count):
        copy_state(start, s)
        redeal(t, s, g, h, f, b)
        decisions += random_round(t, s, g)
        for seat in range(t[at.PLAYERS]):
            sums[seat] += s[at.POINTS + seat]
    return decisions


@dataclass(frozen=True, slots=True)
class Played:
    """What `play_games` has to tell: `lines[game][round][seat]` has the words of LINE."""

    tables: Tables
    first: int
    count: int
    decisions: int
    lines: Any

    def line(self, game: int, place: int, seat: int) -> tuple[int, ...]:
        """The words of one game (from 0 in this batch), round and seat."""
        n, rounds = self.tables.players, len(self.tables.numbers)
        start = ((game * rounds + place) * n + seat) * LINE
        return tuple(int(word) for word in self.lines[start : start + LINE])

    def score(self, game: int) -> tuple[int, ...]:
        """Each seat's points at the end of a game."""
        rounds = range(len(self.tables.numbers))
        seats = range(self.tables.players)
        return tuple(sum(self.line(game, place, seat)[2] for place in rounds) for seat in seats)


class Games:
    """Room for one thread's games."""

    def __init__(self) -> None:
        self.s, self.g = ints(at.STATE), ints(CHANCE)
        self.deck, self.b = ints(ROOM_FOR_DECK), ints(SCRATCH)


def cores() -> int:
    """How many this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def spread(
    count: int, threads: int | None, work: Callable[[int, int], int], *, least: int = 64
) -> int:
    """Cuts 0..count-1 into stretches, works on them in threads, and adds up the answers."""
    threads = min(threads or cores(), max(1, count // least))
    if threads == 1:
        return work(0, count)
    # More stretches than threads: a thread that is held up does not hold up the others.
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
) -> Played:
    """A batch of whole games, each seat by its policy (at random if none is named), over all cores."""
    n = tables.players
    chosen_by = ints(at.SEATS)
    for seat in range(n):
        chosen_by[seat] = policies[seat] if policies else RANDOM
    w = ints(PLAIN_WORDS) if words is None else words
    size = len(tables.numbers) * n * LINE
    lines = ints(count * size)

    def work(start: int, many: int) -> int:
        room = Games()
        part = lines[start * size : (start + many) * size]
        taken: int = play_batch(
            tables.words, room.s, room.g, room.deck, w, chosen_by, part, seed, first + start, many
        )
        if isinstance(lines, list):  # plain Python: a slice is a copy
            lines[start * size : (start + many) * size] = part
        return taken

    decisions = spread(count, threads, work)
    return Played(tables, first, count, decisions, lines)
