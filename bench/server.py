"""How many moves a second the server handles on one core, compared with the same bytes sent by the same stack alone.

    python bench/server.py [--seconds 4] [--sockets 50,500,2000] [--times 5]

One core runs a server, the other its players, four at each table, all on this machine.  The real server is compared
with a bare fan-out: uvicorn and its WebSockets answer every message with the bytes that a recorded game sent at that
move, to the same four sockets, with no game, no store and no view.  That is the most that the stack can do.  The
fan-out sends the same part of a game that the real tables played, since early views are small, and its texts are
made before it starts.  There are two kinds: `plain` sends one message at a time, as ASGI does; `batched` joins its
writes as the server does (`network/websocket_protocol.py`), which makes it the harder comparison.

The speed of a shared machine changes from minute to minute.  So the three take turns, and each ratio is given as its
median, with the lowest and the highest.

- moves/s: every player acts as soon as they are asked, so one act is always on its way at every table;
- busy: the share of their cores that the server and the clients used; the clients must not be the bottleneck;
- p50, p99: from sending an act until the last of the four has the new view, at half of that many moves a second;
- memory: of the server's process, for each idle socket, each table with a game, and a thousand sleeping tables.
"""

import argparse
import asyncio
import contextlib
import json
import os
import random
import sys
import tempfile
import time
from collections.abc import Awaitable, Callable
from pathlib import Path
from statistics import quantiles
from typing import Any

import uvloop

from foretell.client import Local, Player
from foretell.server.network.serve import listening_socket, uvicorn_server
from foretell.server.network.websocket_protocol import SEND_NOW, SendNow
from foretell.server.wire import protocol as p

sys.path[0] = str(Path(__file__).parents[1])

from bench.load.players import (  # noqa: E402
    SEATS,
    Load,
    Place,
    Table,
    disconnect,
    measured,
    play,
    remote_at,
    seated,
)
from bench.load.servers import Process, end_with_parent, ports, serve_real  # noqa: E402

SERVER_CORE, CLIENT_CORE = 0, 1
DONE = '{"type":"done","id":0}'


# The servers, each in its own process


def serve_bare(folder: str, port: int, *, is_batched: bool) -> None:
    """The same uvicorn with an application that only sends the recorded bytes in `folder`."""
    moves: list[Move] = json.loads((Path(folder) / "moves.json").read_text())
    send_move = (_batched_sender if is_batched else _plain_sender)(moves)
    groups: dict[str, list[Any]] = {}
    places: dict[str, int] = {}

    async def app(scope: Any, receive: Any, send: Any) -> None:
        if scope["type"] == "lifespan":
            await receive()
            await send({"type": "lifespan.startup.complete"})
            await receive()
            await send({"type": "lifespan.shutdown.complete"})
            return
        await receive()
        await send({"type": "websocket.accept"})
        group = (await receive())["text"]
        own = scope["extensions"][SEND_NOW]["send"] if is_batched else send
        groups.setdefault(group, []).append(own)
        while (await receive())["type"] == "websocket.receive":
            place = places[group] = places.get(group, -1) + 1
            await send_move(groups[group], place, own)
        groups[group].remove(own)

    listening = listening_socket("127.0.0.1", port, is_fixed=True)
    server = uvicorn_server(app)  # type: ignore[arg-type]

    async def serving() -> None:
        task = asyncio.ensure_future(server.serve([listening]))
        while not server.started:
            await asyncio.sleep(0.01)
        print("ready", flush=True)
        await task

    asyncio.Runner(loop_factory=server.config.get_loop_factory()).run(serving())


Move = list[list[str]]
"""What a move sends to each of the four: one snapshot, or two where a round is scored and the next one dealt."""

SendMove = Callable[[list[Any], int, Any], Awaitable[None]]
"""Sends a move, by its number in the recorded game, to everyone at a table, and `done` to the player who acted."""


def _plain_sender(moves: list[Move]) -> SendMove:
    messages = [
        [[{"type": "websocket.send", "text": text} for text in texts] for texts in move]
        for move in moves
    ]
    done = {"type": "websocket.send", "text": DONE}

    async def send_move(table: list[Any], place: int, own: Any) -> None:
        for send, to_one in zip(table, messages[place % len(messages)], strict=True):
            for message in to_one:
                await send(message)
        await own(done)

    return send_move


