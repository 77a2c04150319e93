"""All tables of a process: creates, finds and wakes them."""

import asyncio
import contextlib
from collections import OrderedDict
from collections.abc import Iterable, Iterator
from functools import partial
from typing import Any

import msgspec

from foretell.errors import NotAllowed
from foretell.rules.version import is_played
from foretell.server.game.live_game import LiveGame, resumed
from foretell.server.keys import hashed
from foretell.server.store.interface import TableState
from foretell.server.table import seating
from foretell.server.table.handlers import HANDLERS
from foretell.server.table.internal_messages import MovedElsewhere
from foretell.server.table.participants import HttpParticipant, Participant
from foretell.server.table.public_tables import PublicTables
from foretell.server.table.services import Services
from foretell.server.table.table import Table
from foretell.server.table.table_messages import seated
from foretell.server.wakeups import Waking
from foretell.server.wire import protocol as p
from foretell.server.wire.error_messages import error_from

__all__ = ["Lobby"]

_MOST_REMEMBERED = 10_000  # sleeping games for which we remember whose turn it is


class Lobby:
    """The tables in memory, by id.  A sleeping table is only in the store."""

    def __init__(self, services: Services, *, most_tables: int = 10_000) -> None:
        self.services = services
        self.tables: dict[str, Table] = {}
        self._codes: dict[str, str] = {}  # the id of each table, by its code
        self._games: dict[str, Table] = {}  # each table, by the id of its game
        self._game_at: dict[str, str] = {}  # the id of the current game, by the id of its table
        self._unsubscribe = services.bus.subscribe(self._on_move)
        self._waking: dict[str, asyncio.Future[Table | None]] = {}
        # Tables that are being deleted, with a future that is done when that has ended; and how often it has.
        self._deleting: dict[str, asyncio.Future[None]] = {}
        self._deletions = 0
        self._most = most_tables
        self.public = PublicTables(self.tables)
        self._hooks: dict[str, Any] = {
            "handlers": HANDLERS,
            "on_change": self._on_change,
            "on_sleep": self._on_sleep,
        }
        # By sleeping game: the number of its actions, and the seats that had to act after them.
        self._awaited: OrderedDict[str, tuple[int, tuple[int, ...]]] = OrderedDict()

    # Tables

    async def make(self, ask: p.NewTable, address: str | None = None) -> p.Seated:
        """Creates a table; the answer is for its host.  `address` is the network address of the host."""
        if len(self.tables) >= self._most:
            raise NotAllowed("server_full")
        for level in ask.options.bots:
            seating.known_level(level)
        state, token = seating.new_table(ask, self.services.keys, self.services.now(), address)
        while await self.services.store.table(state.code) is not None:
            # Another table has this code, by chance.
            state = msgspec.structs.replace(state, code=self.services.keys.code())
        await self.services.store.save(state)
        self._add(Table(self.services, state, **self._hooks))
        return seated(state, 0, token)

    async def table(self, key: str, *, for_player: bool = False) -> Table:
        """A table by its id or its code; wakes it if it is asleep.  Tables that players want are woken first."""
        found = await self._found(key, for_player=for_player)
        if found is None:
            raise NotAllowed("no_table", table=key)
        return found

    async def _found(self, key: str, *, for_player: bool) -> Table | None:
        key = self._codes.get(key.upper(), key)
        if key in self.tables:
            return self.tables[key]
        if key not in self._waking:
            # Two players who arrive at the same moment must get the same table.
            urgency = Waking.FOR_PLAYER if for_player else Waking.FOR_VISITOR
            self._waking[key] = asyncio.ensure_future(self._wake(key, urgency))
            self._waking[key].add_done_callback(lambda _done: self._waking.pop(key, None))
        elif for_player:
            self.services.wakeups.hurry(key)
        return await asyncio.shield(self._waking[key])

    async def _wake(self, key: str, urgency: Waking) -> Table | None:
        async with self.services.wakeups.turn(key, urgency):
            return await self._from_store(key)

    async def _from_store(self, key: str) -> Table | None:
        state = await self._stored_state(key)
        if state is None:
            return None
        if state.id not in self.tables:
            table = await Table.woken(self.services, state, **self._hooks)
            # It may have been woken by its id and by its code at the same time: keep the first one.
            if state.id in self.tables:
                await table.stop()
            else:
                self._add(table)
        return self.tables[state.id]

    async def _stored_state(self, key: str) -> TableState | None:
        """The state of a sleeping table.  If it is just being deleted, this waits until that is done."""
        store = self.services.store
        while True:
            deletions = self._deletions
            state = await store.table(key) or await store.table(key.upper())
            if state is not None and state.id in self._deleting:
                await self._deleting[state.id]
            elif state is None or deletions == self._deletions:
                return state

    @contextlib.contextmanager
    def kept_asleep(self, tables: Iterable[tuple[str, str]]) -> Iterator[list[str]]:
        """Those of these tables, given as ids and codes, that are asleep; inside the context they cannot be woken."""
        waking = {key.upper() for key in self._waking}  # by id or by code, in any case
        asleep = [
            table
            for table, code in tables
            if table not in self.tables and not waking & {table.upper(), code.upper()}
        ]
        done = asyncio.get_running_loop().create_future()
        self._deleting.update(dict.fromkeys(asleep, done))
        try:
            yield asleep
        finally:
            for table in asleep:
                del self._deleting[table]
            self._deletions += 1
            done.set_result(None)

    def _add(self, table: Table) -> None:
        self.tables[table.state.id] = table
        self._codes[table.state.code] = table.state.id
        self.services.metrics.tables.set(len(self.tables))
        self._on_change(table)

    def _on_sleep(self, table: Table) -> None:
        self.tables.pop(table.state.id, None)
        self._games.pop(self._game_at.pop(table.state.id, ""), None)
        self._codes.pop(table.state.code, None)
        if table.playing is not None and table.state.phase == "playing":
            self._remember(table.playing)
        self.services.metrics.tables.set(len(self.tables))
        self._on_change(table)

    async def join(self, key: str, ask: p.Join, address: str | None = None) -> p.Seated:
        """Takes a seat by HTTP; the player connects afterwards."""
        table = await self.table(key)
        participant = HttpParticipant(address=address, key=ask.key)
        table.post(participant, p.TakeSeat(name=ask.name, seat=ask.seat, word=ask.word))
        answer = await participant.answered
        if isinstance(answer, p.Refusal):
            raise error_from(answer.error)
        assert isinstance(answer, p.Seated)
        answer.id = None
        return answer

    # Changes

    def _on_move(self, game: str, number: int) -> None:
        """Called by the bus, also in the process that made the move, which knows about it already."""
        table = self._games.get(game)
        if table is not None and table.playing is not None and table.playing.number < number:
            table.post(Participant(), MovedElsewhere(game, number))

    def _on_change(self, table: Table) -> None:
        state = table.state
        if state.game is not None and not table.is_asleep:
            # A table has one game at a time: after a rematch, nothing more happens in the previous one.
            self._games.pop(self._game_at.get(state.id, ""), None)
            self._games[state.game], self._game_at[state.id] = table, state.game
        self.public.change(table)

    # My games

    async def mine(self, ask: p.Mine) -> p.MyGames:
        """The games to which these tokens belong; unknown tokens are ignored."""
        indices = {hashed(token): index for index, token in enumerate(ask.tokens)}
        found = await self.services.store.seats_of(list(indices))
        games = [
            await self._my_game(indices[token_hash], token_hash, state, seat, changed)
            for token_hash, (state, seat, changed) in found.items()
        ]
        return p.MyGames(games=tuple(sorted(games, key=lambda one: -one.changed)))

    async def _my_game(
        self, token: int, token_hash: str, state: TableState, seat: int, changed: float
    ) -> p.MyGame:
        place = state.places[seat]
        is_mine = place.token == token_hash
        person = place if is_mine or place.successor is None else place.successor
        return p.MyGame(
            token=token,
            table=state.id,
            code=state.code,
            seat=seat,
            name=person.name or "",
            phase=state.phase,
            names=tuple(place.name or "" for place in state.places if place.name),
            is_my_turn=is_mine and await self._is_awaited(state, seat),
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
        """The seats that have to act in a sleeping game.

        They are cached until the log grows: replaying takes a while, and one request may ask for a hundred games.
        """
        log = await self.services.store.log(game)
        number, awaited = self._awaited.get(game, (-1, ()))
        if number == len(log):
            self._awaited.move_to_end(game)
            return awaited
        row = await self.services.store.game(game)
        if row is None:
            return ()
        if not is_played(row.setup.rules_version):
            return ()  # it cannot be played here
        # In a thread, so that players at other tables do not wait for it.
        replay = partial(resumed, row, log, self.services.dealing)
        return self._remember(await self.services.wakeups.look_up(game, replay))

    def _remember(self, playing: LiveGame) -> tuple[int, ...]:
        self._awaited[playing.id] = playing.number, playing.awaited
        self._awaited.move_to_end(playing.id)
        if len(self._awaited) > _MOST_REMEMBERED:
            self._awaited.popitem(last=False)
        return playing.awaited

    async def close(self) -> None:
        self.public.close()
        self._unsubscribe()
        for table in tuple(self.tables.values()):
            await table.stop()
        self.tables.clear()
