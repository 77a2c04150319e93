"""Everything put together as one ASGI application: socket, HTTP, the web client's files; guards around all of it."""

import asyncio
from collections.abc import Iterable, MutableMapping
from importlib.metadata import version
from importlib.resources import files
from pathlib import Path
from typing import Any

from foretell.errors import NotAllowed
from foretell.i18n import catalogue
from foretell.server.coach.reviews import Reviews
from foretell.server.logs import log
from foretell.server.network.api import http_app
from foretell.server.network.guards import Buckets, Limits, headers, is_welcome, whose
from foretell.server.network.sockets import Receive, Scope, Send, SocketApp
from foretell.server.network.static_files import File, web_files
from foretell.server.table.lobby import Lobby
from foretell.server.table.services import Services
from foretell.server.wire import protocol as p
from foretell.server.wire.error_messages import error_message

__all__ = ["App"]

_PRUNE_EVERY = 6 * 3600.0
_FORGETTING = b"public, max-age=31536000, immutable"


class App:
    """The application.  It owns the services, and is started and stopped by the server's lifespan."""

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
        guarded = _with_headers(send, headers(is_page=is_page, host=host))
        if method == "HEAD":  # what GET would answer, without its body
            scope, guarded = {**scope, "method": "GET"}, _without_body(guarded)
        if is_page:
            await self._file(scope, guarded)
            return
        refusal = self._refusal(scope, path, method)
        if refusal is not None:
            error, status = refusal
            await _answer(
                guarded, status, p.write(p.Failure(error=error_message(NotAllowed(error))))
            )
            return
        await self.http(scope, receive, guarded)  # type: ignore[arg-type]

    def _refusal(self, scope: Scope, path: str, method: str) -> tuple[str, int] | None:
        address = whose(scope.get("client"))
        if not self._requests.take(address):
            return "too_many_requests", 429
        if method in ("GET", "HEAD", "OPTIONS"):
            return None
        found = {name: value.decode("latin-1") for name, value in scope["headers"]}
        if not is_welcome(found.get(b"origin"), found.get(b"host"), self.origins):
            return "other_origin", 403
        # The router passes over slashes at the end and doubled ones: so do we, or they were a way around.
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
            text = catalogue().say("server.no_page" if is_root else "error.not_found")
            await _answer(send, 200 if is_root else 404, text.encode(), "text/plain; charset=utf-8")
        else:
            await _send_file(scope, send, file)


async def _send_file(scope: Scope, send: Send, file: File) -> None:
    found = dict(scope["headers"])
    more = [
        (b"etag", file.tag.encode()),
        (b"cache-control", _FORGETTING if file.is_forever else b"no-cache"),
        (b"vary", b"accept-encoding"),
    ]
    # Among several, perhaps; and with W/ where a proxy has packed the file anew.
    if file.tag.encode() in found.get(b"if-none-match", b""):
        await _answer(send, 304, b"", file.kind, more)
        return
    body = file.body
    if file.gzipped is not None and b"gzip" in found.get(b"accept-encoding", b""):
        body = file.gzipped
        more.append((b"content-encoding", b"gzip"))
    await _answer(send, 200, body, file.kind, more)


async def _answer(
    send: Send,
    status: int,
    body: bytes,
    kind: str = "application/json",
    more: Iterable[tuple[bytes, bytes]] = (),
) -> None:
    length = str(len(body)).encode()
    found = [(b"content-type", kind.encode()), (b"content-length", length), *more]
    await send({"type": "http.response.start", "status": status, "headers": found})
    await send({"type": "http.response.body", "body": body})


def _without_body(send: Send) -> Send:
    async def silent(message: MutableMapping[str, Any]) -> None:
        await send({**message, "body": b""} if "body" in message else message)

    return silent


def _with_headers(send: Send, more: dict[str, str]) -> Send:
    added = [(key.encode(), value.encode()) for key, value in more.items()]

    async def guarded(message: MutableMapping[str, Any]) -> None:
        if message["type"] == "http.response.start":
            found = list(message.get("headers", []))
            if not any(name == b"cache-control" for name, _ in found):
                found.append((b"cache-control", b"no-store"))
            message = {**message, "headers": [*found, *added]}
        await send(message)

    return guarded
