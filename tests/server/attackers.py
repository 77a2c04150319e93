"""One address that does its worst: `python -m server.attackers PORT SECONDS SOCKETS ADDRESS`, run in `tests`.

Each of its sockets does one of the things below again and again, as fast as it can.  At the end it prints how often
each was done, as JSON.
"""

import asyncio
import contextlib
import itertools
import json
import os
import random
import secrets
import sys
import time
from collections import Counter
from collections.abc import AsyncIterator, Awaitable, Callable
from functools import cache
from typing import Any

from foretell.server.page_files import STATIC, page_files
from record.conformance import games

LONG_RECORD: dict[str, Any] = max(games("valid.jsonl"), key=lambda one: len(one["rounds"]))

Reader = asyncio.StreamReader
Writer = asyncio.StreamWriter


def framed(payload: bytes, opcode: int = 1) -> bytes:
    """A frame of a client, masked with zeros."""
    size = len(payload)
    if size < 126:
        head = bytes([0x80 | opcode, 0x80 | size])
    elif size < 65_536:
        head = bytes([0x80 | opcode, 0x80 | 126]) + size.to_bytes(2, "big")
    else:
        head = bytes([0x80 | opcode, 0x80 | 127]) + size.to_bytes(8, "big")
    return head + bytes(4) + payload


def message(kind: str, **fields: Any) -> bytes:
    return framed(json.dumps({"type": kind, "id": 1, **fields}).encode())


