"""What protects the server: origins, limits on sockets, hidden tokens, cleaned names, and a clean shutdown."""

import asyncio
import dataclasses
import gc
import logging
import socket as socket_module
import sqlite3
from pathlib import Path
from typing import Any

import pytest
from websockets.asyncio.client import connect
from websockets.exceptions import ConnectionClosed, InvalidStatus

from foretell.client import Connection, ConnectionLost, Player, RefusedByTable
from foretell.errors import NotAllowed
from foretell.server.network.hosts import is_origin_allowed
from foretell.server.network.limits import Limits
from foretell.server.network.socket_connection import SocketConnection
from foretell.server.table.participants import SocketParticipant
from foretell.server.table.services import Timeouts
from foretell.server.wire import protocol as p
from foretell.server.wire import user_text
from server.rooms import (
    OPEN,
    SHORT,
    all_in,
    eventually,
    fetched,
    open_room,
    played,
    ready_and_start,
)

pytestmark = pytest.mark.anyio


def socket_at(address: str, **more: Any) -> connect:
    return connect("ws" + address.removeprefix("http") + "/ws", compression=None, **more)


async def closed_with(socket: Any) -> int | None:
    """The close code of a socket, after whatever else it receives."""
    try:
        async with asyncio.timeout(5):
            while True:
                await socket.recv()
    except ConnectionClosed as closed:
        return closed.rcvd.code if closed.rcvd else None


@pytest.mark.parametrize(
    ("origin", "host", "is_allowed"),
    [
        (None, "localhost:8000", True),
        ("http://localhost:8000", "localhost:8000", True),
        ("https://wizard.example", "wizard.example", True),
        ("https://evil.example", "wizard.example", False),
        ("http://localhost:8000.evil.example", "localhost:8000", False),
        ("null", "localhost:8000", False),
        ("http://[localhost:8000", "localhost:8000", False),
        ("https://other.example", "wizard.example", True),
    ],
)
async def test_which_pages_may_use_the_server(
    origin: str | None, host: str, is_allowed: bool
) -> None:
    assert is_origin_allowed(origin, host, ["https://other.example"]) is is_allowed


async def test_a_page_of_another_site_gets_no_socket_and_makes_no_table(tmp_path: Path) -> None:
    async with open_room(tmp_path / "t.sqlite3") as room:
        with pytest.raises(InvalidStatus) as refused:
            await socket_at(room.address, origin="https://evil.example")
        assert refused.value.response.status_code == 403
        async with socket_at(room.address, origin=room.address):
            pass
        status, body, _ = await fetched(
            room.address + "/api/tables", {"name": "A"}, origin="https://evil.example"
        )
        assert (status, body["error"]["code"]) == (403, "other_origin")


async def test_a_silent_socket_is_closed(tmp_path: Path) -> None:
    async with (
        open_room(tmp_path / "t.sqlite3", timeouts=Timeouts(hello=0.1)) as room,
        socket_at(room.address) as socket,
    ):
        assert await closed_with(socket) == 4000


async def test_an_unreadable_first_message_does_not_stop_the_timeout(
    tmp_path: Path,
) -> None:
    async with (
        open_room(tmp_path / "t.sqlite3", timeouts=Timeouts(hello=0.2)) as room,
        socket_at(room.address) as socket,
    ):
        await socket.send("{")
        assert await closed_with(socket) == 4000


async def test_a_socket_may_be_silent_after_its_first_message(tmp_path: Path) -> None:
    async with (
        open_room(tmp_path / "t.sqlite3", timeouts=Timeouts(hello=0.1)) as room,
        socket_at(room.address) as socket,
    ):
        await socket.send(p.write(p.WatchLobby(version=p.VERSION)), text=True)
        await asyncio.sleep(0.3)
        await socket.send(p.write(p.Ping(id=2)), text=True)
        received = [p.read_server(await socket.recv()) for _ in range(2)]
        assert isinstance(received[1], p.Pong)


