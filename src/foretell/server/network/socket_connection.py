"""One WebSocket connection: reads and limits what comes in, writes what goes out.  It knows nothing of the game."""

import asyncio
import contextlib
from collections import deque
from collections.abc import Callable

import msgspec

from foretell.errors import ForetellError, NotAllowed
from foretell.server.logs import log
from foretell.server.network.asgi import Receive, Send
from foretell.server.network.budgets import Account, Bucket
from foretell.server.network.door import Door
from foretell.server.network.outgoing import OutgoingBatch
from foretell.server.network.pipe import SERVICE_RESTART, Pipe
from foretell.server.network.websocket_protocol import SendNow
from foretell.server.store.interface import Elsewhere, OwnershipLost
from foretell.server.table.internal_messages import Disconnected
from foretell.server.table.lobby import Lobby
from foretell.server.table.participants import SocketParticipant
from foretell.server.table.table import Table
from foretell.server.wire import protocol as p
from foretell.server.wire.error_messages import error_message

__all__ = ["SocketConnection"]

# Close codes (docs/protocol.md)
_NO_HELLO, _TOO_MUCH, _TOO_SLOW, _OTHER_VERSION = 4000, 4003, 4008, 4009

_TRIES, _TRY_AGAIN = 40, 0.25  # to reach the process that has a table; seconds between two tries
_PAID_AHEAD = 8  # messages, so that most messages need no look at a clock or a budget
_MOST_WAIT = 2.0  # seconds that messages of an address are delayed, before its socket is closed

_LIMITED = frozenset({p.Chat, p.ShowEmote, p.TakeSeat, p.Start, p.Rematch, p.AskCoach})


class _Closing(Exception):
    """The server is going to close the connection with this code.  `why` is its label among the metrics."""

    def __init__(self, code: int, why: str) -> None:
        super().__init__(code)
        self.code, self.why = code, why


