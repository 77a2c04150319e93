"""The check of the Host header: a page whose name was made to point to this machine gets nothing (DNS rebinding)."""

import asyncio
import contextlib
import socket
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from foretell.server.network.hosts import Hosts
from server.rooms import Room, open_room

pytestmark = pytest.mark.anyio


@pytest.mark.parametrize(
    "host",
    [
        None,
        "localhost",
        "localhost:8000",
        "LOCALHOST.:8000",
        "127.0.0.1:8000",
        "192.168.1.20:8000",
        "[::1]:8000",
        "[fe80::1]:8000",
        "raspberrypi:8000",
        "raspberrypi.local:8000",
        "wizard.home.arpa",
        "nas.lan:8000",
        "games.localhost:8000",
        "wizard.example:8000",
        "Wizard.Example.",
        "page.example",
        socket.gethostname() + ":8000",
    ],
)
async def test_names_that_nobody_else_can_own_are_allowed(host: str | None) -> None:
    hosts = Hosts(["wizard.example"], ["https://page.example"])
    assert hosts.is_allowed(host, port=8000, is_proxied=False)


@pytest.mark.parametrize(
    "host",
    [
        "evil.example:8000",
        "evil.example",
        "localhost.evil.example:8000",
        "127.0.0.1.evil.example:8000",
        "local.example:8000",
        "wizard.example.evil.example:8000",
        "fritz.box:8000",  # .box can be registered
        "evil.example@localhost:8000",
        "",
        ":8000",
        "[evil.example]:8000",
        "a b",
    ],
)
async def test_other_names_are_not(host: str) -> None:
    assert not Hosts(["wizard.example"]).is_allowed(host, port=8000, is_proxied=False)


async def test_a_trusted_proxy_decides_which_names_it_serves() -> None:
    hosts = Hosts()
    assert hosts.is_allowed("wizard.example", port=8000, is_proxied=True)
    assert hosts.is_allowed("wizard.example:8443", port=8000, is_proxied=True)
    # A browser that connects directly sends our port.  A script on its page can claim to be a proxy, but not change this.
    assert not hosts.is_allowed("evil.example:8000", port=8000, is_proxied=True)
    assert not hosts.is_allowed("evil.example", port=80, is_proxied=True)
    # If the names are given, these are all.
    assert not Hosts(["wizard.example"]).is_allowed("other.example", port=8000, is_proxied=True)


@contextlib.asynccontextmanager
async def asking(
    room: Room, path: str, *headers: str, origin: str = ""
) -> AsyncIterator[tuple[int, str]]:
    reader, writer = await asyncio.open_connection("127.0.0.1", room.port)
    lines = [f"GET {path} HTTP/1.1", *headers, *([f"Origin: {origin}"] if origin else [])]
    if path == "/ws":
        lines += ["Upgrade: websocket", "Connection: Upgrade", "Sec-WebSocket-Version: 13"]
        lines += ["Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ=="]
    else:
        lines += ["Connection: close"]
    writer.write(("\r\n".join(lines) + "\r\n\r\n").encode())
    answer = (await reader.read(65_536)).decode("latin-1")
    yield int(answer.split()[1]), answer
    writer.close()


@pytest.mark.parametrize("path", ["/", "/api/tables", "/metrics", "/ws"])
async def test_a_rebound_name_gets_nothing(tmp_path: Path, path: str) -> None:
    """Page, interface and socket: the browser thinks that all of them belong to the attacker's site."""
    async with open_room(tmp_path / "t.sqlite3") as room:
        host = f"evil.example:{room.port}"
        origin = f"http://{host}"
        for more in ((), ("X-Forwarded-For: 198.51.100.1",), (f"X-Forwarded-Host: {host}",)):
            async with asking(room, path, f"Host: {host}", *more, origin=origin) as (status, text):
                assert status == 403
                assert "--host-name evil.example" in text


async def test_names_in_the_local_network_work(tmp_path: Path) -> None:
    async with open_room(tmp_path / "t.sqlite3") as room:
        host = f"raspberrypi.local:{room.port}"
        async with asking(room, "/api/tables", f"Host: {host}") as (status, _):
            assert status == 200
        async with asking(room, "/ws", f"Host: {host}", origin=f"http://{host}") as (status, _):
            assert status == 101


@pytest.mark.parametrize(
    "headers",
    [
        pytest.param(("Host: wizard.example", "X-Forwarded-For: 198.51.100.1"), id="Host is kept"),
        pytest.param(
            (
                "Host: localhost:8000",
                "X-Forwarded-For: 198.51.100.1",
                "X-Forwarded-Host: wizard.example",
            ),
            id="Host is in X-Forwarded-Host",
        ),
    ],
)
async def test_a_page_behind_a_trusted_proxy_works(
    tmp_path: Path, headers: tuple[str, ...]
) -> None:
    async with open_room(tmp_path / "t.sqlite3") as room:
        async with asking(room, "/", *headers) as (status, _):
            assert status == 200
        async with asking(room, "/ws", *headers, origin="https://wizard.example") as (status, _):
            assert status == 101
        async with asking(room, "/ws", *headers, origin="https://evil.example") as (status, _):
            assert status == 403
    # Nobody else may say what the client asked for.
    async with (
        open_room(tmp_path / "t.sqlite3", proxies="192.0.2.1") as room,
        asking(room, "/ws", *headers, origin="https://wizard.example") as (status, _),
    ):
        assert status == 403
