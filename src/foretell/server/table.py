"""A table: one owner of its state, one inbox, one message at a time, every send through `view`.

It knows no socket and no web framework.  People, bots and the clock come in by the same door (`post`); an accepted
action is on disk before anyone hears of it.
"""

from collections import deque
from collections.abc import Awaitable, Callable
from random import Random
from typing import Any

import msgspec

from foretell.engine import Action, Event, awaited_seats, view
from foretell.engine.view import decision_of
from foretell.errors import ForetellError, NotAllowed
from foretell.server import protocol as p
from foretell.server import seating, store, telling, texts
from foretell.server.audience import Audience
from foretell.server.coaching import ask_coach
from foretell.server.guests import BotGuest, Guest, told
from foretell.server.house import House
from foretell.server.inbox import Inbox
from foretell.server.logs import log
from foretell.server.playing import Playing, begun, new_setup, resumed
from foretell.server.turns import Awaited, Turn, Turns
from foretell.server.wire import wire_event

__all__ = ["Bell", "Gone", "Moved", "Table"]


class Gone(msgspec.Struct):
    """A guest's line is cut."""


class Bell(msgspec.Struct):
    """The time for a decision is up: the player's, or a bot's that is stuck."""

    seat: int
    decision: str


class HostBell(msgspec.Struct):
    """The host has been gone for long."""


class SleepBell(msgspec.Struct):
    """Nobody has been here for long."""


class Moved(msgspec.Struct):
    """The game is at this number now, by the word of another process."""

    game: str
    number: int


Letter = p.Hello | p.AtTable | Gone | Bell | HostBell | SleepBell | Moved


