"""A table: one owner of its state, one inbox, one message at a time, every send through `view`.

It knows no socket and no web framework.  People, bots and the clock come in by the same door (`post`); an accepted
action is on disk before anyone hears of it.
"""

from collections import deque
from collections.abc import Awaitable, Callable, Mapping
from random import Random
from typing import Any

import msgspec

from foretell.engine import Action, Event, view
from foretell.errors import ForetellError, NotAllowed
from foretell.server import protocol as p
from foretell.server import seating, store, telling
from foretell.server.audience import Audience
from foretell.server.guests import BotGuest, Guest, told
from foretell.server.house import House
from foretell.server.inbox import Inbox
from foretell.server.letters import Bell, Letter, SleepBell
from foretell.server.logs import log
from foretell.server.playing import Playing, stored_game
from foretell.server.turns import Turn, Turns
from foretell.server.writing import Writing

__all__ = ["Answer", "Table"]


_UNTIMED = [p.Clock(seat, None) for seat in range(6)]


class Table:
    """See the module.  `answers` are the functions for each kind of letter; `on_change` tells the lobby, `on_sleep`
    that this object is to be forgotten.
    """

    def __init__(
        self,
        house: House,
        state: store.TableState,
        playing: Playing | None = None,
        *,
        answers: "Mapping[type, Answer]",
        on_change: Callable[["Table"], None] = lambda _table: None,
        on_sleep: Callable[["Table"], None] = lambda _table: None,
    ) -> None:
        self.house = house
        self.state = state
        self.playing = playing
        self.guests = Audience()
        self.is_asleep = False  # forgotten by the lobby: nobody reads this inbox any more
        self._answers = answers
        self._on_change = on_change
        self._on_sleep = on_sleep
        self.turns = Turns(house, self._think, lambda *bell: self.post(Guest(), Bell(*bell)))
        # After a restart everyone is gone, and has the usual time to come back.
        self.gone = dict.fromkeys(seating.people(state), house.now())
        self.lapsed: set[int] = set()  # gone for too long: a bot plays
        self.chat: deque[p.ChatLine] = deque(maxlen=50)
        self._writing = Writing()
        self.inbox: Inbox[tuple[Guest, Letter]] = Inbox(self._answered)
        self.rest_unless_visited()

    @classmethod
    async def woken(cls, house: House, state: store.TableState, **calls: Any) -> "Table":
        """The table as the store has it, its game replayed from the log."""
        return cls(house, state, await stored_game(house.store, state, house.dealing), **calls)

    # The inbox

    def post(self, guest: Guest, letter: Letter) -> None:
        """The one door."""
        self.inbox.post((guest, letter))

    async def _answered(self, post: tuple[Guest, Letter]) -> bool:
        guest, letter = post
        if isinstance(letter, SleepBell):
            return not self._falls_asleep()
        try:
            await self._answers[type(letter)](self, guest, letter)
        except ForetellError as error:
            self._refuse(guest, letter, error)
        except Exception as error:
            # Nothing has changed: state is replaced only after it is stored.  No traceback: it could show cards.
            self.house.metrics.failures.inc()
            log.error("message failed", kind=type(letter).__name__, error=type(error).__name__)
            self._refuse(guest, letter, NotAllowed("server_failed"))
        return True

    def _refuse(self, guest: Guest, letter: Letter, error: ForetellError) -> None:
        self.house.metrics.refused.labels(error.code).inc()
        if isinstance(letter, p.ClientMessage):
            guest.answer(p.Refused(id=letter.id, error=told(error, guest.language)))

    def _falls_asleep(self) -> bool:
        if self.guests or not self.inbox.is_empty:
            self.rest_unless_visited()  # whoever comes by this moment may not stay
            return False
        self.is_asleep = True
        self.turns.stop()
        self._on_sleep(self)
        return True

    def rest_unless_visited(self) -> None:
        if not self.guests:
            self.inbox.ring("sleep", self.house.patience.sleep, (Guest(), SleepBell()))

    async def stop(self) -> None:
        """For a server that ends: what is stored stays, everything else is forgotten."""
        self.turns.stop()
        await self.inbox.stop()

    # Kept

    async def catch_up(self) -> None:
        """Another process has moved on: what is stored is the truth."""
        house = self.house
        state = await house.store.table(self.state.id) or self.state
        self.playing = await stored_game(house.store, state, house.dealing)
        # The table once more, after its game: a last action stored in between has ended both, and is told only once.
        self.state = await house.store.table(state.id) or state
        self.arrange()
        self.tell_table()
        if self.playing is not None:
            self.tell_game(())

    async def keep(self, state: store.TableState) -> None:
        """Stores the table, and with it the names of a running game."""
        state = msgspec.structs.replace(state, changed=self.house.now())
        playing = self._renamed(state)
        renamed = None if playing is None else (playing.id, playing.setup)
        await self.house.store.save(state, renamed=renamed)
        self.state = state
        self.playing = playing or self.playing

    def _renamed(self, state: store.TableState) -> Playing | None:
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
        playing, connected, turns = self.playing, self.guests.seats, self.turns
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
                    gone = self.gone.setdefault(seat, self.house.now())
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
        level = place.level if place.kind == "bot" and place.level else self.house.stand_in

        def tell(chosen: Action | None) -> None:
            if chosen not in seen.legal:
                self.house.metrics.failures.inc()
                chosen = random.choice(seen.legal)
            self.post(BotGuest(seat), p.Act(decision=turn.decision, action=str(chosen)))

        turn.thought = self.house.thinkers.think(level, seen, random, tell)

    # The one door out

    def tell_table(self, *, but: Guest | None = None) -> None:
        info = self.info()
        self.guests.tell_each(lambda seat: p.TableChanged(table=info, seat=seat), but=but)
        self._on_change(self)

    def written(self, playing: Playing, events: tuple[Event, ...]) -> dict[int | None, bytes]:
        """What everyone here will be told of the game once it has come to this."""
        clocks = self._clocks(playing)
        return self._writing.snapshots(playing, self.guests.places, events, clocks)

    def tell_game(
        self, events: tuple[Event, ...], written: Mapping[int | None, bytes] | None = None
    ) -> None:
        """To each what its seat may know; `written` where that has been written already."""
        assert self.playing is not None
        texts = written or self.written(self.playing, events)
        for guest in self.guests:
            guest.deliver(texts[guest.seat])

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

    def _clocks(self, playing: Playing) -> tuple[p.Clock, ...]:
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
        return telling.table_info(self.state, self.playing, self.guests, is_bots=self.is_bots)

    def listed(self) -> p.LobbyTable:
        """A line of the lobby's list."""
        return telling.lobby_line(self.state, self.guests)


Answer = Callable[[Table, Guest, Any], Awaitable[None]]
"""Does what a letter asks for, and answers it; what it refuses is told by the table."""
