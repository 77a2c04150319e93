"""An attacker who uses everything that the protocol allows, and keeps every byte that comes back.

It has several tabs, names, browser keys or addresses, and asks the HTTP interface about everything it has heard of.  What it
does next depends on random numbers and on what it was sent, so two servers that send the same are asked the same.

Two browsers at two addresses are two people as far as a server can know (docs/protocol.md), so one attacker has either one
address and several keys, or one key and several addresses.
"""

import asyncio
import urllib.error
import urllib.request
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from random import Random
from typing import Any, NamedTuple

import msgspec
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed

from foretell.client import ConnectionLost
from foretell.deals import word_hash
from foretell.engine import View
from foretell.server.wire import protocol as p
from server.attacker import BROWSER, Attacker, Tab
from server.rooms import Room
from tables import UNIVERSE

MOST_TABS = 5
UNKNOWN_TOKEN = "a-token-of-nobody-at-all"


class Heard(NamedTuple):
    """Something that the attacker was sent: by which tab or request, the bytes, and where the game stood then."""

    source: str
    body: bytes
    at: Any


@dataclass(frozen=True)
class Disguise:
    """By what a server could recognise the attacker."""

    keys: tuple[str | None, ...]
    addresses: tuple[int, ...]


ONE_ADDRESS = Disguise((BROWSER, BROWSER, None, "another-browser-0", "another-browser-1"), (1,))
ONE_BROWSER = Disguise((BROWSER,), (1, 2, 3))


class _Listening:
    """A connection that hands on every message: what is sent, and the bytes that come, before they are read."""

    def __init__(
        self,
        socket: ClientConnection,
        hear: Callable[[bytes], None],
        say: Callable[[p.FromClient], None],
    ) -> None:
        self._socket, self._hear, self._say = socket, hear, say

    async def send(self, message: p.FromClient) -> None:
        self._say(message)
        await self._socket.send(p.write(message), text=True)

    async def receive(self) -> p.FromServer:
        try:
            body = bytes(await self._socket.recv(decode=False))
        except ConnectionClosed:
            raise ConnectionLost from None
        self._hear(body)
        return p.read_server(body)

    async def close(self) -> None:
        await self._socket.close()


Move = Callable[[Tab, Random], Awaitable[object]]


