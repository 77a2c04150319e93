"""Our additions to uvicorn: sending many messages at once, limits on WebSockets, and a timeout for requests."""

import asyncio
import contextlib
import time
from collections import Counter
from collections.abc import AsyncIterator
from typing import Any

import pytest
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed

from foretell.server.network import http_protocol
from foretell.server.network.serve import listening_socket, uvicorn_server
from foretell.server.network.websocket_protocol import SEND_NOW, SendNow, WebSocketProtocol

pytestmark = pytest.mark.anyio


async def patient(_scope: Any, receive: Any, _send: Any) -> None:
    """A page that reads the whole request."""
    while (await receive())["type"] != "http.disconnect":
        pass


@contextlib.asynccontextmanager
async def serving(talk: Any, page: Any = patient) -> AsyncIterator[str]:
    """A server that handles every WebSocket with `talk(send_now, receive, send)`, and every request with `page`."""

    async def app(scope: Any, receive: Any, send: Any) -> None:
        if scope["type"] == "lifespan":
            await receive()
            await send({"type": "lifespan.startup.complete"})
            return
        if scope["type"] == "http":
            await page(scope, receive, send)
            return
        await receive()
        await send({"type": "websocket.accept"})
        await talk(scope["extensions"][SEND_NOW]["send"], receive, send)

    listening = listening_socket("127.0.0.1", 0, is_fixed=True)
    server = uvicorn_server(app)  # type: ignore[arg-type]
    task = asyncio.ensure_future(server.serve([listening]))
    while not server.started:
        await asyncio.sleep(0.01)
    yield f"ws://127.0.0.1:{listening.getsockname()[1]}/"
    server.should_exit = True
    await task


async def test_both_ways_of_sending_keep_the_order() -> None:
    async def talk(send_now: SendNow, receive: Any, send: Any) -> None:
        assert send_now([b"one", b"two"])
        await send({"type": "websocket.send", "text": "three"})
        assert send_now(["vier ♜".encode()])
        await receive()

    async with serving(talk) as address, connect(address) as player:
        received = [await player.recv() for _ in range(4)]
    assert received == ["one", "two", "three", "vier ♜"]


async def test_messages_of_every_length_arrive_whole() -> None:
    sizes = (0, 1, 125, 126, 127, 65_535, 65_536, 70_000)

    async def talk(send_now: SendNow, receive: Any, send: Any) -> None:
        assert send_now([b"x" * size for size in sizes])
        await receive()

    async with serving(talk) as address, connect(address) as player:
        received = [await player.recv() for _ in sizes]
    assert received == ["x" * size for size in sizes]


async def test_on_a_full_connection_nothing_is_sent_and_the_answer_is_false() -> None:
    sent: list[int] = []
    is_full = asyncio.Event()

    async def talk(send_now: SendNow, receive: Any, send: Any) -> None:
        while send_now([b"%d" % len(sent) + b" " * 60_000]):
            sent.append(len(sent))
        is_full.set()
        # `send` waits for room; what was refused has not been sent.
        await send({"type": "websocket.send", "text": "last"})
        await receive()

    async with serving(talk) as address, connect(address, max_queue=1) as player:
        await asyncio.wait_for(is_full.wait(), 20)
        received = [await player.recv()]
        while received[-1] != "last":
            received.append(await player.recv())
    assert [int(text) for text in received[:-1]] == sent


async def test_on_a_lost_connection_the_answer_is_true() -> None:
    answers: list[bool] = []
    is_over = asyncio.Event()

    async def talk(send_now: SendNow, receive: Any, send: Any) -> None:
        assert (await receive())["type"] == "websocket.disconnect"
        answers.append(send_now([b"too late"]))
        is_over.set()

    async with serving(talk) as address:
        async with connect(address):
            pass
        await asyncio.wait_for(is_over.wait(), 20)
    assert answers == [True]


async def _idle(_at_once: SendNow, receive: Any, _send: Any) -> None:
    while (await receive())["type"] != "websocket.disconnect":
        pass


async def sends_pings(player: ClientConnection) -> None:
    for _ in range(1000):
        await player.ping()
        await asyncio.sleep(0)


async def sends_parts(player: ClientConnection) -> None:
    await player.send(["x"] * 1000)
    await asyncio.wait_for(player.recv(), 5)


@pytest.mark.parametrize("endless", [sends_pings, sends_parts])
async def test_endless_pings_and_endless_parts_close_the_connection(endless: Any) -> None:
    async with serving(_idle) as address, connect(address) as player:
        for _ in range(20):
            await (await player.ping())
        await player.send(["a message ", "in a few", " parts"])
        with pytest.raises(ConnectionClosed):
            await endless(player)


