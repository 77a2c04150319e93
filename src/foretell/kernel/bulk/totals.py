"""Adds up many games: points, bids met by round and order of bidding, trumps, victories."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from math import sqrt

from foretell.engine.game import Game
from foretell.kernel.backend.compiled import Ints, ints, jit
from foretell.kernel.bulk.playouts import (
    LINE_BID,
    LINE_POINTS,
    LINE_TRICKS,
    LINE_TRUMP,
    LINE_WORDS,
    PlayedGames,
    play_games,
)
from foretell.kernel.state import codes
from foretell.kernel.state import lookup_layout as in_lookup
from foretell.kernel.state.card_numbers import COLOURS
from foretell.kernel.state.tables import Tables
from foretell.rules import winners

__all__ = ["Sums", "Tally", "Tallying", "batches"]

# Sums for each round and order of bidding (0 bids first, the dealer last): bids met, bids, tricks and points.
MET, BIDS, TRICKS, POINTS, PLACE_WORDS = range(5)
# Final scores are counted in steps of ten, beginning at LOWEST.
STEP, LOWEST, STEPS = 10, -3000, 601

PARTS = (
    60  # a victory is counted in 60 parts, which two to six winners can share without a fraction
)

Sums = tuple[int, int, list[int], list[int], list[int], list[int], list[int]]
"""Games, decisions, and then by place, trumps, final scores by step, sums of final scores, and victories in parts."""


@jit
def add_up(
    lookup: Ints, lines: Ints, first: int, count: int, by_place: Ints, trumps: Ints, scores: Ints,
    sums: Ints, finals: Ints,
) -> None:  # fmt: skip
    """Adds a batch of games that begins with number `first`.

    `by_place` has the sums above, `trumps` counts trumps by round, and `scores` counts final scores by seat and step.
    For each seat, `sums` has the sum of its final scores and the sum of their squares.  `finals` gets the final score
    of each game and seat.
    """
    players = lookup[in_lookup.PLAYERS]
    rounds = lookup[in_lookup.ROUNDS]
    for game in range(count):
        for seat in range(players):
            total = 0
            for place in range(rounds):
                line = ((game * rounds + place) * players + seat) * LINE_WORDS
                made = lines[line + LINE_BID]
                tricks = lines[line + LINE_TRICKS]
                points = lines[line + LINE_POINTS]
                dealer = (first + game + place) % players
                order = (seat - dealer - 1 + players) % players
                to = (place * players + order) * PLACE_WORDS
                by_place[to + MET] += 1 if made == tricks else 0
                by_place[to + BIDS] += made
                by_place[to + TRICKS] += tricks
                by_place[to + POINTS] += points
                total += points
                if seat == 0:
                    trumps[place * codes.TRUMPS + lines[line + LINE_TRUMP]] += 1
            step = (total - LOWEST) // STEP
            step = min(max(step, 0), STEPS - 1)
            scores[seat * STEPS + step] += 1
            finals[game * players + seat] = total
            sums[2 * seat] += total
            sums[2 * seat + 1] += total * total


@dataclass(frozen=True, slots=True)
class Tally:
    """The result of many games.  The order of bidding counts from the dealer's left; seats do not move."""

    tables: Tables
    games: int
    decisions: int
    by_place: Ints
    trumps: Ints
    scores: Ints
    sums: Ints
    shares: Sequence[float]

    @property
    def players(self) -> int:
        """How many players each game had."""
        return self.tables.players

    def met(self, place: int, order: int | None = None) -> float:
        """The share of bids met in the round with this index, by all seats or by the one with this order of bidding."""
        return self._mean(MET, place, order)

    def bid(self, place: int) -> float:
        """The mean bid in the round with this index."""
        return self._mean(BIDS, place, None)

    def points(self, place: int) -> float:
        """The mean of the points in the round with this index."""
        return self._mean(POINTS, place, None)

    def _mean(self, word: int, place: int, order: int | None) -> float:
        orders = range(self.players) if order is None else (order,)
        total = sum(
            int(self.by_place[(place * self.players + one) * PLACE_WORDS + word]) for one in orders
        )
        return total / (self.games * len(orders))

    def trump(self, number: int, place: int | None = None) -> float:
        """The share of rounds with this trump (4: no trump), over all rounds or in the round with this index."""
        places = range(len(self.tables.numbers)) if place is None else (place,)
        total = sum(int(self.trumps[one * codes.TRUMPS + number]) for one in places)
        return total / (self.games * len(places))

    def score(self, seat: int) -> tuple[float, float]:
        """The mean of a seat's final points, and their standard deviation."""
        mean = int(self.sums[2 * seat]) / self.games
        square = int(self.sums[2 * seat + 1]) / self.games
        return mean, sqrt(max(0.0, square - mean * mean))

    def wins(self, seat: int) -> float:
        """The share of games that a seat won; a shared victory counts as a part of one (S4)."""
        return self.shares[seat] / self.games

    def histogram(self) -> list[tuple[int, int]]:
        """How often each final score occurred, over all seats, in steps of ten; without the empty ends."""
        counts = [
            sum(int(self.scores[seat * STEPS + step]) for seat in range(self.players))
            for step in range(STEPS)
        ]
        found = [step for step, count in enumerate(counts) if count]
        return [(LOWEST + STEP * step, counts[step]) for step in range(found[0], found[-1] + 1)]


