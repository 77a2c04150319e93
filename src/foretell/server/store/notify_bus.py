"""The bus through the database itself: LISTEN on one permanent connection, and NOTIFY."""

import asyncio
import threading
from collections.abc import Awaitable, Callable

import psycopg

from foretell.server.logs import log
from foretell.server.store.postgresql_database import PostgresqlConnection, connect

__all__ = ["NotifyBus"]

_CHANNEL = "foretell"
_LOOK_UP = 0.5  # seconds after which the thread looks whether it should end
_TRY_AGAIN = 1.0  # seconds after the connection was lost

Run = Callable[[Callable[[PostgresqlConnection], object]], Awaitable[object]]


class NotifyBus:
    """A Bus with a thread that LISTENs.  `run` calls a function with a connection, in another thread."""

    def __init__(self, url: str, run: Run) -> None:
        self._url, self._run_in_thread = url, run
        self._is_closed = threading.Event()
        self._thread: threading.Thread | None = None

    def listen(self, on_news: Callable[[bytes], None]) -> None:
        loop = asyncio.get_running_loop()

        def tell(message: bytes) -> None:
            loop.call_soon_threadsafe(on_news, message)

        self._thread = threading.Thread(
            target=self._run, args=(tell,), name="store-news", daemon=True
        )
        self._thread.start()

    def _run(self, on_news: Callable[[bytes], None]) -> None:
        while not self._is_closed.is_set():
            try:
                connection = connect(self._url)
                with connection.raw:
                    connection.execute(f"LISTEN {_CHANNEL}")
                    on_news(b"")
                    while not self._is_closed.is_set():
                        for one in connection.raw.notifies(timeout=_LOOK_UP, stop_after=1):
                            on_news(one.payload.encode())
            except psycopg.Error:
                self._is_closed.wait(_TRY_AGAIN)
            except RuntimeError:  # the event loop is closed: nobody listens any more
                return

    async def tell(self, message: bytes) -> None:
        values = {"channel": _CHANNEL, "message": message.decode()}
        try:
            await self._run_in_thread(
                lambda connection: connection.execute(
                    "SELECT pg_notify(:channel, :message)", values
                )
            )
        except psycopg.Error as error:
            log.info("news lost", error=type(error).__name__)

    async def close(self) -> None:
        self._is_closed.set()
        if self._thread is not None:
            await asyncio.to_thread(self._thread.join)
