"""The bus between processes: it carries small news, and nothing depends on it but how fresh a list is."""

import asyncio
import contextlib
import json
from collections.abc import AsyncIterator, Iterator
from itertools import count

import pytest

from foretell.errors import NotAllowed
from foretell.server.store.bus import Bus, News, read_news, write_news
from foretell.server.store.postgresql import PostgresqlStore
from foretell.server.store.processes import Process
from foretell.server.store.valkey_bus import ValkeyBus
from foretell.server.wire import protocol as p
from server.postgresql import Postgresql
from server.rooms import Room, eventually, made, open_room
from server.valkey import Valkey, valkey

pytestmark = pytest.mark.anyio

_NAMES = count(1)


@contextlib.asynccontextmanager
async def buses(kind: str, request: pytest.FixtureRequest) -> AsyncIterator[tuple[Bus, Bus]]:
    """Two processes' ends of one bus."""
    if kind == "valkey":
        url = request.getfixturevalue("bus_server").url
        pair = ValkeyBus(url), ValkeyBus(url)
        yield pair
        for one in pair:
            await one.close()
        return
    database = request.getfixturevalue("database_server").new_database()
    stores = [
        PostgresqlStore(database, Process(f"bus {next(_NAMES)}", "a:1", "key", 30.0))
        for _ in range(2)
    ]
    yield stores[0].bus, stores[1].bus
    for store in stores:
        await store.close()


@pytest.mark.parametrize("kind", ["notify", "valkey"])
async def test_everyone_hears_what_anyone_tells(kind: str, request: pytest.FixtureRequest) -> None:
    async with buses(kind, request) as pair:
        heard: list[list[bytes]] = [[], []]
        for bus, messages in zip(pair, heard, strict=True):
            bus.listen(messages.append)
        # An empty message says that the connection stands, and that earlier news may have been missed.
        await eventually(lambda: all(b"" in one for one in heard))
        news = News("a", is_list_new=True, used=(("192.0.2.1", "joins", 2.5),))
        await pair[0].tell(write_news(news))
        await pair[1].tell(b'{"process":"b"}')
        for messages in heard:
            await eventually(lambda messages=messages: len(messages) >= 3)  # type: ignore[misc]
            found = [read_news(one) for one in messages if one]
            assert sorted(found, key=lambda one: one.process if one else "") == [news, News("b")]


async def test_news_that_this_version_does_not_understand_are_left_alone() -> None:
    for message in (b"", b"x", b"[]", b'{"used":1}', b"\xff", b'{"process":3}'):
        assert read_news(message) is None
    assert read_news(b'{"process":"a","weather":"fine"}') == News("a")


@pytest.fixture
def own_valkey() -> Iterator[Valkey]:
    with valkey(password="let me in") as found:
        if found is None:
            pytest.skip("no Valkey here")
        yield found


async def test_valkey_may_go_and_come_back(own_valkey: Valkey) -> None:
    bus = ValkeyBus(own_valkey.url.replace("let me in", "let%20me%20in"))
    heard: list[bytes] = []
    bus.listen(heard.append)
    try:
        await eventually(lambda: heard == [b""])
        own_valkey.stop()
        for _ in range(3):  # nothing happens, and nothing is raised
            await bus.tell(b"lost")
            await asyncio.sleep(0.05)
        own_valkey.start()
        await eventually(lambda: heard.count(b"") == 2)
        # A server that says nothing more is as good as gone.
        own_valkey.pause()
        await eventually(lambda: bus._writer is None)
        own_valkey.go_on()
        await eventually(lambda: heard.count(b"") >= 3)
        await bus.tell(b"found")
        await eventually(lambda: b"found" in heard)
    finally:
        await bus.close()


async def test_without_the_password_there_is_no_bus_and_no_harm(own_valkey: Valkey) -> None:
    bus = ValkeyBus(f"valkey://wrong:word@127.0.0.1:{own_valkey.port}")
    heard: list[bytes] = []
    bus.listen(heard.append)
    await asyncio.sleep(0.3)
    await bus.tell(b"lost")
    await bus.close()
    assert heard == []


@pytest.mark.parametrize(
    "answer",
    [b"$999999999999\r\n", b"*5000\r\n", b"?\r\n", b"$x\r\n", b"+" + b"x" * 70_000, b""],
)
async def test_a_server_that_speaks_something_else_is_left(answer: bytes) -> None:
    asked = asyncio.Event()

    async def nonsense(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.read(100)
        writer.write(answer)
        writer.close()
        asked.set()

    async with await asyncio.start_server(nonsense, "127.0.0.1", 0) as server:
        bus = ValkeyBus(f"valkey://127.0.0.1:{server.sockets[0].getsockname()[1]}")
        heard: list[bytes] = []
        bus.listen(heard.append)
        await asked.wait()
        await asyncio.sleep(0.02)
        await bus.close()
        assert heard == []


@pytest.mark.parametrize("address", ["", "valkey", "http://a", "valkey://", "valkey://a:x"])
def test_an_address_must_be_one_of_a_bus(address: str) -> None:
    with pytest.raises(NotAllowed, match="not the address of a bus"):
        ValkeyBus(address)


def test_a_refused_address_does_not_show_its_password() -> None:
    with pytest.raises(NotAllowed) as refused:
        ValkeyBus("http://me:secret@a")
    assert "secret" not in str(refused.value)


async def public_table(room: Room) -> str:
    """The code of a new table, which this process has."""
    seat = await room.remote.make(p.NewTable(name="Ada", options=made(is_public=True)))
    # Whoever comes to a new table first brings it to a process.
    await room.remote.ask("GET", f"/api/tables/{seat.code}", None, p.Table)
    return seat.code


async def test_tables_are_listed_everywhere_with_the_bus_and_without(
    database_server: Postgresql, own_valkey: Valkey
) -> None:
    url, bus = database_server.new_database(), own_valkey.url.replace(" ", "%20")

    def listed(room: Room) -> set[str]:
        return {one["code"] for one in json.loads(room.app.lobby.public.as_body())["tables"]}

    async with (
        open_room(url, bus=bus, lease=300.0, seconds=60) as here,
        open_room(url, bus=bus, lease=1.0, seconds=60) as there,
    ):
        codes = {await public_table(room) for room in (here, there)}
        # With its long lease, `here` learns of it by the bus alone.
        await eventually(lambda: listed(here) == listed(there) == codes)
        own_valkey.stop()
        more = await public_table(here)
        # Without the bus, `there` looks again after its lease time.
        await eventually(lambda: more in listed(there))
        own_valkey.start()
        await eventually(lambda: listed(here) == listed(there))
