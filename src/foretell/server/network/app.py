"""The whole server as one ASGI application: the WebSocket, the HTTP interface and the files of the web page."""

import asyncio
import re
from collections.abc import Iterable, MutableMapping
from importlib.metadata import version
from pathlib import Path
from typing import Any

from foretell.errors import ForetellError, NotAllowed
from foretell.i18n import accepted_language, catalogue
from foretell.server.network.addresses import Network
from foretell.server.network.api import http_app, refused
from foretell.server.network.asgi import Receive, Scope, Send
from foretell.server.network.door import Door
from foretell.server.network.guards import security_headers
from foretell.server.network.hosts import Hosts, is_origin_allowed
from foretell.server.network.http_request import ACCOUNT
from foretell.server.network.inner import Inner
from foretell.server.network.limits import Limits
from foretell.server.network.proxies import FORWARDED_HOST, IS_PROXIED
from foretell.server.network.sockets import SocketApp
from foretell.server.network.static_files import (
    File,
    content,
    inline_hashes,
    pieces,
    size,
    web_files,
)
from foretell.server.page_files import STATIC
from foretell.server.store.interface import SharedStore
from foretell.server.table.game_requests import GameRequests
from foretell.server.table.lobby import Lobby
from foretell.server.table.membership import Membership
from foretell.server.table.pruner import Pruner
from foretell.server.table.services import Services

__all__ = ["App"]

# The name of a table may follow: load balancers read it, so that all its players come to the same process.  We do not.
_SOCKET_PATH = re.compile(r"/ws(/[^/]{1,64})?")
_DROPPED = {
    "other_origin": "origin",
    "unknown_host": "host",
    "not_found": "path",
    "table_moving": "moved",
}
_CACHE_FOREVER = b"public, max-age=31536000, immutable"


class App:
    """The application.  It owns the services; uvicorn starts and stops it through ASGI's lifespan."""

    def __init__(
        self,
        services: Services,
        *,
        limits: Limits | None = None,
        origins: Iterable[str] = (),
        names: Iterable[str] = (),
        static: Path | None = None,
        inner: Inner | None = None,
        metrics_for: Iterable[Network] = (),
    ) -> None:
        self.services = services
        self.inner = inner
        self.limits = limits or Limits()
        self.origins = frozenset(origins)
        self.hosts = Hosts(names, self.origins)
        self.door = Door(self.limits, is_shared=isinstance(services.store, SharedStore))
        services.most_spectators = self.limits.spectators
        services.most_spectators_per_address = int(
            self.limits.spectators_per_address * self.limits.per_address
        )
        services.on_thought = self.door.coach_thought
        services.on_bot_thought = self.door.bot_thought
        services.is_bot_time_used_up = self.door.is_bot_time_used_up
        self.lobby = Lobby(services)
        self.socket = SocketApp(self.lobby, self.door)
        self.games = GameRequests(services)
        self.files = web_files(static or STATIC)
        has_engine = "/engine/engine.json" in self.files
        self.http = http_app(
            self.lobby, self.games, self.door, version("foretell"), has_engine=has_engine
        )
        self.http.state.metrics_for = tuple(metrics_for)
        page = self.files.get("/")
        self._inline = inline_hashes(content(page.body)) if page is not None else {}
        self._tasks: list[asyncio.Task[None]] = []

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        match scope["type"]:
            case "lifespan":
                await self._lifespan(receive, send)
            case "websocket":
                await self._websocket(scope, receive, send)
            case "http":
                await self._http(scope, receive, send)

    # Starting and stopping

    async def _lifespan(self, receive: Receive, send: Send) -> None:
        await receive()
        await self.start()
        await send({"type": "lifespan.startup.complete"})
        await receive()
        await self.stop()
        await send({"type": "lifespan.shutdown.complete"})

    async def start(self) -> None:
        self._tasks = [asyncio.ensure_future(Pruner(self.lobby).run())]
        if isinstance(self.services.store, SharedStore):
            membership = Membership(self.lobby, self.door.use, self.socket.send_away)
            self._tasks.append(asyncio.ensure_future(membership.run()))

    async def hand_over(self) -> None:
        """Before the sockets are closed: reports that this process is not ready, and gives its tables back."""
        self.http.state.is_stopping = True
        await self.lobby.hand_over()

    async def stop(self) -> None:
        self.http.state.is_stopping = True
        for task in self._tasks:
            task.cancel()
        await self.games.reviews.close()
        await self.lobby.close()
        self.services.close_threads()
        await self.services.store.close()

    # Requests

    async def _websocket(self, scope: Scope, receive: Receive, send: Send) -> None:
        await receive()  # websocket.connect
        try:
            self._check(scope, checks_origin=True)
            if _SOCKET_PATH.fullmatch(scope["path"]) is None:
                raise NotAllowed("not_found")
            if not self.lobby.takes_players:
                raise NotAllowed("table_moving")  # balancers and pipes try another process
        except ForetellError as error:
            self.services.metrics.dropped.labels(_DROPPED.get(error.code, "address")).inc()
            status, body, more = refused(error, _language(scope))
            start = {"type": "websocket.http.response.start", "status": status, "headers": more}
            await send(start)
            await send({"type": "websocket.http.response.body", "body": body})
        else:
            await self.socket(scope, receive, send)

    async def _http(self, scope: Scope, receive: Receive, send: Send) -> None:
        path, method = scope["path"], scope["method"]
        is_page = not (path.startswith("/api") or path == "/metrics")
        send = _with_headers(
            send, security_headers(is_page=is_page, host=_host(scope) or "", inline=self._inline)
        )
        if method == "HEAD":  # the answer to GET, without its body
            scope, send = {**scope, "method": "GET"}, _without_body(send)
        try:
            changes = not is_page and method not in ("GET", "HEAD", "OPTIONS")
            self._check(scope, checks_origin=changes)
        except ForetellError as error:
            status, body, more = refused(error, _language(scope))
            if is_page:
                kind = "text/plain; charset=utf-8"
                body = error.sentence(_language(scope)).encode()
            else:
                kind = "application/json"
            await _answer(send, status, body, kind, more)
            return
        if is_page:
            await self._file(scope, send)
        else:
            await self.http(scope, receive, send)  # type: ignore[arg-type]

    def _check(self, scope: Scope, *, checks_origin: bool) -> None:
        """Refuses a request that this server must not answer, or whose address has asked too often."""
        if self.inner is not None and self.inner.is_for(scope):
            self.inner.admit(scope)
            scope[ACCOUNT] = self.door.account_elsewhere(scope.get("client"))
            return
        self._check_host(scope)
        self._pay(scope, is_free=scope["path"] == "/api/health")
        if checks_origin:
            self._check_origin(scope)

    def _check_host(self, scope: Scope) -> None:
        host, port = _header(scope, b"host"), (scope.get("server") or (None, None))[1]
        if not self.hosts.is_allowed(host, port=port, is_proxied=scope.get(IS_PROXIED, False)):
            name = (host or "").rpartition(":")[0] or host or ""
            raise NotAllowed("unknown_host", host=name[:100])

    def _check_origin(self, scope: Scope) -> None:
        if not is_origin_allowed(_header(scope, b"origin"), _host(scope), self.origins):
            raise NotAllowed("other_origin")

    def _pay(self, scope: Scope, *, is_free: bool) -> None:
        door, account = self.door, self.door.account(scope.get("client"))
        scope[ACCOUNT] = account
        if scope.get(IS_PROXIED) and scope["type"] == "websocket":
            # The connection itself came from the proxy, and was not counted.
            door.pay(account, door.budgets.connections)
        if not is_free:  # a balancer asks for the client's sake whether this process answers
            door.pay(account, door.budgets.requests)

    async def _file(self, scope: Scope, send: Send) -> None:
        file = self.files.get(scope["path"])
        if scope["method"] != "GET":
            await _answer(send, 405, b"", "text/plain")
        elif file is None:
            is_root = scope["path"] == "/"
            text = catalogue(_language(scope)).say(
                "server.no_page" if is_root else "error.not_found"
            )
            await _answer(send, 200 if is_root else 404, text.encode(), "text/plain; charset=utf-8")
        else:
            await self._send_file(scope, send, file)

    async def _send_file(self, scope: Scope, send: Send, file: File) -> None:
        headers = dict(scope["headers"])
        more = [
            (b"etag", file.tag.encode()),
            (b"cache-control", _CACHE_FOREVER if file.never_changes else b"no-cache"),
            (b"vary", b"accept-encoding"),
        ]
        # The header may list several tags; a proxy that compresses files puts W/ before them.
        if file.tag.encode() in headers.get(b"if-none-match", b""):
            await _answer(send, 304, b"", file.kind, more)
            return
        body, accepted = file.body, headers.get(b"accept-encoding", b"").decode("latin-1")
        for coding, compressed in file.compressed:
            if coding in re.findall(r"\w+", accepted):
                body = compressed
                more.append((b"content-encoding", coding.encode()))
                break
        # A large file counts as one request for each megabyte.
        self.door.charge_file(scope[ACCOUNT], size(body))
        await _send_body(send, body, file.kind, more)


