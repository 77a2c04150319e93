"""A table: it owns its state, handles one message at a time, and sends everyone what their seat may know.

It does not know about sockets or the web framework.  Players, bots and timers all post messages to its inbox.  An
accepted action is on disk before anyone is told about it.
"""

from asyncio import CancelledError
from collections import deque
from collections.abc import Awaitable, Callable, Iterable, Mapping
from functools import partial
from random import Random
from typing import Any

import msgspec

from foretell.engine import Action, view
from foretell.errors import ForetellError, NotAllowed
from foretell.server.game.live_game import LiveGame, Stage, stored_game
from foretell.server.logs import log
from foretell.server.store import interface as store
from foretell.server.store.interface import OwnershipLost
from foretell.server.table import seating, table_messages
from foretell.server.table.approvals import Requests
from foretell.server.table.clocks import clocks
from foretell.server.table.inbox import Inbox
from foretell.server.table.internal_messages import (
    Dropped,
    Finished,
    SleepTimeout,
    TableMessage,
    TimeUp,
)
from foretell.server.table.participants import BotParticipant, Participant
from foretell.server.table.patience import Patience
from foretell.server.table.presence import Presence
from foretell.server.table.recovery import recover
from foretell.server.table.renaming import renamed
from foretell.server.table.services import Services
from foretell.server.table.snapshots import SnapshotWriter
from foretell.server.table.turns import Turn, Turns
from foretell.server.thinking import Thinking
from foretell.server.wire import protocol as p
from foretell.server.wire.error_messages import error_message

__all__ = ["MOST_TO_FINISH", "Handler", "Table", "arrival_timer"]


def arrival_timer(seat: int) -> str:
    """The name of the timer for someone who took this seat and has not connected yet."""
    return f"arrival {seat}"


MOST_TO_FINISH = 3.0
"""Seconds that a stopping process gives a table for what it is doing."""


