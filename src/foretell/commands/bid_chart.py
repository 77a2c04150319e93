"""The bid chart: the share of a trick that each card takes, by the number of cards in hand, and what a hand takes.

Every trick is taken by one card.  So the shares of the cards in a hand add up to the tricks that it takes in the mean.
How far hands with the same sum are from it is counted too, and which bid would have scored the most with them.
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from importlib.util import find_spec
from itertools import islice
from pathlib import Path
from typing import Any

import click

from foretell.i18n import say as _say
from foretell.rules import Rules
from foretell.rules.scoring import points

__all__ = ["JESTER", "ROWS", "WIZARD", "Chart", "Row", "chart_from_tables", "measured_chart"]

_BATCH = 1_000
_STEP = 50
"""Hands are counted by the sum of their cards in steps of half a trick; shares are in hundredths, as they are shown."""
_FEW = 100
"""Fewer hands say too little."""
WIZARD, JESTER = "Z", "N"
Row = tuple[str, bool]
"""A number, or Wizard or Jester, and whether it is of the trump colour."""

ROWS: tuple[Row, ...] = (
    (WIZARD, False),
    *((str(number), True) for number in range(13, 0, -1)),
    *((str(number), False) for number in range(13, 0, -1)),
    (JESTER, False),
)


@dataclass(frozen=True, slots=True)
class Chart:
    """How often each card was played, and took its trick, by its row and the number of cards.

    And how often a hand took so many tricks, by the number of its cards and the sum of their shares in half tricks.
    """

    players: int
    games: int
    bot: str
    played: "Counter[tuple[int, Row]]"
    taken: "Counter[tuple[int, Row]]"
    hands: "Counter[tuple[int, int, int]]"

    @property
    def sizes(self) -> list[int]:
        """The numbers of cards, from the first round to the last."""
        return sorted({size for size, _ in self.played})

    def share(self, size: int, row: Row) -> float | None:
        """The share of a trick; None if the card was never played."""
        played = self.played[size, row]
        return self.taken[size, row] / played if played else None

    def hundredths(self, size: int, row: Row) -> int:
        """The share as a person adds it up: in whole hundredths of a trick."""
        return round(100 * (self.share(size, row) or 0.0))

    def worths(self) -> dict[tuple[int, int], tuple[float, int]]:
        """By the number of cards and the sum of their shares in half tricks: the mean of the tricks, and the best bid.

        The best bid is the one that would have scored the most with the tricks that these hands took.
        """
        by_sum: dict[tuple[int, int], dict[int, int]] = {}
        for (size, halves, tricks), hands in self.hands.items():
            by_sum.setdefault((size, halves), {})[tricks] = hands
        found = {}
        for (size, halves), times in sorted(by_sum.items()):
            hands = sum(times.values())
            if hands >= _FEW:
                mean = sum(tricks * n for tricks, n in times.items()) / hands
                found[size, halves] = mean, max(range(size + 1), key=lambda b: _scored(b, times))
        return found


def _scored(bid: int, times: dict[int, int]) -> int:
    """The points of this bid with hands that took each number of tricks so many times."""
    return sum(points(bid, tricks) * n for tricks, n in times.items())


def _halves(hundredths: int) -> int:
    """A sum of shares in half tricks, rounded."""
    return (hundredths + _STEP // 2) // _STEP


def _row(card: str, is_trump: bool) -> Row:
    return (card, False) if card in (WIZARD, JESTER) else (card[1:], is_trump)


def measured_chart(players: int, games: int, seed: int) -> Chart:
    """From games of the bot `counting` in the base game, the same that `foretell simulate` plays."""
    from foretell.bots.simple.counting import kernel_words  # noqa: PLC0415 - `--help` answers without it
    from foretell.commands.progress import progress  # noqa: PLC0415
    from foretell.kernel.bulk import noted_games as noting  # noqa: PLC0415
    from foretell.kernel.bulk.policies import PLAIN  # noqa: PLC0415
    from foretell.kernel.state import codes  # noqa: PLC0415
    from foretell.kernel.state.card_numbers import FACE_LIST  # noqa: PLC0415
    from foretell.kernel.state.tables import compile_rules  # noqa: PLC0415

    tables = compile_rules(Rules(), players)
    words, policies = kernel_words(tables), [PLAIN] * players

    def columns(*wanted: int) -> Iterator[list[Sequence[int]]]:
        """These columns of all plays, a batch of games at a time."""
        for first in range(0, games, _BATCH):
            noted = noting.note_games(
                tables,
                first,
                min(_BATCH, games - first),
                seed=seed % 2**62,
                policies=policies,
                words=words,
            )
            room = int(noted.counts[noting.ROOM + noting.PLAYS])
            yield [noted.plays[place * room : (place + 1) * room] for place in wanted]

    counted: Counter[tuple[int, ...]] = Counter()
    kinds = noting.PLAY_PLACE, noting.PLAY_FACE, noting.PLAY_IS_TRUMP
    batches = columns(*kinds, noting.PLAY_TAKES)
    for batch in progress(batches, -(-games // _BATCH), _say("cli.simulate.label")):
        counted.update(zip(*batch, strict=True))
    names = {codes.WIZARD: WIZARD, codes.JESTER: JESTER}
    sizes = [tables.rules.deck.hand_size(number) for number in tables.numbers]
    rows: dict[tuple[int, ...], Row] = {}
    found = Chart(players, games, "counting", Counter(), Counter(), Counter())
    for (place, face, is_trump, takes), times in counted.items():
        row = _row(names.get(face, str(FACE_LIST[face])), bool(is_trump))
        rows[place, face, is_trump] = row
        found.played[sizes[place], row] += times
        found.taken[sizes[place], row] += times * takes
    # The same games once more: only now it is known what their cards are worth.
    worth = {at: found.hundredths(sizes[at[0]], row) for at, row in rows.items()}
    for batch in columns(noting.PLAY_SEAT, noting.PLAY_TAKES, *kinds):
        plays = zip(*batch, strict=True)
        for _ in range(len(batch[0]) // (players * sum(sizes))):
            for size in sizes:
                sums, tricks = [0] * players, [0] * players
                for seat, takes, *kind in islice(plays, size * players):
                    sums[seat] += worth[tuple(kind)]
                    tricks[seat] += takes
                for seat in range(players):
                    found.hands[size, _halves(sums[seat]), tricks[seat]] += 1
    return found


def chart_from_tables(folder: Path) -> Chart:
    """From the tables that `foretell simulate --format parquet` has written."""
    if find_spec("pyarrow") is None:
        raise click.ClickException(_say("cli.simulate.no_tables"))
    import pyarrow as pa  # noqa: PLC0415 - an extra
    import pyarrow.parquet as pq  # noqa: PLC0415

    files = sorted(folder.glob("plays/*.parquet"))
    if not files:
        raise click.ClickException(_say("cli.odds.no_tables", folder=folder))
    said = pq.read_schema(files[0]).metadata
    found = Chart(int(said[b"players"]), 0, said[b"bot"].decode(), Counter(), Counter(), Counter())
    sizes: dict[int, int] = {}
    rows: dict[tuple[int, str, bool], tuple[int, Row]] = {}
    games = 0
    for file in files:
        rounds = pq.read_table(folder / "rounds" / file.name, columns=["game", "round", "cards"])
        games += len(set(rounds["game"].to_pylist()))
        sizes |= dict(zip(rounds["round"].to_pylist(), rounds["cards"].to_pylist(), strict=True))
        counted = _plays(file).group_by([*_KIND, "takes"]).aggregate([([], "count_all")])
        for one in counted.to_pylist():
            at = sizes[one["round"]], _row(one["card"], one["is_trump"])
            rows[one["round"], one["card"], one["is_trump"]] = at
            found.played[at] += one["count_all"]
            found.taken[at] += one["count_all"] * one["takes"]
    worth = pa.Table.from_pylist(
        [
            dict(zip((*_KIND, "worth"), (*kind, found.hundredths(*at)), strict=True))
            for kind, at in rows.items()
        ],
        _plays(files[0]).select(_KIND).schema.append(pa.field("worth", pa.int64())),
    )
    for file in files:
        hands = _plays(file).join(worth, _KIND).group_by(["game", "round", "seat"])
        sums = hands.aggregate([("worth", "sum"), ("takes", "sum")])
        counted = sums.group_by(["round", "worth_sum", "takes_sum"]).aggregate([([], "count_all")])
        for one in counted.to_pylist():
            at_sum = sizes[one["round"]], _halves(one["worth_sum"]), one["takes_sum"]
            found.hands[at_sum] += one["count_all"]
    return replace(found, games=games)


_KIND = ["round", "card", "is_trump"]


def _plays(file: Path) -> Any:
    import pyarrow.parquet as pq  # noqa: PLC0415

    plays = pq.read_table(file, columns=["game", "seat", *_KIND, "takes"])
    return plays.set_column(3, "card", plays["card"].cast("string"))