def _batched_sender(moves: list[Move]) -> SendMove:
    texts = [[[text.encode() for text in to_one] for to_one in move] for move in moves]
    done = DONE.encode()

    async def send_move(table: list[SendNow], place: int, own: SendNow) -> None:
        for send_now, to_one in zip(table, texts[place % len(texts)], strict=True):
            send_now([*to_one, done] if send_now is own else to_one)

    return send_move


# The players of a bare fan-out, and of a recorded game


async def run_bare(process: Process, sockets: int, seconds: float) -> Load:
    load = Load()
    tables = [Table(load) for _ in range(sockets // SEATS)]
    for number, table in enumerate(tables):
        for _ in range(SEATS):
            await seated(
                f"ws://127.0.0.1:{process.port}/ws", f"{sockets}/{number}", table, is_bare=True
            )
    await asyncio.sleep(0.5)
    for table in tables:
        table.sent = time.perf_counter()
        table.seats[0].say('{"type":"act","decision":"1:bid:0","action":"bid 0"}')
    await measured(load, process.busy, seconds)
    await disconnect(tables)
    return load


async def run_real(
    process: Process, sockets: int, seconds: float, rate: float | None = None
) -> Load:
    remote = remote_at(process.port)
    return await play([Place(remote, remote)] * (sockets // SEATS), process.busy, seconds, rate)


def started(kind: str, folder: Path, port: int) -> Process:
    return Process(__file__, (kind, str(folder)), port, {SERVER_CORE})


async def recorded() -> list[Move]:
    """The bytes that one game sends to each of its four players at every move."""
    local = Local()
    first = await local.make(p.NewTable(name="Ada", options=p.TableOptions(seats=SEATS)))
    seats = [
        first,
        *[await local.join(first.code, p.Join(name=name)) for name in ("Bo", "Cy", "Di")],
    ]
    heard: list[dict[int, list[str]]] = [{} for _ in seats]  # by the number of the move

    def hear(place: int) -> Any:
        def keep(message: p.FromServer) -> None:
            if isinstance(message, p.Snapshot):
                heard[place].setdefault(message.number, []).append(p.write(message).decode())

        return keep

    players = [
        Player(local, one.table, one.token, on_message=hear(n)) for n, one in enumerate(seats)
    ]
    chance = random.Random(1)
    async with contextlib.AsyncExitStack() as stack:
        for one in players:
            await stack.enter_async_context(one)
        for one in players[1:]:
            await one.ask(p.Ready())
        await players[0].start()

        async def play(player: Player) -> None:
            while (seen := await player.turn()) is not None:
                await player.act(chance.choice(seen.legal))

        await asyncio.gather(*(play(one) for one in players))
    await local.close()
    return [list(move) for move in zip(*(one.values() for one in heard), strict=True)]


# Memory


async def idle_sockets(process: Process) -> float:
    before, table = process.memory(), Table(Load())
    for _ in range(2000):
        hello = '{"type":"watch_lobby","version":1}'
        await seated(f"ws://127.0.0.1:{process.port}/ws", hello, table, is_bare=False)
    found = process.memory() - before
    await disconnect([table])
    return found * 1024 / 2000


async def awake_tables(process: Process) -> float:
    """Each table has a game in progress, three bots and one player's socket."""
    remote, load, tables = remote_at(process.port), Load(), []
    before = process.memory()
    for _ in range(300):
        one = await remote.make(_with_bots())
        hello = p.write(p.Hello(version=p.VERSION, table=one.table, token=one.token)).decode()
        table = Table(load)
        seat = await seated(f"ws://127.0.0.1:{process.port}/ws", hello, table, is_bare=False)
        await seat.welcome
        seat.say('{"type":"start"}')
        seat.say('{"type":"away"}')  # bots play
        tables.append(table)
    await asyncio.sleep(6)
    found = process.memory() - before
    await disconnect(tables)
    return found * 1024 / 300


async def sleeping_tables(process: Process) -> float:
    remote, before = remote_at(process.port), process.memory()
    for _ in range(1000):
        await remote.make(_with_bots())
    await asyncio.sleep(3)  # they fall asleep after one second
    return process.memory() - before


def _with_bots() -> p.NewTable:
    options = p.TableOptions(seats=SEATS, bots=("counting",) * 3, bot_pause_ms=0)
    return p.NewTable(name="Ada", options=options)


HEADING = (
    " sockets  moves/s  of plain/s                       of batched/s                     p50 ms  p99 ms"
    "  at moves/s   bytes a move   server and clients busy"
)
BARE = ("plain", "batched")


def row(sockets: int, turns: list[dict[str, Load]], half: Load) -> str:
    real = sorted(turns, key=lambda turn: turn["real"].moves_a_second)[len(turns) // 2]["real"]
    cuts = [1000 * one for one in quantiles(half.waits, n=100)]
    beside = "  ".join(f"{beside_bare(kind, turns):<31}" for kind in BARE)
    sizes = " ".join(f"{one.bytes / one.moves:.0f}" for one in (turns[-1]["batched"], real))
    busy = ", ".join(
        f"{kind} {server:.0%} {clients:.0%}"
        for kind, (server, clients) in ((one, turns[-1][one].busy) for one in (*BARE, "real"))
    )
    return (
        f"{sockets:>8} {real.moves_a_second:>8.0f}  {beside}"
        f" {cuts[49]:>7.1f} {cuts[98]:>7.1f} {half.moves_a_second:>11.0f}   {sizes:>12}   {busy}"
    )


def beside_bare(kind: str, turns: list[dict[str, Load]]) -> str:
    """Moves a second of the fan-out, and the real server's share of that: median, lowest and highest."""
    limits = sorted(turn[kind].moves_a_second for turn in turns)
    ratios = sorted(turn["real"].moves_a_second / turn[kind].moves_a_second for turn in turns)
    middle = len(turns) // 2
    spread = f"({ratios[0]:.2f} to {ratios[-1]:.2f})"
    return f"{limits[middle]:>8.0f}: {ratios[middle]:.2f} {spread}"


def _span(moves: list[Move], real: Load, sockets: int) -> list[Move]:
    """The part of a recorded game in which the real tables were measured: early views are small."""
    count = sockets // SEATS
    first, last = real.warm // count, (real.warm + real.moves) // count
    if last - first >= len(moves):
        return moves
    start = first % len(moves)
    return [*moves, *moves][start : start + max(1, last - first)]


async def main(sizes: list[int], seconds: float, times: int) -> None:
    with contextlib.suppress(OSError, AttributeError):
        os.sched_setaffinity(0, {CLIENT_CORE})
    moves = await recorded()
    texts = [text for move in moves for to_one in move for text in to_one]
    size = sum(map(len, texts)) / len(texts)
    print(f"a recorded game: {len(moves)} moves, {size:.0f} bytes a view")
    print(HEADING)
    free = ports()
    with tempfile.TemporaryDirectory() as folder:
        for sockets in sizes:
            turns: list[dict[str, Load]] = []
            for number in range(times):
                with started("real", Path(folder) / f"{sockets}.{number}", next(free)) as process:
                    real = await run_real(process, sockets, seconds)
                    if number == 0:
                        half = await run_real(process, sockets, seconds, real.moves_a_second / 2)
                (Path(folder) / "moves.json").write_text(json.dumps(_span(moves, real, sockets)))
                turns.append({"real": real})
                for kind in BARE:
                    with started(kind, Path(folder), next(free)) as process:
                        turns[-1][kind] = await run_bare(process, sockets, seconds)
            print(row(sockets, turns, half), flush=True)
        for number, (name, measure) in enumerate(MEMORY.items()):
            with started("real", Path(folder) / f"memory{number}", next(free)) as process:
                print(f"{await measure(process):>8.1f} {name}", flush=True)


MEMORY = {
    "KiB for an idle socket": idle_sockets,
    "KiB for a table with a game and a socket": awake_tables,
    "MiB for 1,000 sleeping tables": sleeping_tables,
}


if __name__ == "__main__":
    if sys.argv[1:2] == ["--serve"]:
        kind, folder, port = sys.argv[2:5]
        end_with_parent()
        if kind == "real":
            serve_real(folder, int(port))
        else:
            serve_bare(folder, int(port), is_batched=kind == "batched")
    else:
        parser = argparse.ArgumentParser(description=__doc__)
        parser.add_argument("--seconds", type=float, default=4)
        parser.add_argument("--sockets", default="50,500,2000")
        parser.add_argument("--times", type=int, default=5)
        asked = parser.parse_args()
        sizes = [int(one) for one in asked.sockets.split(",")]
        measuring = main(sizes, asked.seconds, asked.times)
        asyncio.Runner(loop_factory=uvloop.new_event_loop).run(measuring)