class Adversary(Attacker):
    """One attacker at one table.  With `plays`, it also makes the decisions of a seat that it has.

    `moment` says where the game stands now.  `other_table` is a table of the attacker's own.
    """

    def __init__(
        self,
        room: Room,
        table: str,
        seats: int,
        disguise: Disguise = ONE_ADDRESS,
        *,
        plays: bool = False,
        moment: Callable[[], Any] = lambda: None,
    ) -> None:
        super().__init__(room.elsewhere(disguise.addresses[0]), table)
        self._room, self._seats, self._disguise = room, seats, disguise
        self._plays, self._moment = plays, moment
        self.heard: list[Heard] = []
        self.tried: dict[tuple[str, int], str] = {}  # actions, by the tab and the id of the message
        self.games: list[str] = []  # of which the attacker has heard
        self.records: list[bytes] = []  # of finished games
        self.other_table: str | None = None
        self._opened = 0
        self._sealed = 0

    def move_to(self, room: Room) -> None:
        """Goes on at a server that was started again."""
        self._room = room
        self.tabs.clear()

    # Sockets and requests

    def _address(self, random: Random) -> dict[str, str]:
        return {"x-forwarded-for": f"198.51.100.{random.choice(self._disguise.addresses)}"}

    async def open_tab(self, random: Random, token: str | None = None) -> Tab | None:
        """A new tab with a token or without; None if it is refused."""
        self._opened += 1
        source = f"tab {self._opened}"
        address = f"ws://127.0.0.1:{self._room.port}/ws"
        socket = await connect(
            address, compression=None, additional_headers=self._address(random), max_size=2**22
        )
        listening = _Listening(
            socket,
            lambda body: self._hear(source, body),
            lambda message: self._say(source, message),
        )
        tab = Tab(self, listening)
        if isinstance(await tab.ask(self._hello(random, self._table, token)), p.Refusal):
            await tab.close()
            return None
        self.tabs.append(tab)
        return tab

    def _hello(self, random: Random, table: str, token: str | None) -> p.Hello:
        key = random.choice(self._disguise.keys)
        return p.Hello(version=p.VERSION, table=table, token=token, name="Eve", key=key)

    def _hear(self, source: str, body: bytes) -> None:
        self.heard.append(Heard(source, body, self._moment()))

    def _say(self, source: str, message: p.FromClient) -> None:
        if isinstance(message, p.Act):
            self.tried[source, message.id] = message.action

    async def fetch(
        self, method: str, path: str, random: Random, body: Any = None
    ) -> tuple[int, bytes]:
        """Makes an HTTP request, and keeps the status and the body of the response."""
        headers = {"content-type": "application/json", **self._address(random)}
        data = body if body is None or isinstance(body, bytes) else p.write(body)
        request = urllib.request.Request(self._room.address + path, data, headers, method=method)

        def ask() -> tuple[int, bytes]:
            try:
                with urllib.request.urlopen(request, timeout=20) as answer:
                    return answer.status, answer.read()
            except urllib.error.HTTPError as error:
                with error:
                    return error.code, error.read()

        status, found = await asyncio.to_thread(ask)
        self._hear(f"{method} {path} {status}", found)
        return status, found

    async def join_by_http(self, random: Random, seat: int | None = None) -> str | None:
        """Takes a seat and returns its token; None if that is refused."""
        ask = p.Join(name="Eve", seat=seat, key=random.choice(self._disguise.keys))
        status, body = await self.fetch("POST", f"/api/tables/{self._table}/seats", random, ask)
        if status != 201:
            return None
        token = msgspec.json.decode(body, type=p.Seated).token
        self.tokens.append(token)
        return token

    # What it does

    async def move(self, random: Random) -> None:
        """One random thing."""
        if not self.tabs or (len(self.tabs) < MOST_TABS and random.random() < 0.2):
            await self.open_tab(random, self._some_token(random))
            return
        tab = random.choice(self.tabs)
        if tab.table is not None and tab.table.game not in (None, *self.games):
            self.games.append(tab.table.game or "")
        seen = tab.newest
        if self._plays and seen is not None and seen.decision is not None and random.random() < 0.7:
            await tab.ask(p.Act(decision=seen.decision, action=str(random.choice(seen.legal))))
            return
        waiting = [one for one in self.tabs if one.newest and one.next_seat in one.newest.awaited]
        if waiting and random.random() < 0.5:
            await self._ask_coach(waiting[0], random)
            return
        moves: list[Move] = [
            self._take_seat,
            self._take_seat,
            self._join,
            self._leave,
            self._close,
            self._say_hello,
            self._watch_lobby,
            self._ask_coach,
            self._act_wrongly,
            self._change_table,
            self._talk,
            self._look,
            self._look,
        ]
        await random.choice(moves)(tab, random)

    def _some_token(self, random: Random) -> str | None:
        if random.random() < 0.05:
            return UNKNOWN_TOKEN
        return random.choice((None, *self.tokens, *self.tokens))

    def _some_seat(self, random: Random) -> int | None:
        """Any, or one that has to decide something now: about that, a server could tell most."""
        awaited = {seat for tab in self.tabs if tab.newest for seat in tab.newest.awaited}
        seat: int | None = random.choice((None, *range(self._seats), *sorted(awaited) * 3))
        return seat

    async def _take_seat(self, tab: Tab, random: Random) -> None:
        name = random.choice(("Eve", "Mallory"))
        await tab.ask(p.TakeSeat(name=name, seat=self._some_seat(random)))

    async def _join(self, _tab: Tab, random: Random) -> None:
        await self.join_by_http(random, self._some_seat(random))

    async def _leave(self, tab: Tab, _random: Random) -> None:
        await tab.ask(p.Leave())

    async def _close(self, tab: Tab, _random: Random) -> None:
        await tab.ask(p.Ping())  # whatever was sent before is heard
        await self.close(tab)

    async def _say_hello(self, tab: Tab, random: Random) -> None:
        """On the same socket: to the same table, to another, or to one that does not exist."""
        table = random.choice((self._table, self._table, self.other_table or "NOSUCHTABLE"))
        await self._move_tab(tab, self._hello(random, table, self._some_token(random)))

    async def _watch_lobby(self, tab: Tab, random: Random) -> None:
        await self._move_tab(tab, p.WatchLobby(version=p.VERSION))
        await self._move_tab(tab, self._hello(random, self._table, self._some_token(random)))

    async def _move_tab(self, tab: Tab, message: p.Hello | p.WatchLobby) -> None:
        answer = await tab.ask(message)
        if not isinstance(answer, p.Welcome) and not _is_unknown_table(answer):
            tab.seat = tab.next_seat = tab.table = tab.newest = None  # it is at no table now

    async def _ask_coach(self, tab: Tab, random: Random) -> None:
        """Also about a decision that only others are asked."""
        open_now = [_open_decision(one.newest) for one in self.tabs if one.newest]
        await tab.ask(p.AskCoach(decision=random.choice((*open_now, *open_now, "1:bid:0"))))

    async def _act_wrongly(self, tab: Tab, random: Random) -> None:
        """An action that is not allowed: the refusal may say only what the attacker may know."""
        seen = tab.newest
        legal = () if seen is None else seen.legal
        tried = random.choice([one for one in UNIVERSE if one not in legal])
        asked = "1:play:0" if seen is None else _open_decision(seen)
        await tab.ask(p.Act(decision=asked, action=str(tried)))

    async def _talk(self, tab: Tab, random: Random) -> None:
        say = random.choice((p.Chat(text="what do you hold?"), p.ShowEmote(emote="hurry")))
        await tab.ask(say)

    async def _change_table(self, tab: Tab, random: Random) -> None:
        """Everything that changes the table or a game that is not running, mostly without the right to do so."""
        seat = random.randrange(self._seats)
        asks: list[p.FromClient] = [
            p.Away(),
            p.Away(),
            p.Back(),
            p.Back(),
            p.Away(seat=seat),
            p.Sit(seat=seat),
            p.Fill(seat=seat, level="random"),
            p.Empty(seat=seat),
            p.Remove(seat=seat),
            p.AllowBack(name="Eve"),
            p.Mute(seat=seat),
            p.PassHost(seat=seat),
            p.Ready(),
            p.Rematch(),
            p.Start(level="random"),
            p.RevealWord(word="a word"),
            p.Ping(),
        ]
        table = tab.table
        if table is not None:
            asks.append(p.ChangeOptions(options=table.options))
            # Saying yes to oneself is a host's right, and docs/protocol.md says so.
            asks += [
                p.AnswerRequest(request=one.request, is_admitted=tab.seat != table.host)
                for one in table.requests
            ]
            if self._plays:  # words change the deals
                asks += self._words(table, random)
        await tab.ask(random.choice(asks))

    def _words(self, table: p.Table, random: Random) -> list[p.FromClient]:
        """Words for the next deals, sealed and open; `word 1`, `word 2` … are those that it may reveal."""
        self._sealed += 1
        commit = table.next_commit or "0" * 64
        shown = f"word {random.randint(1, self._sealed)}"
        return [
            p.SealWord(commit=commit, hash=word_hash(commit, f"word {self._sealed}")),
            p.RevealWord(word=shown),
            p.SayWord(word=shown),
        ]

    async def _look(self, _tab: Tab, random: Random) -> None:
        """Reads something by HTTP: this table, its games, other games, and what needs no table."""
        game = random.choice(self.games) if self.games else "no-such-game"
        seat, number = random.randrange(self._seats), random.randint(1, 4)
        reads: list[tuple[str, str, Any]] = [
            ("GET", f"/api/tables/{self._table}", None),
            ("GET", "/api/tables", None),
            ("GET", f"/api/games/{game}", None),
            ("GET", f"/api/games/{game}/record", None),
            ("GET", f"/api/games/{game}/replay/{number}?seat={seat}", None),
            ("GET", f"/api/games/{game}/replay/{number}", None),
            ("POST", "/api/mine", p.Mine(tokens=tuple(self.tokens[-90:]))),
            ("GET", "/api/ready", None),
            ("GET", "/metrics", None),
        ]
        if self._plays or game == (self.games or [""])[-1]:  # how far a review is depends on time
            reads.append(("POST", f"/api/games/{game}/review", None))
        record = random.choice(self.records or [b'{"format": "wizard-record/1"}'])
        reads.append(("POST", f"/api/replay?number={number}&seat={seat}", record))
        if self._plays:
            reads.append(("POST", "/api/review", record))
        method, path, body = random.choice(reads)
        status, found = await self.fetch(method, path, random, body)
        if status == 200 and path.endswith("/record"):
            self.records.append(found)


def _open_decision(seen: View) -> str:
    """What somebody at the table is asked now, whoever it is: everyone can work out its name (docs/view.md)."""
    tricks = 0 if seen.now is None else len(seen.now.tricks)
    return f"{len(seen.sheet) + 1}:{seen.phase}:{tricks}"


def _is_unknown_table(answer: p.FromServer) -> bool:
    """After this refusal a socket stays where it was."""
    return isinstance(answer, p.Refusal) and answer.error.code == "no_table"
