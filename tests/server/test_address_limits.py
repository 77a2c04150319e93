"""Limits that count by address, over all its sockets and requests: what happens at each of them."""

import asyncio
import dataclasses
import json
import time
import urllib.error
import urllib.request
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from foretell.client import Connection, ConnectionLost, RefusedByTable
from foretell.server.network import turnstile
from foretell.server.network.limits import Limits
from foretell.server.network.turnstile import Turnstile
from foretell.server.table.participants import SocketParticipant
from foretell.server.wire import protocol as p
from server.rooms import OPEN, Room, fetched, made, open_room

pytestmark = pytest.mark.anyio

_RATES: dict[str, Any] = {
    one.name: 1e6
    for one in dataclasses.fields(Limits)
    if one.type is float and one.name not in ("per_address", "per_network")
}
ROOM = dataclasses.replace(OPEN, per_address=1, **_RATES)
"""No limit on rates; tests replace one of them."""


def limited(**limits: Any) -> Limits:
    return dataclasses.replace(ROOM, **limits)


async def asked(connection: Connection, message: p.FromClient) -> p.FromServer:
    await connection.send(message)
    while True:
        found = await asyncio.wait_for(connection.receive(), 5)
        if getattr(found, "id", None) == message.id:
            return found


async def greeted(room: Room, seat: p.Seated) -> Connection:
    """A new socket in this seat."""
    connection = await room.remote.connect()
    hello = p.Hello(id=1, version=1, table=seat.table, token=seat.token)
    assert isinstance(await asked(connection, hello), p.Welcome)
    return connection


def refused_with(answer: p.FromServer) -> tuple[str, int]:
    """The code of a refusal, and after how many seconds to try again."""
    assert isinstance(answer, p.Refusal)
    return answer.error.code, int(answer.error.values.get("seconds", 0))


@pytest.mark.parametrize(
    ("limits", "message", "code"),
    [
        ({"address_chats": 0.1, "address_chat_burst": 2}, p.Chat(id=5, text="x"), "chats"),
        ({"address_chats": 0.1, "address_chat_burst": 2}, p.ShowEmote(id=5, emote="wow"), "chats"),
        ({"joins": 0.1, "join_burst": 2}, p.TakeSeat(id=5, name="Eve"), "joins"),
        ({"games": 0.1, "game_burst": 2}, p.Start(id=5), "games"),
        ({"games": 0.1, "game_burst": 2}, p.Rematch(id=5), "games"),
    ],
)
async def test_new_sockets_of_one_address_have_no_new_budget(
    tmp_path: Path, limits: dict[str, float], message: p.FromClient, code: str
) -> None:
    async with open_room(tmp_path / "t.sqlite3", limits=limited(**limits)) as room:
        (seat,) = await room.table(seats=3)
        connections = [await greeted(room, seat) for _ in range(3)]
        answers = [await asked(one, message) for one in connections]
        allowed = [one for one in answers[:2] if isinstance(one, p.Refusal)]
        assert not any(one.error.code.startswith("too_many") for one in allowed)
        assert refused_with(answers[2]) == (f"too_many_{code}", 10)
        # Everything else goes on.
        assert isinstance(await asked(connections[2], p.Ping(id=6)), p.Pong)
        for one in connections:
            await one.close()


async def test_hellos_of_one_address(tmp_path: Path) -> None:
    async with open_room(tmp_path / "t.sqlite3", limits=limited(hellos=0.2, hello_burst=2)) as room:
        (seat,) = await room.table()
        connections = [await greeted(room, seat) for _ in range(2)]
        third = await room.remote.connect()
        hello = p.Hello(id=1, version=1, table=seat.table, token=seat.token)
        assert refused_with(await asked(third, hello)) == ("too_many_hellos", 5)
        watch = p.WatchLobby(id=2, version=1)
        assert refused_with(await asked(third, watch)) == ("too_many_hellos", 5)
        for one in (*connections, third):
            await one.close()


async def test_a_player_says_hello_again_after_the_seconds_that_the_server_names(
    tmp_path: Path,
) -> None:
    async with open_room(tmp_path / "t.sqlite3", limits=limited(hellos=2, hello_burst=1)) as room:
        (seat,) = await room.table()
        first = await greeted(room, seat)
        async with room.player(seat) as ada:
            assert ada.seat == 0
        await first.close()


async def test_messages_of_one_address_are_read_more_slowly(tmp_path: Path) -> None:
    """Nothing is lost: the answers only come later."""
    limits = limited(address_messages=40, address_message_burst=16)
    async with open_room(tmp_path / "t.sqlite3", limits=limits) as room:
        (seat,) = await room.table()
        connections = [await greeted(room, seat) for _ in range(2)]
        begun = time.monotonic()
        for number in range(20):
            for one in connections:
                await asked(one, p.Ping(id=100 + number))
        assert 0.4 < time.monotonic() - begun < 4
        for one in connections:
            await one.close()


