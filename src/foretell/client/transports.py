"""How a client reaches tables: on a server over the network, or in the same process.  Both work the same way."""

import asyncio
import json
import urllib.error
import urllib.request
from collections.abc import Mapping
from typing import Any, Protocol, TypeVar
from urllib.parse import quote

import msgspec
from websockets.asyncio.client import ClientConnection
from websockets.asyncio.client import connect as websocket_connect
from websockets.exceptions import ConnectionClosed, InvalidHandshake

from foretell.engine.codec import decoded
from foretell.errors import ForetellError, NotAllowed
from foretell.record import Record
from foretell.server.game.finished import finished_game
from foretell.server.store.memory import MemoryStore
from foretell.server.table.in_process import InProcessConnection
from foretell.server.table.lobby import Lobby
from foretell.server.table.services import Services
from foretell.server.wire import protocol as p
from foretell.server.wire.error_messages import error_from

__all__ = ["Connection", "ConnectionLost", "Local", "Remote", "Transport"]

T = TypeVar("T")

_OPEN_WITHIN, _PING_EVERY, _PONG_WITHIN = 5.0, 10.0, 5.0  # seconds


class ConnectionLost(Exception):
    """The connection was lost, or could not be made.  `code` is the WebSocket's close code, if there was one."""

    def __init__(self, code: int | None = None) -> None:
        super().__init__(code)
        self.code = code


class Connection(Protocol):
    """A connection that carries the messages of the protocol in both directions."""

    async def send(self, message: p.FromClient) -> None: ...

    async def receive(self) -> p.FromServer:
        """The next message; raises ConnectionLost."""

    async def close(self) -> None: ...


class Transport(Protocol):
    """A way to create tables, to join them, and to connect to them."""

    async def make(self, ask: p.NewTable) -> p.Seated: ...

    async def join(self, table: str, ask: p.Join) -> p.Seated: ...

    async def connect(self, table: str = "") -> Connection:
        """A connection for the messages of a table, which is given by its id or its code."""


class Remote:
    """The tables of a server, reached by HTTP and WebSocket.  `headers` are sent with every request."""

    def __init__(self, address: str, headers: Mapping[str, str] | None = None) -> None:
        self.address = address.rstrip("/")
        self._headers = dict(headers or {})

    async def make(self, ask: p.NewTable) -> p.Seated:
        return await self.ask("POST", "/api/tables", ask, p.Seated)

    async def join(self, table: str, ask: p.Join) -> p.Seated:
        return await self.ask("POST", f"/api/tables/{table}/seats", ask, p.Seated)

    async def mine(self, tokens: tuple[str, ...]) -> p.MyGames:
        return await self.ask("POST", "/api/mine", p.Mine(tokens=tokens), p.MyGames)

    async def game(self, game: str) -> p.GameSummary:
        return await self.ask("GET", f"/api/games/{game}", None, p.GameSummary)

    async def record(self, game: str) -> str:
        found = await self.ask("GET", f"/api/games/{game}/record", None, msgspec.Raw)
        return bytes(found).decode()

    async def review(self, game: str) -> p.GameReview:
        """The coach's review of a finished game, or its progress: ask again until `review` is there."""
        return await self.ask("POST", f"/api/games/{game}/review", None, p.GameReview)

    async def ask(self, method: str, path: str, body: Any, kind: type[T]) -> T:
        """Makes an HTTP request; a refusal is raised as the server's error."""
        return await asyncio.to_thread(self._ask, method, path, body, kind)

    def _ask(self, method: str, path: str, body: Any, kind: type[T]) -> T:
        data = None if body is None else p.write(body)
        request = urllib.request.Request(
            self.address + path,
            data,
            {"content-type": "application/json", **self._headers},
            method=method,
        )
        try:
            with urllib.request.urlopen(request, timeout=20) as answer:
                return msgspec.json.decode(answer.read(), type=kind, dec_hook=decoded)
        except urllib.error.HTTPError as error:
            with error:
                text = error.read()
            raise _refusal(text) from None
        except (urllib.error.URLError, OSError) as error:
            raise ConnectionLost from error

    async def connect(self, table: str = "") -> Connection:
        # A load balancer reads the table from the address.
        path = f"/ws/{quote(table, safe='')}" if table else "/ws"
        address = "ws" + self.address.removeprefix("http") + path
        try:
            socket = await websocket_connect(
                address,
                compression=None,
                max_size=2**20,
                additional_headers=self._headers,
                # A process may hang, and the balancer may not know it yet.
                open_timeout=_OPEN_WITHIN,
                ping_interval=_PING_EVERY,
                ping_timeout=_PONG_WITHIN,
                close_timeout=1,
            )
        except (OSError, InvalidHandshake, TimeoutError, EOFError) as error:
            raise ConnectionLost from error
        return _SocketConnection(socket)


