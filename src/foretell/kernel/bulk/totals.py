"""Many games added up: points, bids met by round and place at the table, trumps, victories."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from math import sqrt

from foretell.engine.game import Game
from foretell.kernel.backend.compiled import Ints, ints, jit
from foretell.kernel.bulk.playouts import LINE, Played, play_games
from foretell.kernel.state import layout as at
from foretell.kernel.state.tables import COLOURS, Tables
from foretell.rules import winners

__all__ = ["Tally", "Tallying", "batches"]

# For each round and place (the first bidder's is 0, the dealer's the last): sums of bids met, bids, tricks and points.
MET, BIDS, TRICKS, POINTS, WORDS = range(5)
# Final scores are counted in steps of ten from LOWEST on.
STEP, LOWEST, STEPS = 10, -3000, 601


@jit
def add_up(
    t: Ints, lines: Ints, first: int, count: int, by_place: Ints, trumps: Ints, scores: Ints,
    sums: Ints,
) -> None:  # fmt: skip
    """Adds a batch: `trumps` by round, `scores` by seat and step, `sums` by seat: points and their squares."""
    n = t[at.PLAYERS]
    rounds = t[at.ROUNDS]
    for game in range(count):
        for seat in range(n):
            total = 0
            for place in range(rounds):
                line = ((game * rounds + place) * n + seat) * LINE
                dealer = (first + game + place) % n
                order = (seat - dealer - 1 + n) % n
                to = (place * n + order) * WORDS
                by_place[to + MET] += 1 if lines[line] == lines[line + 1] else 0
                by_place[to + BIDS] += lines[line]
                by_place[to + TRICKS] += lines[line + 1]
                by_place[to + POINTS] += lines[line + 2]
                total += lines[line + 2]
                if seat == 0:
                    trumps[place * at.TRUMPS + lines[line + 3]] += 1
            step = (total - LOWEST) // STEP
            step = min(max(step, 0), STEPS - 1)
            scores[seat * STEPS + step] += 1
            sums[2 * seat] += total
            sums[2 * seat + 1] += total * total


@dataclass(frozen=True, slots=True)
class Tally:
    """What came out of so many games.  Places count from the dealer's left; seats do not move."""

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
        return self.tables.players

    def met(self, place: int, order: int | None = None) -> float:
        """The share of bids met in the round at this place, by all or by the one in this order of bidding."""
        return self._mean(MET, place, order)

    def bid(self, place: int) -> float:
        """The mean bid in the round at this place."""
        return self._mean(BIDS, place, None)

    def points(self, place: int) -> float:
        """The mean of the points in the round at this place."""
        return self._mean(POINTS, place, None)

    def _mean(self, word: int, place: int, order: int | None) -> float:
        orders = range(self.players) if order is None else (order,)
        total = sum(
            int(self.by_place[(place * self.players + one) * WORDS + word]) for one in orders
        )
        return total / (self.games * len(orders))

    def trump(self, number: int, place: int | None = None) -> float:
        """The share of rounds with this trump (4: none)."""
        places = range(len(self.tables.numbers)) if place is None else (place,)
        total = sum(int(self.trumps[one * at.TRUMPS + number]) for one in places)
        return total / (self.games * len(places))

    def score(self, seat: int) -> tuple[float, float]:
        """The mean of a seat's final points, and their standard deviation."""
        mean = int(self.sums[2 * seat]) / self.games
        square = int(self.sums[2 * seat + 1]) / self.games
        return mean, sqrt(max(0.0, square - mean * mean))

    def wins(self, seat: int) -> float:
        """The share of victories; one that is shared counts in parts (S4)."""
        return self.shares[seat] / self.games

    def histogram(self) -> list[tuple[int, int]]:
        """Final points of all seats in steps of ten, and how often; without the empty ends."""
        counts = [
            sum(int(self.scores[seat * STEPS + step]) for seat in range(self.players))
            for step in range(STEPS)
        ]
        found = [step for step, count in enumerate(counts) if count]
        return [(LOWEST + STEP * step, counts[step]) for step in range(found[0], found[-1] + 1)]


class Tallying:
    """Takes batches of games and adds them up."""

    def __init__(self, tables: Tables) -> None:
        n, rounds = tables.players, len(tables.numbers)
        self.tables = tables
        self.games = self.decisions = 0
        self._by_place, self._trumps = ints(rounds * n * WORDS), ints(rounds * at.TRUMPS)
        self._scores, self._sums = ints(n * STEPS), ints(2 * n)
        self._shares = [0.0] * n

    def add(self, played: Played) -> None:
        """A batch whose first game has the number of games added so far (it says who dealt first)."""
        tables = self.tables
        add_up(
            tables.words, played.lines, played.first, played.count,
            self._by_place, self._trumps, self._scores, self._sums,
        )  # fmt: skip
        rounds = len(tables.numbers)
        for totals in _totals(played.lines, played.count, rounds, tables.players):
            ahead = winners(totals)
            for seat in ahead:
                self._shares[seat] += 1 / len(ahead)
        self.games += played.count
        self.decisions += played.decisions

    def add_game(self, game: Game) -> None:
        """A game that is over, played by whomever; its first dealer goes round with the number of games."""
        n = self.tables.players
        lines = ints(len(game.sheet) * n * LINE)
        for place, (line, now) in enumerate(zip(game.sheet, game.rounds, strict=True)):
            for seat in range(n):
                start = (place * n + seat) * LINE
                lines[start], lines[start + 1] = line.bids[seat], line.won[seat]
                lines[start + 2], lines[start + 3] = line.points[seat], COLOURS.index(now.trump)
        self.add(Played(self.tables, self.games, 1, 0, lines))

    @property
    def tally(self) -> "Tally":
        return Tally(
            self.tables, self.games, self.decisions,
            self._by_place, self._trumps, self._scores, self._sums, self._shares,
        )  # fmt: skip


def batches(
    tables: Tables,
    games: int,
    *,
    seed: int,
    policies: Sequence[int],
    words: Ints | None = None,
    batch: int = 2_000,
) -> Iterator[Played]:
    """So many games, in batches over all cores."""
    for first in range(0, games, batch):
        count = min(batch, games - first)
        yield play_games(tables, count, seed=seed, first=first, policies=policies, words=words)


def _totals(lines: Ints, count: int, rounds: int, n: int) -> list[list[int]]:
    """The final points of each game."""
    width = n * LINE
    if not isinstance(lines, list):
        shaped = lines.reshape(count, rounds, n, LINE)  # type: ignore[attr-defined]
        found: list[list[int]] = shaped[:, :, :, 2].sum(axis=1).tolist()
        return found
    return [
        [
            sum(lines[(game * rounds + place) * width + seat * LINE + 2] for place in range(rounds))
            for seat in range(n)
        ]
        for game in range(count)
    ]