class Table:
    """A table in memory.

    `handlers` maps each kind of message to its function.  `on_change` tells the lobby that the table has changed, and
    `on_sleep` that this object is no longer used.
    """

    def __init__(
        self,
        services: Services,
        taken: store.Taken,
        playing: LiveGame | None = None,
        *,
        handlers: "Mapping[type, Handler]",
        on_change: Callable[["Table"], None] = lambda _table: None,
        on_sleep: Callable[["Table"], None] = lambda _table: None,
    ) -> None:
        self.services = services
        self.state = state = taken.state
        self.lease = taken.lease  # the right to write it
        self.playing = playing
        self.presence = Presence()
        self.is_asleep = False  # no longer used: its inbox is not read any more
        self._handlers = handlers
        self._on_change = on_change
        self._on_sleep = on_sleep
        self.turns = Turns(services, self._start_bot, self._post_time_up)
        # When each disconnected player was last seen.  After a restart everyone has the usual time to return.
        self.gone_since = dict.fromkeys(seating.people(state), services.now())
        self.timed_out: set[int] = set()  # disconnected for too long: a bot plays
        self.requests = Requests()
        self.patience = Patience(services)
        self._are_people_here = True  # as of the last decision that was left to a bot
        self.chat: deque[p.ChatLine] = deque(maxlen=50)
        self._snapshot_writer = SnapshotWriter()
        self.inbox: Inbox[tuple[Participant, TableMessage]] = Inbox(self._handle)
        self.sleep_later_if_empty()

    @classmethod
    async def woken(cls, services: Services, taken: store.Taken, **hooks: Any) -> "Table":
        """The table as it is stored, with its game replayed from the log."""
        playing = await stored_game(
            services.store, taken.state, services.dealing, services.wakeups.in_thread
        )
        return cls(services, taken, playing, **hooks)

    # The inbox

    def post(self, participant: Participant, message: TableMessage) -> None:
        """The only way in: players, bots and timers all use it."""
        self.inbox.post((participant, message))

    def _post_time_up(self, seat: int, decision: str, due: float | None) -> None:
        self.post(Participant(), TimeUp(seat, decision, due))

    async def _handle(self, posted: tuple[Participant, TableMessage]) -> bool:
        """Handles a message, and returns whether to handle the next one."""
        participant, message = posted
        before = self.state, self.playing
        try:
            if isinstance(message, SleepTimeout):
                return not self._falls_asleep()
            if isinstance(message, Dropped):
                raise OwnershipLost
            if isinstance(message, Finished):
                self._forget()
                return False
            if self.patience.hear(self.state, participant.seat, message):
                self.tell_table()
            await self._handlers[type(message)](self, participant, message)
        except ForetellError as error:
            self._refuse(participant, message, error)
        except OwnershipLost:
            self._drop(participant)
            return False
        except CancelledError:  # the table is no longer waited for
            participant.drop()
            raise
        except Exception as error:
            self._report_failure(message, error)
            self._refuse(participant, message, NotAllowed("server_failed"))
            recover(self, before, posted)
        return True

    def _report_failure(self, message: TableMessage, error: Exception) -> None:
        """Logs a bug in the server.  No traceback: it could show cards."""
        self.services.metrics.failures.inc()
        log.error("message failed", kind=type(message).__name__, error=type(error).__name__)

    def _refuse(
        self, participant: Participant, message: TableMessage, error: ForetellError
    ) -> None:
        """Answers a message with an error.  Nothing that goes wrong here may end the table."""
        try:
            self.services.metrics.refused.labels(error.code).inc()
            if isinstance(message, p.ClientMessage):
                refusal = p.Refusal(id=message.id, error=error_message(error, participant.language))
                participant.answer(refusal)
        except Exception as failure:
            self._report_failure(message, failure)

    def _falls_asleep(self) -> bool:
        if self.presence or not self.inbox.is_empty:
            self.sleep_later_if_empty()  # the participant whose message waits may not stay
            return False
        self.is_asleep = True
        self.turns.stop()
        try:
            self._on_sleep(self)
        except Exception:
            self.is_asleep = False
            self.sleep_later_if_empty()  # to try again
            raise
        return True

    def _drop(self, participant: Participant) -> None:
        """Forgets the table, which now belongs to another process, or whose last write has an unknown outcome.

        What this process knows may be wrong, so nobody is told anything.  The players come back to what is stored.
        """
        log.warning("table dropped")
        self.services.metrics.lost.inc()
        self.send_away(participant)
        self._forget()
        self._on_sleep(self)

    def send_away(self, *more: Participant) -> None:
        """Closes the connections of everyone here, so that they come back to the process that has the table then."""
        for each in {*more, *self.presence}:
            each.drop()

    def _forget(self) -> None:
        """No message is handled any more."""
        self.is_asleep = True
        self.turns.stop()
        for participant, _message in self.inbox.taken():
            participant.drop()

    def abandon(self) -> None:
        """Forgets the table at once, whatever it is doing."""
        self.inbox.cancel()
        self._drop(Participant())

    def drop(self) -> None:
        """Asks the table to be forgotten, when it has handled what was posted before."""
        self.post(Participant(), Dropped())

    def sleep_later_if_empty(self) -> None:
        """Starts a timer if nobody is at the table; when it ends, the table is removed from memory."""
        if not self.presence:
            self.inbox.start_timer(
                "sleep", self.services.timeouts.sleep, (Participant(), SleepTimeout())
            )

    async def finish(self) -> None:
        """Handles what was posted before, but not for long; then the table can be given to another process."""
        self.post(Participant(), Finished())
        await self.inbox.ended(MOST_TO_FINISH)
        self._forget()

    async def stop(self) -> None:
        """Stops timers, bots and the inbox, when the server ends."""
        self.turns.stop()
        await self.inbox.stop()

    # Storing

    async def save(self, state: store.TableState) -> None:
        """Stores the table's new state, and with it the names in a running game."""
        state = msgspec.structs.replace(state, changed=self.services.now())
        playing = None if self.playing is None else renamed(self.playing, state)
        names = None if playing is None else (playing.id, playing.setup)
        await self.services.store.save(state, lease=self.lease, renamed=names)
        self.state = state
        self.playing = playing or self.playing

    def settle_waiting(self) -> None:
        """Seats everyone whose wait for a seat is over.  Someone who has lost the seat is an ordinary spectator."""
        for participant in tuple(self.presence):
            seat = participant.next_seat
            if seat is None:
                continue
            place = self.state.places[seat] if seat < len(self.state.places) else store.Place()
            if place.token == participant.token_hash:
                self.presence.seat(participant, seat)
                self.forget_absence(seat)
            elif place.successor is None or place.successor.token != participant.token_hash:
                self.presence.seat(participant, None)

    def forget_absence(self, seat: int) -> None:
        """Forgets how long this seat was without a connection: its player is here now, or is someone else."""
        self.gone_since.pop(seat, None)
        self.timed_out.discard(seat)
        self.inbox.stop_timer(arrival_timer(seat))

    # Turns, clocks and bots

    def is_played_by_bot(self, seat: int) -> bool:
        """Whether a bot acts for this seat now."""
        place = self.state.places[seat]
        return place.kind == "bot" or place.is_away or place.has_left or seat in self.timed_out

    def _grace_ms(self, seat: int) -> int | None:
        """How long the table waits for a disconnected player, from the loss of the connection on."""
        is_lost = self.state.places[seat].kind == "person" and seat not in self.presence.seats
        if not is_lost or self.state.phase != "playing" or self.is_played_by_bot(seat):
            return None
        return round(self.services.timeouts.grace * 1000)

    def schedule_turns(self) -> None:
        """Makes sure that someone makes every awaited decision: a player, or a bot when the time is up."""
        playing, connected, turns = self.playing, self.presence.seats, self.turns
        is_anyone_here = connected or self.presence.next_seats
        if playing is None or self.state.phase != "playing" or not is_anyone_here:
            # While no player is connected the game stops, so that bots do not play it to its end.
            turns.stop()
            self.patience.wait_for(None)
            return
        self.patience.wait_for(playing)
        decision, options = playing.decision or "", self.state.options
        turns.keep_only(playing.awaited, decision)
        for seat in playing.awaited:
            if self.is_played_by_bot(seat):
                self._hurry_if_people_are_back()
                turns.leave_to_bot(seat, decision, self._level(seat), self.state)
            else:
                gone_since = None
                if seat not in connected:
                    gone_since = self.gone_since.setdefault(seat, self.services.now())
                turns.leave_to_player(seat, decision, options.clock_s, gone_since)

    def _start_bot(self, seat: int, turn: Turn) -> None:
        """Lets a bot think.  Its choice is posted as an Act, like a player's."""
        playing = self.playing
        if playing is None:
            return
        seen = view(playing.game, seat)
        # The seed contains the secret, so that no player can predict a bot's random choices.  It contains the decision
        # and not a number in the log, so that the order does not matter when several seats decide at once.
        random = Random(f"{playing.setup.secret}/{turn.decision}/{seat}")

        def post_choice(chosen: Action | None) -> None:
            if chosen not in seen.legal:
                self.services.metrics.failures.inc()
                chosen = random.choice(seen.legal)
            act = p.Act(decision=turn.decision, action=str(chosen))
            self.turns.act_after_pause(seat, turn, lambda: self.post(BotParticipant(seat), act))

        payer = self.presence.address_of_one(self.state.host)
        turn.bot_task = self.services.bot_threads.think(
            self._level(seat),
            seen,
            random,
            post_choice,
            table=self.state.id,
            payer=payer,
            urgency=self.services.urgency(payer, are_people_here=self._are_people_here),
            on_thought=partial(self.services.on_bot_thought, payer),
        )

    def _level(self, seat: int) -> str:
        """The level of the bot that acts for this seat.

        When a player who took a bot's seat leaves, the bot is back at its own level.
        """
        place = self.state.places[seat]
        is_bots = place.kind == "bot" or place.has_left
        return place.level if is_bots and place.level else self.services.stand_in

    def _hurry_if_people_are_back(self) -> None:
        """Notes whether a player is here who is not away.  If one has come back, bots that wait become urgent."""
        were_here = self._are_people_here
        self._are_people_here = not all(map(self.is_played_by_bot, self.presence.seats))
        if self._are_people_here and not were_here:
            self.services.bot_threads.hurry(self.state.id, Thinking.FOR_PEOPLE)

    # Sending

    def tell_table(self, *, except_for: Participant | None = None) -> None:
        """Tells everyone about the table and its people."""
        info = self.info()
        self.presence.tell_each(
            lambda seat, next_seat: p.TableChanged(table=info, seat=seat, next_seat=next_seat),
            except_for=except_for,
        )
        self._on_change(self)

    def written(self, stages: Iterable[Stage]) -> list[dict[int | None, bytes]]:
        """The snapshots of each stage, for every connected seat and for the spectators."""
        seats, write = self.presence.places, self._snapshot_writer.snapshots
        return [write(one.live, seats, one.events, self._clocks(one.live)) for one in stages]

    def tell_game(
        self,
        stages: Iterable[Stage] = (),
        written: Iterable[Mapping[int | None, bytes]] | None = None,
    ) -> None:
        """Sends everyone the snapshots for their seat.  `written` has the snapshots if they are already written.

        Without stages, it sends the game as it is now, with no events.
        """
        assert self.playing is not None
        for by_seat in written or self.written(stages or (Stage(self.playing, ()),)):
            self.presence.tell_texts(by_seat)

    def snapshot(self, seat: int | None) -> p.Snapshot | None:
        """The game as this seat may see it now; None before the first game."""
        playing = self.playing
        if playing is None:
            return None
        return p.Snapshot(
            game=playing.id,
            number=playing.number,
            view=view(playing.game, seat),
            clocks=self._clocks(playing),
        )

    def _clocks(self, playing: LiveGame) -> tuple[p.Clock, ...]:
        return clocks(
            playing, self.state.options.clock_s, self.turns, self.patience, self.is_played_by_bot
        )

    def info(self) -> p.Table:
        """The table and its people, without cards."""
        return table_messages.table_info(
            self.state,
            self.playing,
            self.presence,
            self.requests.listed(),
            is_played_by_bot=self.is_played_by_bot,
            grace_ms=self._grace_ms,
            patience_ms=self.patience.left_between_games(self.state, self.presence.seats),
        )

    def listed(self) -> p.LobbyTable:
        """The table in the lobby's list."""
        return table_messages.lobby_entry(self.state, self.presence)


Handler = Callable[[Table, Participant, Any], Awaitable[None]]
"""Handles one kind of message, and answers it.  To refuse, it raises an error, which the table sends as the answer."""