def _refusal(text: bytes) -> NotAllowed:
    try:
        return error_from(msgspec.json.decode(text, type=p.Failure).error)
    except msgspec.DecodeError:
        return NotAllowed("server_failed")


class _SocketConnection:
    def __init__(self, socket: ClientConnection) -> None:
        self._socket = socket

    async def send(self, message: p.FromClient) -> None:
        try:
            await self._socket.send(p.write(message), text=True)
        except ConnectionClosed as error:
            raise ConnectionLost(_close_code(error)) from None

    async def receive(self) -> p.FromServer:
        """The next message.  Messages that this version of the client does not know are skipped."""
        while True:
            try:
                return p.read_server(await self._socket.recv(decode=False))
            except ConnectionClosed as error:
                raise ConnectionLost(_close_code(error)) from None
            except (msgspec.ValidationError, ForetellError):
                continue
            except (msgspec.DecodeError, UnicodeDecodeError) as error:  # not a Foretell server
                raise ConnectionLost from error

    async def close(self) -> None:
        await self._socket.close()


def _close_code(error: ConnectionClosed) -> int | None:
    return None if error.rcvd is None else error.rcvd.code


class Local:
    """Tables in this process, without a server or a network.  Nothing is stored, unless `services` has a store."""

    def __init__(self, services: Services | None = None) -> None:
        self.lobby = Lobby(services or Services(store=MemoryStore()))

    async def make(self, ask: p.NewTable) -> p.Seated:
        return await self.lobby.make(_copied(ask, p.NewTable))

    async def join(self, table: str, ask: p.Join) -> p.Seated:
        return await self.lobby.join(table, _copied(ask, p.Join))

    async def record(self, game: str) -> str:
        return (await finished_game(self.lobby.services.store, game)).record

    def record_so_far(self, table: str) -> Record | None:
        """The whole game at a table, over or not, with all hidden cards."""
        found = self.lobby.tables.get(table)
        return None if found is None or found.playing is None else found.playing.recorded

    async def connect(self, table: str = "") -> Connection:
        return _LocalConnection(self.lobby)

    async def close(self) -> None:
        await self.lobby.close()
        self.lobby.services.close_threads()
        await self.lobby.services.store.close()


def _copied(ask: Any, kind: type[T]) -> T:
    """The request encoded and decoded, as over a network, so that it is validated in the same way."""
    return msgspec.convert(json.loads(p.write(ask)), type=kind, dec_hook=decoded)


class _LocalConnection:
    """A connection within the process."""

    def __init__(self, lobby: Lobby) -> None:
        self._received: asyncio.Queue[bytes | None] = asyncio.Queue()
        self._connection = InProcessConnection(lobby, self._received.put_nowait)

    async def send(self, message: p.FromClient) -> None:
        await self._connection.handle(p.write(message))

    async def receive(self) -> p.FromServer:
        message = await self._received.get()
        if message is None:
            raise ConnectionLost
        return p.read_server(message)

    async def close(self) -> None:
        self._connection.leave_table()
        self._received.put_nowait(None)
