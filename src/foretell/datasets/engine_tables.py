"""The tables of games that the engine has played: of bots that the kernel does not know."""

from collections import defaultdict
from collections.abc import Iterator, Sequence
from typing import Any

import pyarrow as pa

from foretell.cards import Card, Face, Kind
from foretell.datasets.columns import FACE_CODES, KIND_CODES, TABLES
from foretell.datasets.kernel_tables import games_table
from foretell.engine import Game, Round
from foretell.kernel.state.card_numbers import face_number, kind_of

__all__ = ["tables_of_games"]

Row = tuple[Any, ...]


def tables_of_games(games: Sequence[tuple[int, Game]], bot: str) -> dict[str, Any]:
    """Every table of these games, by its name; each game with its number."""
    rows: dict[str, list[Row]] = defaultdict(list)
    for number, game in games:
        for now, line in zip(game.rounds, game.sheet, strict=True):
            rows["rounds"].append((number, *_round(now)))
            rows["bids"] += [(number, *one) for one in _bids(now, line.points, line.totals)]
            rows["plays"] += [(number, *one) for one in _plays(now)]
            rows["passes"] += [(number, *one) for one in _passes(now)]
    first = games[0][1]
    made = {name: _table(name, rows[name]) for name in TABLES if name != "games"}
    columns = games_table(
        [number for number, _ in games],
        rounds=len(first.numbers),
        first_dealers=[game.first_dealer for _, game in games],
        bot=bot,
        points=[game.score for _, game in games],
    )
    cast = [column.cast(field.type) for column, field in zip(columns, TABLES["games"], strict=True)]
    return {"games": pa.table(cast, schema=TABLES["games"]), **made}


def _table(name: str, rows: list[Row]) -> Any:
    columns = list(zip(*rows, strict=True)) or [()] * len(TABLES[name])
    made = [
        pa.array(column).cast(field.type) if column else pa.array([], field.type)
        for column, field in zip(columns, TABLES[name], strict=True)
    ]
    return pa.table(made, schema=TABLES[name])


def _card(card: Card | None) -> str | None:
    return None if card is None else KIND_CODES[kind_of(card)]


def _face(face: Face) -> str:
    return FACE_CODES[face_number(face)]


def _round(now: Round) -> Row:
    return (
        now.number,
        now.hand_size,
        now.dealer,
        _card(now.deal.turned_up),
        None if now.trump is None else str(now.trump),
        now.named_by,
        now.werewolf,
        now.cloud_seat,
        now.change or 0,
    )


def _bids(now: Round, points: Sequence[int], totals: Sequence[int]) -> Iterator[Row]:
    hands = [list(hand) for hand in now.deal.hands]
    for seat, hand in enumerate(hands):
        turned_up = now.deal.turned_up
        if (
            now.werewolf == seat and turned_up is not None
        ):  # X6: it bids with the turned-up card in place of the Werewolf
            hand[:] = [card if card.faces else turned_up for card in hand]
        yield (
            now.number,
            seat,
            (seat - now.dealer - 1) % now.seats,
            now.bids[seat],
            now.final_bids[seat],
            now.won[seat],
            points[seat],
            totals[seat],
            sum(card.is_wizard for card in hand),
            sum(card.is_jester for card in hand),
            sum(card.kind is Kind.NUMBER and card.colour is now.trump for card in hand),
        )


def _plays(now: Round) -> Iterator[Row]:
    for number, trick in enumerate(now.tricks):
        for place, face in enumerate(trick.faces):
            seat = (trick.leader + place) % now.seats
            is_trump = now.trump is not None and face.colour is now.trump
            yield now.number, number, place, seat, _face(face), is_trump, seat == trick.winner


def _passes(now: Round) -> Iterator[Row]:
    for number, trick in enumerate(now.tricks):
        for seat, card in enumerate(trick.passed or ()):
            yield now.number, number, seat, _card(card)
