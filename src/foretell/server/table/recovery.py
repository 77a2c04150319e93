"""What a table does after one of its handlers has failed."""

from typing import TYPE_CHECKING

from foretell.server.game.live_game import LiveGame
from foretell.server.logs import log
from foretell.server.store.interface import TableState
from foretell.server.table.internal_messages import TableMessage
from foretell.server.table.participants import Participant

if TYPE_CHECKING:
    from foretell.server.table.table import Table

__all__ = ["recover"]


_TRY_AGAIN = 1.0  # seconds


def recover(
    table: "Table",
    before: tuple[TableState, LiveGame | None],
    posted: tuple[Participant, TableMessage],
) -> None:
    """Makes sure that the table goes on.  `before` is what it was before the handler began, for this message.

    Players try again themselves, but a bot has decided and does not: everyone would wait until it counts as stuck.

    The state is replaced only after it is stored.  If it was replaced, then perhaps nobody was told and no bot was
    asked to act.
    """
    has_changed = before[0] is not table.state or before[1] is not table.playing

    def tell_game_again() -> None:
        if table.playing is not None:
            table.tell_game()

    for step in (table.schedule_turns, *((table.tell_table, tell_game_again) * has_changed)):
        try:
            step()
        except Exception as error:
            log.error("recovery failed", step=step.__name__, error=type(error).__name__)
    if posted[0].is_bot:
        table.inbox.start_timer(f"bot {posted[0].seat}", _TRY_AGAIN, posted)
