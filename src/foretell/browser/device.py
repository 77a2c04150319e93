"""The tables of one device: the same Lobby and Tables as on a server, reached by messages from the page."""

import secrets
from concurrent.futures import Executor, Future
from dataclasses import replace
from typing import Any

from foretell.browser.host import Host
from foretell.browser.requests import DeviceRequests
from foretell.browser.store import BrowserStore
from foretell.browser.worker_thinkers import WorkerThinkers
from foretell.server.coach.advice import OddsCoach
from foretell.server.keys import Keys, random_keys
from foretell.server.table.in_process import InProcessConnection
from foretell.server.table.lobby import Lobby
from foretell.server.table.services import Services
from foretell.server.wakeups import Wakeups

__all__ = ["HERE", "Device", "opened"]

HERE = "~"
"""The ids of this device's tables and games begin with it; those of a server never do."""

device_keys: Keys = replace(
    random_keys,
    id=lambda: HERE + secrets.token_urlsafe(12),
    code=lambda: HERE + random_keys.code(),
)


class _Inline(Executor):
    """There are no threads: work is done at once.  Replaying a game takes some milliseconds."""

    def submit(self, fn: Any, /, *args: Any, **kwargs: Any) -> "Future[Any]":
        future: Future[Any] = Future()
        try:
            future.set_result(fn(*args, **kwargs))
        except Exception as error:
            future.set_exception(error)
        return future


class Device:
    """What the page reaches: connections that carry the messages of the protocol, and the requests of the HTTP API."""

    def __init__(self, host: Host, services: Services, thinkers: WorkerThinkers) -> None:
        self._host, self._thinkers = host, thinkers
        self._lobby = Lobby(services)
        self._requests = DeviceRequests(self._lobby, thinkers.prepare)
        self._connections: dict[int, InProcessConnection] = {}

    async def ask(self, method: str, address: str, body: str) -> list[Any]:
        """A request: whether it is accepted, and the body of the answer."""
        is_right, answer = await self._requests.answer(method, address, body.encode())
        return [is_right, answer.decode()]

    def connect(self, connection: int) -> None:
        def deliver(message: bytes) -> None:
            self._host.deliver(connection, message.decode())

        self._connections[connection] = InProcessConnection(self._lobby, deliver)

    async def handle(self, connection: int, message: str) -> None:
        """Handles a message of a connection."""
        if connection in self._connections:
            await self._connections[connection].handle(message)

    def disconnect(self, connection: int) -> None:
        if connection in self._connections:
            self._connections.pop(connection).leave_table()

    def thought(self, job: int, answer: str) -> None:
        """The second worker has done its work."""
        self._thinkers.thought(job, answer)


async def opened(host: Host, keys: Keys = device_keys) -> Device:
    """The device with everything that is stored on it."""
    thinkers = WorkerThinkers(host)
    services = Services(
        store=await BrowserStore.opened(host),
        bot_threads=thinkers,
        wakeups=Wakeups(_Inline()),
        keys=keys,
        coach=OddsCoach(),
    )
    return Device(host, services, thinkers)
