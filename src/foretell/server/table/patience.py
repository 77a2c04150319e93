"""How long a table without a clock has waited for a decision, and when any player may let a bot make it."""

from foretell.server.game.live_game import LiveGame
from foretell.server.table.services import Services

__all__ = ["Patience"]


class Patience:
    """Remembers since when the current decision is awaited.  All seats that decide at once are asked at once."""

    def __init__(self, services: Services) -> None:
        self._services = services
        self._asked: tuple[str, str] | None = None  # the game and its decision
        self._since = 0.0

    def wait_for(self, playing: LiveGame | None) -> None:
        """Called whenever a decision may have been made; with None while the game stands still."""
        asked = None if playing is None else _question(playing)
        if asked != self._asked:
            self._asked, self._since = asked, self._services.now()

    def left(self, playing: LiveGame) -> float:
        """The seconds until any player may let a bot make the decision that this game awaits."""
        now, whole = self._services.now(), self._services.timeouts.patience
        if _question(playing) != self._asked:
            return whole  # it is about to be asked
        self._since = min(self._since, now)  # the machine's clock may have been set back
        return max(0.0, self._since + whole - now)


def _question(playing: LiveGame) -> tuple[str, str]:
    return playing.id, playing.decision or ""
