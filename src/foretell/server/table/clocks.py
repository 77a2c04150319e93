"""The clocks that everyone sees: how long each seat still has for its decision."""

from collections.abc import Callable
from functools import lru_cache

from foretell.server.game.live_game import LiveGame
from foretell.server.table.patience import Patience
from foretell.server.table.turns import Turns
from foretell.server.wire import protocol as p

__all__ = ["clocks"]

_UNTIMED = [p.Clock(seat, None) for seat in range(6)]


@lru_cache(maxsize=64)
def _patient(seat: int, left_ms: int) -> p.Clock:
    """Nearly every clock is one of these: a decision that has just been asked, without a limit."""
    return p.Clock(seat, None, left_ms)


def clocks(
    playing: LiveGame,
    clock: int | None,
    turns: Turns,
    patience: Patience,
    is_played_by_bot: Callable[[int], bool],
) -> tuple[p.Clock, ...]:
    """The clock of each seat that may act; `clock` is the table's limit in seconds, or None."""
    decision = playing.decision or ""
    patience_ms = patience.left_ms(playing) if clock is None else 0
    found = []
    for seat in playing.awaited:
        if is_played_by_bot(seat):
            found.append(_UNTIMED[seat])
        elif clock is None:
            found.append(_patient(seat, patience_ms))
        else:
            found.append(p.Clock(seat, turns.left_ms(seat, decision, clock)))
    return tuple(found)
