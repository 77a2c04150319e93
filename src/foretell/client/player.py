"""A player at a table, who has the newest View, acts, and reconnects automatically when the connection is lost."""

import asyncio
import contextlib
import random
from collections.abc import Callable
from copy import copy
from types import TracebackType
from typing import Any

from foretell.client.transports import Connection, ConnectionLost, Transport
from foretell.client.witness import Witness, random_word
from foretell.engine import Action, View
from foretell.server.wire import protocol as p

__all__ = ["Player", "RefusedByTable"]

_PERMANENT_CLOSE_CODES = frozenset({4009})  # reconnecting would not help
_RESTARTING = 1012
_TEMPORARY_REFUSALS = frozenset({"server_failed"})  # the next hello may succeed


class RefusedByTable(Exception):
    """The table refused a message; `error` says why."""

    def __init__(self, error: p.Error) -> None:
        super().__init__(error.sentence)
        self.error = error

    @property
    def code(self) -> str:
        return self.error.code


class Player:
    """A player with a seat and its token, or a spectator without a token.

    `key` is a secret of this program, which gets one seat at a table at most.  `seat` is the player's seat now, and
    `next_seat` the one that they get with the next deal; `request` is set while the host has not answered whether they
    may sit down.  `on_message` is called with every message from the server.  `make_word` returns a new word for each
    game (docs/fair.md); without it, the player takes no part in the deals.  `witness` checks them at the end.  `pause`
    is the time in seconds before the first attempt to reconnect; it doubles after each attempt, up to `most_pause`.
    When the server restarts, everyone comes back within `spread` seconds, but not at the same moment.  If a message has
    no answer after `patience` seconds, the player asks whether the line still works, and drops it after as many more.
    """

    def __init__(
        self,
        transport: Transport,
        table: str,
        token: str | None = None,
        *,
        name: str | None = None,
        key: str | None = None,
        on_message: Callable[[p.FromServer], None] | None = None,
        make_word: Callable[[], str] | None = random_word,
        pause: float = 0.05,
        most_pause: float = 5.0,
        spread: float = 1.0,
        patience: float = 3.0,
    ) -> None:
        self._transport, self._table_key, self._token = transport, table, token
        self._name, self._key = name, key
        self._on_message = on_message or (lambda _message: None)
        self._pause, self._most_pause = pause, most_pause
        self._spread, self._patience = spread, patience
        self.witness = Witness(make_word)
        self._sending: set[asyncio.Task[None]] = set()  # hashes and words, which nobody awaits
        self._last_sent: p.SealWord | p.RevealWord | None = None
        self.table: p.Table | None = None
        self.snapshot: p.Snapshot | None = None
        self.seat: int | None = None
        self.next_seat: int | None = None
        self.request: int | None = None
        self.chat: list[p.ChatLine] = []
        self.reconnections = -1
        self._connection: Connection | None = None
        self._asked: dict[int, asyncio.Future[p.FromServer]] = {}
        self._id = 0
        self._changed = asyncio.Event()
        self._welcome = asyncio.Event()
        self._failed: Exception | None = None
        self._task: asyncio.Task[None] | None = None

    async def __aenter__(self) -> "Player":
        self._failed = None
        self._task = asyncio.ensure_future(self._run())
        await self._wait_for_welcome()
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        await self.close()

    async def close(self) -> None:
        """Ends the connection.  Calls that still wait for something raise ConnectionLost."""
        for sending in tuple(self._sending):
            sending.cancel()
        if self._task is not None:
            self._task.cancel()
            await asyncio.gather(self._task, return_exceptions=True)
            self._task = None
        self._failed = self._failed or ConnectionLost()
        self._notify()

    # What the player knows

    @property
    def view(self) -> View | None:
        """The newest View; None before the first game."""
        return None if self.snapshot is None else self.snapshot.view

    async def until(self, is_so: Callable[["Player"], bool]) -> "Player":
        """Waits until a condition holds: `await player.until(lambda me: me.table.phase == "playing")`."""
        while not is_so(self):
            self._raise_if_failed()
            self._changed.clear()
            await self._changed.wait()
        self._raise_if_failed()
        return self

    async def turn(self) -> View | None:
        """Waits until this seat has to decide something, and returns the View; None when the game is over."""
        await self.until(lambda me: me._is_asked or me._is_over)
        return None if self._is_over else self.view

    @property
    def _is_asked(self) -> bool:
        seen = self.view
        return self._welcome.is_set() and seen is not None and seen.decision is not None

    @property
    def _is_over(self) -> bool:
        # Do not ask the table: the last snapshot arrives before the message that the table has changed.
        return self.view is not None and self.view.phase == "over"

    # What the player does

    async def act(self, chosen: Action | str, decision: str | None = None) -> None:
        """Acts, and returns when the server has stored the action.

        If the connection is lost before the answer, the View after reconnecting shows whether the action had arrived.
        If the same decision is still awaited, the action is sent again.
        """
        seen, was_lost = self.view, False
        decision = decision or (seen.decision if seen is not None else None) or ""
        while True:
            try:
                await self.ask(p.Act(decision=decision, action=str(chosen)))
                return
            except ConnectionLost:
                was_lost = True
                await self._wait_for_welcome()
                if self.view is None or self.view.decision != decision:
                    return
            except RefusedByTable as refused:
                if was_lost and refused.code == "stale":
                    return  # the server got the action the first time
                raise

    async def start(self, level: str | None = None) -> None:
        """Starts a game, and returns when the first round is dealt."""
        await self.ask(p.Start(level=level))
        await self.until(lambda me: me._has_begun)

    @property
    def _has_begun(self) -> bool:
        """Whether the players' words are revealed, and the game is there that the table names."""
        table, snapshot = self.table, self.snapshot
        if table is None or table.draw is not None:
            return False
        return snapshot is not None and snapshot.game == table.game

    async def say(self, text: str) -> None:
        await self.ask(p.Chat(text=text))

    async def ask(self, message: Any) -> p.FromServer:
        """Sends a message and waits for its answer; raises RefusedByTable or ConnectionLost."""
        await self._wait_for_welcome()
        return await self._ask(message)

    async def _ask(self, message: Any) -> p.FromServer:
        connection = self._connection
        if connection is None:
            raise ConnectionLost
        self._id += 1
        message.id = self._id
        answer: asyncio.Future[p.FromServer] = asyncio.get_running_loop().create_future()
        self._asked[message.id] = answer
        try:
            await self._send(connection, message)
            # A hello may wait until another process has lost the table.
            if not isinstance(message, p.Hello | p.Ping):
                await asyncio.wait({answer}, timeout=self._patience)
                if not answer.done():
                    await self._check(connection)
            found = await answer
        finally:
            self._asked.pop(message.id, None)
        if isinstance(found, p.Refusal):
            raise RefusedByTable(found.error)
        if isinstance(message, p.Leave):
            self._token = self.request = None  # reconnecting later must not take the seat again
        return found

    async def _send(self, connection: Connection, message: Any) -> None:
        """Sends a message.  If the socket is closed, whoever asks next has to wait for another welcome.

        A closed socket refuses at once.  Asking again at once would keep the loop from ever noticing that it is closed.
        """
        try:
            await connection.send(message)
        except ConnectionLost:
            if self._connection is connection:
                self._welcome.clear()
            raise

    async def _check(self, connection: Connection) -> None:
        """Drops a connection that does not answer a ping: its process may hang.  A slow answer is waited for."""
        try:
            async with asyncio.timeout(self._patience):
                await self._ask(p.Ping())
        except TimeoutError:
            await connection.close()

    # The connection

    async def _wait_for_welcome(self) -> None:
        while not self._welcome.is_set():
            self._raise_if_failed()
            self._changed.clear()
            await self._changed.wait()
        self._raise_if_failed()

    def _raise_if_failed(self) -> None:
        if self._failed is not None:
            raise self._failed

    async def _run(self) -> None:
        pause = self._pause
        try:
            while True:
                known = self.reconnections
                more = 0.0
                try:
                    await self._stay_connected()
                except ConnectionLost as lost:
                    if lost.code in _PERMANENT_CLOSE_CODES:
                        raise
                    if lost.code == _RESTARTING and self.reconnections > known:
                        more = random.uniform(0, self._spread)
                except RefusedByTable as refused:
                    seconds = refused.error.values.get("seconds")
                    if seconds is None and refused.code not in _TEMPORARY_REFUSALS:
                        raise
                    # The server may say after how many seconds the next hello has a chance.
                    pause = max(pause, float(seconds or 0))
                if self.reconnections > known:
                    pause = self._pause
                await asyncio.sleep(pause + more)
                pause = min(self._most_pause, pause * 2)
        except Exception as error:
            # It may be any error, since `on_message` is not our code.  Every waiting call has to raise it.
            self._failed = error
            self._notify()

    async def _stay_connected(self) -> None:
        """Connects, says hello, and receives messages until the connection is lost; raises ConnectionLost."""
        self._connection = await self._transport.connect(self._table_key)
        listening = asyncio.ensure_future(self._listen())
        hello = p.Hello(
            version=p.VERSION,
            table=self._table_key,
            token=self._token,
            name=self._name,
            key=self._key,
        )
        asked = asyncio.ensure_future(self._ask(hello))
        try:
            await asyncio.wait({asked, listening}, return_when=asyncio.FIRST_COMPLETED)
            if asked.done():
                asked.result()
                self.reconnections += 1
                self._welcome.set()
                self._notify()
            await listening
        finally:
            self._welcome.clear()
            for task in (asked, listening):
                task.cancel()
            await asyncio.gather(asked, listening, return_exceptions=True)
            await self._disconnect()

    async def _disconnect(self) -> None:
        connection, self._connection = self._connection, None
        for answer in self._asked.values():
            if not answer.done():
                answer.set_exception(ConnectionLost())
        self._notify()
        if connection is not None:
            with contextlib.suppress(Exception):
                await connection.close()

    async def _listen(self) -> None:
        while self._connection is not None:
            message = await self._connection.receive()
            self._apply(message)
            self._on_message(message)
            self._notify()

    def _apply(self, message: p.FromServer) -> None:
        match message:
            case p.Welcome():
                self.table, self.snapshot, self.seat = message.table, message.snapshot, message.seat
                self.next_seat, self.request = message.next_seat, message.request
                self.chat = list(message.chat)
                self._last_sent = None  # it may not have arrived
                if message.snapshot is not None:
                    self.witness.see(message.snapshot)
                self._take_part()
            case p.Snapshot():
                self.snapshot = message
                self.witness.see(message)
            case p.TableChanged():
                self.table, self.seat = message.table, message.seat
                self.next_seat = message.next_seat
                self._take_part()
            case p.Said():
                self.chat.append(message.line)
            case p.Seated():
                self._token, self.request = message.token, None
            case p.Requested():
                self.request = message.request
            case p.Declined():
                self.request = None
            case p.Removed():
                self._token = None
        answer = self._asked.get(getattr(message, "id", None) or 0)
        if answer is not None and not answer.done():
            answer.set_result(message)

    def _take_part(self) -> None:
        """Sends the hash of this player's word before a game, and the word once the list of all hashes is closed."""
        message = None if self.table is None else self.witness.reply(self.table, self.seat)
        if message is None or message == self._last_sent:
            return
        self._last_sent = copy(message)
        task = asyncio.ensure_future(self._send_word(message))
        self._sending.add(task)
        task.add_done_callback(self._sending.discard)

    async def _send_word(self, message: p.SealWord | p.RevealWord) -> None:
        # After a lost connection, the next welcome says whether it has to be sent again.
        with contextlib.suppress(ConnectionLost, RefusedByTable):
            await self._ask(message)
            self.witness.accepted(message)

    def _notify(self) -> None:
        self._changed.set()