class SocketConnection:
    """An accepted connection, until either side closes it.

    `send_now` sends without waiting, if the server offers it; `is_lost` says whether the client is gone (see
    `websocket_protocol`).  `is_inner` is for a client of another process, which comes through a pipe.
    """

    def __init__(
        self,
        lobby: Lobby,
        door: Door,
        account: Account,
        outgoing: OutgoingBatch,
        *,
        receive: Receive,
        send: Send,
        send_now: SendNow | None,
        is_lost: Callable[[], bool],
        is_inner: bool = False,
    ) -> None:
        limits = door.limits
        self._lobby, self._limits, self._outgoing = lobby, limits, outgoing
        self._door, self._account = door, account
        self._receive, self._send, self._send_now = receive, send, send_now
        self._is_lost, self._is_inner = is_lost, is_inner
        self._table: Table | Pipe | None = None
        self._pipe: Pipe | None = None  # the last one
        self._participant = self._new_participant()
        self._unsubscribe: Callable[[], None] | None = None  # from the list of tables
        self._is_introduced = False  # the client said hello, or subscribed to the list of tables
        self._hello_timeout: asyncio.Timeout | None = None
        self._waiting: deque[bytes] = deque()  # to be sent
        self._has_waiting = asyncio.Event()
        self._paid = 0  # messages that are paid for
        self._message_limit = Bucket(limits.messages, limits.message_burst)
        self._chat_limit = Bucket(limits.chats, limits.chat_burst)
        self._unreadable = 0
        self._closing: _Closing | None = None
        self._reader: asyncio.Task[None] | None = None
        self._unanswered = 0  # messages that the table has not answered yet

    # Sending

    def answer(self, message: p.FromServer) -> None:
        self.deliver(p.write(message))

    def _answer_from_table(self, message: p.FromServer) -> None:
        """Sends a table's answer, which makes room in its inbox.  Other answers, such as a pong, do not."""
        self._unanswered -= 1
        self.answer(message)

    def deliver(self, message: bytes) -> None:
        waiting = self._waiting
        if self._closing is not None:
            return
        if not waiting:
            self._outgoing.add(self)
        elif (
            len(waiting) >= self._limits.queue or sum(map(len, waiting)) > self._limits.queue_bytes
        ):
            self._close(_Closing(_TOO_SLOW, "slow"))
            return
        waiting.append(message)

    def send_waiting(self) -> None:
        """Sends everything at once if there is room.  Otherwise `_write` sends it, and waits for room."""
        if self._send_now is not None and self._send_now(self._waiting):
            self._waiting.clear()
        else:
            self._has_waiting.set()

    def send_away(self) -> None:
        self._close(_Closing(SERVICE_RESTART, "moved"))

    def _close(self, closing: _Closing) -> None:
        if self._closing is None:
            self._closing = closing
            self._lobby.services.metrics.dropped.labels(closing.why).inc()
            self._has_waiting.set()
            if self._reader is not None:
                self._reader.cancel()

    async def _write(self) -> None:
        """Sends one message after another.  `deliver` limits how many can wait."""
        while True:
            await self._has_waiting.wait()
            self._has_waiting.clear()
            while self._waiting:
                await self._send({"type": "websocket.send", "text": self._waiting[0].decode()})
                self._waiting.popleft()

    # Receiving

    async def run(self) -> None:
        writer = asyncio.ensure_future(self._write())
        self._reader = asyncio.ensure_future(self._read())
        try:
            await asyncio.wait({writer, self._reader}, return_when=asyncio.FIRST_COMPLETED)
        finally:
            self._leave_table()
            self._account.charge(self._door.budgets.messages, -self._paid)
            code = None if self._closing is None else self._closing.code
            if code is not None and code != _TOO_SLOW:
                await _until_sent(self._waiting, writer)
            for task in (writer, self._reader):
                task.cancel()
            await asyncio.gather(writer, self._reader, return_exceptions=True)
            # Both refer to this connection.  Without these cycles, all are freed without garbage collection.
            del self._participant, self._pipe
            if code is not None:
                # The connection may be lost already, or too full for a close frame.
                with contextlib.suppress(Exception):
                    await asyncio.wait_for(
                        self._send({"type": "websocket.close", "code": code}), timeout=1
                    )

    def _leave_table(self) -> None:
        """Leaves the table, or the list of tables."""
        if self._table is not None:
            self._participant.disconnect()
            self._table.post(self._participant, Disconnected())
            if isinstance(self._table, Pipe):
                self._lobby.on_living.discard(self._table.end_unless_among)
                self._lobby.services.metrics.piped.dec()
            self._table = None
        if self._unsubscribe is not None:
            self._unsubscribe()
            self._unsubscribe = None

    async def _read(self) -> None:
        try:
            async with asyncio.timeout(self._lobby.services.timeouts.hello) as self._hello_timeout:
                while (event := await self._receive())["type"] != "websocket.disconnect":
                    if not self._paid:
                        await self._pay_ahead()
                        if self._is_lost():
                            return
                    self._paid -= 1
                    text = event.get("text")
                    later = self._handle(event.get("bytes") or b"" if text is None else text)
                    if isinstance(later, p.Hello):
                        await self._handle_hello(later)
                    elif later is not None:
                        await self._answered_by_pipe()
                        self._handle_now(later)
        except TimeoutError:
            self._close(_Closing(_NO_HELLO, "silent"))
        except _Closing as closing:
            self._close(closing)

    async def _pay_ahead(self) -> None:
        """Pays for the next messages.

        A socket that sends too much is closed.  If its address sends too much with all its sockets together, we read
        more slowly: nothing is lost, and a client that waits for answers hardly notices.
        """
        count = self._message_limit.take_up_to(_PAID_AHEAD)
        if not count:
            raise _Closing(_TOO_MUCH, "rate")
        budget = self._door.budgets.messages
        wait = self._account.wait(budget, count)
        if wait > _MOST_WAIT:
            raise _Closing(_TOO_MUCH, "address")
        self._account.charge(budget, count)
        self._paid = count
        if wait:
            await asyncio.sleep(wait)

    def _handle(self, text: str | bytes) -> p.Hello | p.WatchLobby | None:
        """Reads and handles a message, but returns one that may have to wait, for a table or a pipe that it leaves."""
        try:
            message = p.read_client(text)
        except (msgspec.DecodeError, UnicodeDecodeError, RecursionError, ValueError) as error:
            self._refuse(p.id_in(text), NotAllowed("unreadable_message", reason=_reason(error)))
            self._unreadable += 1
            if self._unreadable > self._limits.unreadable:
                raise _Closing(_TOO_MUCH, "unreadable") from None
            return None
        except ForetellError as error:  # rules that cannot be combined
            self._refuse(p.id_in(text), error)
            return None
        if isinstance(message, p.Hello):
            return message
        if isinstance(message, p.WatchLobby) and isinstance(self._table, Pipe):
            return message
        self._handle_now(message)
        return None

    def _handle_now(self, message: p.Ping | p.WatchLobby | p.AtTable) -> None:
        try:
            self._handle_message(message)
        except ForetellError as error:
            self._refuse(message.id, error)

    async def _answered_by_pipe(self) -> None:
        """Before a pipe is left, every message that went through it is answered."""
        if isinstance(self._table, Pipe):
            await self._table.answered()

    def _refuse(self, id_: int | None, error: ForetellError) -> None:
        self._lobby.services.metrics.refused.labels(error.code).inc()
        self.answer(p.Refusal(id=id_, error=error_message(error, self._participant.language)))

    async def _handle_hello(self, hello: p.Hello) -> None:
        self._refuse_other_version(hello.id, hello.version)
        self._stop_hello_timeout()
        try:
            self._door.pay(self._account, self._door.budgets.hellos)
            table = await self._door.table(self._lobby, self._account, hello.table, hello.token)
            await self._answered_by_pipe()
            found = await self._reached(table, hello)
        except ForetellError as error:
            self._refuse(hello.id, error)
            return
        except OwnershipLost:
            raise _Closing(SERVICE_RESTART, "moved") from None
        except Exception as error:  # the store failed; the next hello may succeed
            self._lobby.services.metrics.failures.inc()
            log.error("hello failed", error=type(error).__name__)
            self._refuse(hello.id, NotAllowed("server_failed"))
            return
        self._leave_table()
        self._participant = self._new_participant()
        if isinstance(found, Pipe):
            self._pipe = found
            self._lobby.on_living.add(found.end_unless_among)
            self._lobby.services.metrics.piped.inc()
        self._post(found, hello)

    async def _reached(self, table: Table | Elsewhere, hello: p.Hello) -> Table | Pipe:
        """The table, or a pipe to the process that has it.

        A process that does not answer has perhaps just ended.  Then this waits until its lease has run out, or until it
        has given the table back.
        """
        for _ in range(_TRIES):
            if isinstance(table, Table):
                return table
            if self._is_inner:
                break  # the table has moved on: its client asks again, and is led to where it is now
            pipe = await Pipe.opened(
                table.peer, self._account.address, self.deliver, self._end_with_pipe, self._pipe
            )
            if pipe is not None:
                return pipe
            await asyncio.sleep(_TRY_AGAIN)
            table = await self._lobby.table(
                table.table, for_player=hello.token is not None, payer=self._account.key
            )
        raise OwnershipLost

    def _end_with_pipe(self, code: int) -> None:
        self._close(_Closing(code, "pipe"))

    def _new_participant(self) -> SocketParticipant:
        return SocketParticipant(
            self.deliver,
            self._answer_from_table,
            address=self._account.address,
            drop=self.send_away,
        )

    def _handle_message(self, message: p.Ping | p.WatchLobby | p.AtTable) -> None:
        match message:
            case p.Ping() if isinstance(self._table, Pipe) and not self._table.is_asleep:
                # The client wants to know whether its table is there.
                self._table.post(self._participant, message)
            case p.Ping():
                self._close_before_hello()
                self.answer(p.Pong(id=message.id))
            case p.WatchLobby():
                self._refuse_other_version(message.id, message.version)
                self._stop_hello_timeout()
                self._door.pay(self._account, self._door.budgets.hellos)
                self._leave_table()
                self.deliver(self._lobby.public.as_answer(message.id))
                self._unsubscribe = self._lobby.public.watch(self.deliver)
            case _ if self._table is None or self._table.is_asleep:
                self._close_before_hello()
                if self._lobby.is_stopping:  # the table is being given to another process
                    raise _Closing(SERVICE_RESTART, "moved")
                raise NotAllowed("no_hello")
            case _:
                if type(message) in _LIMITED:
                    self._limit(message)
                self._post(self._table, message)

    def _limit(self, message: p.AtTable) -> None:
        """Refuses a message if its socket or its address has sent too many of this kind."""
        budgets, account = self._door.budgets, self._account
        match message:
            case p.Chat() | p.ShowEmote():
                if not self._chat_limit.take():
                    raise NotAllowed("too_much_chat")
                self._door.pay(account, budgets.chats)
            case p.TakeSeat():
                self._door.pay(account, budgets.joins)
            case p.Start() | p.Rematch():
                self._door.pay(account, budgets.games)
            case p.AskCoach():
                self._door.check(account, budgets.thinking)

    def _post(self, table: Table | Pipe, message: p.Hello | p.AtTable) -> None:
        """Puts a message into the table's inbox, where only a limited number from one connection can wait."""
        if isinstance(table, Pipe):  # the process that has the table counts them
            self._table = table
            table.post(self._participant, message)
            return
        if self._unanswered >= self._limits.inbox:
            raise _Closing(_TOO_MUCH, "inbox")
        self._table = table
        self._unanswered += 1
        table.post(self._participant, message)

    def _stop_hello_timeout(self) -> None:
        if self._hello_timeout is not None:
            self._hello_timeout.reschedule(None)
        self._is_introduced = True

    def _close_before_hello(self) -> None:
        if not self._is_introduced:
            raise _Closing(_NO_HELLO, "no hello")

    def _refuse_other_version(self, id_: int, version: int) -> None:
        if version != p.VERSION:
            self._refuse(id_, NotAllowed("other_version", version=version, spoken=p.VERSION))
            raise _Closing(_OTHER_VERSION, "version")


def _reason(error: Exception) -> str:
    """What msgspec says is wrong with a message.  It names fields, and never values from other people."""
    return str(error)[:200] if isinstance(error, msgspec.ValidationError) else "JSON"


async def _until_sent(waiting: deque[bytes], writer: "asyncio.Future[None]") -> None:
    """Waits a moment, so that the last answer is sent before the connection is closed."""
    for _ in range(20):
        if not waiting or writer.done():
            return
        await asyncio.sleep(0.01)
