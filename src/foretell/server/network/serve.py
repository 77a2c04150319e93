"""One command, one process: the server on an address that works, printed, opened and shown as a QR code."""

import asyncio
import contextlib
import errno
import gc
import io
import os
import socket
import sys
import threading
import webbrowser
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

import uvicorn

from foretell.errors import NotAllowed
from foretell.server.coach.advice import OddsCoach, warm_up
from foretell.server.logs import set_up_logs
from foretell.server.metrics import Metrics
from foretell.server.network.app import App
from foretell.server.network.guards import Limits, both_ways
from foretell.server.network.http_protocol import HttpProtocol
from foretell.server.network.sockets import MOST_MESSAGE
from foretell.server.network.websocket_protocol import WebSocketProtocol
from foretell.server.store.data_folder import claimed
from foretell.server.store.pruning import Keep
from foretell.server.store.sqlite import SqliteStore
from foretell.server.table.services import Services, Timeouts

if sys.platform != "win32":
    import resource

__all__ = ["Serving", "addresses", "app_of", "bound", "opened", "qr_code", "run", "server_of"]

_PORTS_TRIED = 20
_FILES = 65_536
_BACKLOG = 4096


@dataclass(frozen=True, slots=True, kw_only=True)
class Serving:
    """What `foretell serve` was asked for."""

    data: Path
    host: str = "127.0.0.1"
    port: int = 8000
    is_port_fixed: bool = False  # a port that was asked for by name is not exchanged for another
    origins: tuple[str, ...] = ()
    limits: Limits = field(default_factory=Limits)
    timeouts: Timeouts = field(default_factory=Timeouts)
    keep: Keep = field(default_factory=Keep)
    proxies: str = "127.0.0.1"  # whose forwarded addresses are believed
    log_level: str = "warning"
    stand_in: str = "skilled"  # the bot that plays for who is away
    is_warmed_up: bool = True  # the kernel compiled before anyone needs it


def bound(host: str, port: int, *, is_fixed: bool) -> socket.socket:
    """A listening socket; the next free port where this one is in use, unless it was asked for."""
    for tried in (port,) if is_fixed else (*range(port, port + _PORTS_TRIED), 0):
        family = socket.AF_INET6 if ":" in host else socket.AF_INET
        # asyncio sends small messages at once only on sockets that say they are TCP; on others each answer of two
        # frames waits for the peer's delayed acknowledgement, some 40 ms.
        found = socket.socket(family, socket.SOCK_STREAM, socket.IPPROTO_TCP)
        found.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            found.bind((host, tried))
            found.listen(_BACKLOG)  # only now is the port ours, and nobody else's
        except OSError as error:
            found.close()
            if error.errno not in (errno.EADDRINUSE, errno.EACCES):
                raise
            continue
        return found
    raise NotAllowed("port_in_use", port=port)


def addresses(host: str, port: int) -> list[str]:
    """Where a browser finds us: first on this machine, then, where we listen to it, on the local network."""
    if host not in ("0.0.0.0", "::"):
        shown = f"[{host}]" if ":" in host else host
        shown = "localhost" if host in ("127.0.0.1", "::1") else shown
        return [f"http://{shown}:{port}/"]
    return [f"http://localhost:{port}/", *(f"http://{one}:{port}/" for one in _own_addresses())]


def _own_addresses() -> list[str]:
    """This machine's address in its network: the one it would talk from.  Nothing is sent."""
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


def server_of(
    app: App, *, proxies: str = "127.0.0.1", log_level: str = "warning"
) -> uvicorn.Server:
    """uvicorn as we want it: small messages, no deflate, dead phones found by pings, 1012 on restart.

    h11, because httptools reads a header of any length: a gigabyte of it is a gigabyte of memory.  The game does not
    notice; its messages are the socket's.  And never louder than "info": uvicorn's debug lines are players' messages.
    """
    config = uvicorn.Config(
        app,
        ws=WebSocketProtocol,
        ws_max_size=MOST_MESSAGE,
        ws_per_message_deflate=False,
        ws_ping_interval=20,
        ws_ping_timeout=20,
        http=HttpProtocol,
        h11_max_incomplete_event_size=MOST_MESSAGE,
        lifespan="on",
        log_config=None,
        log_level="info" if log_level == "debug" else log_level,
        access_log=False,
        server_header=False,
        date_header=False,
        forwarded_allow_ips=both_ways(proxies),
        timeout_graceful_shutdown=5,
        timeout_keep_alive=30,
        backlog=_BACKLOG,
    )
    return uvicorn.Server(config)


