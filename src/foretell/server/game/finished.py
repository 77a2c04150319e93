"""Finished games, as the store has them.  The one place that decides whether a game's cards may be shown to anyone.

A `FinishedGame` is the only thing that can be replayed, reviewed or served as a record, and there is none of a game
that is still being played: making one is refused.
"""

from msgspec import Struct

from foretell.errors import NotAllowed
from foretell.server.store import interface as store

__all__ = ["FinishedGame", "finished_game", "stored_row"]


class FinishedGame(Struct, frozen=True):
    """A game that is over, with all its actions."""

    row: store.GameRow
    log: list[store.LoggedAction]

    def __post_init__(self) -> None:
        if self.row.finished is None or self.row.record is None:
            raise NotAllowed("still_secret")

    @property
    def id(self) -> str:
        return self.row.id

    @property
    def setup(self) -> store.Setup:
        return self.row.setup

    @property
    def record(self) -> str:
        """The game as a line of JSON, for keeping."""
        assert self.row.record is not None  # or there would be no FinishedGame
        return self.row.record


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
