"""Runs the server: finds a free port, serves until it is stopped, and shows how to reach it."""

import asyncio
import contextlib
import errno
import functools
import gc
import io
import os
import socket
import sys
import webbrowser
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

import uvicorn

from foretell.errors import NotAllowed
from foretell.server.coach.advice import OddsCoach
from foretell.server.keys import random_keys
from foretell.server.network.addresses import Network
from foretell.server.network.app import App
from foretell.server.network.http_protocol import HttpProtocol
from foretell.server.network.inner import Inner
from foretell.server.network.limits import Limits
from foretell.server.network.log_lines import set_up_logs
from foretell.server.network.prometheus import PrometheusMetrics
from foretell.server.network.proxies import BehindProxies
from foretell.server.network.service_manager import say_ready, say_stopping
from foretell.server.network.sockets import MOST_MESSAGE
from foretell.server.network.turnstile import Turnstile
from foretell.server.network.websocket_protocol import WebSocketProtocol
from foretell.server.store.data_folder import exclusive_data_folder
from foretell.server.store.interface import Store
from foretell.server.store.pruning import Keep
from foretell.server.store.sqlite import SqliteStore
from foretell.server.store.valkey_bus import ValkeyBus
from foretell.server.table.services import Services, Timeouts

if sys.platform != "win32":
    import resource

__all__ = [
    "ServerSettings",
    "addresses",
    "app_for",
    "listening_socket",
    "open_browser",
    "qr_code",
    "run",
    "uvicorn_server",
]

_PORTS_TRIED = 20
_OPEN_FILES = 65_536
_BACKLOG = 4096


@dataclass(frozen=True, slots=True, kw_only=True)
class ServerSettings:
    """The settings of a server, from the options of `foretell serve`."""

    data: Path
    host: str = "127.0.0.1"
    port: int = 8000
    is_port_fixed: bool = False  # do not take another port if this one is in use
    origins: tuple[str, ...] = ()
    names: tuple[str, ...] = ()  # of this server, besides those that need no check
    limits: Limits = field(default_factory=Limits)
    timeouts: Timeouts = field(default_factory=Timeouts)
    keep: Keep = field(default_factory=Keep)
    proxies: str = "127.0.0.1"  # addresses whose X-Forwarded-For is trusted
    metrics_for: tuple[Network, ...] = ()  # who may read /metrics, besides this machine
    log_level: str = "warning"
    database: str | None = None  # PostgreSQL's address; without one, SQLite in the data folder
    bus: str | None = (
        None  # Valkey's address; without one, news between processes go through the database
    )
    inner_address: str = "127.0.0.1:0"  # where other processes on the same database reach this one
    lease: float = 6.0  # seconds until another process may take the tables of one that has died
    stand_in: str = "skilled"  # the level of the bot that plays for an absent player


def listening_socket(host: str, port: int, *, is_fixed: bool) -> socket.socket:
    """A socket that listens on this port, or on the next free one if it is in use and not fixed."""
    for tried in (port,) if is_fixed else (*range(port, port + _PORTS_TRIED), 0):
        family = socket.AF_INET6 if ":" in host else socket.AF_INET
        # asyncio turns Nagle's algorithm off only for sockets created as TCP.  With it, an answer of two frames waits
        # for the client's delayed acknowledgement, about 40 ms.
        found = socket.socket(family, socket.SOCK_STREAM, socket.IPPROTO_TCP)
        found.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            found.bind((host, tried))
            found.listen(_BACKLOG)  # only now is the port certainly ours
        except OSError as error:
            found.close()
            if error.errno not in (errno.EADDRINUSE, errno.EACCES):
                raise
            continue
        return found
    raise NotAllowed("port_in_use", port=port)


def addresses(host: str, port: int) -> list[str]:
    """The addresses to open in a browser: on this machine first, then on the local network if we listen there."""
    if host not in ("0.0.0.0", "::"):
        shown = f"[{host}]" if ":" in host else host
        shown = "localhost" if host in ("127.0.0.1", "::1") else shown
        return [f"http://{shown}:{port}/"]
    return [f"http://localhost:{port}/", *(f"http://{one}:{port}/" for one in _own_addresses())]


