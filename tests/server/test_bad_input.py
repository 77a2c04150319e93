"""Bad input gets a clear answer or a clean close.  It never causes a 500, and never changes a game."""

import asyncio
import dataclasses
import json
import os
import random
import threading
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any, get_args

import pytest
import schemathesis
from hypothesis import HealthCheck, Phase, settings
from schemathesis.checks import not_a_server_error
from schemathesis.specs.openapi import checks
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed

from foretell.server.wire import protocol as p
from foretell.server.wire.openapi import openapi
from server.rooms import OPEN, SHORT, Pair, Room, all_in, open_room, played, ready_and_start

PROVING = bool(os.environ.get("FORETELL_PROVE"))
MESSAGES = 100_000 if PROVING else 3_000

# HTTP


@pytest.fixture(scope="module", params=["one process", "two processes"])
def server(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[tuple[str, dict[str, str]]]:
    """A server in its own thread, with a table and a finished game for the requests.

    It is one process, or the one of two that does not have the table.
    """
    place: Path | Pair = tmp_path_factory.mktemp("http") / "t.sqlite3"
    if request.param == "two processes":
        place = Pair(request.getfixturevalue("database_server").new_database())
    found: list[tuple[str, dict[str, str]]] = []
    ready, stop = threading.Event(), threading.Event()

    async def serve() -> None:
        async with open_room(place, seconds=3000) as room:
            (seat,) = await room.table(seats=3, bots=["random", "random"], **SHORT)
            async with room.player(seat) as ada:
                await ada.start()
                await played(ada)
                assert ada.snapshot is not None
                known = {"table": seat.code, "game": ada.snapshot.game}
            found.append((room.address, known))
            ready.set()
            while not stop.is_set():
                await asyncio.sleep(0.05)

    thread = threading.Thread(target=lambda: asyncio.run(serve()))
    thread.start()
    assert ready.wait(20)
    yield found[0]
    stop.set()
    thread.join()


schema = schemathesis.openapi.from_dict(openapi())


@pytest.mark.prove
@schema.parametrize()
@settings(
    max_examples=400 if PROVING else 12,
    deadline=None,
    phases=[Phase.explicit, Phase.generate],
    suppress_health_check=list(HealthCheck),
)
def test_the_http_api_answers_as_described(
    case: schemathesis.Case[Any], server: tuple[str, dict[str, str]]
) -> None:
    """Every response has a status and a body that the OpenAPI description allows, and the server never fails."""
    address, known = server
    for name, value in known.items():
        if name in (case.path_parameters or {}) and random.random() < 0.5:
            case.path_parameters[name] = value
    answer = case.call(base_url=address)
    assert answer.status_code < 500 or answer.status_code == 503
    case.validate_response(
        answer,
        checks=[
            not_a_server_error,
            checks.status_code_conformance,
            checks.content_type_conformance,
            checks.response_schema_conformance,
        ],
    )


# The socket


class Fuzz:
    """Random messages: most of them no client would send."""

    def __init__(self, random: Random, tokens: list[str], table: str) -> None:
        self.random, self.tokens, self.table = random, tokens, table
        self.kinds = [kind.__struct_config__.tag for kind in get_args(p.FromClient)]

    def message(self) -> str | bytes:
        make = self.random.choice(
            (
                self.broken,
                self.typed,
                self.typed,
                self.typed,
                self.strange,
                self.huge,
                self.stranger,
            )
        )
        return make()

    def broken(self) -> str | bytes:
        text = json.dumps(self.fields(self.random.choice(self.kinds)))
        cut = self.random.randrange(len(text))
        return self.random.choice(
            (
                text[:cut],
                text[:cut] + chr(self.random.randrange(32, 0x2FFF)) + text[cut:],
                b"\xff\xfe" + text.encode()[:cut],
                "",
                "[" * 500,
                "null",
                "0",
                '"hello"',
            )
        )

    def typed(self) -> str:
        """Usually a valid message, but out of turn, for another decision, or from someone who may not send it."""
        return json.dumps(self.fields(self.random.choice(self.kinds)))

    def strange(self) -> str:
        fields = self.fields(self.random.choice(self.kinds))
        key = self.random.choice(list(fields))
        fields[key] = self.value()
        return json.dumps(fields)

    def huge(self) -> str:
        return json.dumps(
            {"type": "chat", "id": 1, "text": "x" * self.random.choice((301, 5000, 60_000))}
        )

    def stranger(self) -> str:
        """A hello with a token that does not exist, or that belongs to someone at another table."""
        token = self.random.choice(("x" * 32, "0" * 64, "' OR 1=1 --  ", *self.tokens))
        table = self.random.choice((self.table, "AAAAAA", "../../etc", "x" * 32))
        return json.dumps({"type": "hello", "id": 1, "version": 1, "table": table, "token": token})

    def value(self) -> Any:
        return self.random.choice(
            (
                None,
                True,
                -1,
                0,
                6,
                10**30,
                1.5,
                "",
                "x",
                "\u202e",
                [],
                {},
                [[]],
                {"a": 1},
                "9" * 200,
                ["R5"],
            )
        )

    def fields(self, kind: Any) -> dict[str, Any]:
        seat = self.random.randrange(-1, 7)
        some: dict[str, dict[str, Any]] = {
            "hello": {"version": 1, "table": self.table},
            "watch_lobby": {"version": 1},
            "act": {
                "decision": f"{self.random.randrange(4)}:{self.random.choice(('bid', 'play', 'trump'))}:{self.random.randrange(3)}",
                "action": self.random.choice(
                    (
                        "bid 99",
                        "play R5",
                        "play JUGGLER:R",
                        "trump none",
                        "change +1",
                        "pass G3",
                        "fly away",
                        "play",
                        "bid -1",
                        "bid ²",
                    )
                ),
            },
            "chat": {"text": "hi"},
            "emote": {"emote": "wow"},
            "ready": {"is_ready": True},
            "word": {"word": "w\n"},
            "word_hash": {"commit": "0" * 64, "hash": self.random.choice(("f" * 64, "F" * 64))},
            "reveal": {"word": self.random.choice(("w", "w\n", "w" * 65))},
            "sit": {"seat": seat},
            "take_seat": {"name": "Eve", "seat": seat},
            "start": {"level": self.random.choice(("random", "genius"))},
            "fill": {"seat": seat, "level": "random"},
            "empty": {"seat": seat},
            "remove": {"seat": seat},
            "mute": {"seat": seat},
            "pass_host": {"seat": seat},
            "options": {
                "options": {"rules": {"rounds": [2, 1]}, "seats": self.random.randrange(9)}
            },
            "ask_coach": {"decision": "1:bid:0"},
        }
        return {"type": kind, "id": self.random.randrange(100), **some.get(kind, {})}


async def attack(address: str, fuzz: Fuzz, messages: int) -> int:
    """Sends messages, checks that each is answered or the socket closed cleanly, and counts how often it was closed."""
    sent, codes = 0, list[int | None]()
    while sent < messages:
        async with connect(address, compression=None, max_size=None, max_queue=None) as socket:
            hello = {"type": "hello", "version": 1, "table": fuzz.table, "id": 1}
            await socket.send(json.dumps(hello))
            batch = [fuzz.message() for _ in range(min(100, messages - sent))]
            sent += len(batch)
            try:
                for one in batch:
                    await socket.send(one)
                await answered(socket, len(batch) + 1)
            except ConnectionClosed as end:
                codes.append(end.rcvd.code if end.rcvd else None)
    assert set(codes) <= {4003, 4009}
    return len(codes)


async def answered(socket: ClientConnection, messages: int) -> None:
    """Checks that every message is answered exactly once, and that the connection still works afterwards."""
    await socket.send(json.dumps({"type": "ping", "id": 424242}))
    kinds: Counter[str] = Counter()
    async with asyncio.timeout(20):
        while True:
            answer = json.loads(await socket.recv())
            kinds[answer["type"]] += 1
            assert answer.get("error", {}).get("code") != "server_failed"
            if answer["type"] == "pong" and answer["id"] == 424242:
                break
        # A ping is answered at once: the table's answers to earlier messages may come after the pong.
        asked = ("refused", "done", "welcome", "lobby", "coach", "pong", "seated")
        while sum(kinds[kind] for kind in asked) < messages + 1:
            kinds[json.loads(await socket.recv())["type"]] += 1
    assert kinds["refused"] > 0


@pytest.mark.anyio
@pytest.mark.prove
async def test_a_fuzzed_socket_changes_no_game(place: Path | Pair) -> None:
    limits = dataclasses.replace(OPEN, unreadable=10**9, inbox=10**9)
    async with open_room(place, seconds=1200, limits=limits) as room:
        seats = await room.table(3, seats=3, rules={"rounds": [1, 2, 3]})
        other = await room.table(1, seats=3, bots=["random"])
        async with all_in([room.player(one) for one in seats]) as players:
            await ready_and_start(players)
            before = state_of(room, seats[0].table)
            tokens = [one.token for one in other]  # valid tokens, but of another table
            address = f"ws://127.0.0.1:{room.port}/ws"
            fuzzers = [
                attack(address, Fuzz(Random(n), tokens, seats[0].table), MESSAGES // 4)
                for n in range(4)
            ]
            closed = sum(await asyncio.gather(*fuzzers))
            # Most messages are answered, and the connection stays open.
            assert closed < MESSAGES // 100
            assert state_of(room, seats[0].table) == before
            assert room.services.metrics.failures._value.get() == 0
            await asyncio.gather(*(played(one) for one in players))


def state_of(room: Room, table: str) -> Any:
    """What strangers must not change: the game, its log and the seats.  They may chat and watch."""
    found = room.app.lobby.tables[table]
    assert found.playing is not None
    return found.playing.game, found.playing.number, found.state
