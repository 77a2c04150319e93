"""All tables of a process: made, found, woken, put to sleep, and the live list of the public ones."""

import asyncio
from collections import OrderedDict
from collections.abc import Callable
from typing import Any

import msgspec

from foretell.errors import NotAllowed
from foretell.server.game.live_game import LiveGame, resumed
from foretell.server.keys import hashed
from foretell.server.store.interface import TableState
from foretell.server.table import seating
from foretell.server.table.handlers import HANDLERS
from foretell.server.table.internal_messages import MovedElsewhere
from foretell.server.table.participants import HttpParticipant, Participant
from foretell.server.table.services import Services
from foretell.server.table.table import Table
from foretell.server.table.table_messages import seated
from foretell.server.wire import protocol as p
from foretell.server.wire.error_messages import error_from

__all__ = ["Lobby"]

_TOGETHER = 0.25  # seconds in which changes of the list are told as one
_MOST_LISTED = 200
_MOST_REMEMBERED = 10_000  # sleeping games of which is known whose turn it is


class Lobby:
    """Tables by id.  A sleeping table is nowhere but in the store."""

    def __init__(self, services: Services, *, most_tables: int = 10_000) -> None:
        self.services = services
        self.tables: dict[str, Table] = {}
        self._codes: dict[str, str] = {}
        self._games: dict[str, Table] = {}
        self._game_at: dict[str, str] = {}
        self._deaf = services.bus.subscribe(self._moved)
        self._waking: dict[str, asyncio.Future[Table | None]] = {}
        self._most = most_tables
        self._watchers: set[Callable[[bytes], None]] = set()
        self._calls: dict[str, Any] = {
            "handlers": HANDLERS,
            "on_change": self._changed,
            "on_sleep": self._forget,
        }
        self._telling: asyncio.TimerHandle | None = None
        self._last = b""
        self._public: set[str] = set()
        # Who is awaited in a game that sleeps, and after how many actions.
        self._awaited: OrderedDict[str, tuple[int, tuple[int, ...]]] = OrderedDict()

    # Tables

    async def make(self, ask: p.NewTable) -> p.Seated:
        """A new table; the answer goes to its host."""
        if len(self.tables) >= self._most:
            raise NotAllowed("server_full")
        for level in ask.options.bots:
            seating.known_level(level)
        state, token = seating.new_table(ask, self.services.keys, self.services.now())
        while await self.services.store.table(state.code) is not None:
            # Drawn before, by chance; the longer tables are kept, the sooner.
            state = msgspec.structs.replace(state, code=self.services.keys.code())
        await self.services.store.save(state)
        self._put(Table(self.services, state, **self._calls))
        return seated(state, 0, token)

    async def table(self, key: str) -> Table:
        """By id or code, woken if it sleeps."""
        found = await self._found(key)
        if found is None:
            raise NotAllowed("no_table", table=key)
        return found

    async def _found(self, key: str) -> Table | None:
        key = self._codes.get(key.upper(), key)
        if key in self.tables:
            return self.tables[key]
        if key not in self._waking:
            # Two who come at the same moment must meet at one table.
            self._waking[key] = asyncio.ensure_future(self._wake(key))
            self._waking[key].add_done_callback(lambda _done: self._waking.pop(key, None))
        return await asyncio.shield(self._waking[key])

    async def _wake(self, key: str) -> Table | None:
        store = self.services.store
        state = await store.table(key) or await store.table(key.upper())
        if state is None:
            return None
        if state.id not in self.tables:
            table = await Table.woken(self.services, state, **self._calls)
            # By id and by code at once: whoever was first has the table.
            if state.id in self.tables:
                await table.stop()
            else:
                self._put(table)
        return self.tables[state.id]

    def _put(self, table: Table) -> None:
        self.tables[table.state.id] = table
        self._codes[table.state.code] = table.state.id
        self.services.metrics.tables.set(len(self.tables))
        self._changed(table)

    def _forget(self, table: Table) -> None:
        self.tables.pop(table.state.id, None)
        self._games.pop(self._game_at.pop(table.state.id, ""), None)
        self._codes.pop(table.state.code, None)
        if table.playing is not None and table.state.phase == "playing":
            self._remember(table.playing)
        self.services.metrics.tables.set(len(self.tables))
        self._changed(table)

    async def join(self, key: str, ask: p.Join) -> p.Seated:
        """Sits down without a socket; hello comes next."""
        table = await self.table(key)
        asker = HttpParticipant()
        table.post(asker, p.TakeSeat(name=ask.name, seat=ask.seat, word=ask.word))
        answer = await asker.heard
        if isinstance(answer, p.Refusal):
            raise error_from(answer.error)
        assert isinstance(answer, p.Seated)
        answer.id = None
        return answer

    # The list

    def listed(self) -> tuple[p.LobbyTable, ...]:
        """Public tables that are awake: those that can be joined first, then by age."""
        public = [one for one in self.tables.values() if one.state.options.is_public]
        public = [one for one in public if one.state.phase != "over"]
        public.sort(key=lambda one: (one.state.phase != "gathering", one.state.created))
        return tuple(one.listed() for one in public[:_MOST_LISTED])

    def watch(self, tell: Callable[[bytes], None]) -> Callable[[], None]:
        """Hears of every change of the list; call the answer to hear no more."""
        self._watchers.add(tell)
        self._last = b""  # this one was told the list as it is now, which nobody else may have been
        return lambda: self._watchers.discard(tell)

    def _moved(self, game: str, number: int) -> None:
        """By the bus.  The process that made the move hears it too, and knows it already."""
        table = self._games.get(game)
        if table is not None and table.playing is not None and table.playing.number < number:
            table.post(Participant(), MovedElsewhere(game, number))

    def _changed(self, table: Table) -> None:
        state = table.state
        if state.game is not None and not table.is_asleep:
            # A table has one game at a time: after a rematch nobody moves in the one before.
            self._games.pop(self._game_at.get(state.id, ""), None)
            self._games[state.game], self._game_at[state.id] = table, state.game
        was_public = state.id in self._public
        is_public = state.options.is_public and not table.is_asleep
        (self._public.add if is_public else self._public.discard)(state.id)
        if self._watchers and (was_public or is_public) and self._telling is None:
            loop = asyncio.get_running_loop()
            self._telling = loop.call_later(_TOGETHER, self._tell)

    def _tell(self) -> None:
        self._telling = None
        text = p.write(p.Lobby(tables=self.listed()))
        if text != self._last:
            self._last = text
            for tell in tuple(self._watchers):
                tell(text)

    # My games

    async def mine(self, ask: p.Mine) -> p.MyGames:
        """What these tokens open; unknown ones are passed over in silence."""
        keys = {hashed(token): place for place, token in enumerate(ask.tokens)}
        found = await self.services.store.seats_of(list(keys))
        games = [
            await self._my_game(keys[key], state, seat, changed)
            for key, (state, seat, changed) in found.items()
        ]
        return p.MyGames(games=tuple(sorted(games, key=lambda one: -one.changed)))

    async def _my_game(self, token: int, state: TableState, seat: int, changed: float) -> p.MyGame:
        return p.MyGame(
            token=token,
            table=state.id,
            code=state.code,
            seat=seat,
            name=state.places[seat].name or "",
            phase=state.phase,
            names=tuple(place.name or "" for place in state.places if place.name),
            is_my_turn=await self._is_awaited(state, seat),
            changed=changed,
            game=state.game,
        )

    async def _is_awaited(self, state: TableState, seat: int) -> bool:
        if state.phase != "playing" or state.game is None:
            return False
        if state.id in self.tables:
            playing = self.tables[state.id].playing
            return playing is not None and seat in playing.awaited
        return seat in await self._awaited_asleep(state.game)

    async def _awaited_asleep(self, game: str) -> tuple[int, ...]:
        """From memory where the log has not grown since; a replay takes long, and someone may ask for a hundred."""
        log = await self.services.store.log(game)
        number, awaited = self._awaited.get(game, (-1, ()))
        if number == len(log):
            self._awaited.move_to_end(game)
            return awaited
        row = await self.services.store.game(game)
        if row is None:
            return ()
        # In a thread: players at other tables do not wait for it.
        return self._remember(await asyncio.to_thread(resumed, row, log, self.services.dealing))

    def _remember(self, playing: LiveGame) -> tuple[int, ...]:
        self._awaited[playing.id] = playing.number, playing.awaited
        self._awaited.move_to_end(playing.id)
        if len(self._awaited) > _MOST_REMEMBERED:
            self._awaited.popitem(last=False)
        return playing.awaited

    async def close(self) -> None:
        if self._telling is not None:
            self._telling.cancel()
        self._deaf()
        for table in tuple(self.tables.values()):
            await table.stop()
        self.tables.clear()
