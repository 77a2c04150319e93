"""A WebSocket as a participant: reads and bounds what comes in, writes what goes out, and knows nothing of the game.

A plain ASGI application, so that the same code serves every framework; the bound on a message's size is uvicorn's
(`ws_max_size`).
"""

import asyncio
import contextlib
from collections import Counter, deque
from collections.abc import Awaitable, Callable, Iterable, MutableMapping
from typing import Any

import msgspec

from foretell.errors import ForetellError, NotAllowed
from foretell.server.logs import log
from foretell.server.network.guards import Bucket, Limits, is_welcome, whose
from foretell.server.network.websocket_protocol import AT_ONCE, AtOnce
from foretell.server.table.internal_messages import Disconnected
from foretell.server.table.lobby import Lobby
from foretell.server.table.participants import SocketParticipant
from foretell.server.table.table import Table
from foretell.server.wire import protocol as p
from foretell.server.wire.error_messages import error_message

__all__ = ["MOST_MESSAGE", "SocketApp"]

Scope = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[MutableMapping[str, Any]]]
Send = Callable[[MutableMapping[str, Any]], Awaitable[None]]

MOST_MESSAGE = 64 * 1024
NO_HELLO, TOO_MUCH, TOO_SLOW, OTHER_VERSION, TRY_LATER = 4000, 4003, 4008, 4009, 1013


class SocketApp:
    """The application at `/ws`."""

    def __init__(self, lobby: Lobby, limits: Limits, origins: Iterable[str] = ()) -> None:
        self.lobby = lobby
        self.limits = limits
        self.origins = frozenset(origins)
        self.addresses: Counter[str] = Counter()
        self._outgoing = _Outgoing()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        found = {name: value.decode("latin-1") for name, value in scope["headers"]}
        address = whose(scope.get("client"))
        await receive()  # websocket.connect
        if not is_welcome(found.get(b"origin"), found.get(b"host"), self.origins):
            self.lobby.services.metrics.dropped.labels("origin").inc()
            await send({"type": "websocket.close", "code": 1008})  # before accept: HTTP 403
            return
        await send({"type": "websocket.accept"})
        if self._is_full(address):
            self.lobby.services.metrics.dropped.labels("full").inc()
            await send({"type": "websocket.close", "code": TRY_LATER})
            return
        self.addresses[address] += 1
        self.lobby.services.metrics.sockets.inc()
        try:
            at_once: AtOnce | None = scope.get("extensions", {}).get(AT_ONCE, {}).get("send")
            await _Socket(
                self.lobby, self.limits, self._outgoing, receive, send, at_once=at_once
            ).run()
        finally:
            self.lobby.services.metrics.sockets.dec()
            self.addresses[address] -= 1
            if not self.addresses[address]:
                del self.addresses[address]

    def _is_full(self, address: str) -> bool:
        return (
            self.addresses.total() >= self.limits.sockets
            or self.addresses[address] >= self.limits.sockets_per_address
        )


class _Closed(Exception):
    """The socket is to be closed, with this code."""

    def __init__(self, code: int, why: str) -> None:
        super().__init__(code)
        self.code, self.why = code, why


class _Outgoing:
    """Sockets that have something to send: it leaves at the end of this turn of the loop, for all of them together.

    A commit sets many tables going.  What they send leaves back to back, and the other side is woken once for all of
    it rather than once for each message, which costs us more than the message itself.
    """

    def __init__(self) -> None:
        self._sockets: list[_Socket] = []

    def add(self, socket: "_Socket") -> None:
        if not self._sockets:
            asyncio.get_running_loop().call_soon(self._leave)
        self._sockets.append(socket)

    def _leave(self) -> None:
        sockets, self._sockets = self._sockets, []
        for socket in sockets:
            socket.send_waiting()


