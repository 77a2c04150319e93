"""The tables of games that the kernel has played and noted."""

from collections.abc import Sequence
from typing import Any

import pyarrow as pa

from foretell.datasets.columns import TABLES, colours, faces, kinds, seats
from foretell.kernel.bulk import noted_games as noting
from foretell.kernel.bulk.noted_games import NotedGames

__all__ = ["games_table", "tables_of_noted"]

_BYTES = {1: pa.int8(), 4: pa.int32()}


class _Columns:
    """The columns of one noted table, as arrays that share its memory."""

    def __init__(self, noted: NotedGames, table: int, words: Any, size: int) -> None:
        self.rows = noted.rows(table)
        room = int(noted.counts[noting.ROOM + table])
        self._buffer, self._room, self._size = pa.py_buffer(words), room, size

    def __call__(self, column: int) -> Any:
        start = column * self._room * self._size
        data = self._buffer.slice(start, self.rows * self._size)
        return pa.Array.from_buffers(_BYTES[self._size], self.rows, [None, data])

    def small(self, column: int) -> Any:
        """A column of numbers that fit into a byte."""
        return self(column).cast(pa.int8())


def tables_of_noted(noted: NotedGames, bot: str) -> dict[str, Any]:
    """Every table of these games, by its name."""
    rounds = _Columns(noted, noting.ROUNDS, noted.rounds, 4)
    bids = _Columns(noted, noting.BIDS, noted.bids, 4)
    plays = _Columns(noted, noting.PLAYS, noted.plays, 1)
    passes = _Columns(noted, noting.PASSES, noted.passes, 4)
    numbers = pa.array(noted.tables.numbers, pa.int8())  # the round's own number, by its place

    def numbered(place: Any) -> Any:
        return numbers.take(place)

    made = {
        "games": _games(noted, bids(noting.BID_TOTAL), bot),
        "rounds": [
            rounds(noting.ROUND_GAME),
            numbered(rounds(noting.ROUND_PLACE)),
            rounds.small(noting.ROUND_CARDS),
            rounds.small(noting.ROUND_DEALER),
            kinds(rounds.small(noting.ROUND_TURNED_UP)),
            colours(rounds.small(noting.ROUND_TRUMP)),
            seats(rounds.small(noting.ROUND_NAMED_BY)),
            seats(rounds.small(noting.ROUND_WEREWOLF)),
            seats(rounds.small(noting.ROUND_CLOUD)),
            rounds.small(noting.ROUND_CHANGE),
        ],
        "bids": [
            bids(noting.BID_GAME),
            numbered(bids(noting.BID_PLACE)),
            *(bids(column) for column in range(noting.BID_SEAT, noting.BID_COLUMNS)),
        ],
        "plays": [
            _games_of_plays(noted),
            numbered(plays(noting.PLAY_PLACE)),
            plays(noting.PLAY_TRICK),
            plays(noting.PLAY_ORDER),
            plays(noting.PLAY_SEAT),
            faces(plays(noting.PLAY_FACE)),
            plays(noting.PLAY_IS_TRUMP),
            plays(noting.PLAY_TAKES),
        ],
        "passes": [
            passes(noting.PASS_GAME),
            numbered(passes(noting.PASS_PLACE)),
            passes.small(noting.PASS_TRICK),
            passes.small(noting.PASS_SEAT),
            kinds(passes.small(noting.PASS_KIND)),
        ],
    }
    return {
        name: pa.table(
            [column.cast(field.type) for column, field in zip(columns, TABLES[name], strict=True)],
            schema=TABLES[name],
        )
        for name, columns in made.items()
    }


def _games_of_plays(noted: NotedGames) -> Any:
    """The number of the game of each play: every game has as many."""
    of_each = noted.rows(noting.PLAYS) // noted.count
    games = range(noted.first, noted.first + noted.count)
    return pa.concat_arrays([pa.repeat(pa.scalar(game, pa.int64()), of_each) for game in games])


def _games(noted: NotedGames, totals: Any, bot: str) -> list[Any]:
    players, rounds = noted.tables.players, len(noted.tables.numbers)
    rows = totals.to_pylist()
    last = (rounds - 1) * players
    points = [
        rows[game * rounds * players + last : (game + 1) * rounds * players]
        for game in range(noted.count)
    ]
    games = range(noted.first, noted.first + noted.count)
    first_dealers = [game % players for game in games]
    return games_table(games, rounds=rounds, first_dealers=first_dealers, bot=bot, points=points)


def games_table(
    games: Sequence[int],
    *,
    rounds: int,
    first_dealers: list[int],
    bot: str,
    points: Sequence[Sequence[int]],
) -> list[Any]:
    """The columns of the table `games`."""
    count = len(games)
    winners = [
        [seat for seat, own in enumerate(of_game) if own == max(of_game)] for of_game in points
    ]
    bots = pa.DictionaryArray.from_arrays(pa.array([0] * count, pa.int8()), pa.array([bot]))
    return [
        pa.array(games),
        pa.array([len(points[0])] * count),
        pa.array([rounds] * count),
        pa.array(first_dealers),
        bots,
        pa.array(points),
        pa.array(winners),
    ]