class Table:
    """See the module.  `on_change` tells the lobby, `on_sleep` that this object is to be forgotten."""

    def __init__(
        self,
        house: House,
        state: store.TableState,
        playing: Playing | None = None,
        *,
        on_change: Callable[["Table"], None] = lambda _table: None,
        on_sleep: Callable[["Table"], None] = lambda _table: None,
    ) -> None:
        self.house = house
        self.state = state
        self.playing = playing
        self.guests = Audience()
        self.is_asleep = False  # forgotten by the lobby: nobody reads this inbox any more
        self._on_change = on_change
        self._on_sleep = on_sleep
        self._turns = Turns(house, self._think, lambda *bell: self.post(Guest(), Bell(*bell)))
        # After a restart everyone is gone, and has the usual time to come back.
        self._gone = dict.fromkeys(seating.people(state), house.now())
        self._lapsed: set[int] = set()  # gone for too long: a bot plays
        self._chat: deque[p.ChatLine] = deque(maxlen=50)
        self._inbox: Inbox[tuple[Guest, Letter]] = Inbox(self._answered)
        self._asleep_unless_visited()

    @classmethod
    async def woken(cls, house: House, state: store.TableState, **calls: Any) -> "Table":
        """The table as the store has it, its game replayed from the log."""
        return cls(house, state, await _playing(house, state), **calls)

    # The inbox

    def post(self, guest: Guest, letter: Letter) -> None:
        """The one door."""
        self._inbox.post((guest, letter))

    async def _answered(self, post: tuple[Guest, Letter]) -> bool:
        guest, letter = post
        if isinstance(letter, SleepBell):
            return not self._falls_asleep()
        try:
            await _HANDLERS[type(letter)](self, guest, letter)
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
        if self.guests or not self._inbox.is_empty:
            return False
        self.is_asleep = True
        self._turns.stop()
        self._on_sleep(self)
        return True

    def _asleep_unless_visited(self) -> None:
        if not self.guests:
            self._inbox.ring("sleep", self.house.patience.sleep, (Guest(), SleepBell()))

    async def stop(self) -> None:
        """For a server that ends: what is stored stays, everything else is forgotten."""
        self._turns.stop()
        await self._inbox.stop()

    # Coming and going

    async def _hello(self, guest: Guest, hello: p.Hello) -> None:
        seat = None if hello.token is None else seating.seat_of(self.state, hello.token)
        players = {place.name for place in self.state.places}
        name = None if hello.name is None else seating.distinct(texts.name(hello.name), players)
        if seat is not None:
            place = self.state.places[seat]
            if place.is_away or place.has_left:
                await self._keep(
                    seating.with_place(self.state, seat, is_away=False, has_left=False)
                )
        guest.seat, guest.name, guest.language = seat, name, hello.language
        self.guests.add(guest)
        self._present(seat)
        guest.answer(
            p.Welcome(
                id=hello.id,
                version=p.VERSION,
                seat=seat,
                table=self.info(),
                snapshot=None if self.playing is None else self._snapshots(())(seat),
                chat=tuple(self._chat),
            )
        )
        self._tell_table(but=guest)
        self._arrange()

    def _present(self, seat: int | None) -> None:
        self._inbox.hush("sleep")
        if seat is not None:
            self._gone.pop(seat, None)
            self._lapsed.discard(seat)
            if seat == self.state.host:
                self._inbox.hush("host")

    async def _went(self, guest: Guest, _letter: Gone) -> None:
        if guest not in self.guests:
            return
        self.guests.discard(guest)
        seat = guest.seat
        if seat is not None and seat not in self.guests.seats:
            self._gone[seat] = self.house.now()
            if seat == self.state.host:
                self._inbox.ring("host", self.house.patience.host, (Guest(), HostBell()))
        self._tell_table()
        self._arrange()
        self._asleep_unless_visited()

    async def _host_gone(self, _guest: Guest, _letter: HostBell) -> None:
        connected = self.guests.seats
        others = [seat for seat in seating.people(self.state) if seat in connected]
        if self.state.host not in connected and others:
            host = seating.next_host(self.state, others)
            await self._keep(msgspec.structs.replace(self.state, host=host))
            self._tell_table()

    # Sitting

    def _seat(self, guest: Guest) -> int:
        if guest.seat is None:
            raise NotAllowed("spectator")
        return guest.seat

    async def _change(self, guest: Guest, ask: Any) -> None:
        """Everything in `seating.CHANGES`."""
        seat = self._seat(guest)
        state = seating.CHANGES[type(ask)](self.state, seat, ask)
        await self._keep(state)
        if isinstance(ask, p.Sit):
            self.guests.move(seat, ask.seat)
        elif isinstance(ask, p.Remove | p.Fill | p.Empty):
            self._unseat(ask.seat, "removed")
        self._tell_table()
        if isinstance(ask, p.Rematch) and self._all_want_another():
            await self._begin(seating.started(self.state, self.house.stand_in))
        self._arrange()
        guest.answer(p.Done(id=ask.id))

    def _unseat(self, seat: int, reason: Any) -> None:
        """Whoever sat here looks on from now."""
        self._gone.pop(seat, None)
        self._lapsed.discard(seat)
        for one in self.guests.move(seat, None):
            one.deliver(p.write(p.Removed(reason=reason)))

    async def _take_seat(self, guest: Guest, ask: p.TakeSeat) -> None:
        """By socket from a spectator, or by HTTP from someone who will say hello next."""
        if guest.seat is not None:
            raise NotAllowed("already_seated", seat=guest.seat)
        token = self.house.keys.token()
        state, seat = seating.sits_down(self.state, ask, token)
        await self._keep(state)
        self._unseat(seat, "taken")
        if guest in self.guests:
            guest.seat = seat
            self._present(seat)
        else:
            self._gone[seat] = self.house.now()
        self._tell_table()
        if self.playing is not None:
            self._tell_game(())
        self._arrange()
        guest.answer(telling.seated(self.state, seat, token, ask.id))

    async def _leave(self, guest: Guest, ask: p.Leave) -> None:
        seat = self._seat(guest)
        await self._keep(seating.left(self.state, seat, self.guests.seats - {seat}))
        self.guests.move(seat, None)
        self._tell_table()
        if self.playing is not None:
            self._tell_game(())
        self._arrange()
        guest.answer(p.Done(id=ask.id))

    async def _keep(self, state: store.TableState) -> None:
        """Stores the table, and with it the names of a running game."""
        state = msgspec.structs.replace(state, changed=self.house.now())
        playing = self._renamed(state)
        if playing is not None:
            await self.house.store.rename(playing.id, playing.setup)
        await self.house.store.save(state)
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

    # Playing

    async def _start(self, guest: Guest, ask: p.Start) -> None:
        seat = self._seat(guest)
        if self.state.host != seat:
            raise NotAllowed("not_host")
        connected = self.guests.seats
        waiting = [
            self.state.places[one].name or ""
            for one in seating.people(self.state)
            if one != seat and one in connected and not self.state.places[one].is_ready
        ]
        state = seating.started(self.state, ask.level)
        if waiting and self.state.phase == "gathering":
            raise NotAllowed("not_ready", names=", ".join(waiting))
        await self._begin(state)
        guest.answer(p.Done(id=ask.id))

    def _all_want_another(self) -> bool:
        connected = self.guests.seats
        here = [s for s in seating.people(self.state) if s in connected]
        return all(seat in self.state.rematch for seat in here)

    async def _begin(self, state: store.TableState) -> None:
        now, keys = self.house.now(), self.house.keys
        setup = new_setup(state)
        row = store.GameRow(id=keys.id(), table=state.id, setup=setup, started=now)
        playing, events = begun(row.id, setup, self.house.dealing)
        state = msgspec.structs.replace(
            state, game=row.id, next_secret=keys.secret(), changed=now, rematch=()
        )
        await self.house.store.save(state, begun=row)
        self.state, self.playing = state, playing
        self.house.metrics.games.labels("begun").inc()
        self._tell_table()
        self._tell_game(events)
        self._arrange()

    async def _act(self, guest: Guest, ask: p.Act) -> None:
        seat = self._seat(guest)
        playing = self.playing
        if playing is None or self.state.phase == "gathering":
            raise NotAllowed("no_game")
        if guest.is_bot and not self._is_bots(seat):
            return  # the player is back: the seat is theirs
        after, events = playing.after(seat, ask.decision, ask.action)
        await self._append(playing, after, seat, ask.action, by_bot=guest.is_bot)
        self.playing = after
        place = self.state.places[seat]
        if place.is_away and not guest.is_bot:
            await self._keep(seating.with_place(self.state, seat, is_away=False))
            self._tell_table()
        self._arrange()
        self._tell_game(events)
        if after.game.is_over:
            self._tell_table()
        guest.answer(p.Done(id=ask.id))

    async def _append(
        self, playing: Playing, after: Playing, seat: int, text: str, *, by_bot: bool
    ) -> None:
        row = store.Action(playing.number, seat, text, by_bot, self.house.now())
        ends = None
        if after.game.is_over:
            state = msgspec.structs.replace(
                seating.without_left(self.state),
                phase="over",
                games_played=self.state.games_played + 1,
                changed=row.at,
            )
            ends = (state, after.record())
        with self.house.metrics.append.time():
            is_first = await self.house.store.append(playing.id, row, ends=ends)
        if not is_first:
            await self._catch_up()
            raise NotAllowed("stale", decision=text, awaited="–")
        self.house.metrics.actions.labels("bot" if by_bot else "person").inc()
        if ends is not None:
            self.state = ends[0]
            self.house.metrics.games.labels("finished").inc()
        self.house.bus.publish(playing.id, after.number)

    async def _moved(self, _guest: Guest, letter: Moved) -> None:
        playing = self.playing
        if playing is not None and playing.id == letter.game and playing.number < letter.number:
            await self._catch_up()

    async def _catch_up(self) -> None:
        """Another process has moved on: what is stored is the truth."""
        self.state = await self.house.store.table(self.state.id) or self.state
        self.playing = await _playing(self.house, self.state)
        self._arrange()
        self._tell_table()
        self._tell_game(())

    # Turns, clocks and bots

    def _is_bots(self, seat: int) -> bool:
        """Whether a bot acts for this seat now."""
        place = self.state.places[seat]
        return place.kind == "bot" or place.is_away or place.has_left or seat in self._lapsed

    def _arrange(self) -> None:
        """Sees to it that every awaited decision will be answered by someone: a player, or a bot when time is up."""
        self._turns.arrange(self._awaited(), self.state.options)

    def _awaited(self) -> dict[int, Awaited]:
        """What is waited for; nothing while no player is here, so that nobody's game goes on without them."""
        playing, connected = self.playing, self.guests.seats
        is_someone_here = any(seat in connected for seat in seating.people(self.state))
        if playing is None or self.state.phase != "playing" or not is_someone_here:
            return {}
        return {
            seat: Awaited(
                decision_of(playing.game, seat) or "",
                is_bots=self._is_bots(seat),
                gone_since=None
                if seat in connected
                else self._gone.setdefault(seat, self.house.now()),
            )
            for seat in awaited_seats(playing.game)
        }

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
            best = chosen if chosen in seen.legal else random.choice(seen.legal)
            self.post(BotGuest(seat), p.Act(decision=turn.decision, action=str(best)))

        turn.thought = self.house.thinkers.think(level, seen, random, tell)

    async def _time_up(self, _guest: Guest, bell: Bell) -> None:
        turn, playing = self._turns.get(bell.seat, bell.decision), self.playing
        if turn is None or playing is None:
            return
        seat = bell.seat
        if turn.is_bots:
            log.error("bot is stuck", decision=bell.decision)
            turn.stop()
            first = view(playing.game, seat).legal[0]
            self.post(BotGuest(seat), p.Act(decision=bell.decision, action=str(first)))
            return
        if seat in self.guests.seats:
            await self._keep(seating.with_place(self.state, seat, is_away=True))
        else:
            self._lapsed.add(seat)
        self._tell_table()
        self._arrange()

    # Talking

    async def _say(self, guest: Guest, ask: p.Chat) -> None:
        line = p.ChatLine(
            seat=guest.seat,
            name=telling.speaker(self.state, guest),
            text=texts.chat_text(ask.text),
            at=self.house.now(),
        )
        self._chat.append(line)
        self.guests.tell(p.Said(line=line))
        guest.answer(p.Done(id=ask.id))

    async def _emote(self, guest: Guest, ask: p.ShowEmote) -> None:
        seat = self._seat(guest)
        telling.speaker(self.state, guest)
        self.guests.tell(p.Emoted(seat=seat, emote=ask.emote))
        guest.answer(p.Done(id=ask.id))

    async def _coach(self, guest: Guest, ask: p.AskCoach) -> None:
        seat = self._seat(guest)
        playing, coach = self.playing, self.house.coach
        if playing is None or decision_of(playing.game, seat) != ask.decision:
            raise NotAllowed("stale", decision=ask.decision, awaited="–")
        if coach is None or not self.state.options.coach:
            guest.answer(p.Coach(id=ask.id, decision=ask.decision, is_available=False))
        else:
            ask_coach(self.house, coach, guest, ask, view(playing.game, seat))

    # The one door out

    def _tell_table(self, *, but: Guest | None = None) -> None:
        info = self.info()
        self.guests.tell_each(lambda seat: p.TableChanged(table=info, seat=seat), but=but)
        self._on_change(self)

    def _tell_game(self, events: tuple[Event, ...]) -> None:
        self.guests.tell_each(self._snapshots(events))

    def _snapshots(self, events: tuple[Event, ...]) -> Callable[[int | None], p.Snapshot]:
        """A snapshot for each seat: the View is its own, the rest is everyone's."""
        playing = self.playing
        assert playing is not None
        heard = tuple(wire_event(event) for event in events)
        clock = self.state.options.clock_s
        clocks = tuple(
            p.Clock(one, self._turns.left_ms(one, clock)) for one in awaited_seats(playing.game)
        )
        return lambda seat: p.Snapshot(
            game=playing.id,
            number=playing.number,
            view=view(playing.game, seat),
            events=heard,
            clocks=clocks,
        )

    def info(self) -> p.Table:
        """All but the cards."""
        return telling.table_info(self.state, self.playing, self.guests, is_bots=self._is_bots)

    def listed(self) -> p.LobbyTable:
        """A line of the lobby's list."""
        return telling.lobby_line(self.state, self.guests)


async def _playing(house: House, state: store.TableState) -> Playing | None:
    row = None if state.game is None else await house.store.game(state.game)
    return None if row is None else resumed(row, await house.store.log(row.id), house.dealing)


_Handler = Callable[[Table, Guest, Any], Awaitable[None]]
_HANDLERS: dict[type, _Handler] = {
    p.Hello: Table._hello,
    Gone: Table._went,
    Bell: Table._time_up,
    HostBell: Table._host_gone,
    Moved: Table._moved,
    p.Act: Table._act,
    p.Chat: Table._say,
    p.ShowEmote: Table._emote,
    p.Leave: Table._leave,
    p.TakeSeat: Table._take_seat,
    p.Start: Table._start,
    p.AskCoach: Table._coach,
    **dict.fromkeys(seating.CHANGES, Table._change),
}
