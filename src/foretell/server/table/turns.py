"""The decisions that a table waits for, each with its clock, and the bot that answers where nobody else does."""

import asyncio
from collections.abc import Callable, Collection

from msgspec import Struct

from foretell.server.bot_threads import BotTask
from foretell.server.table.services import Services

__all__ = ["Turn", "Turns"]


class Turn(Struct):
    """One decision awaited of one seat.  `rings` is when its time is up, by the clock or by patience."""

    decision: str
    since: float
    rings: float | None = None
    is_bots: bool = False
    thought: BotTask | None = None
    _bell: asyncio.TimerHandle | None = None

    def ring(self, after: float, call: Callable[[], None]) -> None:
        """Calls once, after so many seconds; a turn has one bell."""
        self.hush()
        self._bell = asyncio.get_running_loop().call_later(max(0.0, after), call)

    def hush(self) -> None:
        if self._bell is not None:
            self._bell.cancel()
            self._bell = None

    def stop(self) -> None:
        """Neither the bell nor the bot will be heard."""
        self.hush()
        self.rings, self.is_bots = None, False
        self.stop_thinking()

    def stop_thinking(self) -> None:
        if self.thought is not None:
            self.thought.stop()
            self.thought = None


class Turns:
    """All that is awaited now.  `think` starts a bot, `bell` is told whose time is up."""

    def __init__(
        self,
        services: Services,
        think: Callable[[int, Turn], None],
        bell: Callable[[int, str, float | None], None],
    ) -> None:
        self._services, self._think, self._bell = services, think, bell
        self._turns: dict[int, Turn] = {}

    def get(self, seat: int, decision: str) -> Turn | None:
        turn = self._turns.get(seat)
        return turn if turn is not None and turn.decision == decision else None

    def is_bots(self, seat: int, decision: str) -> bool:
        """Whether a bot is to answer this decision."""
        turn = self.get(seat, decision)
        return turn is not None and turn.is_bots

    def forget_others(self, seats: Collection[int], decision: str) -> None:
        """What was awaited and is no more is stopped: only this decision is, of these seats."""
        for seat, turn in tuple(self._turns.items()):
            if turn.decision != decision or seat not in seats:
                turn.stop()
                del self._turns[seat]

    def leave_to_bot(self, seat: int, decision: str, pause: float) -> None:
        """A bot will answer, after a pause as a player would make."""
        turn = self._turn(seat, decision)
        if turn.is_bots:
            return

        def begin() -> None:
            # A bot that does not come to an end must not hold up the table either.
            self.ring_again(seat, turn)
            self._think(seat, turn)

        turn.stop()
        turn.is_bots = True
        turn.ring(pause, begin)

    def leave_to_player(
        self, seat: int, decision: str, clock: int | None, gone_since: float | None
    ) -> None:
        """A player will answer, unless the clock runs out, or patience with someone who is gone."""
        if clock is None and gone_since is None:
            # Who is here and has all the time there is needs no turn to be kept.
            if seat in self._turns:
                self._turns.pop(seat).stop()
            return
        turn = self._turn(seat, decision)
        rings = None if clock is None else turn.since + clock
        if turn.is_bots and rings is not None and rings <= self._services.now():
            return  # who is back has no time left for this one, and all of it for the next
        if gone_since is not None:
            lapses = gone_since + self._services.timeouts.grace
            rings = lapses if rings is None else min(rings, lapses)
        if not turn.is_bots and rings == turn.rings:
            return
        turn.stop()
        turn.rings = rings
        if rings is not None:
            # The machine's clock may have been set back since; nobody waits longer for it.
            longest = max(clock or 0, self._services.timeouts.grace)
            after = min(rings - self._services.now(), longest)
            turn.ring(after, lambda: self._bell(seat, turn.decision, rings))

    def ring_again(self, seat: int, turn: Turn) -> None:
        """For a bell whose work may come to nothing: nobody else would see to this decision."""
        rings = turn.rings
        turn.ring(self._services.timeouts.thought, lambda: self._bell(seat, turn.decision, rings))

    def _turn(self, seat: int, decision: str) -> Turn:
        """Begins with the first who asks for it."""
        turn = self._turns.get(seat)
        if turn is None:
            turn = self._turns[seat] = Turn(decision, self._services.now())
        return turn

    def left_ms(self, seat: int, decision: str, clock: int) -> int:
        """What the player still has for this decision: all of it while the turn has not begun."""
        turn = self.get(seat, decision)
        since = self._services.now() if turn is None else turn.since
        return max(0, round((since + clock - self._services.now()) * 1000))

    def stop(self) -> None:
        for turn in self._turns.values():
            turn.stop()
        self._turns.clear()