async def test_an_address_that_sends_far_too_much_loses_sockets(tmp_path: Path) -> None:
    limits = limited(address_messages=1, address_message_burst=20)
    async with open_room(tmp_path / "t.sqlite3", limits=limits) as room:
        (seat,) = await room.table()
        connection = await greeted(room, seat)
        for number in range(30):
            await connection.send(p.Ping(id=100 + number))
        with pytest.raises(ConnectionLost) as lost:
            await all_received(connection)
        assert lost.value.code == 4003


async def all_received(connection: Connection) -> None:
    while True:
        await asyncio.wait_for(connection.receive(), 5)


async def test_messages_that_were_paid_ahead_are_given_back(tmp_path: Path) -> None:
    """A phone that reconnects all the time sends one message with each socket, and pays for one."""
    limits = limited(address_messages=0.001, address_message_burst=20)
    async with open_room(tmp_path / "t.sqlite3", limits=limits) as room:
        (seat,) = await room.table()
        for _ in range(12):
            connection = await greeted(room, seat)
            await connection.close()
            await asyncio.sleep(0.02)


@pytest.mark.parametrize(
    ("limits", "path", "body", "code"),
    [
        ({"requests": 0.1, "request_burst": 2}, "/api/form", None, "requests"),
        ({"requests": 0.1, "request_burst": 2}, "/", None, ""),
        ({"tables": 0.1, "table_burst": 2}, "/api/tables", {"name": "A"}, "tables"),
        ({"joins": 0.1, "join_burst": 2}, "/api/tables/{table}/seats", {"name": "A"}, "joins"),
        ({"replays": 0.1, "replay_burst": 2}, "/api/games/none", None, "replays"),
        ({"replays": 0.1, "replay_burst": 2}, "/api/games/none/replay/1", None, "replays"),
        ({"replays": 0.1, "replay_burst": 2}, "/api/replay", {}, "replays"),
        (
            {"requests": 0.1, "request_burst": 20},
            "/api/mine",
            {"tokens": ["x" * 32] * 40},
            "requests",
        ),
    ],
)
async def test_requests_of_one_address(
    tmp_path: Path, limits: dict[str, float], path: str, body: Any, code: str
) -> None:
    async with open_room(tmp_path / "t.sqlite3", limits=ROOM) as room:
        made_ = await room.app.lobby.make(p.NewTable(name="Ada", options=made(seats=6)))
    async with open_room(tmp_path / "t.sqlite3", limits=limited(**limits)) as room:
        address = room.address + path.format(table=made_.table)
        found = [await fetched_any(address, body) for _ in range(3)]
        assert 429 not in [status for status, _, _ in found[:2]]
        status, text, headers = found[2]
        assert status == 429
        assert 0 < int(headers["retry-after"]) <= 100
        if code:
            error = json.loads(text)["error"]
            assert error["code"] == f"too_many_{code}"
            assert f"try again in {headers['retry-after']} s" in error["sentence"]
        else:  # a page for people
            assert text.decode().startswith("too many requests from your network")


async def fetched_any(address: str, body: Any) -> tuple[int, bytes, Any]:
    """Like `fetched`, but a refusal need not be JSON."""

    def ask() -> tuple[int, bytes, Any]:
        data = None if body is None else json.dumps(body).encode()
        request = urllib.request.Request(address, data, {"content-type": "application/json"})
        try:
            with urllib.request.urlopen(request, timeout=10) as answer:
                return answer.status, answer.read(), answer.headers
        except urllib.error.HTTPError as error:
            with error:
                return error.code, error.read(), error.headers

    return await asyncio.to_thread(ask)


async def test_asking_how_far_a_review_is_costs_nothing(tmp_path: Path) -> None:
    limits = limited(reviews=0.01, review_burst=2)
    async with open_room(tmp_path / "t.sqlite3", limits=limits) as room:

        async def ask(game: str) -> str:
            _, body, _ = await fetched(f"{room.address}/api/games/{game}/review", {})
            code: str = body["error"]["code"]
            return code

        codes = [await ask(game) for game in ("one", "two", "one", "two", "three")]
        assert codes == [*["no_coach"] * 4, "too_many_reviews"]


class SlowCoach:
    """A coach that uses the processor for a while."""

    def advise(self, view: Any) -> tuple[p.Advice, ...]:
        end = time.thread_time() + 0.2
        while time.thread_time() < end:
            pass
        return tuple(p.Advice(action=one, points=1.0, chance=0.5) for one in view.legal)