class Attack:
    """What all attackers know: the server, their own table and a finished game."""

    def __init__(self, port: int, address: str) -> None:
        self.port, self.address = port, address
        self.done: Counter[str] = Counter()
        self.tables: list[dict[str, Any]] = []
        self.game = "none"

    @contextlib.asynccontextmanager
    async def tcp(self, limit: int = 65_536) -> AsyncIterator[tuple[Reader, Writer]]:
        opening = asyncio.open_connection(
            "127.0.0.1", self.port, local_addr=(self.address, 0), limit=limit
        )
        reader, writer = await asyncio.wait_for(opening, 5)
        try:
            yield reader, writer
        finally:
            writer.transport.abort()

    @contextlib.asynccontextmanager
    async def websocket(self, *, is_read: bool = True) -> AsyncIterator[Writer]:
        async with self.tcp() as (reader, writer):
            writer.write(
                f"GET /ws HTTP/1.1\r\nHost: 127.0.0.1:{self.port}\r\nUpgrade: websocket\r\n"
                "Connection: Upgrade\r\nSec-WebSocket-Version: 13\r\n"
                "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n".encode()
            )
            answer = await asyncio.wait_for(reader.readuntil(b"\r\n\r\n"), 5)
            if b" 101 " not in answer:
                raise ConnectionError
            reading = asyncio.ensure_future(_swallow(reader)) if is_read else None
            try:
                yield writer
            finally:
                if reading is not None:
                    reading.cancel()

    async def http(self, method: str, path: str, body: Any = None) -> tuple[int, Any]:
        async with self.tcp() as (reader, writer):
            data = b"" if body is None else json.dumps(body).encode()
            writer.write(
                f"{method} {path} HTTP/1.1\r\nHost: 127.0.0.1:{self.port}\r\nConnection: close\r\n"
                f"Content-Type: application/json\r\nContent-Length: {len(data)}\r\n\r\n".encode()
                + data
            )
            answer = await asyncio.wait_for(reader.read(), 10)
            head, _, text = answer.partition(b"\r\n\r\n")
            with contextlib.suppress(ValueError, IndexError):
                return int(head.split()[1]), json.loads(text)
            return 0, None

    async def prepare(self) -> None:
        """Makes some public tables with bots and a coach, and plays one short game to its end."""
        for _ in range(8):
            options = {
                "seats": 3,
                "bots": ["skilled"] * 2,
                "bot_pause_ms": 0,
                "is_public": True,
                "coach": True,
                "rules": {"rounds": [1]},
            }
            status, table = await self.http(
                "POST", "/api/tables", {"name": "E", "options": options}
            )
            assert status == 201, table
            self.tables.append(table)
        async with self.websocket() as writer:
            writer.write(hello(self.tables[0]) + message("start") + message("away"))
            for _ in range(100):
                await asyncio.sleep(0.05)
                _, table = await self.http("GET", f"/api/tables/{self.tables[0]['table']}")
                if table and table.get("phase") == "over":
                    self.game = table["game"]
                    break

    # Each attack sends until the server closes the connection, or for a while.

    async def bad_json(self) -> None:
        async with self.websocket() as writer:
            await self._repeat(writer, framed(b'{"type": "act", "decision"'))

    async def failed_hellos(self) -> None:
        async with self.websocket() as writer:
            for _ in range(200):
                code = secrets.token_hex(3)
                writer.write(message("hello", version=1, table=code))
                writer.write(message("hello", version=1, table=code, token="x" * 32))
                await self._pause(writer)

    async def hellos(self) -> None:
        async with self.websocket() as writer:
            for table in itertools.islice(itertools.cycle(self.tables), 500):
                writer.write(hello(table))
                await self._pause(writer)

    async def joins(self) -> None:
        for table in self.tables:
            await self.http("POST", f"/api/tables/{table['code']}/seats", {"name": "Eve"})

    async def new_tables(self) -> None:
        await self.http("POST", "/api/tables", {"name": "E", "options": {"is_public": True}})

    async def chat(self) -> None:
        await self._at_table(message("chat", text="x" * 300))

    async def toggles(self) -> None:
        await self._at_table(message("ready", is_ready=False) + message("ready", is_ready=True))

    async def coach(self) -> None:
        await self._at_table(
            message("start")
            + b"".join(message("ask_coach", decision=f"1:bid:{n}") for n in range(3))
            + message("rematch")
        )

    async def reviews(self) -> None:
        await self.http("POST", f"/api/games/{self.game}/review", {})
        await self.http("GET", f"/api/games/{self.game}/replay/1")
        await self.http("GET", f"/api/games/{self.game}")

    async def records(self) -> None:
        """A long game, to be read and played through; and as many empty rounds as fit into a request."""
        await self.http("POST", f"/api/replay?number=20&seat={random.randrange(3)}", LONG_RECORD)
        await self.http("POST", "/api/review", LONG_RECORD)
        await self.http("POST", "/api/replay", {**LONG_RECORD, "rounds": [{}] * 18_000})

    async def mine(self) -> None:
        tokens = [one["token"] for one in self.tables] * 12
        await self.http("POST", "/api/mine", {"tokens": tokens})

    async def half_open(self) -> None:
        async with self.tcp() as (_, writer):
            writer.write(
                b"POST /api/tables HTTP/1.1\r\nHost: localhost\r\nContent-Length: 9999\r\n"
            )
            for _ in range(20):
                writer.write(b"x-y: " + b"z" * 1000 + b"\r\n")
                await self._pause(writer, 0.1)

    async def slow_reader(self) -> None:
        async with self.websocket(is_read=False) as writer:
            writer.write(message("watch_lobby", version=1))
            for _ in range(200):
                writer.write(message("ping") * 20)
                await self._pause(writer, 0.05)

    async def big_frames(self) -> None:
        async with self.websocket() as writer:
            big = framed(b'{"type": "chat", "text": "' + b"[" * 65_000 + b'"}')
            nested = framed(b"[" * 65_000)
            for _ in range(100):
                writer.write(big + nested)
                await self._pause(writer)

    async def tiny_frames(self) -> None:
        async with self.websocket() as writer:
            await self._repeat(writer, framed(b"") * 40_000)

    async def pings(self) -> None:
        async with self.websocket() as writer:
            await self._repeat(writer, framed(b"", 9) * 2000 + framed(b"", 10) * 20_000)

    async def pongs(self) -> None:
        async with self.websocket() as writer:
            await self._repeat(writer, framed(b"", 10) * 40_000)

    async def parts(self) -> None:
        async with self.websocket() as writer:
            writer.write(bytes([0x01, 0x80, 0, 0, 0, 0]))  # a message that never ends
            await self._repeat(writer, bytes([0x00, 0x80, 0, 0, 0, 0]) * 40_000)

    async def tls(self) -> None:
        async with self.tcp() as (reader, writer):
            writer.write(b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03" + secrets.token_bytes(500))
            await asyncio.wait_for(reader.read(), 5)

    async def pipelined(self) -> None:
        async with self.tcp() as (reader, writer):
            swallowing = asyncio.ensure_future(_swallow(reader))
            one = f"GET /api/tables HTTP/1.1\r\nHost: 127.0.0.1:{self.port}\r\n\r\n".encode()
            try:
                await self._repeat(writer, one * 500)
            finally:
                swallowing.cancel()

    async def pages(self) -> None:
        for path in ("/", "/api/form", "/api/schema", "/api/ready", "/nothing"):
            await self.http("GET", path)

    async def downloads(self) -> None:
        """The largest file of the page, by someone who hardly reads it."""
        async with self.tcp() as (_, writer):
            asked = f"GET /{largest_file()} HTTP/1.1\r\nHost: 127.0.0.1:{self.port}\r\n\r\n"
            writer.write(asked.encode())
            await self._pause(writer, 1)

    async def churn(self) -> None:
        async with self.tcp():
            pass

    # Their parts

    async def _at_table(self, text: bytes) -> None:
        table = self.tables[secrets.randbelow(len(self.tables))]
        async with self.websocket() as writer:
            writer.write(hello(table))
            await self._repeat(writer, text)

    async def _repeat(self, writer: Writer, text: bytes) -> None:
        for _ in range(1000):
            writer.write(text)
            await self._pause(writer)

    async def _pause(self, writer: Writer, seconds: float = 0.001) -> None:
        await asyncio.wait_for(writer.drain(), 5)
        await asyncio.sleep(seconds)
        if writer.transport.is_closing():
            raise ConnectionError


ATTACKS: tuple[Callable[[Attack], Awaitable[None]], ...] = (
    Attack.bad_json,
    Attack.failed_hellos,
    Attack.hellos,
    Attack.joins,
    Attack.new_tables,
    Attack.chat,
    Attack.toggles,
    Attack.coach,
    Attack.reviews,
    Attack.records,
    Attack.mine,
    Attack.half_open,
    Attack.slow_reader,
    Attack.big_frames,
    Attack.tiny_frames,
    Attack.pings,
    Attack.pongs,
    Attack.parts,
    Attack.tls,
    Attack.pipelined,
    Attack.pages,
    Attack.downloads,
    Attack.churn,
)


@cache
def largest_file() -> str:
    files = page_files(STATIC)
    return max(files, key=lambda name: files[name].stat().st_size)


def hello(table: dict[str, Any]) -> bytes:
    return message("hello", version=1, table=table["table"], token=table["token"])


async def _swallow(reader: Reader) -> None:
    with contextlib.suppress(ConnectionError):
        while await reader.read(1 << 20):
            pass


async def main(port: int, seconds: float, sockets: int, address: str) -> None:
    attack = Attack(port, address)
    await attack.prepare()
    end = time.monotonic() + seconds

    async def again_and_again(does: Callable[[Attack], Awaitable[None]]) -> None:
        while time.monotonic() < end:
            try:
                async with asyncio.timeout(max(0.1, end - time.monotonic())):
                    await does(attack)
            except (OSError, asyncio.IncompleteReadError, TimeoutError):
                pass
            except Exception as error:  # whatever happens, the attack goes on
                print(type(error).__name__, error, file=sys.stderr)
            attack.done[getattr(does, "__name__", "")] += 1
            await asyncio.sleep(0.005)

    each = itertools.islice(itertools.cycle(ATTACKS), sockets)
    # A timeout at the very end may cancel an attack twice: that is no reason to lose the numbers.
    await asyncio.gather(*(again_and_again(one) for one in each), return_exceptions=True)
    print(json.dumps(attack.done), flush=True)


if __name__ == "__main__":
    os.nice(10)  # attackers have machines of their own: they must not take the server's processor
    asyncio.run(main(int(sys.argv[1]), float(sys.argv[2]), int(sys.argv[3]), sys.argv[4]))
