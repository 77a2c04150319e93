"""Finished games.  The one place that decides whether a game's cards may be shown to anyone.

There are two gates.  A `FinishedGame` is a game that the store calls finished: only such a game has a record that may
be served.  A `PlayedGame` is a game that the engine calls over: only such a game can be replayed or reviewed.  It is
made from a FinishedGame, or from a record that a client has sent.  Making either of a game that is still being played
is refused.
"""

from itertools import groupby, islice

from msgspec import Struct

from foretell.coach.review import choices_of
from foretell.engine import Action, Game, action
from foretell.errors import NotAllowed
from foretell.record import loads
from foretell.server.game.live_game import DealingOf, resumed
from foretell.server.store import interface as store

__all__ = [
    "FinishedGame",
    "Move",
    "PlayedGame",
    "finished_game",
    "played_game",
    "posted_game",
    "stored_row",
]


class FinishedGame(Struct, frozen=True):
    """A game of the store that is over, with all its actions."""

    row: store.GameRow
    log: list[store.LoggedAction]

    def __post_init__(self) -> None:
        if self.row.finished is None or self.row.record is None:
            raise _still_secret()

    @property
    def id(self) -> str:
        return self.row.id

    @property
    def record(self) -> str:
        """The game as a line of JSON, for keeping."""
        assert self.row.record is not None  # or there would be no FinishedGame
        return self.row.record


Move = tuple[int, Action]
"""A seat, and what it did."""


class PlayedGame(Struct, frozen=True):
    """A whole game, and for each round all moves in order.  `id` is empty for a game that is not in the store."""

    id: str
    game: Game
    rounds: tuple[tuple[Move, ...], ...]

    def __post_init__(self) -> None:
        if not self.game.is_over:
            raise _still_secret()


def _still_secret() -> NotAllowed:
    return NotAllowed("still_secret")


def played_game(found: FinishedGame, dealing: DealingOf) -> PlayedGame:
    """A stored game, played through once more, with its moves in the order of the log."""
    game = resumed(found.row, found.log, dealing).game
    moves = ((one.seat, action(one.action)) for one in found.log)
    rounds = tuple(tuple(islice(moves, len(one))) for one in _moves_of(game))
    return PlayedGame(found.id, game, rounds)


def posted_game(text: bytes) -> PlayedGame:
    """The game of a record that a client has sent.  The reader checks all of it; a game that is not over is refused.

    A record does not say in which order hidden bids were made and cards were passed: here the seats do it in turn.
    """
    game = loads(text).game
    if not game.is_over:
        raise NotAllowed("record_unfinished")
    return PlayedGame("", game, _moves_of(game))


def _moves_of(game: Game) -> tuple[tuple[Move, ...], ...]:
    """All moves of a game by round.  Seats that are asked at the same time act in turn."""
    if not game.is_over:
        raise _still_secret()
    by_round = groupby(choices_of(game), key=lambda choice: len(choice[0].rounds))
    return tuple(tuple((seat, chosen) for _, seat, chosen in choices) for _, choices in by_round)


async def finished_game(kept: store.Store, game: str) -> FinishedGame:
    """The game with this id; refuses a game that is not over."""
    return FinishedGame(*await stored_row(kept, game))


async def stored_row(
    kept: store.Store, game: str
) -> tuple[store.GameRow, list[store.LoggedAction]]:
    """A game as the store has it, over or not."""
    row = await kept.game(game[:32])
    if row is None:
        raise NotAllowed("no_such_game", game=game[:32])
    return row, await kept.log(row.id)