async def test_the_coach_thinks_only_so_long_for_one_address(tmp_path: Path) -> None:
    limits = limited(thinking=0.01, thinking_burst=0.1)
    async with open_room(tmp_path / "t.sqlite3", limits=limits, coach=SlowCoach()) as room:
        for round_ in range(2):
            (seat,) = await room.table(seats=3, bots=["random"] * 2, rules={"rounds": [1]})
            async with room.player(seat) as ada:
                await ada.start()
                seen = await ada.turn()
                assert seen is not None
                question = p.AskCoach(decision=seen.decision or "")
                if round_ == 0:
                    answer = await ada.ask(question)
                    assert isinstance(answer, p.Coach)
                    assert answer.is_available
                else:
                    with pytest.raises(RefusedByTable) as refused:
                        await ada.ask(question)
                    assert refused.value.code == "too_many_thinking"
                    assert 5 < refused.value.error.values["seconds"] < 60  # type: ignore[operator]


# Connections


async def test_half_open_requests_of_one_address_are_limited(tmp_path: Path) -> None:
    """They come from another address of this machine, because 127.0.0.1 may be a proxy with many clients."""
    limits = limited(requests_at_once=5)
    async with open_room(tmp_path / "t.sqlite3", limits=limits) as room:
        writers = []
        for _ in range(8):
            reader, writer = await asyncio.open_connection(
                "127.0.0.1", room.port, local_addr=("127.0.0.9", 0)
            )
            writer.write(b"GET / HTTP/1.1\r\n")
            writers.append((reader, writer))
        closed = 0
        for reader, _ in writers:
            try:
                closed += await asyncio.wait_for(reader.read(1), 0.3) == b""
            except ConnectionError:
                closed += 1
            except TimeoutError:
                pass
        assert closed == 3
        assert (await fetched(room.address + "/api/form"))[0] == 200  # others are not affected
        for _, writer in writers:
            writer.transport.abort()
        await asyncio.sleep(0.05)
        account = room.app.door.account(("127.0.0.9", 1))
        assert (account.requests, account.sockets) == (0, 0)


async def test_new_connections_of_one_address_are_limited(tmp_path: Path) -> None:
    limits = limited(connections=0.01, connection_burst=4)
    async with open_room(tmp_path / "t.sqlite3", limits=limits) as room:

        async def is_answered() -> bool:
            reader, writer = await asyncio.open_connection(
                "127.0.0.1", room.port, local_addr=("127.0.0.9", 0)
            )
            writer.write(b"GET /api/health HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n")
            try:
                return b"200" in await reader.read()
            except ConnectionError:
                return False
            finally:
                writer.close()

        assert [await is_answered() for _ in range(6)] == [True] * 4 + [False] * 2


async def test_a_flood_at_the_turnstile_does_not_delay_another_address() -> None:
    """One address has work for ten turns; the request of another is done in the first turn after it came."""
    done: list[str] = []
    gate = Turnstile()

    def work(name: str) -> Callable[[], None]:
        def slow() -> None:
            end = time.perf_counter() + turnstile._SLICE / 2
            while time.perf_counter() < end:
                pass
            done.append(name)

        return slow

    for _ in range(20):
        gate.enter("flood", work("flood"))
    assert len(done) <= 3
    gate.enter("other", work("other"))
    while len(done) < 21:
        await asyncio.sleep(0)
    assert done.index("other") <= 4


# Codes


async def test_an_address_that_guesses_is_not_told_which_codes_exist(tmp_path: Path) -> None:
    limits = limited(failures=0.001, failure_burst=3)
    async with open_room(tmp_path / "t.sqlite3", limits=limits) as room:
        (private,) = await room.table(seats=3)
        (public,) = await room.table(seats=3, is_public=True)
        connection = await room.remote.connect()
        for number in range(3):
            wrong = p.Hello(id=number, version=1, table=f"WRONG{number}")
            assert refused_with(await asked(connection, wrong)) == ("no_table", 0)
        answers, times = [], []
        for key, token in (
            (private.code, None),
            ("WRONGWRONG", None),
            (private.code, "x" * 32),
            ("WRONGWRONG", "x" * 32),
        ):
            begun = time.monotonic()
            hello = p.Hello(id=9, version=1, table=key, token=token)
            answers.append(refused_with(await asked(connection, hello)))
            times.append(time.monotonic() - begun)
        assert {code for code, _ in answers} == {"too_many_failures"}
        assert min(times) > 0.24
        status, body, _ = await fetched(f"{room.address}/api/tables/{private.code}")
        assert (status, body["error"]["code"]) == (429, "too_many_failures")
        status, body, _ = await fetched(
            f"{room.address}/api/tables/{private.code}/seats", {"name": "Eve"}
        )
        assert status == 429
        # Players, and those who know a table without guessing, still get in.
        for key, token in (
            (private.code, private.token),
            (private.table, None),
            (public.code, None),
        ):
            hello = p.Hello(id=9, version=1, table=key, token=token)
            assert isinstance(await asked(connection, hello), p.Welcome)
        await connection.close()