def app_of(serving: Serving) -> App:
    """The application on the database in the data folder."""
    metrics = Metrics()
    path = serving.data / "foretell.sqlite3"
    store = SqliteStore(path, keep=serving.keep, on_commit=metrics.committed)
    services = Services(
        store=store,
        metrics=metrics,
        timeouts=serving.timeouts,
        stand_in=serving.stand_in,
        coach=OddsCoach(),
    )
    return App(services, limits=serving.limits, origins=serving.origins)


def run(serving: Serving, ready: Callable[[int], None]) -> None:
    """Serves until it is told to stop; `ready` is called with the port once requests are answered."""
    set_up_logs(serving.log_level)
    _allow_many_sockets()
    # Secrets of running games are in every file, and the folder may be one that all may enter.
    os.umask(0o077)
    with claimed(serving.data) as tell:
        listening = bound(serving.host, serving.port, is_fixed=serving.is_port_fixed)

        def told(port: int) -> None:
            tell(addresses(serving.host, port)[-1])
            ready(port)

        _run(serving, listening, told)


def _run(serving: Serving, listening: socket.socket, ready: Callable[[int], None]) -> None:
    try:
        app = app_of(serving)
        if serving.is_warmed_up:
            threading.Thread(target=warm_up, name="warm-up", daemon=True).start()
        server = server_of(app, proxies=serving.proxies, log_level=serving.log_level)
        with contextlib.suppress(KeyboardInterrupt):
            _runner(server)(_serve(server, listening, ready))
    finally:
        listening.close()


def _runner(server: uvicorn.Server) -> Callable[..., object]:
    loop = server.config.get_loop_factory()
    return lambda work: asyncio.Runner(loop_factory=loop).run(work)


async def _serve(
    server: uvicorn.Server, listening: socket.socket, ready: Callable[[int], None]
) -> None:
    serving = asyncio.ensure_future(server.serve([listening]))
    while not server.started and not serving.done():
        await asyncio.sleep(0.01)
    if server.started:
        _settle_memory()
        ready(listening.getsockname()[1])
    await serving


def _allow_many_sockets() -> None:
    """Each socket is an open file, and many systems start with 1,024 of them."""
    if sys.platform == "win32":
        return
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = _FILES if hard == resource.RLIM_INFINITY else min(_FILES, hard)
    if soft != resource.RLIM_INFINITY and soft < wanted:
        resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, hard))


def _settle_memory() -> None:
    """What is loaded by now stays; and games are trees without cycles, which need no collector to go away.

    A collection walks what is new, and holds everyone up meanwhile: a hundred thousand new things are up to sixty
    milliseconds.  So it comes often, for few of them, which costs no more: each is walked once.  A full one walks every
    game of every table, a tenth of a second for hundreds of them: it comes seldom, for what sockets that are gone have
    left behind, some kilobytes each.
    """
    gc.collect()
    gc.freeze()
    gc.set_threshold(700, 3, 1000)


_IN_TERMINAL = ("www-browser", "links", "elinks", "lynx", "w3m")


def opened(address: str) -> bool:
    """Whether a browser could be opened; there may be none.

    Not one that lives in a terminal: it would take ours, and runs no scripts.  Python waits until some browsers are
    closed again: never call this where the server runs.
    """
    try:
        name = getattr(webbrowser.get(), "name", "")
        return Path(name).name not in _IN_TERMINAL and webbrowser.open(address)
    except webbrowser.Error:
        return False