@pytest.fixture
def short_timeout(monkeypatch: pytest.MonkeyPatch) -> float:
    monkeypatch.setattr(http_protocol, "REQUEST_TIMEOUT", 0.5)
    return 0.5


PART = b"POST /api HTTP/1.1\r\nHost: x\r\nContent-Length: 9\r\n"


@pytest.mark.parametrize("said", [b"", b"GET", PART, PART + b"\r\nhalf"])
async def test_an_incomplete_request_times_out(short_timeout: float, said: bytes) -> None:
    async with serving(_idle) as address:
        begun = time.monotonic()
        reader, writer = await _connected(address)
        writer.write(said)
        with contextlib.suppress(ConnectionError):
            while await asyncio.wait_for(reader.read(1000), 10):
                pass
        assert time.monotonic() - begun >= short_timeout * 0.9
        writer.close()


async def test_single_bytes_do_not_extend_the_timeout(short_timeout: float) -> None:
    async with serving(_idle) as address:
        reader, writer = await _connected(address)

        async def drip() -> None:
            for byte in PART * 10:
                writer.write(bytes([byte]))
                await writer.drain()
                await asyncio.sleep(short_timeout / 10)

        with pytest.raises(ConnectionError):
            await drip()
        with contextlib.suppress(ConnectionError):
            assert not await reader.read()
        writer.close()


async def test_a_slow_answer_and_a_silent_websocket_do_not_time_out(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(
        http_protocol, "REQUEST_TIMEOUT", 1.0
    )  # on a busy machine, even asking takes a while

    async def slowly(scope: Any, receive: Any, send: Any) -> None:
        await asyncio.sleep(1.5)
        await send(
            {"type": "http.response.start", "status": 200, "headers": [(b"content-length", b"4")]}
        )
        await send({"type": "http.response.body", "body": b"late"})

    async with serving(_idle, slowly) as address, connect(address) as player:
        reader, writer = await _connected(address)
        for _ in range(2):  # on the same connection
            writer.write(b"GET / HTTP/1.1\r\nHost: x\r\n\r\n")
            assert (await reader.readuntil(b"late")).startswith(b"HTTP/1.1 200")
        writer.close()
        await (await player.ping())


async def _connected(address: str) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
    return await asyncio.open_connection(
        "127.0.0.1", int(address.rsplit(":", maxsplit=1)[-1].strip("/"))
    )


async def _raw_websocket(address: str) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
    port = int(address.rsplit(":", 1)[1].strip("/"))
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    writer.write(
        b"GET / HTTP/1.1\r\nHost: localhost\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
        b"Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n"
    )
    await reader.readuntil(b"\r\n\r\n")
    return reader, writer


async def test_thousands_of_tiny_frames_are_parsed_bit_by_bit(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """One read brings tens of thousands of them.  Other connections get their turn in between."""
    turn, parsed = [0], Counter[int]()
    handle_text = WebSocketProtocol.handle_text

    def counted(protocol: WebSocketProtocol, event: Any) -> None:
        parsed[turn[0]] += 1
        handle_text(protocol, event)

    monkeypatch.setattr(WebSocketProtocol, "handle_text", counted)

    async def talk(_send_now: SendNow, receive: Any, _send: Any) -> None:
        while (await receive())["type"] != "websocket.disconnect":
            pass

    count = 20_000
    async with serving(talk) as address:
        _, writer = await _raw_websocket(address)
        writer.write(bytes([0x81, 0x80, 0, 0, 0, 0]) * count)
        async with asyncio.timeout(20):
            while parsed.total() < count:
                turn[0] += 1
                await asyncio.sleep(0)
        writer.transport.abort()
    assert max(parsed.values()) < 2000


async def test_a_client_that_sends_pongs_without_end_is_dropped() -> None:
    async def talk(_send_now: SendNow, receive: Any, _send: Any) -> None:
        await receive()

    async with serving(talk) as address:
        reader, writer = await _raw_websocket(address)
        writer.write(bytes([0x8A, 0x80, 0, 0, 0, 0]) * 5000)
        with contextlib.suppress(ConnectionError):
            assert await asyncio.wait_for(reader.read(), 10) == b""
        writer.transport.abort()


async def test_a_large_message_arrives_whole() -> None:
    """It is parsed bit by bit too, and what follows it keeps its order."""
    heard: list[str] = []

    async def talk(_send_now: SendNow, receive: Any, _send: Any) -> None:
        while (event := await receive())["type"] == "websocket.receive":
            heard.append(event["text"])

    async with serving(talk) as address, connect(address) as player:
        sent = ["x" * 60_000, "small", "y" * 30_000, *map(str, range(50))]
        for text in sent:
            await player.send(text)
        async with asyncio.timeout(10):
            while len(heard) < len(sent):
                await asyncio.sleep(0.01)
    assert heard == sent