async def test_wrong_tokens_count_as_failures(tmp_path: Path) -> None:
    limits = limited(failures=0.001, failure_burst=3)
    async with open_room(tmp_path / "t.sqlite3", limits=limits) as room:
        (seat,) = await room.table(seats=3)
        connection = await room.remote.connect()
        wrong = p.Hello(id=1, version=1, table=seat.code, token="x" * 32)
        codes = [refused_with(await asked(connection, wrong))[0] for _ in range(5)]
        assert codes == [*["bad_token"] * 3, *["too_many_failures"] * 2]
        await connection.close()


async def test_while_many_addresses_guess_each_has_fewer_guesses(tmp_path: Path) -> None:
    limits = limited(failures=0.001, failure_burst=20, all_failures=0.001, all_failure_burst=5)
    async with open_room(tmp_path / "t.sqlite3", limits=limits) as room:
        codes = []
        for number in range(8):
            header = {"x-forwarded-for": "198.51.100.1" if number < 5 else "198.51.100.2"}
            _, body, _ = await fetched(f"{room.address}/api/tables/WRONG{number}", **header)
            codes.append(body["error"]["code"])
        assert codes == [*["no_table"] * 7, "too_many_failures"]


async def test_nobody_finds_a_private_table_by_trying(tmp_path: Path) -> None:
    """The numbers of docs/hosting.md, from the limits and from codes as they are."""
    async with open_room(tmp_path / "t.sqlite3") as room:
        codes = [(await room.table())[0].code for _ in range(40)]
    letters = {letter for code in codes for letter in code}
    assert {len(code) for code in codes} == {10}
    assert len(letters) == 31
    limits, year, tables = Limits(), 365 * 24 * 3600, 10_000
    possible = 31**10
    one_address = limits.failures * year * tables / possible
    assert one_address < 1e-4
    # The addresses of a large botnet, each of which counts ten times while so many guess.
    botnet = 10_000 * (limits.failures / 10) * year * tables / possible
    assert botnet < 0.02


# Spectators


async def test_spectators_are_bounded_and_players_always_get_in(tmp_path: Path) -> None:
    limits = limited(spectators=4, spectators_per_address=3)
    async with open_room(tmp_path / "t.sqlite3", limits=limits) as room:
        seats = await room.table(2, seats=3)
        watch = p.Hello(id=1, version=1, table=seats[0].table)
        connections = [await room.remote.connect() for _ in range(4)]
        answers = [await asked(one, watch) for one in connections]
        assert [isinstance(one, p.Welcome) for one in answers] == [True, True, True, False]
        refusal = answers[3]
        assert isinstance(refusal, p.Refusal)
        assert refusal.error.code == "spectators_full"
        assert (
            refusal.error.sentence == "3 people already watch this table: there is no room for more"
        )
        # A spectator who says hello again does not count twice.
        assert isinstance(await asked(connections[0], watch), p.Welcome)
        for seat in seats:
            async with room.player(seat) as player:
                assert player.seat == seat.seat
        # When one leaves there is room again.
        await connections[0].close()
        await asyncio.sleep(0.05)
        assert isinstance(await asked(connections[3], watch), p.Welcome)
        for one in connections[1:]:
            await one.close()


async def test_a_crowd_from_few_addresses_does_not_keep_a_friend_out(tmp_path: Path) -> None:
    """Someone who wants to sit down is a spectator first."""
    limits = limited(spectators=4, spectators_per_address=3)
    async with open_room(tmp_path / "t.sqlite3", limits=limits) as room:
        (seat,) = await room.table(seats=3)
        table = room.app.lobby.tables[seat.table]
        watch = p.Hello(version=1, table=seat.table)

        async def watches(address: str) -> str:
            answered: asyncio.Future[p.FromServer] = asyncio.get_running_loop().create_future()
            one = SocketParticipant(lambda _message: None, answered.set_result, address=address)
            table.post(one, watch)
            answer = await answered
            return "in" if isinstance(answer, p.Welcome) else refused_with(answer)[0]

        assert [await watches("a") for _ in range(4)] == [*["in"] * 3, "spectators_full"]
        assert [await watches("b") for _ in range(2)] == ["in", "spectators_full"]
        assert await watches("a friend") == "in"
        assert [await watches(f"{number}") for number in range(4)] == [
            *["in"] * 3,
            "spectators_full",
        ]
