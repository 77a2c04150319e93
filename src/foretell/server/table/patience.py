"""How long a table without a clock has waited for a decision, and when any player may let a bot make it."""

from foretell.server.game.live_game import LiveGame
from foretell.server.table.services import Services

__all__ = ["Patience"]


class Patience:
    """Remembers since when the current decision is awaited.  All seats that decide at once are asked at once."""

    def __init__(self, services: Services) -> None:
        self._now = services.now
        self._whole = services.timeouts.patience
        self._whole_ms = round(self._whole * 1000)
        self._game: str | None = None
        self._decision: str | None = None
        self._since = 0.0

    def wait_for(self, playing: LiveGame | None) -> None:
        """Called whenever a decision may have been made; with None while the game stands still."""
        if playing is None:
            self._game = self._decision = None
        elif playing.decision != self._decision or playing.id != self._game:
            self._game, self._decision = playing.id, playing.decision
            self._since = self._now()

    def left_ms(self, playing: LiveGame) -> int:
        """The time until any player may let a bot make the decision that this game awaits."""
        if playing.decision != self._decision or playing.id != self._game:
            return self._whole_ms  # it is about to be asked
        now = self._now()
        self._since = min(self._since, now)  # the machine's clock may have been set back
        left = self._since + self._whole - now
        return round(left * 1000) if left > 0 else 0
