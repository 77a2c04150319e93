"""A server with one attacked table, run step by step so that two runs differ only in the cards.

Ids, tokens and the clock are fixed.  Everyone but the attacker does what the script of a `Course` says: people act when the
test says so, and bots have "thought" when the test says so.  After every step, the test waits until nothing moves any more.
"""

import asyncio
import contextlib
import hashlib
import re
from collections import defaultdict
from collections.abc import Awaitable, Callable
from pathlib import Path
from random import Random
from typing import Any
from unittest import mock

from foretell.client import Player, RefusedByTable
from foretell.deals import Dealing, given
from foretell.engine import Action, Game, View
from foretell.server.bot_threads import BotTask, BotThreads
from foretell.server.keys import hashed
from foretell.server.store.interface import Setup
from foretell.server.table.membership import Membership
from foretell.server.table.table import Table
from foretell.server.wire import protocol as p
from server.adversary import ONE_ADDRESS, ONE_BROWSER, Adversary
from server.courses import Course, FixedKeys
from server.rooms import Pair, Room, open_room

Streams = dict[str, list[bytes]]
"""What each tab and each kind of request was sent, in order."""

_HONEST = 2  # people at most


class Gate(BotThreads):
    """Bots that choose what the test says, when the test says so."""

    def __init__(self) -> None:
        super().__init__(1)
        self._waiting: dict[
            tuple[str, str | None, int | None], Callable[[Action | None], None]
        ] = {}

    def think(
        self,
        level: str,
        view: View,
        random: Random,
        on_choice: Callable[[Action | None], None],
        *,
        table: str,
        **_more: Any,
    ) -> BotTask:
        self._waiting[table, view.decision, view.seat] = on_choice
        return BotTask(self)

    async def choose(self, table: str, decision: str | None, seat: int, chosen: Action) -> None:
        """Lets the bot of this seat make its decision, which the table is about to ask."""
        asked = table, decision, seat
        await until(lambda: asked in self._waiting)
        self._waiting.pop(asked)(chosen)


class EchoCoach:
    """A coach whose advice is a fingerprint of the View that it was given."""

    def advise(self, view: View) -> tuple[p.Advice, ...]:
        seen = hashlib.sha256(p.write(view)).digest()
        points = int.from_bytes(seen[:4], "big")
        return tuple(p.Advice(action=str(one), points=float(points)) for one in view.legal)


def _held(members: list[Membership]) -> Callable[[Membership], Awaitable[None]]:
    """What a process does in place of sharing its list: it is noted, so that the test can say when."""

    async def held(one: Membership) -> None:
        members.append(one)

    return held


async def until(is_so: Callable[[], bool], seconds: float = 20) -> None:
    async with asyncio.timeout(seconds):
        while not is_so():
            await asyncio.sleep(0.001)