def _header(scope: Scope, name: bytes) -> str | None:
    return next((value.decode("latin-1") for key, value in scope["headers"] if key == name), None)


def _host(scope: Scope) -> str | None:
    """The name that the client asked for."""
    forwarded: str | None = scope.get(FORWARDED_HOST)
    return forwarded or _header(scope, b"host")


def _language(scope: Scope) -> str:
    """The language of the person who asks, as far as the browser tells."""
    return accepted_language(_header(scope, b"accept-language") or "")


async def _send_body(
    send: Send, body: bytes | Path, kind: str, more: Iterable[tuple[bytes, bytes]]
) -> None:
    """Sends a file as a whole response.  `send` waits while the client reads more slowly than we write."""
    headers = [(b"content-type", kind.encode()), (b"content-length", b"%d" % size(body)), *more]
    await send({"type": "http.response.start", "status": 200, "headers": headers})
    for piece in pieces(body):
        await send({"type": "http.response.body", "body": piece, "more_body": True})
        await asyncio.sleep(0)  # a client that reads fast must not keep others waiting
    await send({"type": "http.response.body", "body": b""})


async def _answer(
    send: Send,
    status: int,
    body: bytes,
    kind: str = "application/json",
    more: Iterable[tuple[bytes, bytes]] = (),
) -> None:
    """Sends a whole response; `more` are its other headers."""
    length = str(len(body)).encode()
    headers = [(b"content-type", kind.encode()), (b"content-length", length), *more]
    await send({"type": "http.response.start", "status": status, "headers": headers})
    await send({"type": "http.response.body", "body": body})


def _without_body(send: Send) -> Send:
    async def without_body(message: MutableMapping[str, Any]) -> None:
        await send({**message, "body": b""} if "body" in message else message)

    return without_body


def _with_headers(send: Send, more: dict[str, str]) -> Send:
    added = [(key.encode(), value.encode()) for key, value in more.items()]

    async def with_headers(message: MutableMapping[str, Any]) -> None:
        if message["type"] == "http.response.start":
            headers = list(message.get("headers", []))
            if not any(name == b"cache-control" for name, _ in headers):
                headers.append((b"cache-control", b"no-store"))
            message = {**message, "headers": [*headers, *added]}
        await send(message)

    return with_headers
