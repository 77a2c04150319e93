"""What people see and may do is the same at every process: chat, spectators, clocks, their games, reviews, limits."""

import asyncio
import dataclasses
import urllib.request
from collections.abc import AsyncIterator

import msgspec
import pytest
from websockets.asyncio.client import ClientConnection, connect

from foretell.client import Player, RefusedByTable
from foretell.engine.codec import decoded
from foretell.errors import NotAllowed
from foretell.server.coach.advice import OddsCoach
from foretell.server.network.pipe import Pipe
from foretell.server.wire import protocol as p
from server.postgresql import Postgresql
from server.rooms import OPEN, Room, eventually, fetched, made, open_room, played
from server.valkey import Valkey

pytestmark = pytest.mark.anyio

Rooms = tuple[Room, Room]


@pytest.fixture
async def rooms(database_server: Postgresql) -> AsyncIterator[Rooms]:
    """Two processes; the tables of these tests are made at the first."""
    url = database_server.new_database()
    more = {"coach": OddsCoach(), "seconds": 60}
    async with open_room(url, **more) as here, open_room(url, **more) as there:
        yield here, there


async def table(room: Room, **options: object) -> p.Seated:
    rules = {"rounds": [1, 2]}
    seats = made(**{"seats": 3, "bots": ["random", "random"], "rules": rules, **options})
    seat = await room.remote.make(p.NewTable(name="Ada", options=seats))
    # Whoever comes to a new table first brings it to a process.
    await room.remote.ask("GET", f"/api/tables/{seat.code}", None, p.Table)
    return seat


def at(room: Room, seat: p.Seated, token: str | None = None) -> Player:
    return Player(room.remote, seat.table, token, make_word=None, most_pause=0.2)


async def test_people_at_two_processes_see_and_hear_each_other(rooms: Rooms) -> None:
    here, there = rooms
    seat = await table(here, bots=[])
    bo = await there.remote.join(seat.code, p.Join(name="Bo"))
    async with at(here, seat, seat.token) as ada:
        async with at(there, seat, bo.token) as other, at(there, seat) as watching:
            await ada.until(
                lambda me: bool(me.table and me.table.seats[1].is_connected and me.table.spectators)
            )
            await other.ask(p.Chat(text="hello"))
            await watching.until(lambda me: [one.text for one in me.chat] == ["hello"])
            await ada.ask(p.ShowEmote(emote="hello"))
            with pytest.raises(RefusedByTable, match="who you are"):
                await watching.ask(p.Chat(text="may I?"))
            assert not there.app.lobby.tables
            assert there.services.metrics.text().count(b"foretell_sockets_piped 2.0") == 1
        # The process that has the table learns at once that they are gone.
        await ada.until(
            lambda me: bool(
                me.table and not me.table.seats[1].is_connected and not me.table.spectators
            )
        )
    await eventually(lambda: b"foretell_sockets_piped 0.0" in there.services.metrics.text())


