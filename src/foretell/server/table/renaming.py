"""The names in a running game follow the people and bots who have its seats."""

from foretell.server.game.live_game import LiveGame
from foretell.server.store.interface import TableState

__all__ = ["renamed"]


def renamed(before: LiveGame, state: TableState) -> LiveGame | None:
    """The game with the names of the people and bots who have the seats now; None if nothing changes."""
    if state.phase != "playing" or state.draw is not None:
        return None  # during a draw, `before` is the game before
    playing = before
    for seat, place in enumerate(state.places):
        level = place.level if place.kind == "bot" else None
        name = place.name or ""
        if (name, level) != (playing.setup.names[seat], playing.setup.bots[seat]):
            playing = playing.renamed(seat, name, level)
    return None if playing is before else playing