class _Socket:
    def __init__(
        self,
        lobby: Lobby,
        limits: Limits,
        outgoing: _Outgoing,
        receive: Receive,
        send: Send,
        *,
        at_once: AtOnce | None,
    ) -> None:
        self._lobby, self._limits, self._outgoing = lobby, limits, outgoing
        self._receive, self._send, self._at_once = receive, send, at_once
        self._table: Table | None = None
        self._participant = SocketParticipant(self.deliver, self._answered)
        self._unwatch: Callable[[], None] | None = None
        self._has_come = False  # said hello, or watches the lobby
        self._patience: asyncio.Timeout | None = None
        self._out: deque[bytes] = deque()
        self._wake = asyncio.Event()
        self._messages = Bucket(limits.messages, limits.message_burst)
        self._chats = Bucket(limits.chats, limits.chat_burst)
        self._unreadable = 0
        self._close: _Closed | None = None
        self._reader: asyncio.Task[None] | None = None
        self._asked = 0  # of the table, and not answered yet

    # Out

    def answer(self, message: p.FromServer) -> None:
        self.deliver(p.write(message))

    def _answered(self, message: p.FromServer) -> None:
        """What a table was asked; a pong makes no room in its inbox."""
        self._asked -= 1
        self.answer(message)

    def deliver(self, message: bytes) -> None:
        out = self._out
        if self._close is not None:
            return
        if not out:
            self._outgoing.add(self)
        elif len(out) >= self._limits.queue or sum(map(len, out)) > self._limits.queue_bytes:
            self._shut(_Closed(TOO_SLOW, "slow"))
            return
        out.append(message)

    def send_waiting(self) -> None:
        """All of it, where the line has room; else it is left to a task that waits for room."""
        if self._at_once is not None and self._at_once(self._out):
            self._out.clear()
        else:
            self._wake.set()

    def _shut(self, closed: _Closed) -> None:
        if self._close is None:
            self._close = closed
            self._wake.set()
            if self._reader is not None:
                self._reader.cancel()

    async def _write(self) -> None:
        """One message after another; what waits meanwhile is bounded by `deliver`."""
        while True:
            await self._wake.wait()
            self._wake.clear()
            while self._out:
                await self._send({"type": "websocket.send", "text": self._out[0].decode()})
                self._out.popleft()

    # In

    async def run(self) -> None:
        writer = asyncio.ensure_future(self._write())
        self._reader = asyncio.ensure_future(self._read())
        try:
            await asyncio.wait({writer, self._reader}, return_when=asyncio.FIRST_COMPLETED)
        finally:
            self._depart()
            code = self._code()
            if self._close is not None and self._close.code != TOO_SLOW and not writer.done():
                await _flushed(self._out, writer)
            for task in (writer, self._reader):
                task.cancel()
            await asyncio.gather(writer, self._reader, return_exceptions=True)
            # The participant knows us: nothing that goes in a circle would go away by itself.
            del self._participant
            if code is not None:
                # The line may be gone already, or too full to take a goodbye.
                with contextlib.suppress(Exception):
                    await asyncio.wait_for(
                        self._send({"type": "websocket.close", "code": code}), timeout=1
                    )

    def _code(self) -> int | None:
        """The code to close with; None where the other side has closed."""
        if self._close is not None:
            self._lobby.services.metrics.dropped.labels(self._close.why).inc()
            return self._close.code
        return None

    def _depart(self) -> None:
        if self._table is not None:
            self._participant.depart()
            self._table.post(self._participant, Disconnected())
            self._table = None
        if self._unwatch is not None:
            self._unwatch()
            self._unwatch = None

    async def _read(self) -> None:
        try:
            async with asyncio.timeout(self._lobby.services.timeouts.hello) as self._patience:
                while (event := await self._receive())["type"] != "websocket.disconnect":
                    text = event.get("text")
                    hello = self._heard(event.get("bytes") or b"" if text is None else text)
                    if hello is not None:
                        await self._meet(hello)
        except TimeoutError:
            self._shut(_Closed(NO_HELLO, "silent"))
        except _Closed as closed:
            self._shut(closed)

    def _heard(self, text: str | bytes) -> p.Hello | None:
        """Reads a message and takes it; only a hello is left to be waited for."""
        if not self._messages.take():
            raise _Closed(TOO_MUCH, "rate")
        try:
            message = p.read_client(text)
        except (msgspec.DecodeError, UnicodeDecodeError, RecursionError, ValueError) as error:
            self._refuse(p.id_in(text), NotAllowed("unreadable_message", reason=_reason(error)))
            self._unreadable += 1
            if self._unreadable > self._limits.unreadable:
                raise _Closed(TOO_MUCH, "unreadable") from None
            return None
        except ForetellError as error:  # rules that do not go together
            self._refuse(p.id_in(text), error)
            return None
        if isinstance(message, p.Hello):
            return message
        try:
            self._take(message)
        except ForetellError as error:
            self._refuse(message.id, error)
        return None

    def _refuse(self, id_: int | None, error: ForetellError) -> None:
        self._lobby.services.metrics.refused.labels(error.code).inc()
        self.answer(p.Refusal(id=id_, error=error_message(error, self._participant.language)))

    async def _meet(self, hello: p.Hello) -> None:
        self._refuse_other_version(hello.id, hello.version)
        self._come()
        try:
            table = await self._lobby.table(hello.table)
        except ForetellError as error:
            self._refuse(hello.id, error)
            return
        except Exception as error:  # the store's; the next hello may find it well again
            self._lobby.services.metrics.failures.inc()
            log.error("hello failed", error=type(error).__name__)
            self._refuse(hello.id, NotAllowed("server_failed"))
            return
        self._depart()
        self._participant = SocketParticipant(self.deliver, self._answered)
        self._post(table, hello)

    def _take(self, message: p.Ping | p.WatchLobby | p.AtTable) -> None:
        match message:
            case p.Ping():
                self._refuse_before_hello()
                self.answer(p.Pong(id=message.id))
            case p.WatchLobby():
                self._refuse_other_version(message.id, message.version)
                self._depart()
                self._come()
                self.answer(p.Lobby(tables=self._lobby.listed(), id=message.id))
                self._unwatch = self._lobby.watch(self.deliver)
            case _ if self._table is None or self._table.is_asleep:
                self._refuse_before_hello()
                raise NotAllowed("no_hello")
            case p.Chat() | p.ShowEmote() if not self._chats.take():
                raise NotAllowed("too_much_chat")
            case _:
                self._post(self._table, message)

    def _post(self, table: Table, message: p.Hello | p.AtTable) -> None:
        """Into the table's inbox, where only so many of one socket's may wait."""
        if self._asked >= self._limits.inbox:
            raise _Closed(TOO_MUCH, "inbox")
        self._table = table
        self._asked += 1
        table.post(self._participant, message)

    def _come(self) -> None:
        """Nobody waits for the first word any more."""
        if self._patience is not None:
            self._patience.reschedule(None)
        self._has_come = True

    def _refuse_before_hello(self) -> None:
        if not self._has_come:
            raise _Closed(NO_HELLO, "no hello")

    def _refuse_other_version(self, id_: int, version: int) -> None:
        if version != p.VERSION:
            self._refuse(id_, NotAllowed("other_version", version=version, spoken=p.VERSION))
            raise _Closed(OTHER_VERSION, "version")


def _reason(error: Exception) -> str:
    """What msgspec says about the shape of a message: it names fields, never values of others."""
    return str(error)[:200] if isinstance(error, msgspec.ValidationError) else "JSON"


async def _flushed(out: deque[bytes], writer: "asyncio.Future[None]") -> None:
    """Lets a last answer out before the close."""
    for _ in range(20):
        if not out or writer.done():
            return
        await asyncio.sleep(0.01)
