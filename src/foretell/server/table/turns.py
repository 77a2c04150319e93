"""The decisions that a table waits for.  Each has a timer, and a bot if no player will answer it."""

import asyncio
from collections.abc import Callable, Collection

from msgspec import Struct

from foretell.server.logs import log
from foretell.server.store.interface import TableState
from foretell.server.table.pauses import acts_after, drawn_pause
from foretell.server.table.services import Services
from foretell.server.thinking import Stoppable

__all__ = ["Turn", "Turns"]


class Turn(Struct):
    """One decision that one seat has to make.  `due` is when its time is up; None if it is not limited.

    If a bot makes it, `pause` is how long the bot waits, and `left_to_bot` is when the pause began, in the event loop's
    time.
    """

    decision: str
    since: float
    due: float | None = None
    is_for_bot: bool = False
    pause: float = 0.0
    left_to_bot: float = 0.0
    bot_task: Stoppable | None = None
    _timer: asyncio.TimerHandle | None = None

    def start_timer(self, after: float, call: Callable[[], None]) -> None:
        """Calls the function once, after so many seconds.  A turn has only one timer."""
        self.stop_timer()
        self._timer = asyncio.get_running_loop().call_later(max(0.0, after), call)

    def stop_timer(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None

    def stop(self) -> None:
        """Stops the timer and the bot."""
        self.stop_timer()
        self.due, self.is_for_bot = None, False
        self.stop_bot()

    def stop_bot(self) -> None:
        if self.bot_task is not None:
            self.bot_task.stop()
            self.bot_task = None


class Turns:
    """All decisions that are awaited now.

    `start_bot` is called with the seat and the turn for which a bot should decide.  `on_timeout` is called with the
    seat, the decision and the time that was due.
    """

    def __init__(
        self,
        services: Services,
        start_bot: Callable[[int, Turn], None],
        on_timeout: Callable[[int, str, float | None], None],
    ) -> None:
        self._services, self._start_bot, self._on_timeout = services, start_bot, on_timeout
        self._turns: dict[int, Turn] = {}

    def get(self, seat: int, decision: str) -> Turn | None:
        turn = self._turns.get(seat)
        return turn if turn is not None and turn.decision == decision else None

    def is_for_bot(self, seat: int, decision: str) -> bool:
        """Whether a bot has to make this decision."""
        turn = self.get(seat, decision)
        return turn is not None and turn.is_for_bot

    def keep_only(self, seats: Collection[int], decision: str) -> None:
        """Stops every turn except this decision of these seats."""
        for seat, turn in tuple(self._turns.items()):
            if turn.decision != decision or seat not in seats:
                turn.stop()
                del self._turns[seat]

    def leave_to_bot(self, seat: int, decision: str, level: str, state: TableState) -> None:
        """Lets a bot of this level decide.  It thinks during the pause that a player would make."""
        turn = self._turn(seat, decision)
        if turn.is_for_bot:
            return

        def begin() -> None:
            # A bot that never finishes must not hold up the table either.
            self.restart_timer(seat, turn)
            try:
                self._start_bot(seat, turn)
            except Exception as error:  # the timer remains
                log.error("bot not started", error=type(error).__name__)

        turn.stop()
        turn.is_for_bot = True
        turn.pause = drawn_pause(self._services.pause_of(state), level, self._services.pause_random)
        turn.left_to_bot = asyncio.get_running_loop().time()
        turn.start_timer(0.0, begin)  # not now: first everyone is told about the move before

    def act_after_pause(self, seat: int, turn: Turn, act: Callable[[], None]) -> None:
        """Calls the function when the bot, which has just decided, may act."""
        thought = asyncio.get_running_loop().time() - turn.left_to_bot
        left = acts_after(turn.pause, thought) - thought
        if left <= 0:
            act()
            return

        def act_now() -> None:
            self.restart_timer(seat, turn)  # in case the action cannot be stored
            act()

        turn.start_timer(left, act_now)

    def leave_to_player(
        self, seat: int, decision: str, clock: int | None, gone_since: float | None
    ) -> None:
        """Lets the player decide until the clock runs out or, if they are disconnected, the grace period ends."""
        if clock is None and gone_since is None:
            # A connected player without a clock has no time limit, so no timer is needed.
            if seat in self._turns:
                self._turns.pop(seat).stop()
            return
        turn = self._turn(seat, decision)
        due = None if clock is None else turn.since + clock
        if turn.is_for_bot and due is not None and due <= self._services.now():
            return  # the player is back, but the time is up: the bot makes this decision, the player the next
        if gone_since is not None:
            grace_ends = gone_since + self._services.timeouts.grace
            due = grace_ends if due is None else min(due, grace_ends)
        if not turn.is_for_bot and due == turn.due:
            return
        turn.stop()
        turn.due = due
        if due is not None:
            # The machine's clock may have been set back, so never wait longer than the timeout itself.
            longest = max(clock or 0, self._services.timeouts.grace)
            after = min(due - self._services.now(), longest)
            turn.start_timer(after, lambda: self._on_timeout(seat, turn.decision, due))

    def restart_timer(self, seat: int, turn: Turn) -> None:
        """Calls `on_timeout` again after a while, in case the bot or the store fails: nothing else would notice."""
        due = turn.due
        turn.start_timer(
            self._services.timeouts.thought, lambda: self._on_timeout(seat, turn.decision, due)
        )

    def _turn(self, seat: int, decision: str) -> Turn:
        """The turn of this seat.  It begins with the first call."""
        turn = self._turns.get(seat)
        if turn is None:
            turn = self._turns[seat] = Turn(decision, self._services.now())
        return turn

    def left_ms(self, seat: int, decision: str, clock: int) -> int:
        """The milliseconds that the player still has for this decision: the full time if the turn has not begun."""
        turn = self.get(seat, decision)
        since = self._services.now() if turn is None else turn.since
        return max(0, round((since + clock - self._services.now()) * 1000))

    def stop(self) -> None:
        for turn in self._turns.values():
            turn.stop()
        self._turns.clear()