async def test_pongs_make_no_room_in_the_inbox_of_a_table(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Only a limited number of messages from one socket wait for a table, whatever else the socket receives."""
    stuck = asyncio.Event()

    async def waiting(*_args: Any, **_more: Any) -> None:
        await stuck.wait()

    limits = dataclasses.replace(OPEN, inbox=8)
    async with open_room(tmp_path / "t.sqlite3", limits=limits) as room:
        (seat,) = await room.table()
        async with socket_at(room.address) as socket:
            hello = p.Hello(version=p.VERSION, table=seat.table, token=seat.token)
            await socket.send(p.write(hello), text=True)
            await socket.recv()
            monkeypatch.setattr(room.services.store, "save", waiting)
            for _ in range(20):
                await socket.send(p.write(p.Away()), text=True)
                await socket.send(p.write(p.Ping()), text=True)
            code = await closed_with(socket)
            stuck.set()
            assert code == 4003


@pytest.mark.parametrize("first", [p.Act(decision="1:bid:0", action="bid 0"), p.Ping()])
async def test_the_first_message_is_hello(tmp_path: Path, first: p.FromClient) -> None:
    async with open_room(tmp_path / "t.sqlite3") as room, socket_at(room.address) as socket:
        await socket.send(p.write(first), text=True)
        assert await closed_with(socket) == 4000


async def test_a_hello_is_answered_when_the_store_fails(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def broken(_key: str) -> None:
        raise sqlite3.OperationalError("disk I/O error")

    async with open_room(tmp_path / "t.sqlite3") as room, socket_at(room.address) as socket:
        (seat,) = await room.table()
        room.app.lobby.tables.clear()  # as if it were asleep
        hello = p.write(p.Hello(version=p.VERSION, table=seat.table, token=seat.token, id=7))
        with monkeypatch.context() as disk:
            disk.setattr(room.services.store, "table", broken)
            await socket.send(hello, text=True)
            answer = p.read_server(await socket.recv(decode=False))
        assert isinstance(answer, p.Refusal)
        assert (answer.id, answer.error.code) == (7, "server_failed")
        await socket.send(hello, text=True)
        assert isinstance(p.read_server(await socket.recv(decode=False)), p.Welcome)


async def test_a_closed_socket_leaves_nothing_behind(tmp_path: Path) -> None:
    """Full garbage collections are rare in a server: closed sockets must be freed without one."""
    async with open_room(tmp_path / "t.sqlite3") as room:
        (seat,) = await room.table()
        gc.collect()
        gc.disable()
        try:
            for _ in range(5):
                async with room.player(seat) as ada:
                    await ada.ask(p.Ping())
            await eventually(lambda: not room.app.lobby.tables[seat.table].presence)
            left = [type(one) for one in gc.get_objects()]
        finally:
            gc.enable()
        assert left.count(SocketConnection) == left.count(SocketParticipant) == 0


async def test_a_client_of_another_version_is_told_so(tmp_path: Path) -> None:
    async with open_room(tmp_path / "t.sqlite3") as room:
        (seat,) = await room.table()
        async with socket_at(room.address) as socket:
            await socket.send(p.write(p.Hello(id=5, version=99, table=seat.table)), text=True)
            answer = p.read_server(await socket.recv())
            assert isinstance(answer, p.Refusal)
            assert (answer.id, answer.error.code) == (5, "other_version")
            assert await closed_with(socket) == 4009


async def test_a_message_too_large_or_too_many_of_them_close_the_socket(tmp_path: Path) -> None:
    limits = Limits(messages=0.001, message_burst=5)
    async with open_room(tmp_path / "t.sqlite3", limits=limits) as room:
        async with socket_at(room.address) as socket:
            await socket.send(" " * 70_000)
            assert await closed_with(socket) == 1009
        async with socket_at(room.address) as socket:
            await socket.send(p.write(p.WatchLobby(version=p.VERSION)), text=True)
            for _ in range(5):
                await socket.send(p.write(p.Ping()), text=True)
            assert await closed_with(socket) == 4003


@pytest.mark.parametrize(
    ("text", "id_"),
    [
        ('{"type": "emote", "id": 7, "emote": "rude"}', 7),
        ('{"type": "dance", "id": 8}', 8),
        ('{"type": "chat", "id": 9, "text": ""}', 9),
        ('{"type": "act", "decision": 1}', 0),
        ('{"type": "ping", "id": -1}', None),
        ('{"type": "ping", "id": 10', None),
        ("[10]", None),
    ],
)
async def test_an_unreadable_message_is_refused_with_its_id(
    tmp_path: Path, text: str, id_: int | None
) -> None:
    async with open_room(tmp_path / "t.sqlite3") as room, socket_at(room.address) as socket:
        await socket.send(text)
        answer = p.read_server(await socket.recv())
        assert isinstance(answer, p.Refusal)
        assert (answer.id, answer.error.code) == (id_, "unreadable_message")


async def test_too_many_unreadable_messages_close_the_socket(tmp_path: Path) -> None:
    async with open_room(tmp_path / "t.sqlite3") as room, socket_at(room.address) as socket:
        await socket.send("{")
        answer = p.read_server(await socket.recv())
        assert isinstance(answer, p.Refusal)
        assert answer.id is None
        for _ in range(20):
            await socket.send("{")
        assert await closed_with(socket) == 4003


async def test_the_sockets_of_one_address_are_limited(tmp_path: Path) -> None:
    limits = Limits(sockets_per_address=2)
    async with (
        open_room(tmp_path / "t.sqlite3", limits=limits) as room,
        socket_at(room.address),
        socket_at(room.address),
        socket_at(room.address) as third,
    ):
        assert await closed_with(third) == 1013


async def test_a_slow_client_is_dropped_and_may_come_back(tmp_path: Path) -> None:
    limits = dataclasses.replace(OPEN, queue=50, inbox=10**6)
    async with open_room(tmp_path / "t.sqlite3", limits=limits) as room:
        seats = await room.table(2, seats=3)
        hello = p.Hello(version=1, table=seats[1].table, token=seats[1].token)
        slow = socket_module.socket()
        slow.setsockopt(socket_module.SOL_SOCKET, socket_module.SO_RCVBUF, 4096)
        slow.setblocking(False)
        await asyncio.get_running_loop().sock_connect(slow, ("127.0.0.1", room.port))
        reader, writer = await asyncio.open_connection(sock=slow, limit=1024)
        await handshake(reader, writer, room.port)
        writer.write(framed(p.write(hello)))
        async with room.player(seats[0]) as ada:
            await ada.until(lambda me: me.table is not None and me.table.seats[1].is_connected)
            reader._transport.pause_reading()  # type: ignore[attr-defined]
            connection = await room.remote.connect()
            await connection.send(p.Hello(version=1, table=seats[0].table, token=seats[0].token))
            dropped = asyncio.ensure_future(
                ada.until(lambda me: me.table is not None and not me.table.seats[1].is_connected)
            )
            hearing = asyncio.ensure_future(received_all(connection))
            while not dropped.done():
                await connection.send(p.Chat(text="x" * 300))
                await asyncio.sleep(0)
            await dropped
            async with room.player(seats[1]) as bo:
                await bo.say("back")
            hearing.cancel()
            await asyncio.gather(hearing, return_exceptions=True)
            await connection.close()
        writer.transport.abort()
        await asyncio.sleep(0)


async def received_all(connection: Connection) -> None:
    while True:
        await connection.receive()


async def handshake(reader: asyncio.StreamReader, writer: asyncio.StreamWriter, port: int) -> None:
    """A WebSocket without a library: libraries read messages even when nobody asks for them."""
    writer.write(
        f"GET /ws HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nUpgrade: websocket\r\n"
        "Connection: Upgrade\r\nSec-WebSocket-Version: 13\r\n"
        "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n".encode()
    )
    await reader.readuntil(b"\r\n\r\n")


def framed(text: bytes) -> bytes:
    """A text frame, masked with zeros."""
    return bytes([0x81, 0x80 | 126, *len(text).to_bytes(2, "big"), 0, 0, 0, 0]) + text


async def test_tokens_are_not_stored(tmp_path: Path) -> None:
    path = tmp_path / "t.sqlite3"
    async with open_room(path) as room:
        seats = await room.table(2, seats=3, bots=["random"], **SHORT)
        with pytest.raises(RefusedByTable, match="this key opens no seat"):
            async with Player(room.remote, seats[0].table, "x" * 32):
                pass
    connection = sqlite3.connect(path)
    dump = "\n".join(connection.iterdump())
    connection.close()
    files = b"".join(one.read_bytes() for one in tmp_path.iterdir())
    for seat in seats:
        assert seat.token not in dump
        assert seat.token.encode() not in files


async def test_the_logs_contain_no_secrets(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG)
    async with open_room(tmp_path / "t.sqlite3") as room:
        seats = await room.table(2, seats=3, bots=["random"], **SHORT)
        async with all_in([room.player(one) for one in seats]) as (ada, bo):
            await ready_and_start([ada, bo])
            game = room.app.lobby.tables[seats[0].table].playing
            assert game is not None
            secret = game.setup.secret
            with pytest.raises(RefusedByTable):
                await ada.act("play ZB", "1:play:0")
            await ada.say("open sesame")
            await asyncio.gather(played(ada), played(bo))
    text = "\n".join(
        str(one.getMessage()) + str(one.exc_text or "")
        for one in caplog.records
        if not one.name.startswith(("websockets.client", "aiosqlite"))
    )
    for hidden in (secret, "open sesame", *(one.token for one in seats)):
        assert hidden not in text


async def test_a_bug_is_counted_and_logged_without_the_request(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    async with open_room(tmp_path / "t.sqlite3") as room:

        async def failing(_key: str) -> None:
            raise RuntimeError("SECRET")

        monkeypatch.setattr(room.services.store, "table", failing)
        monkeypatch.setattr(room.services.store, "game", failing)
        for path in ("/api/games/SECRET/record", "/api/tables/SECRET"):
            status, body, _ = await fetched(room.address + path)
            assert status == 500
            assert "SECRET" not in str(body)
        assert "foretell_failures_total 2.0" in room.services.metrics.text().decode()
    assert "SECRET" not in "\n".join(map(str, caplog.records)) + caplog.text


@pytest.mark.parametrize(
    ("given", "cleaned"),
    [
        ("  Ana  Luísa ", "Ana Luísa"),
        ("Ana\u202egnp.exe", "Anagnp.exe"),
        ("A\x00na\n", "A na"),
        ("Ana\ufe0f", "Ana"),  # otherwise it would look like Ana and be another name
        ("A\u034fn\U000e0100a", "Ana"),
        ("Ana \u200d Luísa", "Ana Luísa"),
        ("Z" + "\u0301" * 30, "Ź\u0301\u0301\u0301"),
        ("Jose\u200b\u0301", "José"),  # otherwise two names would look the same
        ("a" + "\u0301\u0302\u0303\u200b" * 9, "á\u0302\u0303\u0301"),
        ("👩\u200d👩\u200d👧 Ana", "👩\u200d👩\u200d👧 Ana"),  # one family, not three people
        ("A\u200d👧\u200d", "A👧"),
        ("日本語のなまえ", "日本語のなまえ"),
        ("<script>alert(1)", "<script>alert(1)"),  # clients show it as text
    ],
)
async def test_names_are_cleaned(given: str, cleaned: str) -> None:
    assert user_text.name(given) == cleaned


@pytest.mark.parametrize("given", ["", "   ", "\u200d\u200d", "\u0301", "\u3164", "\x07"])
async def test_an_invisible_name_is_refused(given: str) -> None:
    with pytest.raises(NotAllowed, match="a name needs letters"):
        user_text.name(given)


async def test_a_stopping_server_says_so_and_players_reconnect(
    tmp_path: Path,
) -> None:
    path = tmp_path / "t.sqlite3"
    async with open_room(path) as room:
        (seat,) = await room.table(seats=3, bots=["random", "random"], **SHORT)
        connection = await room.remote.connect()
        await connection.send(p.Hello(version=1, table=seat.table, token=seat.token))
        await connection.receive()
        player = room.player(seat, most_pause=0.1)
        await player.__aenter__()
    assert await close_code(connection) == 1012
    async with open_room(path) as again:
        player._transport = again.remote
        await player.until(lambda me: me.reconnections == 1)
        await player.start()
        await played(player)
        await player.close()


async def close_code(connection: Connection) -> int | None:
    try:
        while True:
            await connection.receive()
    except ConnectionLost as lost:
        return lost.code