class World:
    """One run.  `held` has for each round of the game the seats that were the attacker's when it was dealt."""

    def __init__(
        self, path: Path | Pair, played: Course, earlier: Course | None, seed: str
    ) -> None:
        self._path, self._played, self._earlier = path, played, earlier
        self._random = Random(seed)
        self._keys = FixedKeys()
        self.held: list[set[int]] = []
        self._room: Room
        self._gate: Gate
        self._members: list[Membership] = []  # of the processes, the one with the tables first
        self._honest: list[Player] = []
        self._seats: list[p.Seated] = []

    def _dealing(self, setup: Setup) -> Dealing:
        for one in (self._played, self._earlier):
            if one is not None and one.rules.rounds == setup.rules.rounds:
                return given(one.deals)
        raise AssertionError("a game that nobody planned")

    async def run(self) -> Streams:
        """Plays the games, with an attack before every action, and returns what the attacker was sent."""
        random = self._random
        async with contextlib.AsyncExitStack() as self._stack:
            await self._open()
            await self._gather()
            if self._earlier is not None:
                await self._play(self._earlier)
                options = self._options(self._played)
                await self._honest[0].ask(p.ChangeOptions(options=options))
            self.held.clear()
            await self._play(self._played, restarts=random.random() < 0.25)
            await self._settle()
            await self._eve.close_all()
        return _streams(self._eve)

    # The server and the people

    async def _open(self) -> None:
        self._gate = Gate()
        self._members = []
        # Each process tells the others its list of tables when the test says so.
        held = mock.patch.object(Membership, "_share_for_ever", _held(self._members))
        self._stack.enter_context(held)
        room = open_room(
            self._path,
            keys=self._keys.keys,
            now=lambda: 1.0e9,
            bot_threads=self._gate,
            dealing=self._dealing,
            coach=EchoCoach(),
            seconds=120,
        )
        self._room = await self._stack.enter_async_context(room)
        if self._seats:  # after a restart
            await self._room.bring(self._seats[0].table)
            await self._room.bring(self._eve.other_table or "")
        self._honest = [
            await self._stack.enter_async_context(self._room.player(seat)) for seat in self._seats
        ]

    def _options(self, game: Course) -> p.TableOptions:
        return p.TableOptions(
            rules=game.rules, seats=game.players, bot_pause_ms=0, **self._switches
        )

    async def _gather(self) -> None:
        """Ada's table: one or two honest people, perhaps the attacker, and bots."""
        random, first = self._random, self._earlier or self._played
        self._switches: dict[str, Any] = {"is_public": random.random() < 0.5}
        ask = p.NewTable(name="Ada", options=self._options(first))
        self._seats = [await self._room.remote.make(ask)]
        for _ in range(random.randrange(_HONEST)):
            code = self._seats[0].code
            self._seats.append(await self._room.elsewhere(9).join(code, p.Join(name="Bo")))
        self._honest = [
            await self._stack.enter_async_context(self._room.player(seat)) for seat in self._seats
        ]
        self._is_one_browser = random.random() < 0.5
        disguise = ONE_BROWSER if self._is_one_browser else ONE_ADDRESS
        self._eve = Adversary(self._room, self._seats[0].code, first.players, disguise)
        own = await self._room.elsewhere(1).make(p.NewTable(name="Eve"))
        self._eve.other_table = own.code
        self._eve.tokens.append(own.token)
        if random.random() < 0.7:
            token = await self._eve.join_by_http(random)
            tab = await self._eve.open_tab(random, token)
            assert tab is not None
            await tab.ask(p.Ready())
        for one in self._honest[1:]:
            await one.ask(p.Ready())
        if random.random() < 0.2:  # whoever comes from now on needs the host's yes
            self._switches["approval"] = True
            await self._honest[0].ask(p.ChangeOptions(options=self._options(first)))

    async def _restart(self) -> None:
        await self._settle()
        while self._honest:
            await self._honest.pop().close()
            await self._settle()  # the attacker hears of each of them
        await self._stack.aclose()
        await self._open()
        self._eve.move_to(self._room)

    @property
    def _table(self) -> Table:
        return self._room.app.lobby.tables[self._seats[0].table]

    def _holds(self, seat: int) -> bool:
        return self._table.state.places[seat].token in set(map(hashed, self._eve.tokens))

    def _waits(self, seat: int) -> bool:
        successor = self._table.state.places[seat].successor
        return successor is not None and successor.token in set(map(hashed, self._eve.tokens))

    # The game

    async def _play(self, game: Course, *, restarts: bool = False) -> None:
        random = self._random
        await self._honest[0].start("counting")
        await until(lambda: self._table.playing is not None and self._table.playing.number == 0)
        self.held.clear()
        when = random.randrange(len(game.script)) if restarts else -1
        for number, before in enumerate(game.games()[:-1]):
            self._note_seats(before)
            if number == when:
                await self._restart()
            for _ in range(random.choice((0, 1, 1, 2, 3))):
                await self._settle()
                await self._eve.move(random)
            await self._settle()
            await self._let_host_decide()
            if len(self._honest) > 1 and random.random() < 0.1:
                await self._let_bo_leave()
            await self._settle()
            await self._act(*game.script[number])
        self._note_seats(game.games()[-1])  # the last action may have dealt a round
        await self._settle()

    def _note_seats(self, game: Game) -> None:
        """Notes the seats that the attacker has in a round that was just dealt."""
        while len(self.held) < len(game.rounds):
            self.held.append({seat for seat in range(game.seats) if self._holds(seat)})

    async def _act(self, seat: int, chosen: Action) -> None:
        """The seat does what the script says: its person, or a bot."""
        playing = self._table.playing
        assert playing is not None
        if not self._table.is_played_by_bot(seat):
            await self._act_as_person(seat, chosen, playing.decision or "")
        if self._table.is_played_by_bot(seat) and self._table.playing is playing:
            await self._gate.choose(self._table.state.id, playing.decision, seat, chosen)
        await until(lambda: self._table.playing is not playing)

    async def _act_as_person(self, seat: int, chosen: Action, decision: str) -> None:
        if not self._holds(seat):
            (player,) = [one for one in self._honest if one.seat == seat]
            await player.act(chosen, decision)
            return
        here = [
            tab
            for tab in self._eve.tabs
            if tab.seat == seat and tab.table and tab.table.id == self._seats[0].table
        ]
        if here:
            answer = await here[0].ask(p.Act(decision=decision, action=str(chosen)))
            assert isinstance(answer, p.Done), answer
        else:  # nobody waits for a player who has closed all tabs
            await self._honest[0].ask(p.Away(seat=seat))

    async def _let_host_decide(self) -> None:
        """The host answers requests, and sometimes removes the attacker, or lets them come back.

        She does not know who somebody is.  One browser gets one seat whatever she says; for several browsers at one
        address her yes is what lets a second one in (docs/protocol.md), so there she says it to one only.
        """
        random, ada, seats = self._random, self._honest[0], range(self._played.players)
        mine = [seat for seat in seats if self._holds(seat) or self._waits(seat)]
        asks: list[p.FromClient] = []
        for one in self._table.requests.listed():
            is_admitted = self._is_one_browser or not mine
            asks.append(p.AnswerRequest(request=one.request, is_admitted=is_admitted))
        asks = asks[:1] if random.random() < 0.5 else []
        if mine and random.random() < 0.03:
            asks.append(p.Remove(seat=random.choice(mine)))
        elif self._table.state.removed and random.random() < 0.5:
            asks += [p.AllowBack(name=one.name) for one in self._table.state.removed[:1]]
        for ask in asks:
            with contextlib.suppress(RefusedByTable):
                await ada.ask(ask)

    async def _let_bo_leave(self) -> None:
        """From now on a bot plays for him, and the attacker may take his seat."""
        self._seats.pop()
        bo = self._honest.pop()
        await bo.ask(p.Leave())
        await bo.close()

    async def _settle(self) -> None:
        """Waits until the server has noticed every closed socket, and everyone has heard everything."""
        app = self._room.app

        def is_quiet() -> bool:
            sockets = len(self._eve.tabs) + len(self._honest)
            inboxes = [one.inbox for one in app.lobby.tables.values()]
            return app.door.sockets == sockets and all(
                one.is_empty and one._waiting is not None for one in inboxes
            )

        await until(is_quiet)
        for one in self._members:
            await one._share()
        pings: list[Awaitable[object]] = [tab.ask(p.Ping()) for tab in self._eve.tabs]
        pings += [one.ask(p.Ping()) for one in self._honest]
        await asyncio.gather(*pings)


def _streams(eve: Adversary) -> Streams:
    """What was sent, except what depends on chance or on time.

    The numbers of requests to the host are random.  Updates of the lobby's list come a quarter of a second after a
    change, with whatever has happened until then.
    """
    found: Streams = defaultdict(list)
    for one in eve.heard:
        is_update = one.body.startswith(b'{"type":"lobby"') and one.body.endswith(b'"id":null}')
        if not is_update:
            found[one.source].append(re.sub(rb'"request":\d+', b'"request":0', one.body))
    return dict(found)
