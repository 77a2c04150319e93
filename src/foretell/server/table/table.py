"""A table: it owns its state, handles one message at a time, and sends everyone what their seat may know.

It does not know about sockets or the web framework.  Players, bots and timers all post messages to its inbox.  An
accepted action is on disk before anyone is told about it.
"""

from collections import deque
from collections.abc import Awaitable, Callable, Iterable, Mapping
from functools import lru_cache
from random import Random
from typing import Any

import msgspec

from foretell.engine import Action, view
from foretell.errors import ForetellError, NotAllowed
from foretell.server.bot_threads import Thinking
from foretell.server.game.live_game import LiveGame, Stage, stored_game
from foretell.server.logs import log
from foretell.server.store import interface as store
from foretell.server.table import seating, table_messages
from foretell.server.table.approvals import Requests
from foretell.server.table.inbox import Inbox
from foretell.server.table.internal_messages import SleepTimeout, TableMessage, TimeUp
from foretell.server.table.participants import BotParticipant, Participant
from foretell.server.table.patience import Patience
from foretell.server.table.presence import Presence
from foretell.server.table.services import Services
from foretell.server.table.snapshots import SnapshotWriter
from foretell.server.table.turns import Turn, Turns
from foretell.server.wire import protocol as p
from foretell.server.wire.error_messages import error_message

__all__ = ["Handler", "Table", "arrival_timer"]


def arrival_timer(seat: int) -> str:
    """The name of the timer for someone who took this seat and has not connected yet."""
    return f"arrival {seat}"


_UNTIMED = [p.Clock(seat, None) for seat in range(6)]


@lru_cache(maxsize=64)
def _patient(seat: int, left_ms: int) -> p.Clock:
    """Nearly every clock is one of these: a decision that has just been asked, without a limit."""
    return p.Clock(seat, None, left_ms)


class Table:
    """A table in memory.

    `handlers` maps each kind of message to its function.  `on_change` tells the lobby that the table has changed, and
    `on_sleep` that this object is no longer used.
    """

    def __init__(
        self,
        services: Services,
        state: store.TableState,
        playing: LiveGame | None = None,
        *,
        handlers: "Mapping[type, Handler]",
        on_change: Callable[["Table"], None] = lambda _table: None,
        on_sleep: Callable[["Table"], None] = lambda _table: None,
    ) -> None:
        self.services = services
        self.state = state
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
    async def woken(cls, services: Services, state: store.TableState, **hooks: Any) -> "Table":
        """The table as it is stored, with its game replayed from the log."""
        return cls(services, state, await _stored_game(services, state), **hooks)

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
            await self._handlers[type(message)](self, participant, message)
        except ForetellError as error:
            self._refuse(participant, message, error)
        except Exception as error:
            self._report_failure(message, error)
            self._refuse(participant, message, NotAllowed("server_failed"))
            self._recover(before)
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

    def _recover(self, before: tuple[store.TableState, LiveGame | None]) -> None:
        """Makes sure that the table goes on after a handler has failed.

        The state is replaced only after it is stored.  If it was replaced, then perhaps nobody was told and no bot was
        asked to act.
        """
        has_changed = before[0] is not self.state or before[1] is not self.playing
        for step in (
            self.schedule_turns,
            *((self.tell_table, self._tell_game_again) * has_changed),
        ):
            try:
                step()
            except Exception as error:
                log.error("recovery failed", step=step.__name__, error=type(error).__name__)

    def _tell_game_again(self) -> None:
        if self.playing is not None:
            self.tell_game()

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

    def sleep_later_if_empty(self) -> None:
        """Starts a timer if nobody is at the table; when it ends, the table is removed from memory."""
        if not self.presence:
            self.inbox.start_timer(
                "sleep", self.services.timeouts.sleep, (Participant(), SleepTimeout())
            )

    async def stop(self) -> None:
        """Stops timers, bots and the inbox, when the server ends."""
        self.turns.stop()
        await self.inbox.stop()

    # Storing

    async def catch_up(self) -> None:
        """Reads the table and its game again, after another process has stored an action."""
        services = self.services
        state = await services.store.table(self.state.id) or self.state
        self.playing = await _stored_game(services, state)
        # Read the table again after its game: the last action of a game changes both.  If that action was stored
        # between the two reads, no other message would tell us that the table has changed.
        self.state = await services.store.table(state.id) or state
        self.settle_waiting()
        self.schedule_turns()
        self.tell_table()
        if self.playing is not None:
            self.tell_game()

    async def save(self, state: store.TableState) -> None:
        """Stores the table's new state, and with it the names in a running game."""
        state = msgspec.structs.replace(state, changed=self.services.now())
        playing = None if self.playing is None else self.renamed(self.playing, state)
        renamed = None if playing is None else (playing.id, playing.setup)
        await self.services.store.save(state, renamed=renamed)
        self.state = state
        self.playing = playing or self.playing

    def renamed(self, before: LiveGame, state: store.TableState) -> LiveGame | None:
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
                pause = options.bot_pause_ms / 1000
                turns.leave_to_bot(seat, decision, self._level(seat), pause)
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

        turn.bot_task = self.services.bot_threads.think(
            self._level(seat),
            seen,
            random,
            post_choice,
            table=self.state.id,
            urgency=Thinking.FOR_PEOPLE if self._are_people_here else Thinking.FOR_ABSENT,
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
        clock, decision = self.state.options.clock_s, playing.decision or ""
        if clock is None:
            left_ms = self.patience.left_ms(playing)
            return tuple(
                [
                    _UNTIMED[seat] if self.is_played_by_bot(seat) else _patient(seat, left_ms)
                    for seat in playing.awaited
                ]
            )
        return tuple(
            [
                _UNTIMED[seat]
                if self.is_played_by_bot(seat)
                else p.Clock(seat, self.turns.left_ms(seat, decision, clock))
                for seat in playing.awaited
            ]
        )

    def info(self) -> p.Table:
        """The table and its people, without cards."""
        return table_messages.table_info(
            self.state,
            self.playing,
            self.presence,
            self.requests.listed(),
            is_played_by_bot=self.is_played_by_bot,
        )

    def listed(self) -> p.LobbyTable:
        """The table in the lobby's list."""
        return table_messages.lobby_entry(self.state, self.presence)


async def _stored_game(services: Services, state: store.TableState) -> LiveGame | None:
    return await stored_game(services.store, state, services.dealing, services.wakeups.in_thread)


Handler = Callable[[Table, Participant, Any], Awaitable[None]]
"""Handles one kind of message, and answers it.  To refuse, it raises an error, which the table sends as the answer."""
