"""How long players wait after a restart, when many games that were being played are wanted at once.

    python bench/restart.py [--games 500]

A server is started with so many stored games, each half played.  Then a spectator comes to every second table, and
right after that a player to each of the others, all at the same time.  A table that sleeps on disk is replayed from its
log before it can answer.

- players, spectators: from the moment at which all of them have connected until the first, the median and the last is
  welcomed;
- ping: the answers to another client in the meantime, which need no table: how long the event loop was held up.
"""

import argparse
import asyncio
import json
import os
import signal
import sqlite3
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from random import Random
from statistics import median
from typing import Any

import msgspec
from websockets.asyncio.client import ClientConnection, connect

from foretell.bots import Counting
from foretell.engine import view
from foretell.engine.codec import encoded
from foretell.server.game.live_game import begun, fair_dealing, new_setup
from foretell.server.keys import hashed, random_keys
from foretell.server.network.limits import Limits
from foretell.server.network.serve import ServerSettings, run
from foretell.server.store.sqlite import SqliteStore
from foretell.server.table import seating
from foretell.server.wire import protocol as p

SEATS = 4


def serve(folder: str, port: int) -> None:
    limits = Limits(messages=1e9, message_burst=1e9, sockets=100_000, sockets_per_address=100_000)
    settings = ServerSettings(data=Path(folder), port=port, is_port_fixed=True, limits=limits)
    run(settings, lambda _port: print("ready", flush=True))


def half_a_game() -> tuple[Any, Any, list[tuple[int, str]]]:
    """A table with its game, and the actions of the first half of it."""
    options = p.TableOptions(seats=SEATS, bots=("counting",) * (SEATS - 1))
    state, _token = seating.new_table(p.NewTable(name="Ada", options=options), random_keys, 0.0)
    setup = new_setup(seating.started(state, None))
    live, actions, random = begun("g", setup, fair_dealing).live, [], Random(1)
    while len(live.game.rounds) <= len(live.game.numbers) // 2 + 3:
        seat = live.awaited[0]
        chosen = str(Counting().choose(view(live.game, seat), random))
        actions.append((seat, chosen))
        live = live.after(seat, live.decision or "", chosen)[-1].live
    return seating.started(state, None), setup, actions


async def prepare(path: Path, games: int) -> list[tuple[str, str]]:
    """Stores the games; returns the id and the token of each table."""
    await SqliteStore(path).close()
    state, setup, actions = half_a_game()
    encode = msgspec.json.Encoder(enc_hook=encoded).encode
    found = []
    with sqlite3.connect(path) as connection:
        for _ in range(games):
            table, code, game, token = (
                random_keys.id(),
                random_keys.code(),
                random_keys.id(),
                random_keys.token(),
            )
            places = (
                msgspec.structs.replace(state.places[0], token=hashed(token)),
                *state.places[1:],
            )
            now = time.time()
            own = msgspec.structs.replace(
                state, id=table, code=code, game=game, places=places, created=now, changed=now
            )
            connection.execute(
                "INSERT INTO tables (id, code, phase, state, created, changed) VALUES (?,?,?,?,?,?)",
                (table, code, "playing", encode(own), now, now),
            )
            connection.execute(
                "INSERT INTO tokens (hash, table_id, seat) VALUES (?,?,0)", (hashed(token), table)
            )
            connection.execute(
                "INSERT INTO games (id, table_id, setup, started) VALUES (?,?,?,?)",
                (game, table, encode(setup), now),
            )
            connection.executemany(
                "INSERT INTO actions (game_id, number, seat, action, by_bot, at) VALUES (?,?,?,?,0,?)",
                [(game, number, seat, text, now) for number, (seat, text) in enumerate(actions)],
            )
            found.append((table, token))
    print(f"{games} games of {len(actions)} actions each")
    return found


async def welcomed(socket: ClientConnection, hello: dict[str, Any], began: float) -> float:
    await socket.send(json.dumps(hello))
    while json.loads(await socket.recv())["type"] != "welcome":
        pass
    return time.perf_counter() - began


async def pings(socket: ClientConnection, until: "asyncio.Future[Any]") -> list[float]:
    found = []
    while not until.done():
        sent = time.perf_counter()
        await socket.send('{"type":"ping","id":1}')
        while json.loads(await socket.recv())["type"] != "pong":
            pass
        found.append(time.perf_counter() - sent)
        await asyncio.sleep(0.002)
    return found


async def measure(port: int, tables: list[tuple[str, str]]) -> None:
    address = f"ws://127.0.0.1:{port}/ws"
    sockets = [await connect(address, ping_interval=None, max_size=None) for _ in tables]
    other = await connect(address, ping_interval=None)
    await other.send('{"type":"watch_lobby","id":1,"version":1}')
    began = time.perf_counter()
    hellos = [
        {
            "type": "hello",
            "id": 1,
            "version": 1,
            "table": table,
            **({"token": token} if n % 2 else {}),
        }
        for n, (table, token) in enumerate(tables)
    ]
    order = [*range(0, len(tables), 2), *range(1, len(tables), 2)]  # the players come last
    coming = asyncio.gather(*(welcomed(sockets[n], hellos[n], began) for n in order))
    waited = await pings(other, coming)
    times = dict(zip(order, await coming, strict=True))
    for name, first in (("players", 1), ("spectators", 0)):
        some = sorted(times[n] for n in range(first, len(tables), 2))
        print(
            f"{name:11} first {some[0]:6.3f} s   median {median(some):6.3f} s   last {some[-1]:6.3f} s"
        )
    ordered = sorted(waited)
    print(
        f"ping        median {median(ordered) * 1000:6.1f} ms   p99 "
        f"{ordered[int(len(ordered) * 0.99)] * 1000:6.1f} ms   longest {ordered[-1] * 1000:6.1f} ms"
    )
    await asyncio.gather(*(one.close() for one in (*sockets, other)))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--games", type=int, default=500)
    parser.add_argument("--serve", nargs=2, help=argparse.SUPPRESS)
    asked = parser.parse_args()
    if asked.serve:
        serve(asked.serve[0], int(asked.serve[1]))
        return
    with tempfile.TemporaryDirectory() as folder:
        tables = asyncio.run(prepare(Path(folder) / "foretell.sqlite3", asked.games))
        port = 8899
        command = [sys.executable, __file__, "--serve", folder, str(port)]
        began = time.perf_counter()
        with subprocess.Popen(command, stdout=subprocess.PIPE, env=os.environ) as server:
            assert server.stdout is not None
            server.stdout.readline()
            print(f"the server has started after {time.perf_counter() - began:.2f} s")
            try:
                asyncio.run(measure(port, tables))
            finally:
                server.send_signal(signal.SIGTERM)


if __name__ == "__main__":
    main()
