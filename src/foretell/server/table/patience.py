"""How long a table has waited for a player, and when the others may go on without them.

In a game without a clock they wait for a decision, and a bot makes it.  Between games they wait for players to say that
they are ready or want a rematch, and for the host to start: then they no longer do, and somebody else becomes the host.
"""

from collections.abc import Container

from foretell.server.game.live_game import LiveGame
from foretell.server.store.interface import TableState
from foretell.server.table.seating import people
from foretell.server.table.services import Services
from foretell.server.wire import protocol as p

__all__ = ["Patience", "missing"]

_AUTOMATIC = (p.Hello, p.SealWord, p.RevealWord)  # a client sends these without its player


class Patience:
    """Remembers since when the current decision is awaited.  All seats that decide at once are asked at once."""

    def __init__(self, services: Services) -> None:
        self._now = services.now
        self._whole = services.timeouts.patience
        self._whole_ms = round(self._whole * 1000)
        self._game: str | None = None
        self._decision: str | None = None
        self._since = 0.0
        self._idle_since: dict[int, float] = {}  # outside a game, by seat

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

    def left_between_games(self, state: TableState, connected: Container[int]) -> dict[int, int]:
        """For each player for whom the others wait: the milliseconds until any of them may send `away` for them."""
        now, since = self._now(), self._idle_since
        waited_for = missing(state, connected)
        self._idle_since = {seat: min(since.get(seat, now), now) for seat in waited_for}
        left = {seat: begun + self._whole - now for seat, begun in self._idle_since.items()}
        return {seat: max(0, round(one * 1000)) for seat, one in left.items()}

    def hear(self, state: TableState, seat: int | None, message: object) -> bool:
        """A host who does anything between games is there; returns whether the others now wait for the host anew."""
        does_something = isinstance(message, p.ClientMessage) and not isinstance(
            message, _AUTOMATIC
        )
        if seat is None or seat != state.host or not does_something:
            return False
        now = self._now()
        if now - self._idle_since.get(seat, now) < 1:
            return False
        self._idle_since[seat] = now
        return True


def missing(state: TableState, connected: Container[int]) -> set[int]:
    """The players for whom the others wait, while no game is played.  Who is away is not among them.

    The exception is a host who is away: only a host can change the rules, and start a first game.  A host who is there
    and has an open seat waits for a friend; otherwise a stranger could take the table over.
    """
    host = state.host
    if state.phase == "playing" or host is None:
        return set()
    here = {seat for seat in people(state) if not state.places[seat].is_away}
    others = {seat for seat in here if seat != host and seat in connected}
    if state.phase == "over":
        found = here - set(state.rematch) if state.rematch else set()
    else:
        # Whoever has lost the connection is not awaited, but gains no time by coming and going.
        found = {seat for seat in here if seat != host and not state.places[seat].is_ready}
        awaits_friend = host in connected and any(one.kind == "open" for one in state.places)
        if not found & others and not awaits_friend:
            found.add(host)
    if host not in here:
        found.add(host)
    return found if others else set()