class Tallying:
    """Adds up batches of games as they come."""

    def __init__(self, tables: Tables) -> None:
        players, rounds = tables.players, len(tables.numbers)
        self.tables = tables
        self.games = self.decisions = 0
        self._by_place, self._trumps = (
            ints(rounds * players * PLACE_WORDS),
            ints(rounds * codes.TRUMPS),
        )
        self._scores, self._sums = ints(players * STEPS), ints(2 * players)
        self._shares = [0] * players

    def add(self, played: PlayedGames) -> None:
        """Adds a batch.  The number of its first game says who dealt."""
        tables = self.tables
        finals = ints(played.count * tables.players)
        add_up(
            tables.words, played.lines, played.first, played.count,
            self._by_place, self._trumps, self._scores, self._sums, finals,
        )  # fmt: skip
        for start in range(0, len(finals), tables.players):
            ahead = winners([int(total) for total in finals[start : start + tables.players]])
            for seat in ahead:
                self._shares[seat] += PARTS // len(ahead)
        self.games += played.count
        self.decisions += played.decisions

    def add_game(self, game: Game) -> None:
        """Adds a finished game of the engine."""
        players = self.tables.players
        lines = ints(len(game.sheet) * players * LINE_WORDS)
        for place, (line, now) in enumerate(zip(game.sheet, game.rounds, strict=True)):
            for seat in range(players):
                start = (place * players + seat) * LINE_WORDS
                lines[start + LINE_BID] = line.bids[seat]
                lines[start + LINE_TRICKS] = line.won[seat]
                lines[start + LINE_POINTS] = line.points[seat]
                lines[start + LINE_TRUMP] = COLOURS.index(now.trump)
        self.add(PlayedGames(self.tables, game.first_dealer, 1, 0, lines))

    @property
    def sums(self) -> Sums:
        """All that was added up so far, as numbers that can be sent to another process."""
        words = (self._by_place, self._trumps, self._scores, self._sums, self._shares)
        by_place, trumps, scores, finals, shares = ([int(word) for word in part] for part in words)
        return self.games, self.decisions, by_place, trumps, scores, finals, shares

    def add_sums(self, sums: Sums) -> None:
        """Adds what another one has added up, of the same tables, in any order: all are whole numbers."""
        games, decisions, *parts = sums
        self.games += games
        self.decisions += decisions
        mine = (self._by_place, self._trumps, self._scores, self._sums, self._shares)
        for own, other in zip(mine, parts, strict=True):
            for place, word in enumerate(other):
                own[place] += word

    @property
    def tally(self) -> Tally:
        """The result so far."""
        return Tally(
            self.tables, self.games, self.decisions,
            self._by_place, self._trumps, self._scores, self._sums,
            [share / PARTS for share in self._shares],
        )  # fmt: skip


def batches(
    tables: Tables,
    games: int,
    *,
    seed: int,
    policies: Sequence[int],
    words: Ints | None = None,
    batch: int = 2_000,
) -> Iterator[PlayedGames]:
    """Plays this many games, in batches on all cores."""
    for first in range(0, games, batch):
        count = min(batch, games - first)
        yield play_games(tables, count, seed=seed, first=first, policies=policies, words=words)
