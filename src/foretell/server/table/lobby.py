"""All tables of a process: creates, finds and wakes them."""

import asyncio
import contextlib
from collections import OrderedDict
from collections.abc import Callable, Iterable, Iterator
from functools import partial
from typing import Any
from weakref import WeakValueDictionary

import msgspec

from foretell.errors import NotAllowed
from foretell.rules.version import is_played
from foretell.server.game.live_game import LiveGame, resumed
from foretell.server.keys import hashed
from foretell.server.logs import log
from foretell.server.store.interface import (
    Elsewhere,
    Lease,
    NewerTable,
    OwnershipLost,
    SharedStore,
    TableState,
    Taken,
)
from foretell.server.table import seating
from foretell.server.table.handlers import HANDLERS
from foretell.server.table.participants import HttpParticipant
from foretell.server.table.public_tables import PublicTables
from foretell.server.table.services import Services
from foretell.server.table.table import MOST_TO_FINISH, Table
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
        self._waking: dict[str, asyncio.Future[Table | Elsewhere | None]] = {}
        # Held while a table is taken, by its id.
        self._taking: WeakValueDictionary[str, asyncio.Lock] = WeakValueDictionary()
        self._releasing: set[asyncio.Task[None]] = set()
        self.is_stopping = False
        self.is_cut_off = False  # from the store, for so long that others may have its tables
        # Tables that are being deleted, with a future that is done when that has ended; and how often it has.
        self._deleting: dict[str, asyncio.Future[None]] = {}
        self._deletions = 0
        self._most = most_tables
        self.public = PublicTables(self.tables)
        # Called now and then with the ids of the processes that live.
        self.on_living: set[Callable[[frozenset[str]], None]] = set()
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
        while (lease := await self.services.store.add(state)) is None:
            # Another table has this code, by chance.
            state = msgspec.structs.replace(state, code=self.services.keys.code())
        if isinstance(self.services.store, SharedStore):
            # The first player decides which process has the table: a balancer may lead them to another one than this.
            await self._released([lease])
        else:
            self._add(Table(self.services, Taken(state, lease), **self._hooks))
        return seated(state, 0, token)

    async def table(
        self, key: str, *, for_player: bool = False, payer: str | None = None
    ) -> Table | Elsewhere:
        """A table by its id or its code; wakes it if it is asleep.  Tables that players want are woken first.

        If it belongs to another process, the answer says how to reach that one.  `payer` is the network address that
        wants it.
        """
        if not self.takes_players:
            raise OwnershipLost
        found = await self._found(key, for_player=for_player, payer=payer)
        if found is None:
            raise NotAllowed("no_table", table=key)
        return found

    async def own_table(self, key: str, *, for_player: bool = False) -> Table:
        """A table that this process has, or can have."""
        found = await self.table(key, for_player=for_player)
        if isinstance(found, Elsewhere):
            raise OwnershipLost
        return found

    async def _found(
        self, key: str, *, for_player: bool, payer: str | None
    ) -> Table | Elsewhere | None:
        key = self._codes.get(key.upper(), key)
        if key in self.tables:
            return self.tables[key]
        if key not in self._waking:
            # Two players who arrive at the same moment must get the same table.
            urgency = Waking.FOR_PLAYER if for_player else Waking.FOR_VISITOR
            self._waking[key] = asyncio.ensure_future(self._wake(key, urgency, payer))
            self._waking[key].add_done_callback(lambda _done: self._waking.pop(key, None))
        elif for_player:
            self.services.wakeups.hurry(key, payer)
        return await asyncio.shield(self._waking[key])

    async def _wake(self, key: str, urgency: Waking, payer: str | None) -> Table | Elsewhere | None:
        async with self.services.wakeups.turn(key, urgency, payer):
            if not self.takes_players:
                raise OwnershipLost
            try:
                return await self._from_store(key)
            except NewerTable as newer:
                return await self._at_newer_process(newer)

    async def _at_newer_process(self, newer: NewerTable) -> Elsewhere:
        """The way to a process whose version can read this table."""
        store = self.services.store
        peer = await store.reader_of(newer) if isinstance(store, SharedStore) else None
        if peer is None:
            raise NotAllowed("newer_table")
        return Elsewhere(newer.table, peer)

    async def _from_store(self, key: str) -> Table | Elsewhere | None:
        state = await self._stored_state(key)
        if state is None:
            return None
        # It may be woken by its id and by its code at the same time: then the second waits for the first.
        lock = self._taking.setdefault(state.id, asyncio.Lock())
        async with lock:
            return await self._taken(state)

    async def _taken(self, state: TableState) -> Table | Elsewhere | None:
        if state.id in self.tables:
            return self.tables[state.id]
        taken = await self.services.store.take(state)
        if not isinstance(taken, Taken):
            return taken
        try:
            table = await Table.woken(self.services, taken, **self._hooks)
        except BaseException:
            self._release(taken.lease)
            raise
        if not self.takes_players:  # since we asked for it
            await table.stop()
            await self._released([taken.lease])
            raise OwnershipLost
        self._add(table)
        return table

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
        if self.tables.get(table.state.id) is table:
            del self.tables[table.state.id]
        self._codes.pop(table.state.code, None)
        if table.playing is not None and table.state.phase == "playing":
            self._remember(table.playing)
        self.services.metrics.tables.set(len(self.tables))
        self._on_change(table)
        self._release(table.lease)

    def _release(self, lease: Lease) -> None:
        """Gives a table back, in the background.  If that fails, the lease of this process keeps it a little longer."""
        task = asyncio.ensure_future(self._released([lease]))
        self._releasing.add(task)
        task.add_done_callback(self._releasing.discard)

    async def _released(self, leases: list[Lease]) -> None:
        try:
            await self.services.store.release(leases)
        except Exception as error:
            log.warning("tables not released", error=type(error).__name__)

    async def join(self, key: str, ask: p.Join, address: str | None = None) -> p.Seated:
        """Takes a seat by HTTP; the player connects afterwards."""
        table = await self.own_table(key)
        participant = HttpParticipant(address=address, key=ask.key)
        table.post(participant, p.TakeSeat(name=ask.name, seat=ask.seat, word=ask.word))
        answer = await participant.answered
        if isinstance(answer, p.Refusal):
            raise error_from(answer.error)
        assert isinstance(answer, p.Seated)
        answer.id = None
        return answer

    # Changes

    def _on_change(self, table: Table) -> None:
        self.public.change(table)

    # My games

    async def mine(self, ask: p.Mine, payer: str | None = None) -> p.MyGames:
        """The games to which these tokens belong; unknown tokens are ignored.  `payer` is the address that asks."""
        indices = {hashed(token): index for index, token in enumerate(ask.tokens)}
        found = await self.services.store.seats_of(list(indices))
        games = [
            await self._my_game(indices[token_hash], token_hash, one, payer)
            for token_hash, one in found.items()
        ]
        return p.MyGames(games=tuple(sorted(games, key=lambda one: -one.changed)))

    async def _my_game(
        self, token: int, token_hash: str, found: tuple[TableState, int, float], payer: str | None
    ) -> p.MyGame:
        state, seat, changed = found
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
            is_my_turn=is_mine and await self._is_awaited(state, seat, payer),
            changed=changed,
            game=state.game,
        )

    async def _is_awaited(self, state: TableState, seat: int, payer: str | None) -> bool:
        if state.phase != "playing" or state.game is None:
            return False
        if state.id in self.tables:
            playing = self.tables[state.id].playing
            return playing is not None and seat in playing.awaited
        return seat in await self._awaited_asleep(state.game, payer)

    async def _awaited_asleep(self, game: str, payer: str | None) -> tuple[int, ...]:
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
        return self._remember(await self.services.wakeups.look_up(game, replay, payer))

    def _remember(self, playing: LiveGame) -> tuple[int, ...]:
        self._awaited[playing.id] = playing.number, playing.awaited
        self._awaited.move_to_end(playing.id)
        if len(self._awaited) > _MOST_REMEMBERED:
            self._awaited.popitem(last=False)
        return playing.awaited

    # Stopping

    @property
    def takes_players(self) -> bool:
        """Whether players can come here; otherwise they have to go to another process."""
        return not (self.is_stopping or self.is_cut_off)

    def cut_off(self) -> None:
        """Forgets all tables at once: the lease of this process has run out, so that others may have them."""
        self.is_cut_off = True
        for table in tuple(self.tables.values()):
            try:
                table.abandon()
            except (
                Exception
            ) as error:  # the others must be forgotten too, and the lease renewed again
                log.error("table not abandoned", error=type(error).__name__)
                self.tables.pop(table.state.id, None)

    async def hand_over(self) -> None:
        """Lets all tables finish what they are doing, and gives them back, so that other processes can take them.

        Those that are ready are given back together, and do not wait for the slowest.  Their players are sent away only
        then: they would come too early.
        """
        self.is_stopping = True
        waking = {asyncio.ensure_future(_ended(one)) for one in self._waking.values()}
        tables = {asyncio.ensure_future(_finished(one)) for one in self.tables.values()}
        working: set[asyncio.Future[Table | None]] = waking | tables
        while working:
            done, working = await asyncio.wait(working, return_when=asyncio.FIRST_COMPLETED)
            finished = [found for one in done if (found := one.result()) is not None]
            await self._released([one.lease for one in finished])
            for table in finished:
                table.send_away()

    async def close(self) -> None:
        self.public.close()
        for table in tuple(self.tables.values()):
            await table.stop()
        self.tables.clear()
        await asyncio.gather(*self._releasing)


async def _finished(table: Table) -> Table | None:
    await table.finish()
    return table


async def _ended(waking: "asyncio.Future[Any]") -> Table | None:
    """Waits for a table that is being woken: it is given back at once."""
    await asyncio.wait({waking}, timeout=MOST_TO_FINISH)
    return None
