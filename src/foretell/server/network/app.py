"""The whole server as one ASGI application: the WebSocket, the HTTP interface and the files of the web page."""

import asyncio
import re
from collections.abc import Iterable, MutableMapping
from importlib.metadata import version
from importlib.resources import files
from pathlib import Path
from typing import Any

from foretell.errors import NotAllowed
from foretell.i18n import accepted_language, catalogue
from foretell.server.coach.reviews import Reviews
from foretell.server.logs import log
from foretell.server.network.api import http_app
from foretell.server.network.asgi import Receive, Scope, Send
from foretell.server.network.guards import (
    Buckets,
    Limits,
    is_origin_allowed,
    rate_limit_key,
    security_headers,
)
from foretell.server.network.sockets import SocketApp
from foretell.server.network.static_files import File, inline_hashes, web_files
from foretell.server.table.lobby import Lobby
from foretell.server.table.services import Services
from foretell.server.wire import protocol as p
from foretell.server.wire.error_messages import error_message

__all__ = ["App"]

_PRUNE_EVERY = 6 * 3600.0  # seconds
_CACHE_FOREVER = b"public, max-age=31536000, immutable"


class App:
    """The application.  It owns the services; uvicorn starts and stops it through ASGI's lifespan."""

    def __init__(
        self,
        services: Services,
        *,
        limits: Limits | None = None,
        origins: Iterable[str] = (),
        static: Path | None = None,
    ) -> None:
        self.services = services
        self.limits = limits or Limits()
        self.origins = frozenset(origins)
        self.lobby = Lobby(services)
        self.socket = SocketApp(self.lobby, self.limits, self.origins)
        self.reviews = Reviews(
            has_coach=services.coach is not None,
            bot_threads=services.bot_threads,
            dealing=services.dealing,
            metrics=services.metrics,
        )
        self.http = http_app(self.lobby, self.reviews, self.limits, version("foretell"))
        self.files = web_files(static or Path(str(files("foretell.server"))) / "static")
        page = self.files.get("/")
        self._inline = inline_hashes(page.body) if page is not None else {}
        self._requests = Buckets(self.limits.requests, self.limits.request_burst)
        self._tables = Buckets(self.limits.tables, self.limits.table_burst)
        self._pruning: asyncio.Task[None] | None = None

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        match scope["type"]:
            case "lifespan":
                await self._lifespan(receive, send)
            case "websocket" if scope["path"] == "/ws":
                await self.socket(scope, receive, send)
            case "websocket":
                await receive()
                await send({"type": "websocket.close", "code": 1008})
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
        self._pruning = asyncio.ensure_future(self._prune())

    async def stop(self) -> None:
        self.http.state.is_stopping = True
        if self._pruning is not None:
            self._pruning.cancel()
        await self.reviews.close()
        await self.lobby.close()
        self.services.bot_threads.close()
        await self.services.store.close()

    async def _prune(self) -> None:
        while True:
            try:
                gone = await self.services.store.prune(
                    self.services.now(), tuple(self.lobby.tables)
                )
                log.info("pruned", gone=gone)
            except Exception as error:
                log.error("pruning failed", error=type(error).__name__)
            await asyncio.sleep(_PRUNE_EVERY)

    # HTTP

    async def _http(self, scope: Scope, receive: Receive, send: Send) -> None:
        path, method = scope["path"], scope["method"]
        is_page = not (path.startswith("/api") or path == "/metrics")
        host = next(
            (value.decode("latin-1") for name, value in scope["headers"] if name == b"host"), ""
        )
        send = _with_headers(
            send, security_headers(is_page=is_page, host=host, inline=self._inline)
        )
        if method == "HEAD":  # the answer to GET, without its body
            scope, send = {**scope, "method": "GET"}, _without_body(send)
        if is_page:
            await self._file(scope, send)
            return
        refusal = self._refusal(scope, path, method)
        if refusal is not None:
            error, status = refusal
            body = p.write(p.Failure(error=error_message(NotAllowed(error), _language(scope))))
            await _answer(send, status, body)
            return
        await self.http(scope, receive, send)  # type: ignore[arg-type]

    def _refusal(self, scope: Scope, path: str, method: str) -> tuple[str, int] | None:
        """The error code and the HTTP status for a request that is refused; None for one that is not."""
        address = rate_limit_key(scope.get("client"))
        if not self._requests.take(address):
            return "too_many_requests", 429
        if method in ("GET", "HEAD", "OPTIONS"):
            return None
        headers = {name: value.decode("latin-1") for name, value in scope["headers"]}
        if not is_origin_allowed(headers.get(b"origin"), headers.get(b"host"), self.origins):
            return "other_origin", 403
        # The router ignores double slashes and slashes at the end.  So do we, or they would get around the limit.
        is_new_table = [part for part in path.split("/") if part] == ["api", "tables"]
        if is_new_table and not self._tables.take(address):
            return "too_many_requests", 429
        return None

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


def _language(scope: Scope) -> str:
    """The language of the person who asks, as far as the browser tells."""
    return accepted_language(dict(scope["headers"]).get(b"accept-language", b"").decode("latin-1"))


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
