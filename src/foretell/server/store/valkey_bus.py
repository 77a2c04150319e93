"""The bus through Valkey, or any server that speaks its protocol, such as Redis from version 6 on.

It needs four commands, on one connection: HELLO, SUBSCRIBE, PUBLISH and PING.  So it speaks RESP3, the protocol of
these servers, itself; with RESP3 a connection that has subscribed may publish, too.
"""

import asyncio
import contextlib
import ssl
from collections.abc import Callable
from typing import Any
from urllib.parse import unquote, urlsplit

from foretell.errors import NotAllowed
from foretell.server.logs import log

__all__ = ["ValkeyBus"]

_SCHEMES = {"valkey": False, "redis": False, "valkeys": True, "rediss": True}  # whether it is TLS
_TIMEOUT = 3.0  # seconds to connect, and without any sign of the server
_PING = 1.0  # seconds
_TRY_AGAIN = 1.0  # seconds after the connection was lost
_MOST_UNSENT = 256 * 1024  # bytes: beyond that, news are lost
_MOST_ITEMS, _MOST_TEXT = 1000, 1_000_000  # in one answer of the server


class ValkeyBus:
    """A Bus with one connection, which is made again whenever it is lost."""

    def __init__(self, url: str) -> None:
        found = urlsplit(url)
        if found.scheme not in _SCHEMES or not found.hostname:
            raise NotAllowed("bad_bus", address=_shown(url))
        self._host = found.hostname
        try:
            self._port = found.port or 6379
        except ValueError:
            raise NotAllowed("bad_bus", address=_shown(url)) from None
        self._tls = ssl.create_default_context() if _SCHEMES[found.scheme] else None
        self._user, self._password = unquote(found.username or ""), unquote(found.password or "")
        # A channel for each database of Valkey, so that two installations can share one server.
        self._channel = f"foretell/{found.path.strip('/') or '0'}"
        self._writer: asyncio.StreamWriter | None = None  # None while there is no connection
        self._task: asyncio.Task[None] | None = None

    def listen(self, on_news: Callable[[bytes], None]) -> None:
        self._task = asyncio.ensure_future(self._run(on_news))

    async def _run(self, on_news: Callable[[bytes], None]) -> None:
        was_lost = False
        while True:
            try:
                async with asyncio.timeout(_TIMEOUT):
                    reader, writer = await self._connected()
                was_lost = False
                try:
                    self._writer = writer
                    on_news(b"")
                    await self._receive(reader, writer, on_news)
                finally:
                    self._writer = None
                    writer.transport.abort()
            except (OSError, EOFError, TimeoutError, ValueError) as error:
                if not was_lost:  # once, and not every second
                    log.warning("bus gone", error=str(error) or type(error).__name__)
                was_lost = True
            await asyncio.sleep(_TRY_AGAIN)

    async def _connected(self) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
        reader, writer = await asyncio.open_connection(self._host, self._port, ssl=self._tls)
        try:
            known = ("AUTH", self._user or "default", self._password) if self._password else ()
            writer.write(_command("HELLO", "3", *known) + _command("SUBSCRIBE", self._channel))
            for _ in range(2):
                answer = await _read(reader)
                if isinstance(answer, OSError):
                    raise answer
        except BaseException:
            writer.transport.abort()
            raise
        return reader, writer

    async def _receive(
        self,
        reader: asyncio.StreamReader,
        writer: asyncio.StreamWriter,
        on_news: Callable[[bytes], None],
    ) -> None:
        """Passes messages on until the server is gone, or says nothing, not even to a ping."""
        pinging = asyncio.ensure_future(_ping(writer))
        try:
            while True:
                async with asyncio.timeout(_TIMEOUT):
                    found = await _read(reader)
                if isinstance(found, list) and found[:1] == [b"message"] and len(found) == 3:
                    on_news(found[2])
        finally:
            pinging.cancel()

    async def tell(self, message: bytes) -> None:
        writer = self._writer
        if writer is None or writer.transport.get_write_buffer_size() > _MOST_UNSENT:
            return
        with contextlib.suppress(OSError, RuntimeError):
            writer.write(_command("PUBLISH", self._channel, message))

    async def close(self) -> None:
        if self._task is not None:
            self._task.cancel()
            await asyncio.gather(self._task, return_exceptions=True)


async def _ping(writer: asyncio.StreamWriter) -> None:
    while True:
        await asyncio.sleep(_PING)
        writer.write(_command("PING"))


def _command(*parts: str | bytes) -> bytes:
    """A command as RESP sends it: an array of texts, each with its length."""
    texts = [part.encode() if isinstance(part, str) else part for part in parts]
    return b"*%d\r\n" % len(texts) + b"".join(b"$%d\r\n%b\r\n" % (len(one), one) for one in texts)


async def _read(reader: asyncio.StreamReader) -> Any:
    """One answer or message.  A refusal is an OSError, returned; anything unreadable raises ValueError."""
    line = (await reader.readline()).removesuffix(b"\r\n")
    if not line:
        raise EOFError
    kind, rest = line[:1], line[1:]
    match kind:
        case b"+" | b"_" | b"," | b"#" | b"(":
            return rest
        case b":":
            return int(rest)
        case b"-":
            return OSError(rest.decode(errors="replace"))
        case b"$" | b"=":
            size = _counted(rest, _MOST_TEXT)
            return None if size < 0 else (await reader.readexactly(size + 2))[:-2]
        case b"*" | b">" | b"~" | b"%":
            count = _counted(rest, _MOST_ITEMS) * (2 if kind == b"%" else 1)
            return [await _read(reader) for _ in range(count)]
    raise ValueError(f"unknown answer {kind!r}")


def _counted(text: bytes, most: int) -> int:
    found = int(text)
    if found > most:
        raise ValueError("too long")
    return found


def _shown(url: str) -> str:
    """The address without a password."""
    scheme, _, rest = url.rpartition("://")
    return f"{scheme}://{rest.rpartition('@')[2]}" if scheme else rest.rpartition("@")[2]
