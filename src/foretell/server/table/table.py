"""A table: one owner of its state, one inbox, one message at a time, every send through `view`.

It knows no socket and no web framework.  People, bots and the clock come in by the same door (`post`); an accepted
action is on disk before anyone hears of it.
"""

from collections import deque
from collections.abc import Awaitable, Callable, Iterable, Mapping
from random import Random
from typing import Any

import msgspec

from foretell.engine import Action, view
from foretell.errors import ForetellError, NotAllowed
from foretell.server.game.live_game import LiveGame, Stage, stored_game
from foretell.server.logs import log
from foretell.server.store import interface as store
from foretell.server.table import seating, table_messages
from foretell.server.table.inbox import Inbox
from foretell.server.table.internal_messages import SleepTimeout, TableMessage, TimeUp
from foretell.server.table.participants import BotParticipant, Participant
from foretell.server.table.presence import Presence
from foretell.server.table.services import Services
from foretell.server.table.snapshots import SnapshotWriter
from foretell.server.table.turns import Turn, Turns
from foretell.server.wire import protocol as p
from foretell.server.wire.error_messages import error_message

__all__ = ["Handler", "Table"]


_UNTIMED = [p.Clock(seat, None) for seat in range(6)]


class Table:
    """See the module.  `answers` are the functions for each kind of letter; `on_change` tells the lobby, `on_sleep`
    that this object is to be forgotten.
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
        self.is_asleep = False  # forgotten by the lobby: nobody reads this inbox any more
        self._handlers = handlers
        self._on_change = on_change
        self._on_sleep = on_sleep
        self.turns = Turns(
            services, self._think, lambda *bell: self.post(Participant(), TimeUp(*bell))
        )
        # After a restart everyone is gone, and has the usual time to come back.
        self.gone = dict.fromkeys(seating.people(state), services.now())
        self.lapsed: set[int] = set()  # gone for too long: a bot plays
        self.chat: deque[p.ChatLine] = deque(maxlen=50)
        self._writing = SnapshotWriter()
        self.inbox: Inbox[tuple[Participant, TableMessage]] = Inbox(self._answered)
        self.rest_unless_visited()

    @classmethod
    async def woken(cls, services: Services, state: store.TableState, **calls: Any) -> "Table":
        """The table as the store has it, its game replayed from the log."""
        return cls(
            services, state, await stored_game(services.store, state, services.dealing), **calls
        )

    # The inbox

    def post(self, participant: Participant, letter: TableMessage) -> None:
        """The one door."""
        self.inbox.post((participant, letter))

    async def _answered(self, post: tuple[Participant, TableMessage]) -> bool:
        participant, letter = post
        if isinstance(letter, SleepTimeout):
            return not self._falls_asleep()
        try:
            await self._handlers[type(letter)](self, participant, letter)
        except ForetellError as error:
            self._refuse(participant, letter, error)
        except Exception as error:
            # Nothing has changed: state is replaced only after it is stored.  No traceback: it could show cards.
            self.services.metrics.failures.inc()
            log.error("message failed", kind=type(letter).__name__, error=type(error).__name__)
            self._refuse(participant, letter, NotAllowed("server_failed"))
        return True

    def _refuse(self, participant: Participant, letter: TableMessage, error: ForetellError) -> None:
        self.services.metrics.refused.labels(error.code).inc()
        if isinstance(letter, p.ClientMessage):
            participant.answer(
                p.Refusal(id=letter.id, error=error_message(error, participant.language))
            )

    def _falls_asleep(self) -> bool:
        if self.presence or not self.inbox.is_empty:
            self.rest_unless_visited()  # whoever comes by this moment may not stay
            return False
        self.is_asleep = True
        self.turns.stop()
        self._on_sleep(self)
        return True

    def rest_unless_visited(self) -> None:
        if not self.presence:
            self.inbox.start_timer(
                "sleep", self.services.timeouts.sleep, (Participant(), SleepTimeout())
            )

    async def stop(self) -> None:
        """For a server that ends: what is stored stays, everything else is forgotten."""
        self.turns.stop()
        await self.inbox.stop()

    # Kept

    async def catch_up(self) -> None:
        """Another process has moved on: what is stored is the truth."""
        services = self.services
        state = await services.store.table(self.state.id) or self.state
        self.playing = await stored_game(services.store, state, services.dealing)
        # The table once more, after its game: a last action stored in between has ended both, and is told only once.
        self.state = await services.store.table(state.id) or state
        self.arrange()
        self.tell_table()
        if self.playing is not None:
            self.tell_game()

    async def keep(self, state: store.TableState) -> None:
        """Stores the table, and with it the names of a running game."""
        state = msgspec.structs.replace(state, changed=self.services.now())
        playing = self._renamed(state)
        renamed = None if playing is None else (playing.id, playing.setup)
        await self.services.store.save(state, renamed=renamed)
        self.state = state
        self.playing = playing or self.playing

    def _renamed(self, state: store.TableState) -> LiveGame | None:
        if self.playing is None or state.phase != "playing":
            return None
        playing = self.playing
        for seat, place in enumerate(state.places):
            level = place.level if place.kind == "bot" else None
            name = place.name or ""
            if (name, level) != (playing.setup.names[seat], playing.setup.bots[seat]):
                playing = playing.renamed(seat, name, level)
        return None if playing is self.playing else playing

    # Turns, clocks and bots

    def is_bots(self, seat: int) -> bool:
        """Whether a bot acts for this seat now."""
        place = self.state.places[seat]
        return place.kind == "bot" or place.is_away or place.has_left or seat in self.lapsed

    def arrange(self) -> None:
        """Sees to it that every awaited decision will be answered by someone: a player, or a bot when time is up."""
        playing, connected, turns = self.playing, self.presence.seats, self.turns
        if playing is None or self.state.phase != "playing" or not connected:
            # Nothing while no player is here, so that nobody's game goes on without them.
            turns.stop()
            return
        decision, options = playing.decision or "", self.state.options
        turns.forget_others(playing.awaited, decision)
        for seat in playing.awaited:
            if self.is_bots(seat):
                turns.leave_to_bot(seat, decision, options.bot_pause_ms / 1000)
            else:
                gone = None
                if seat not in connected:
                    gone = self.gone.setdefault(seat, self.services.now())
                turns.leave_to_player(seat, decision, options.clock_s, gone)

    def _think(self, seat: int, turn: Turn) -> None:
        """By the same door as everyone: the bot's choice comes back as an Act."""
        playing = self.playing
        if playing is None:
            return
        seen = view(playing.game, seat)
        # From the secret, so that no player can foresee a bot's dice; and from the decision rather than its number in
        # the log, so that it makes no difference who of several was faster.
        random = Random(f"{playing.setup.secret}/{turn.decision}/{seat}")
        place = self.state.places[seat]
        level = place.level if place.kind == "bot" and place.level else self.services.stand_in

        def tell(chosen: Action | None) -> None:
            if chosen not in seen.legal:
                self.services.metrics.failures.inc()
                chosen = random.choice(seen.legal)
            self.post(BotParticipant(seat), p.Act(decision=turn.decision, action=str(chosen)))

        turn.thought = self.services.bot_threads.think(level, seen, random, tell)

    # The one door out

    def tell_table(self, *, but: Participant | None = None) -> None:
        info = self.info()
        self.presence.tell_each(lambda seat: p.TableChanged(table=info, seat=seat), but=but)
        self._on_change(self)

    def written(self, stages: Iterable[Stage]) -> list[dict[int | None, bytes]]:
        """What everyone here will be told, a snapshot for each stage, once the game has come to the last."""
        seats, write = self.presence.places, self._writing.snapshots
        return [write(live, seats, events, self._clocks(live)) for live, events in stages]

    def tell_game(
        self,
        stages: Iterable[Stage] = (),
        written: Iterable[Mapping[int | None, bytes]] | None = None,
    ) -> None:
        """Tells each seat what it may know; `written` where that has been written already.

        Without stages the game is told as it is, with no events.
        """
        assert self.playing is not None
        texts = written or self.written(stages or (Stage(self.playing, ()),))
        for participant in self.presence:
            for by_seat in texts:
                participant.deliver(by_seat[participant.seat])

    def snapshot(self, seat: int | None) -> p.Snapshot | None:
        """The game as this seat may know it now; None before the first."""
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
        return tuple(
            [
                _UNTIMED[seat]
                if clock is None or self.is_bots(seat)
                else p.Clock(seat, self.turns.left_ms(seat, decision, clock))
                for seat in playing.awaited
            ]
        )

    def info(self) -> p.Table:
        """All but the cards."""
        return table_messages.table_info(
            self.state, self.playing, self.presence, is_bots=self.is_bots
        )

    def listed(self) -> p.LobbyTable:
        """A line of the lobby's list."""
        return table_messages.lobby_line(self.state, self.presence)


Handler = Callable[[Table, Participant, Any], Awaitable[None]]
"""Does what a letter asks for, and answers it; what it refuses is told by the table."""
