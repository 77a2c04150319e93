"""Two ways to a table: over the network, or to a lobby in the same process.  A player cannot tell which it is."""

import asyncio
import json
import urllib.error
import urllib.request
from typing import Any, Protocol, TypeVar

import msgspec
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed, InvalidHandshake

from foretell.engine import Game
from foretell.engine.codec import decoded
from foretell.errors import ForetellError, NotAllowed
from foretell.server.game.finished import finished_game
from foretell.server.store.memory import MemoryStore
from foretell.server.table.internal_messages import Disconnected
from foretell.server.table.lobby import Lobby
from foretell.server.table.participants import SocketParticipant
from foretell.server.table.services import Services
from foretell.server.table.table import Table
from foretell.server.wire import protocol as p
from foretell.server.wire.error_messages import error_from, error_message

__all__ = ["Connection", "Cut", "Door", "Local", "Remote"]

T = TypeVar("T")


class Cut(Exception):
    """The line is cut, or could not be made.  `code` is the close code, where there was one."""

    def __init__(self, code: int | None = None) -> None:
        super().__init__(code)
        self.code = code


class Connection(Protocol):
    """One connection."""

    async def send(self, message: p.FromClient) -> None: ...

    async def receive(self) -> p.FromServer:
        """The next message; raises Cut."""

    async def close(self) -> None: ...


class Door(Protocol):
    """Where tables are."""

    async def make(self, ask: p.NewTable) -> p.Seated: ...

    async def join(self, table: str, ask: p.Join) -> p.Seated: ...

    async def line(self) -> Connection: ...


class Remote:
    """A server, by its address."""

    def __init__(self, address: str) -> None:
        self.address = address.rstrip("/")

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
        """How far the coach is with a finished game; asked again until `review` is there."""
        return await self.ask("POST", f"/api/games/{game}/review", None, p.GameReview)

    async def ask(self, method: str, path: str, body: Any, kind: type[T]) -> T:
        """One HTTP request; a refusal is raised as the server told it."""
        return await asyncio.to_thread(self._asked, method, path, body, kind)

    def _asked(self, method: str, path: str, body: Any, kind: type[T]) -> T:
        data = None if body is None else p.write(body)
        request = urllib.request.Request(
            self.address + path,
            data,
            {"content-type": "application/json"},
            method=method,
        )
        try:
            with urllib.request.urlopen(request, timeout=20) as answer:
                return msgspec.json.decode(answer.read(), type=kind, dec_hook=decoded)
        except urllib.error.HTTPError as error:
            with error:
                text = error.read()
            raise _refused(text) from None
        except (urllib.error.URLError, OSError) as error:
            raise Cut from error

    async def line(self) -> Connection:
        address = "ws" + self.address.removeprefix("http") + "/ws"
        try:
            return _SocketConnection(await connect(address, compression=None, max_size=2**20))
        except (OSError, InvalidHandshake, TimeoutError, EOFError) as error:
            raise Cut from error


def _refused(text: bytes) -> NotAllowed:
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
            raise Cut(_code(error)) from None

    async def receive(self) -> p.FromServer:
        """A message of a kind that this client does not know yet is passed over."""
        while True:
            try:
                return p.read_server(await self._socket.recv(decode=False))
            except ConnectionClosed as error:
                raise Cut(_code(error)) from None
            except (msgspec.ValidationError, ForetellError):
                continue
            except (msgspec.DecodeError, UnicodeDecodeError) as error:  # this is no server of ours
                raise Cut from error

    async def close(self) -> None:
        await self._socket.close()


def _code(error: ConnectionClosed) -> int | None:
    return None if error.rcvd is None else error.rcvd.code


class Local:
    """Tables in this process: no server, no network, and nothing kept unless a services with a store is given."""

    def __init__(self, services: Services | None = None) -> None:
        self.lobby = Lobby(services or Services(store=MemoryStore()))

    async def make(self, ask: p.NewTable) -> p.Seated:
        return await self.lobby.make(_copied(ask, p.NewTable))

    async def join(self, table: str, ask: p.Join) -> p.Seated:
        return await self.lobby.join(table, _copied(ask, p.Join))

    async def record(self, game: str) -> str:
        return (await finished_game(self.lobby.services.store, game)).record

    def game(self, table: str) -> Game | None:
        """All of the game at a table, hidden cards too: it is played in this process."""
        found = self.lobby.tables.get(table)
        return None if found is None or found.playing is None else found.playing.game

    async def line(self) -> Connection:
        return _LocalConnection(self.lobby)

    async def close(self) -> None:
        await self.lobby.close()
        self.lobby.services.bot_threads.close()
        await self.lobby.services.store.close()


def _copied(ask: Any, kind: type[T]) -> T:
    """As it would arrive over the network: nothing invalid gets in by the back door."""
    return msgspec.convert(json.loads(p.write(ask)), type=kind, dec_hook=decoded)


class _LocalConnection:
    """Messages are written and read again here too, so that both lines carry exactly the same."""

    def __init__(self, lobby: Lobby) -> None:
        self._lobby = lobby
        self._table: Table | None = None
        self._heard: asyncio.Queue[bytes | None] = asyncio.Queue()
        self._visitor = self._arrived()

    async def send(self, message: p.FromClient) -> None:
        message = p.read_client(p.write(message))
        answer = self._visitor.answer
        match message:
            case p.Ping():
                answer(p.Pong(id=message.id))
            case p.WatchLobby():
                answer(p.Lobby(tables=self._lobby.listed(), id=message.id))
            case p.Hello():
                try:
                    table = await self._lobby.table(message.table)
                except NotAllowed as error:
                    answer(p.Refusal(id=message.id, error=error_message(error)))
                    return
                self._depart()
                self._table, self._visitor = table, self._arrived()
                table.post(self._visitor, message)
            case _ if self._table is None:
                answer(p.Refusal(id=message.id, error=error_message(NotAllowed("no_hello"))))
            case _:
                self._table.post(self._visitor, message)

    async def receive(self) -> p.FromServer:
        message = await self._heard.get()
        if message is None:
            raise Cut
        return p.read_server(message)

    def _arrived(self) -> SocketParticipant:
        hear = self._heard.put_nowait
        return SocketParticipant(hear, lambda message: hear(p.write(message)))

    def _depart(self) -> None:
        if self._table is not None:
            self._visitor.depart()
            self._table.post(self._visitor, Disconnected())

    async def close(self) -> None:
        self._depart()
        self._heard.put_nowait(None)
