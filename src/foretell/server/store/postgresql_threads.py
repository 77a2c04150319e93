"""Threads that ask PostgreSQL, each with a connection of its own."""

import asyncio
import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import TypeVar

import psycopg

from foretell.server.store.postgresql_database import (
    PostgresqlConnection,
    connect,
    is_connection_lost,
)

__all__ = ["AskingThreads"]

T = TypeVar("T")


class AskingThreads:
    """So many threads.  `timeout` is how long one statement may take, in seconds."""

    def __init__(self, url: str, count: int, name: str, timeout: float) -> None:
        self._url, self._timeout = url, timeout
        self._threads = ThreadPoolExecutor(count, thread_name_prefix=name)
        self._own = threading.local()  # the connection of each thread
        self._connections: list[PostgresqlConnection] = []

    async def ask(self, read: Callable[[PostgresqlConnection], T]) -> T:
        loop = asyncio.get_running_loop()
        return await loop.run_in_executor(self._threads, self._with_connection, read)

    def _with_connection(self, read: Callable[[PostgresqlConnection], T]) -> T:
        """Reads; if the connection was lost since the last time, it reads once more with a new one."""
        known: PostgresqlConnection | None = getattr(self._own, "connection", None)
        if known is not None:
            try:
                return read(known)
            except psycopg.Error as error:
                if not is_connection_lost(error):
                    raise
                known.close()
                self._connections.remove(known)
                self._own.connection = None
        self._own.connection = fresh = connect(self._url, self._timeout)
        self._connections.append(fresh)
        return read(fresh)

    def close(self) -> None:
        self._threads.shutdown(wait=True)
        for connection in self._connections:
            connection.close()
