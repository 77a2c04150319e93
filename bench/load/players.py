"""Players who act as soon as they are asked, four at each table, and what they measure."""

import asyncio
import gc
import random
import time
from collections.abc import Callable, Sequence
from typing import NamedTuple

import msgspec
from picows import WSFrame, WSListener, WSMsgType, WSTransport, ws_connect

from foretell.client import Remote
from foretell.server.wire import protocol as p

__all__ = [
    "SEATS",
    "Load",
    "Place",
    "Seat",
    "Table",
    "disconnect",
    "measured",
    "play",
    "remote_at",
    "seated",
]

SEATS = 4


class Seen(msgspec.Struct):
    """The part of a snapshot that a fast player needs; it is decoded only if the player has to act."""

    decision: str
    legal: list[str]


class Shown(msgspec.Struct):
    view: Seen


_SHOWN = msgspec.json.Decoder(Shown)


class Load:
    """All sockets of one run, and its measurements."""

    def __init__(self, *, interval: float = 0.0) -> None:
        self.interval = interval  # seconds between two acts at a table; 0: at once
        self.begun = 0  # tables whose game has begun
        self.moves = 0
        self.bytes = 0
        self.waits: list[float] = []
        self.warm = 0  # moves before the measurement began
        self.moves_a_second = 0.0
        self.busy = (0.0, 0.0)  # the share of their cores that the server and the clients used
        self.is_over = False
        self.random = random.Random(1)


class Table:
    """Four sockets.  Counts how many have received the move, then lets the next player act."""

    def __init__(self, load: Load) -> None:
        self.load = load
        self.seats: list[Seat] = []
        self.sent = 0.0
        self.is_begun = False
        self.seen = 0
        self.next: tuple[Seat, str] | None = None

    def shown(self, seat: "Seat", act: str | None) -> None:
        """One player has received the view; `act` is its answer if it has to act."""
        if act is not None:
            self.next = (seat, act)
        self.seen += 1
        if self.seen < SEATS:
            return
        load = self.load
        load.moves += 1
        load.begun += not self.is_begun
        self.is_begun = True
        load.waits.append(time.perf_counter() - self.sent)
        self.seen = 0
        if self.next is None or load.is_over:
            return
        if load.interval:
            # The interval counts from the last act, so that a slow answer does not lower the load.
            wait = self.sent + load.interval * load.random.uniform(0.5, 1.5) - time.perf_counter()
            asyncio.get_running_loop().call_later(wait, self.act)
        else:
            self.act()

    def act(self) -> None:
        if self.next is None or self.load.is_over:
            return
        seat, text = self.next
        self.next = None
        self.sent = time.perf_counter()
        seat.say(text)


class Seat(WSListener):
    def __init__(self, table: Table, hello: str, *, is_bare: bool) -> None:
        self.table, self.hello, self.is_bare = table, hello, is_bare
        self.place = len(table.seats)
        table.seats.append(self)
        self.transport: WSTransport | None = None
        self.heard = 0
        self.welcome = asyncio.get_running_loop().create_future()

    def on_ws_connected(self, transport: WSTransport) -> None:
        self.transport = transport
        self.say(self.hello)

    def say(self, text: str) -> None:
        if self.transport is not None:
            self.transport.send(WSMsgType.TEXT, text.encode())

    def on_ws_frame(self, transport: WSTransport, frame: WSFrame) -> None:
        payload = frame.get_payload_as_bytes()
        self.table.load.bytes += len(payload)
        if payload.startswith(b'{"type":"snapshot"'):
            if b'"phase":"deal"' not in payload:  # a scored round: the deal comes with the next one
                self.shown(payload)
        elif payload.startswith(b'{"type":"welcome"') and not self.welcome.done():
            self.welcome.set_result(None)

    def shown(self, payload: bytes) -> None:
        act = None
        if self.is_bare:
            self.heard += 1
            if self.heard % SEATS == self.place:
                act = '{"type":"act","decision":"1:bid:0","action":"bid 0"}'
        elif b'"decision":null' not in payload:
            shown = _SHOWN.decode(payload)
            chosen = self.table.load.random.choice(shown.view.legal)
            act = f'{{"type":"act","decision":"{shown.view.decision}","action":"{chosen}"}}'
        elif b'"phase":"over"' in payload:
            self.say('{"type":"rematch"}')
        self.table.shown(self, act)


async def seated(address: str, hello: str, table: Table, *, is_bare: bool) -> Seat:
    _, seat = await ws_connect(
        lambda: Seat(table, hello, is_bare=is_bare),
        address,
        enable_auto_ping=False,
    )
    assert isinstance(seat, Seat)
    return seat


class Place(NamedTuple):
    """Which servers a table uses: the one that has it, and the one that its players are connected to."""

    owner: Remote
    door: Remote


def remote_at(port: int) -> Remote:
    return Remote(f"http://127.0.0.1:{port}")


async def measured(load: Load, busy: Callable[[], float], seconds: float) -> None:
    """Warms up, then measures."""
    # Garbage collection in the clients would disturb the measurement.
    gc.collect()
    gc.disable()
    await asyncio.sleep(min(1.0, seconds / 2))
    load.warm = load.moves
    load.moves, load.bytes, load.waits = 0, 0, []
    started, server, clients = time.perf_counter(), busy(), time.process_time()
    await asyncio.sleep(seconds)
    took = time.perf_counter() - started
    load.moves_a_second = load.moves / took
    load.busy = (busy() - server) / took, (time.process_time() - clients) / took
    load.is_over = True
    gc.enable()
    await asyncio.sleep(0.3)


async def disconnect(tables: list[Table]) -> None:
    for table in tables:
        for seat in table.seats:
            if seat.transport is not None:
                seat.transport.disconnect()
    await asyncio.sleep(0.5)


async def play(
    places: Sequence[Place], busy: Callable[[], float], seconds: float, rate: float | None = None
) -> Load:
    """Plays as fast as possible, or `rate` moves a second over all tables together; a table for each of these places.

    `busy` says how many seconds of CPU time the servers have used so far.
    """
    count = len(places)
    load = Load(interval=0.0 if rate is None else count / rate)
    tables = [await open_table(place, load) for place in places]
    for table in tables:
        for seat in table.seats[1:]:
            seat.say('{"type":"ready"}')
    await asyncio.sleep(0.5)
    for table in tables:
        table.sent = time.perf_counter()
        table.seats[0].say('{"type":"start"}')
    while load.begun < count:
        await asyncio.sleep(0.05)
    await measured(load, busy, seconds)
    await disconnect(tables)
    return load


async def open_table(place: Place, load: Load) -> Table:
    remote = place.owner
    first = await remote.make(p.NewTable(name="Ada", options=p.TableOptions(seats=SEATS)))
    seats = [first]
    for name in ("Bo", "Cy", "Di"):
        seats.append(await remote.join(first.table, p.Join(name=name)))
    # Whoever is asked for a table takes it, if nobody has it.
    await remote.ask("GET", f"/api/tables/{first.code}", None, p.Table)
    table = Table(load)
    address = "ws" + place.door.address.removeprefix("http") + "/ws"
    for one in seats:
        hello = p.Hello(version=p.VERSION, table=one.table, token=one.token)
        seat = await seated(address, p.write(hello).decode(), table, is_bare=False)
        await seat.welcome
    return table