async def test_a_client_that_says_hello_again_is_not_counted_twice(
    rooms: Rooms, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each hello has a pipe of its own.  Here the network delays the end of the last one."""
    here, there = rooms
    seat = await table(here, bots=[])
    counts, close = list[int](), ClientConnection.close

    async def late(socket: ClientConnection) -> None:
        await asyncio.sleep(0.1)
        await close(socket)

    def hear(message: p.FromServer) -> None:
        if isinstance(message, p.TableChanged):
            counts.append(message.table.spectators)

    monkeypatch.setattr(ClientConnection, "close", late)
    async with Player(here.remote, seat.table, seat.token, on_message=hear, make_word=None) as ada:
        async with connect(f"ws://127.0.0.1:{there.port}/ws", compression=None) as socket:
            for number in range(1, 4):
                hello = p.Hello(version=p.VERSION, table=seat.table, id=number)
                await socket.send(p.write(hello), text=True)
                while getattr(p.read_server(await socket.recv(decode=False)), "id", None) != number:
                    pass
        await ada.until(lambda me: bool(me.table and not me.table.spectators))
    assert counts == [1, 0, 1, 0, 1, 0]


@pytest.mark.parametrize("is_admitted", [False, True])
async def test_a_client_that_has_asked_the_host_for_a_seat_need_not_wait_to_say_hello_again(
    rooms: Rooms, monkeypatch: pytest.MonkeyPatch, is_admitted: bool
) -> None:
    """A pipe is left when all is answered, and the request is.  What the host says later is no answer."""
    here, there = rooms
    seat = await table(here, bots=[], approval=True)
    unanswered, answered = list[int](), Pipe.answered

    async def noted(pipe: Pipe) -> None:
        unanswered.append(pipe._unanswered)
        await answered(pipe)

    monkeypatch.setattr(Pipe, "answered", noted)
    async with (
        at(here, seat, seat.token) as ada,
        connect(f"ws://127.0.0.1:{there.port}/ws", compression=None) as socket,
    ):

        async def ask(message: p.FromClient | None, kind: type[p.ServerMessage]) -> None:
            if message is not None:
                await socket.send(p.write(message), text=True)
            while not isinstance(p.read_server(await socket.recv(decode=False)), kind):
                pass

        hello = p.Hello(version=p.VERSION, table=seat.table, id=1)
        await ask(hello, p.Welcome)
        await ask(p.TakeSeat(name="Bo", id=2), p.Requested)
        if is_admitted:
            await ada.until(lambda me: bool(me.table and me.table.requests))
            assert ada.table is not None
            (one,) = ada.table.requests
            await ada.ask(p.AnswerRequest(request=one.request, is_admitted=True))
            await ask(None, p.Seated)
        await ask(hello, p.Welcome)
    assert unanswered == [0]


async def test_a_clock_runs_out_for_a_player_of_another_process(rooms: Rooms) -> None:
    here, there = rooms
    seat = await table(here, clock_s=5)
    async with at(there, seat, seat.token) as ada:
        await ada.start()
        await ada.turn()
        assert ada.snapshot is not None
        (clock,) = ada.snapshot.clocks
        assert clock.seat == 0
        assert clock.left_ms is not None
        assert 0 < clock.left_ms <= 5000
        # The bot that stands in plays the whole game, one clock after another.
        number = ada.snapshot.number
        await ada.until(lambda me: bool(me.snapshot and me.snapshot.number > number))


async def test_my_games_are_the_same_everywhere(rooms: Rooms) -> None:
    here, there = rooms
    seat = await table(here)
    async with at(there, seat, seat.token) as ada:
        await ada.start()
        await ada.turn()
        for room in rooms:
            (mine,) = (await room.remote.mine((seat.token,))).games
            assert (mine.table, mine.is_my_turn, mine.phase) == (seat.table, True, "playing")
        await played(ada)
    found = [await room.remote.mine((seat.token,)) for room in rooms]
    assert found[0] == found[1]


async def asked(room: Room, game: str) -> p.GameReview:
    status, body, _ = await fetched(f"{room.address}/api/games/{game}/review", {})
    assert status == 200, body
    return msgspec.json.decode(body, type=p.GameReview, dec_hook=decoded)


async def test_a_review_is_made_once_wherever_it_is_asked_for(rooms: Rooms) -> None:
    for one, other in (rooms, rooms[::-1], rooms):
        seat = await table(one)
        async with at(one, seat, seat.token) as ada:
            await ada.start()
            await played(ada)
            assert ada.table is not None
            game = ada.table.game or ""
        first, second = await asked(one, game), await asked(other, game)
        assert first.total == second.total
        making = [game in room.app.games.reviews._works for room in rooms]
        made_ = [game in room.app.games.reviews._kept for room in rooms]
        assert making.count(True) + made_.count(True) == 1
        for room in rooms:
            while (found := await asked(room, game)).review is None:
                await asyncio.sleep(0.02)
            assert found.game == game
        kept = [game in room.app.games.reviews._kept for room in rooms]
        assert kept.count(True) == 1  # the other asks for it


async def test_the_review_of_a_record_is_made_once_too(rooms: Rooms) -> None:
    here, _there = rooms
    seat = await table(here)
    async with at(here, seat, seat.token) as ada:
        await ada.start()
        await played(ada)
        assert ada.table is not None
        record = await here.remote.record(ada.table.game or "")

    def ask(room: Room) -> p.GameReview:
        headers = {"content-type": "application/json"}
        request = urllib.request.Request(f"{room.address}/api/review", record.encode(), headers)
        with urllib.request.urlopen(request, timeout=20) as answer:
            return msgspec.json.decode(answer.read(), type=p.GameReview, dec_hook=decoded)

    for room in rooms:
        while (await asyncio.to_thread(ask, room)).review is None:
            await asyncio.sleep(0.02)
    name = here.app.games.name_of(record.encode())
    assert [name in room.app.games.reviews._kept for room in rooms].count(True) == 1


async def test_a_review_is_made_here_if_its_process_has_died(database_server: Postgresql) -> None:
    url = database_server.new_database()
    async with open_room(url, coach=OddsCoach(), seconds=60) as room:
        store = room.services.store
        for number in range(3):  # they look alive, and nobody answers
            values = {"id": f"dead {number}"}
            await store._write(  # type: ignore[attr-defined]
                lambda c, values=values: c.execute(
                    "INSERT INTO processes (id, address, key, until, listed)"
                    " VALUES (:id, '127.0.0.1:9', 'k', 1e12, '')",
                    values,
                )
            )
        for _ in range(4):
            seat = await table(room)
            async with at(room, seat, seat.token) as ada:
                await ada.start()
                await played(ada)
                assert ada.table is not None
                while (await asked(room, ada.table.game or "")).review is None:
                    await asyncio.sleep(0.02)


@pytest.mark.parametrize("kind", ["notify", "valkey"])
async def test_the_limits_of_an_address_hold_for_all_processes_together(
    database_server: Postgresql, bus_server: Valkey, kind: str
) -> None:
    url = database_server.new_database()
    bus = bus_server.url if kind == "valkey" else None
    limits = dataclasses.replace(OPEN, tables=1e-6, table_burst=10, per_address=1)
    more = {"limits": limits, "bus": bus}
    async with open_room(url, **more) as here, open_room(url, **more) as there:

        def used(room: Room, address: str) -> float:
            door = room.app.door
            return door.account((address, 1)).used(door.budgets.tables)

        stranger = [room.elsewhere(5) for room in (here, there)]
        for _ in range(6):
            await stranger[0].make(p.NewTable(name="Eve"))
        await eventually(lambda: used(there, "198.51.100.5") > 5)
        for _ in range(4):
            await stranger[1].make(p.NewTable(name="Eve"))
        await eventually(lambda: used(here, "198.51.100.5") > 9)
        for remote in stranger:
            with pytest.raises(NotAllowed, match="tables"):
                await remote.make(p.NewTable(name="Eve"))
        await there.elsewhere(6).make(p.NewTable(name="Bo"))


async def test_messages_through_a_pipe_are_paid_once(rooms: Rooms) -> None:
    here, there = rooms
    seat = await table(here)
    async with at(there, seat, seat.token) as ada:
        for _ in range(20):
            await ada.ask(p.Chat(text="hello"))
        paid = [room.app.door.account(("127.0.0.1", 1)).untold.get("chats", 0) for room in rooms]
        assert paid[0] == 0
        assert paid[1] > 0