def _own_addresses() -> list[str]:
    """The address of this machine in its network: the one from which it would send.  Nothing is sent."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect(("192.0.2.1", 9))  # reserved for documentation
            own = probe.getsockname()[0]
        except OSError:
            return []
    return [] if own.startswith("127.") or own == "0.0.0.0" else [own]


def qr_code(address: str) -> str:
    """A QR code in block characters."""
    import segno  # noqa: PLC0415  only --lan needs it

    text = io.StringIO()
    segno.make(address, error="m").terminal(out=text, compact=True)
    return text.getvalue()


def uvicorn_server(
    app: App, *, proxies: str = "127.0.0.1", log_level: str = "warning"
) -> uvicorn.Server:
    """uvicorn with our settings: small messages, no compression, pings to find lost clients, code 1012 on restart.

    h11 reads HTTP, because httptools accepts headers of any length, which could fill the memory.  h11 is slower, but
    that does not matter: the game uses the WebSocket.  uvicorn's own log never goes below "info", because its debug
    lines contain the players' messages.
    """
    behind, turnstile = BehindProxies(app, proxies), Turnstile()
    config = uvicorn.Config(
        behind,
        ws=functools.partial(WebSocketProtocol, turnstile=turnstile),  # type: ignore[arg-type]
        ws_max_size=MOST_MESSAGE,
        ws_per_message_deflate=False,
        ws_ping_interval=20,
        ws_ping_timeout=20,
        http=functools.partial(  # type: ignore[arg-type]
            HttpProtocol,
            door=getattr(app, "door", None),
            trusts=behind.trusts,
            inner_port=getattr(getattr(app, "inner", None), "port", None),
            turnstile=turnstile,
        ),
        h11_max_incomplete_event_size=MOST_MESSAGE,
        lifespan="on",
        log_config=None,
        log_level="info" if log_level == "debug" else log_level,
        access_log=False,
        server_header=False,
        date_header=False,
        proxy_headers=False,  # `BehindProxies` reads them
        timeout_graceful_shutdown=5,
        timeout_keep_alive=30,
        backlog=_BACKLOG,
    )
    return _Server(config)


class _Server(uvicorn.Server):
    """uvicorn, which gives the tables of this process back before it closes their sockets with code 1012."""

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        say_stopping()
        behind = self.config.app
        if isinstance(behind, BehindProxies) and isinstance(behind.app, App):
            await behind.app.hand_over()
        await super().shutdown(sockets)


def app_for(settings: ServerSettings, inner: socket.socket | None = None) -> App:
    """The application, with the database in the data folder, or with the one that several processes share.

    `inner` is the socket on which the other processes reach this one.
    """
    metrics, key = PrometheusMetrics(), random_keys.secret()
    store: Store
    if settings.database is None or inner is None:
        path = settings.data / "foretell.sqlite3"
        store = SqliteStore(path, keep=settings.keep, on_commit=metrics.committed)
    else:
        # Only here: psycopg is an extra of the package.
        from foretell.server.store.postgresql import PostgresqlStore  # noqa: PLC0415
        from foretell.server.store.processes import Process  # noqa: PLC0415

        host, port = inner.getsockname()[:2]
        shown = f"[{host}]:{port}" if ":" in host else f"{host}:{port}"
        process = Process(random_keys.id(), shown, key, settings.lease)
        store = PostgresqlStore(
            settings.database,
            process,
            keep=settings.keep,
            bus=None if settings.bus is None else ValkeyBus(settings.bus),
            on_commit=metrics.committed,
        )
    services = Services(
        store=store,
        metrics=metrics,
        timeouts=settings.timeouts,
        stand_in=settings.stand_in,
        coach=OddsCoach(),
    )
    names = (*settings.names, settings.host)
    return App(
        services,
        limits=settings.limits,
        origins=settings.origins,
        names=names,
        inner=None if inner is None else Inner(inner.getsockname()[1], key),
        metrics_for=settings.metrics_for,
    )


def run(settings: ServerSettings, ready: Callable[[int], None]) -> None:
    """Serves until it is stopped.  `ready` is called with the port once the server answers requests."""
    set_up_logs(settings.log_level)
    _allow_many_sockets()
    # A thread that reads a record or plays a bot without the native library holds Python's global lock.  The event loop
    # gets it back after a millisecond, not after five: a move waits for it several times.
    sys.setswitchinterval(0.001)
    # Every file contains secrets of running games, and the data folder may be open to everyone.
    os.umask(0o077)
    if settings.database is not None:
        _run_shared(settings, ready)
        return
    with exclusive_data_folder(settings.data) as publish_address:
        listening = listening_socket(settings.host, settings.port, is_fixed=settings.is_port_fixed)

        def announce(port: int) -> None:
            publish_address(addresses(settings.host, port)[-1])
            ready(port)

        _run(settings, listening, announce)


def _run_shared(settings: ServerSettings, ready: Callable[[int], None]) -> None:
    """Serves as one of several processes on one database, which reach each other by their inner sockets."""
    host, _, port = settings.inner_address.rpartition(":")
    inner = listening_socket(host.strip("[]"), int(port), is_fixed=True)
    try:
        listening = listening_socket(settings.host, settings.port, is_fixed=settings.is_port_fixed)
        _run(settings, listening, ready, inner)
    finally:
        inner.close()


def _run(
    settings: ServerSettings,
    listening: socket.socket,
    ready: Callable[[int], None],
    inner: socket.socket | None = None,
) -> None:
    try:
        app = app_for(settings, inner)
        server = uvicorn_server(app, proxies=settings.proxies, log_level=settings.log_level)
        sockets = [listening] if inner is None else [listening, inner]
        with contextlib.suppress(KeyboardInterrupt):
            _runner(server)(_serve(server, sockets, ready))
    finally:
        listening.close()


def _runner(server: uvicorn.Server) -> Callable[..., object]:
    loop = server.config.get_loop_factory()
    return lambda work: asyncio.Runner(loop_factory=loop).run(work)


async def _serve(
    server: uvicorn.Server, sockets: list[socket.socket], ready: Callable[[int], None]
) -> None:
    serving = asyncio.ensure_future(server.serve(sockets))
    while not server.started and not serving.done():
        await asyncio.sleep(0.01)
    if server.started:
        _set_up_garbage_collection()
        ready(sockets[0].getsockname()[1])
        say_ready()
    await serving


def _allow_many_sockets() -> None:
    """Raises the limit of open files: each socket is one, and many systems allow only 1,024."""
    if sys.platform == "win32":
        return
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = _OPEN_FILES if hard == resource.RLIM_INFINITY else min(_OPEN_FILES, hard)
    if soft != resource.RLIM_INFINITY and soft < wanted:
        resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, hard))


def _set_up_garbage_collection() -> None:
    """Makes the pauses of Python's garbage collector short.

    Everything loaded so far is frozen: the collector no longer looks at it.  Games contain no cycles, so they need no
    collector.  A collection looks at all new objects, and everyone waits for it: up to sixty milliseconds for a hundred
    thousand objects.  So it runs often, on few objects each time; the total is the same.  A full collection looks at
    every game of every table, which takes a tenth of a second for hundreds of tables.  It is rarely needed: only for a
    few kilobytes that each closed socket leaves behind.
    """
    gc.collect()
    gc.freeze()
    gc.set_threshold(700, 3, 1000)


_TERMINAL_BROWSERS = ("www-browser", "links", "elinks", "lynx", "w3m")


def open_browser(address: str) -> bool:
    """Opens the address in a browser, and says whether that worked; there may be no browser.

    Browsers that run in a terminal do not count: they would take over ours, and they run no scripts.  For some browsers
    Python waits until they are closed, so never call this in the server's thread.
    """
    try:
        name = getattr(webbrowser.get(), "name", "")
        return Path(name).name not in _TERMINAL_BROWSERS and webbrowser.open(address)
    except webbrowser.Error:
        return False
