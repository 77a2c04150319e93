"""The whole server as one ASGI application: the WebSocket, the HTTP interface and the files of the web page."""

import asyncio
import re
from collections.abc import Iterable, MutableMapping
from importlib.metadata import version
from importlib.resources import files
from pathlib import Path
from typing import Any

from foretell.errors import ForetellError, NotAllowed
from foretell.i18n import accepted_language, catalogue
from foretell.server.coach.reviews import Reviews
from foretell.server.network.api import ACCOUNT, http_app, refused
from foretell.server.network.asgi import Receive, Scope, Send
from foretell.server.network.door import Door
from foretell.server.network.guards import security_headers
from foretell.server.network.hosts import Hosts, is_origin_allowed
from foretell.server.network.limits import Limits
from foretell.server.network.proxies import FORWARDED_HOST, IS_PROXIED
from foretell.server.network.sockets import SocketApp
from foretell.server.network.static_files import File, inline_hashes, web_files
from foretell.server.table.lobby import Lobby
from foretell.server.table.pruner import Pruner
from foretell.server.table.services import Services

__all__ = ["App"]

_DROPPED = {"other_origin": "origin", "unknown_host": "host", "not_found": "path"}
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
    ) -> None:
        self.services = services
        self.limits = limits or Limits()
        self.origins = frozenset(origins)
        self.hosts = Hosts(names, self.origins)
        self.door = Door(self.limits)
        services.most_spectators = self.limits.spectators
        services.most_spectators_per_address = int(
            self.limits.spectators_per_address * self.limits.per_address
        )
        services.on_thought = self.door.thought
        self.lobby = Lobby(services)
        self.socket = SocketApp(self.lobby, self.door)
        self.reviews = Reviews(
            has_coach=services.coach is not None,
            store=services.store,
            now=services.now,
            bot_threads=services.bot_threads,
            dealing=services.dealing,
            metrics=services.metrics,
        )
        self.http = http_app(self.lobby, self.reviews, self.door, version("foretell"))
        self.files = web_files(static or Path(str(files("foretell.server"))) / "static")
        page = self.files.get("/")
        self._inline = inline_hashes(page.body) if page is not None else {}
        self._pruning: asyncio.Task[None] | None = None

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
        self._pruning = asyncio.ensure_future(Pruner(self.lobby).run())

    async def stop(self) -> None:
        self.http.state.is_stopping = True
        if self._pruning is not None:
            self._pruning.cancel()
        await self.reviews.close()
        await self.lobby.close()
        self.services.close_threads()
        await self.services.store.close()

    # Requests

    async def _websocket(self, scope: Scope, receive: Receive, send: Send) -> None:
        await receive()  # websocket.connect
        try:
            self._check_host(scope)
            self._check_origin(scope)
            self._pay(scope)
            if scope["path"] != "/ws":
                raise NotAllowed("not_found")
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
            self._check_host(scope)
            self._pay(scope)
            if not is_page and method not in ("GET", "HEAD", "OPTIONS"):
                self._check_origin(scope)
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

    def _check_host(self, scope: Scope) -> None:
        host, port = _header(scope, b"host"), (scope.get("server") or (None, None))[1]
        if not self.hosts.is_allowed(host, port=port, is_proxied=scope.get(IS_PROXIED, False)):
            name = (host or "").rpartition(":")[0] or host or ""
            raise NotAllowed("unknown_host", host=name[:100])

    def _check_origin(self, scope: Scope) -> None:
        if not is_origin_allowed(_header(scope, b"origin"), _host(scope), self.origins):
            raise NotAllowed("other_origin")

    def _pay(self, scope: Scope) -> None:
        door, account = self.door, self.door.account(scope.get("client"))
        scope[ACCOUNT] = account
        if scope.get(IS_PROXIED) and scope["type"] == "websocket":
            # The connection itself came from the proxy, and was not counted.
            door.pay(account, door.budgets.connections)
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
            await _send_file(scope, send, file)


def _header(scope: Scope, name: bytes) -> str | None:
    return next((value.decode("latin-1") for key, value in scope["headers"] if key == name), None)


def _host(scope: Scope) -> str | None:
    """The name that the client asked for."""
    forwarded: str | None = scope.get(FORWARDED_HOST)
    return forwarded or _header(scope, b"host")


def _language(scope: Scope) -> str:
    """The language of the person who asks, as far as the browser tells."""
    return accepted_language(_header(scope, b"accept-language") or "")


async def _send_file(scope: Scope, send: Send, file: File) -> None:
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
    await _answer(send, 200, body, file.kind, more)


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
