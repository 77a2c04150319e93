"""Our own ends of uvicorn's lines: how a turn's messages leave, and how long a request is waited for."""

import asyncio
import contextlib
import time
from collections.abc import AsyncIterator
from typing import Any

import pytest
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed

from foretell.server.network import http_protocol
from foretell.server.network.serve import listening_socket, uvicorn_server
from foretell.server.network.websocket_protocol import SEND_NOW, SendNow

pytestmark = pytest.mark.anyio


async def patient(_scope: Any, receive: Any, _send: Any) -> None:
    """A page that reads all there is."""
    while (await receive())["type"] != "http.disconnect":
        pass


@contextlib.asynccontextmanager
async def serving(talk: Any, page: Any = patient) -> AsyncIterator[str]:
    """A server whose only socket is `talk(send_now, receive, send)`, and whose only page is an application."""

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


async def test_messages_of_both_doors_arrive_in_the_order_they_were_sent() -> None:
    async def talk(send_now: SendNow, receive: Any, send: Any) -> None:
        assert send_now([b"one", b"two"])
        await send({"type": "websocket.send", "text": "three"})
        assert send_now(["vier ♜".encode()])
        await receive()

    async with serving(talk) as address, connect(address) as player:
        heard = [await player.recv() for _ in range(4)]
    assert heard == ["one", "two", "three", "vier ♜"]


async def test_messages_of_every_length_arrive_whole() -> None:
    sizes = (0, 1, 125, 126, 127, 65_535, 65_536, 70_000)

    async def talk(send_now: SendNow, receive: Any, send: Any) -> None:
        assert send_now([b"x" * size for size in sizes])
        await receive()

    async with serving(talk) as address, connect(address) as player:
        heard = [await player.recv() for _ in sizes]
    assert heard == ["x" * size for size in sizes]


async def test_a_full_line_says_no_and_sends_nothing_of_it() -> None:
    sent: list[int] = []
    is_told = asyncio.Event()

    async def talk(send_now: SendNow, receive: Any, send: Any) -> None:
        while send_now([b"%d" % len(sent) + b" " * 60_000]):
            sent.append(len(sent))
        is_told.set()
        # The other door waits for room, and what was refused is not in between.
        await send({"type": "websocket.send", "text": "last"})
        await receive()

    async with serving(talk) as address, connect(address, max_queue=1) as player:
        await asyncio.wait_for(is_told.wait(), 20)
        heard = [await player.recv()]
        while heard[-1] != "last":
            heard.append(await player.recv())
    assert [int(text) for text in heard[:-1]] == sent


async def test_on_a_line_that_is_gone_everything_has_room() -> None:
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


async def pinged(player: ClientConnection) -> None:
    for _ in range(1000):
        await player.ping()
        await asyncio.sleep(0)


async def sent_in_parts(player: ClientConnection) -> None:
    await player.send(["x"] * 1000)
    await asyncio.wait_for(player.recv(), 5)


@pytest.mark.parametrize("endless", [pinged, sent_in_parts])
async def test_pings_without_end_and_parts_without_end_cut_the_line(endless: Any) -> None:
    async with serving(_idle) as address, connect(address) as player:
        for _ in range(20):
            await (await player.ping())
        await player.send(["a message ", "in a few", " parts"])
        with pytest.raises(ConnectionClosed):
            await endless(player)


@pytest.fixture
def hasty(monkeypatch: pytest.MonkeyPatch) -> float:
    monkeypatch.setattr(http_protocol, "REQUEST_TIMEOUT", 0.5)
    return 0.5


PART = b"POST /api HTTP/1.1\r\nHost: x\r\nContent-Length: 9\r\n"


@pytest.mark.parametrize("said", [b"", b"GET", PART, PART + b"\r\nhalf"])
async def test_a_request_that_does_not_end_is_given_up(hasty: float, said: bytes) -> None:
    async with serving(_idle) as address:
        begun = time.monotonic()
        reader, writer = await _called(address)
        writer.write(said)
        with contextlib.suppress(ConnectionError):
            while await asyncio.wait_for(reader.read(1000), 10):
                pass
        assert time.monotonic() - begun >= hasty * 0.9
        writer.close()


async def test_a_byte_now_and_then_gains_no_time(hasty: float) -> None:
    async with serving(_idle) as address:
        reader, writer = await _called(address)

        async def drip() -> None:
            for byte in PART * 10:
                writer.write(bytes([byte]))
                await writer.drain()
                await asyncio.sleep(hasty / 10)

        with pytest.raises(ConnectionError):
            await drip()
        with contextlib.suppress(ConnectionError):
            assert not await reader.read()
        writer.close()


async def test_who_has_asked_may_wait_and_a_websocket_may_be_silent(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(
        http_protocol, "REQUEST_TIMEOUT", 1.0
    )  # a busy machine needs some to ask at all

    async def slowly(scope: Any, receive: Any, send: Any) -> None:
        await asyncio.sleep(1.5)
        await send(
            {"type": "http.response.start", "status": 200, "headers": [(b"content-length", b"4")]}
        )
        await send({"type": "http.response.body", "body": b"late"})

    async with serving(_idle, slowly) as address, connect(address) as player:
        reader, writer = await _called(address)
        for _ in range(2):  # on the same connection
            writer.write(b"GET / HTTP/1.1\r\nHost: x\r\n\r\n")
            assert (await reader.readuntil(b"late")).startswith(b"HTTP/1.1 200")
        writer.close()
        await (await player.ping())


async def _called(address: str) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
    return await asyncio.open_connection(
        "127.0.0.1", int(address.rsplit(":", maxsplit=1)[-1].strip("/"))
    )
