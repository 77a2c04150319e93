"""The HTTP interface: security headers, paths, bodies, rate limits, files, health."""

import asyncio
import contextlib
import dataclasses
import json
import socket as socket_module
import sqlite3
import urllib.error
import urllib.request
from pathlib import Path
from typing import Any

import pytest

from foretell.server.network.addresses import is_this_machine, networks, with_mapped_ipv4
from foretell.server.network.limits import Limits
from foretell.server.network.prometheus import PrometheusMetrics
from foretell.server.network.static_files import File
from server.rooms import (
    OPEN,
    SHORT,
    eventually,
    fetched,
    open_room,
    played,
)

pytestmark = pytest.mark.anyio

LIMITED = dataclasses.replace(OPEN, per_address=1)


async def test_every_response_has_security_headers(tmp_path: Path) -> None:
    async with open_room(tmp_path / "t.sqlite3") as room:
        for path in ("/", "/api/form", "/api/nothing"):
            _, _, headers = await fetched(room.address + path)
            policy = headers["content-security-policy"]
            assert "default-src 'none'" in policy
            # The engine is compiled from WebAssembly; this allows no script to be made from text.
            assert "unsafe" not in policy.replace("'wasm-unsafe-eval'", "")
            assert headers["x-content-type-options"] == "nosniff"
            assert headers["referrer-policy"] == "no-referrer"
            assert "server" not in headers


@pytest.mark.parametrize(
    "path", ["/../../../../etc/passwd", "/..%2f..%2fpyproject.toml", "/static/../app.py"]
)
async def test_no_path_leads_out_of_the_pages_folder(tmp_path: Path, path: str) -> None:
    async with open_room(tmp_path / "t.sqlite3") as room:
        reader, writer = await asyncio.open_connection("127.0.0.1", room.port)
        writer.write(f"GET {path} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n".encode())
        answer = await reader.read()
        writer.close()
        assert answer.startswith(b"HTTP/1.1 404")


async def test_too_many_requests_and_too_large_ones(tmp_path: Path) -> None:
    limits = Limits(requests=0.001, request_burst=3, body=1000)
    async with open_room(tmp_path / "t.sqlite3", limits=limits) as room:
        found = await fetched(room.address + "/api/tables", {"name": "A" * 5000})
        assert (found[0], found[1]["error"]["code"]) == (413, "too_large")
        for _ in range(2):
            assert (await fetched(room.address + "/api/form"))[0] == 200
        assert (await fetched(room.address + "/api/form"))[0] == 429
        # A balancer asks this before each request to a table, with the address of the client.
        assert (await fetched(room.address + "/api/health"))[0] == 200


@pytest.mark.parametrize(
    "body", [b'{"name": "\xff\xfe"}', b"[" * 60_000, b'{"name": ' * 5_000, b'{"name": "\\ud800"}']
)
async def test_a_body_that_is_not_text_or_nested_without_end_is_unreadable(
    tmp_path: Path, body: bytes
) -> None:
    async with open_room(tmp_path / "t.sqlite3") as room:
        for path in ("/api/tables", "/api/mine"):
            status, answer = await asyncio.to_thread(posted, room.address + path, body)
            assert (status, answer["error"]["code"]) == (400, "unreadable_message")


async def test_a_missing_body_gets_a_clear_message(tmp_path: Path) -> None:
    async with open_room(tmp_path / "t.sqlite3") as room:
        _, answer = await asyncio.to_thread(posted, room.address + "/api/tables", b"")
        assert answer["error"]["sentence"] == "this message cannot be read: JSON"


def posted(address: str, body: bytes) -> tuple[int, Any]:
    request = urllib.request.Request(address, body, {"content-type": "application/json"})
    with pytest.raises(urllib.error.HTTPError) as refused:
        urllib.request.urlopen(request, timeout=10)
    with refused.value as answer:
        return answer.code, json.loads(answer.read())


async def test_slashes_do_not_get_around_the_limit_on_new_tables(tmp_path: Path) -> None:
    limits = dataclasses.replace(OPEN, per_address=1, tables=0.001, table_burst=1)
    async with open_room(tmp_path / "t.sqlite3", limits=limits) as room:
        await room.table()
        for path in ("/api/tables", "/api/tables/", "/api//tables", "/api/tables//"):
            found = await fetched(room.address + path, {"name": "A"})
            assert (path, found[0]) == (path, 429)


async def test_an_endless_header_is_refused(tmp_path: Path) -> None:
    async with open_room(tmp_path / "t.sqlite3") as room:
        for endless in (b"x" * 1000, b"x: y\r\nx"):
            reader, writer = await asyncio.open_connection("127.0.0.1", room.port)
            writer.write(b"GET / HTTP/1.1\r\nHost: x\r\nx: ")
            with contextlib.suppress(ConnectionError):
                for _ in range(200_000 // len(endless)):
                    writer.write(endless)
                await writer.drain()
            answer = b""
            with contextlib.suppress(ConnectionError):
                answer = await asyncio.wait_for(
                    reader.read(), 5
                )  # the server has closed the connection
            assert answer.startswith((b"HTTP/1.1 400", b"HTTP/1.1 431")) or not answer
            writer.transport.abort()


async def test_a_server_that_cannot_store_is_not_ready(tmp_path: Path) -> None:
    async with open_room(tmp_path / "t.sqlite3") as room:
        writer: list[sqlite3.Connection] = []
        await room.services.store._write(writer.append)  # type: ignore[attr-defined]
        writer[0].execute("PRAGMA query_only=ON")
        status, body, _ = await fetched(room.address + "/api/ready")
        assert (status, body["status"]) == (503, "failing")
        assert (await fetched(room.address + "/api/health"))[0] == 200
        writer[0].execute("PRAGMA query_only=OFF")
        assert (await fetched(room.address + "/api/ready"))[0] == 200


async def test_asking_whether_the_server_is_ready_costs_one_write_for_all(tmp_path: Path) -> None:
    """Anyone may ask, and each write is one that players wait for."""
    async with open_room(tmp_path / "t.sqlite3") as room:
        store, writes = room.services.store, []
        is_well = store.is_well

        async def counted() -> bool:
            writes.append(1)
            await asyncio.sleep(0.3)
            return await is_well()

        store.is_well = counted  # type: ignore[method-assign]
        asked = (fetched(room.address + "/api/ready") for _ in range(5))
        assert [status for status, _, _ in await asyncio.gather(*asked)] == [200] * 5
        assert len(writes) < 5


@pytest.mark.parametrize("host", ["127.0.0.1", "::"])
@pytest.mark.parametrize("proxies", ["127.0.0.1", "192.0.2.1"])
async def test_limits_count_by_the_address_that_a_trusted_proxy_names(
    tmp_path: Path, proxies: str, host: str
) -> None:
    if host == "::" and not socket_module.has_dualstack_ipv6():
        pytest.skip("this machine has no sockets for both IPv4 and IPv6")
    limits = dataclasses.replace(OPEN, per_address=1, requests=0.001, request_burst=1)
    async with open_room(tmp_path / "t.sqlite3", limits=limits, proxies=proxies, host=host) as room:
        found = [
            (await fetched(room.address + "/api/form", **{"x-forwarded-for": address}))[0]
            for address in ("198.51.100.1", "198.51.100.2", "198.51.100.2")
        ]
        # Anyone else could claim any address, and is not trusted.
        assert found == ([200, 200, 429] if proxies == "127.0.0.1" else [200, 429, 429])


@pytest.mark.parametrize(
    ("address", "counted"),
    [
        ("192.0.2.7", "192.0.2.7"),
        ("::ffff:192.0.2.7", "192.0.2.7"),
        ("2001:db8:1:2:3:4:5:6", "2001:db8:1:2::/64"),
        ("2001:db8:1:2:ffff::1", "2001:db8:1:2::/64"),
        ("2001:db8:1:3::1", "2001:db8:1:3::/64"),
        ("fe80::1%eth0", "fe80::/64"),
        ("unknown", "unknown"),
        ("", ""),
    ],
)
async def test_limits_count_an_ipv6_network_as_one(address: str, counted: str) -> None:
    assert networks((address, 5))[0] == counted


@pytest.mark.parametrize(
    ("address", "is_local"),
    [
        ("127.0.0.1", True),
        ("::1", True),
        ("::ffff:127.0.0.1", True),
        ("192.0.2.7", False),
        ("::ffff:192.0.2.7", False),
        ("2001:db8::1", False),
        ("", False),
    ],
)
async def test_metrics_are_only_for_the_same_machine(address: str, is_local: bool) -> None:
    assert is_this_machine((address, 5)) is is_local
    assert not is_this_machine(None)


@pytest.mark.parametrize(
    ("proxies", "trusted"),
    [
        ("127.0.0.1, ::1", "127.0.0.1,::1,::ffff:127.0.0.1/128"),
        ("10.0.0.0/8", "10.0.0.0/8,::ffff:10.0.0.0/104"),
        ("*", "*"),
        ("a name", "a name"),
    ],
)
async def test_a_proxy_is_trusted_by_both_forms_of_its_address(proxies: str, trusted: str) -> None:
    assert with_mapped_ipv4(proxies) == trusted


async def test_head_is_answered_like_get_without_the_body(tmp_path: Path) -> None:
    async with open_room(tmp_path / "t.sqlite3") as room:
        for path, status in (("/", 200), ("/api/health", 200), ("/api/nothing", 404)):
            reader, writer = await asyncio.open_connection("127.0.0.1", room.port)
            asked = f"HEAD {path} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n"
            writer.write(asked.encode())
            head, _, body = (await reader.read()).partition(b"\r\n\r\n")
            writer.close()
            assert head.startswith(b"HTTP/1.1 %d" % status)
            assert b"content-length: 0" not in head.lower()
            assert body == b""


@pytest.mark.parametrize(
    ("accepted", "body"),
    [
        ("gzip, deflate, br, zstd", b"by brotli"),
        ("gzip, deflate", b"by gzip"),
        ("identity", b"a note"),
        ("brand-new", b"a note"),
    ],
)
async def test_a_file_is_sent_in_the_smallest_form_that_the_browser_accepts(
    tmp_path: Path, accepted: str, body: bytes
) -> None:
    async with open_room(tmp_path / "t.sqlite3") as room:
        forms = (("br", b"by brotli"), ("gzip", b"by gzip"))
        room.app.files["/note.txt"] = File(
            b"a note", forms, "text/plain", '"abc"', never_changes=False
        )
        _, found, headers = await fetched(
            room.address + "/note.txt", **{"accept-encoding": accepted}
        )
        assert found == body
        assert headers["vary"] == "accept-encoding"


async def test_a_large_file_is_never_in_memory_as_a_whole(tmp_path: Path) -> None:
    """Otherwise one address with 200 slow readers would fill the memory with copies of the engine."""
    async with open_room(tmp_path / "t.sqlite3", limits=LIMITED) as room:
        large = tmp_path / "engine.wasm"
        large.write_bytes(bytes(range(256)) * 20_000)
        room.app.files["/engine.wasm"] = File(
            large, (), "application/wasm", '"e"', never_changes=True
        )
        is_blocked, sizes = asyncio.Event(), []

        async def send(message: Any) -> None:
            if message["type"] == "http.response.body":
                sizes.append(len(message["body"]))
                is_blocked.set()
                await asyncio.Event().wait()  # the client does not read

        asking = {"type": "http", "method": "GET", "path": "/engine.wasm", "headers": []}
        client = {**asking, "client": ("192.0.2.1", 5)}
        sending = asyncio.ensure_future(room.app(client, asyncio.Queue[Any]().get, send))
        await is_blocked.wait()
        sending.cancel()
        assert max(sizes) < 1_000_000
        status, body, headers = await fetched(room.address + "/engine.wasm")
        assert (status, body) == (200, large.read_bytes())
        assert headers["content-length"] == str(large.stat().st_size)


async def test_a_large_file_counts_as_many_requests(tmp_path: Path) -> None:
    limits = dataclasses.replace(LIMITED, requests=0.001, request_burst=20)
    async with open_room(tmp_path / "t.sqlite3", limits=limits) as room:
        large = tmp_path / "engine.wasm"
        large.write_bytes(bytes(9_500_000))
        room.app.files["/engine.wasm"] = File(
            large, (), "application/wasm", '"e"', never_changes=True
        )
        paths = ("/engine.wasm", "/engine.wasm", "/api/form")
        found = [(await fetched(room.address + path))[0] for path in paths]
        assert found == [200, 200, 429]


async def test_a_file_that_has_not_changed_is_not_sent_again(tmp_path: Path) -> None:
    async with open_room(tmp_path / "t.sqlite3") as room:
        room.app.files["/note.txt"] = File(
            b"a note", (), "text/plain", '"abc"', never_changes=False
        )
        for known in ('"abc"', 'W/"abc"', '"x", W/"abc"'):
            with pytest.raises(urllib.error.HTTPError) as same:
                await asyncio.to_thread(
                    urllib.request.urlopen,
                    urllib.request.Request(
                        room.address + "/note.txt", headers={"If-None-Match": known}
                    ),
                )
            same.value.close()
            assert same.value.code == 304
        status, body, headers = await fetched(
            room.address + "/note.txt", **{"if-none-match": '"old"'}
        )
        assert (status, body, headers["etag"]) == (200, b"a note", '"abc"')


async def test_health_readiness_and_metrics(tmp_path: Path) -> None:
    async with open_room(tmp_path / "t.sqlite3") as room:
        (seat,) = await room.table(seats=3, bots=["random", "random"], **SHORT)
        async with room.player(seat) as ada:
            await ada.start()
            await played(ada)
            for path in ("/api/health", "/api/ready"):
                status, body, _ = await fetched(room.address + path)
                assert (status, json.loads(body)["status"]) == (200, "ok")
            status, body, _ = await fetched(room.address + "/metrics")
            numbers = body.decode()
            assert "foretell_sockets 1.0" in numbers
            assert 'foretell_actions_total{by="person"}' in numbers
            assert 'foretell_games_total{what="finished"} 1.0' in numbers
        await eventually(lambda: "foretell_sockets 0.0" in room.services.metrics.text().decode())


def test_commits_are_counted_by_how_long_they_took() -> None:
    metrics = PrometheusMetrics()
    for seconds in (0.0005, 0.002, 0.25, 7.0):
        metrics.committed(1, seconds)
    lines = metrics.text().decode().splitlines()
    counts = {"0.0005": 1, "0.001": 1, "0.0025": 2, "0.1": 2, "0.25": 3, "1.0": 3, "+Inf": 4}
    for limit, count in counts.items():
        assert f'foretell_append_seconds_bucket{{le="{limit}"}} {count}.0' in lines
    assert "foretell_append_seconds_count 4.0" in lines
    assert "foretell_append_seconds_sum 7.2525" in lines
    assert "foretell_commits_total 4.0" in lines
