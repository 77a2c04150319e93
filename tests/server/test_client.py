"""The client, over a socket and in the same process; the files generated from the protocol; fair deals."""

import asyncio
import hashlib
import signal
from pathlib import Path
from typing import Any, get_args

import pytest
from websockets.asyncio.server import ServerConnection, serve

from foretell.client import ConnectionLost, Local, Player, RefusedByTable, Remote, transports
from foretell.errors import NotAllowed
from foretell.record import loads
from foretell.server.table.participants import Participant
from foretell.server.wire import protocol as p
from foretell.server.wire.generate import generated
from server.child import Child
from server.rooms import SHORT, all_in, eventually, made, open_room, played, ready_and_start

pytestmark = pytest.mark.anyio
ROOT = Path(__file__).parents[2]


async def test_a_game_without_a_server() -> None:
    transport = Local()
    seat = await transport.make(
        p.NewTable(name="Ada", options=made(seats=3, bots=["counting", "random"], **SHORT))
    )
    async with Player(transport, seat.table, seat.token) as ada:
        await ada.start()
        with pytest.raises(RefusedByTable, match="no longer open"):
            await ada.act("bid 0", "9:bid:9")
        await played(ada)
        assert ada.table is not None
        record = loads(await transport.record(ada.table.game or ""))
    assert record.game.is_over
    options = made(seats=3, bots=["genius"])
    with pytest.raises(NotAllowed, match="no bot called 'genius'"):
        await transport.make(p.NewTable(name="Ada", options=options))
    await transport.close()


async def test_a_player_sees_the_same_in_process_and_over_a_socket(tmp_path: Path) -> None:
    async with open_room(tmp_path / "t.sqlite3") as room:
        local = Local(room.services)
        local.lobby = room.app.lobby
        (seat,) = await room.table(seats=3, bots=["random", "random"], **SHORT)
        over = Player(room.remote, seat.table, seat.token)
        inside = Player(local, seat.table, seat.token)
        async with all_in([over, inside]):
            await over.start()
            while (seen := await over.turn()) is not None:
                await inside.until(lambda me, seen=seen: me.view == seen)  # type: ignore[misc]
                await inside.act(seen.legal[0])
                await over.until(lambda me, seen=seen: me.view != seen)  # type: ignore[misc]


async def test_an_action_on_a_socket_that_has_just_broken_waits_for_the_next_one(
    tmp_path: Path,
) -> None:
    async with open_room(tmp_path / "t.sqlite3") as room:
        (seat,) = await room.table(seats=3, bots=["random", "random"], **SHORT)
        transport = _Counting(room.remote)
        async with Player(transport, seat.table, seat.token, make_word=None, pause=0.01) as ada:
            await ada.start()
            turns = 0
            while (seen := await ada.turn()) is not None:
                transport.sent = 0
                # The socket is gone, and the task that listens to it may not have run since.
                transport.connections[-1].transport.abort()
                for _ in range(turns % 4):
                    await asyncio.sleep(0)
                turns += 1
                await asyncio.wait_for(ada.act(seen.legal[0], seen.decision), 30)
            assert ada.reconnections > 3


class _Counting(Remote):
    """Sockets that can be broken, and a count of what was sent over them: a client that spins would send for ever."""

    def __init__(self, remote: Remote) -> None:
        super().__init__(remote.address)
        self.connections: list[Any] = []
        self.sent = 0

    async def connect(self, table: str = "") -> transports.Connection:
        made = await super().connect(table)
        self.connections.append(made._socket)  # type: ignore[attr-defined]
        send = made.send

        async def counted(message: p.FromClient) -> None:
            self.sent += 1
            if self.sent > 20:
                raise AssertionError("the client sends again and again on a broken socket")
            await send(message)

        made.send = counted  # type: ignore[method-assign]
        return made


async def test_waiting_calls_raise_when_the_player_has_failed_or_is_closed(tmp_path: Path) -> None:
    def mistaken(message: p.FromServer) -> None:
        if isinstance(message, p.Said):
            raise KeyError("a bug in a program that uses the client")

    async with open_room(tmp_path / "t.sqlite3") as room:
        (seat,) = await room.table()
        async with room.player(seat, on_message=mistaken) as ada:
            waiting = asyncio.ensure_future(ada.until(lambda _: False))
            with pytest.raises(ConnectionLost):
                await ada.say("hello")
            with pytest.raises(KeyError):
                await asyncio.wait_for(waiting, 5)
        async with room.player(seat) as ada:
            waiting = asyncio.ensure_future(ada.until(lambda _: False))
            await asyncio.sleep(0)
        with pytest.raises(ConnectionLost):
            await asyncio.wait_for(waiting, 5)


async def test_a_server_that_fails_once_is_asked_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with open_room(tmp_path / "t.sqlite3") as room:
        (seat,) = await room.table()
        store, tries = room.services.store, []
        save = store.save

        async def failing(*args: Any, **more: Any) -> None:
            tries.append(1)
            if len(tries) == 2:
                raise OSError("the disk is full")
            await save(*args, **more)

        monkeypatch.setattr(store, "save", failing)
        async with room.player(seat) as ada:
            await ada.ask(p.Away())
        async with room.player(seat) as ada:  # the first attempts to store the return fail
            assert ada.table is not None
            assert not ada.table.seats[0].is_away
        assert len(tries) == 3


async def test_a_server_that_is_not_ours_counts_as_a_lost_connection() -> None:
    async def nonsense(socket: ServerConnection) -> None:
        await socket.send("it works!")
        await socket.wait_closed()

    async with serve(nonsense, "127.0.0.1", 0) as server:
        port = next(iter(server.sockets)).getsockname()[1]
        connection = await Remote(f"http://127.0.0.1:{port}").connect()
        with pytest.raises(ConnectionLost):
            await connection.receive()
        await connection.close()


async def test_no_seat_is_carried_from_one_table_to_another() -> None:
    transport = Local()
    mine = await transport.make(p.NewTable(name="Eve", options=made(seats=3)))
    other = await transport.make(p.NewTable(name="Ada", options=made(seats=3)))
    connection = await transport.connect()

    async def asked(message: p.FromClient) -> p.FromServer:
        await connection.send(message)
        while (found := await connection.receive()) and getattr(found, "id", None) != message.id:
            pass
        return found

    first = await asked(p.Hello(id=1, version=1, table=mine.table, token=mine.token))
    assert isinstance(first, p.Welcome)
    assert isinstance(
        await asked(p.Hello(id=2, version=1, table=other.table, token="x" * 32)), p.Refusal
    )
    assert isinstance(await asked(p.Start(id=3, level="random")), p.Refusal)
    await transport.close()


async def test_a_player_who_left_reconnects_as_a_spectator(tmp_path: Path) -> None:
    async with open_room(tmp_path / "t.sqlite3") as room:
        seats = await room.table(2, seats=3)
        async with all_in([room.player(one) for one in seats]) as (_ada, bo):
            await bo.ask(p.Leave())
            await bo.until(lambda me: me.seat is None)
            before = bo.reconnections
            assert bo._connection is not None
            await bo._connection.close()
            await bo.until(lambda me: me.reconnections > before)
            assert bo.seat is None


async def test_a_player_who_was_removed_watches_until_the_connection_is_lost(
    tmp_path: Path,
) -> None:
    """Ada is at the same address and sends no key either: the table remembers whoever sends none from there."""
    async with open_room(tmp_path / "t.sqlite3") as room:
        seats = await room.table(2, seats=3)
        async with all_in([room.player(one) for one in seats]) as (ada, bo):
            await ada.ask(p.Remove(seat=1))
            await bo.until(lambda me: me.seat is None)
            assert bo._connection is not None
            await bo._connection.close()
            with pytest.raises(RefusedByTable, match="removed you"):
                await bo.until(lambda _: False)
            await ada.ask(p.Ping())  # a token is enough for the others


async def test_a_wrong_token_or_table_is_refused(tmp_path: Path) -> None:
    async with open_room(tmp_path / "t.sqlite3") as room:
        (seat,) = await room.table()
        with pytest.raises(RefusedByTable, match="opens no seat"):
            async with Player(room.remote, seat.table, "wrong-key-wrong-key"):
                pass
        with pytest.raises(RefusedByTable, match="there is no table"):
            async with Player(room.remote, "NOWHERE"):
                pass


async def test_the_commit_comes_first_and_the_secret_last(tmp_path: Path) -> None:
    async with open_room(tmp_path / "t.sqlite3") as room:
        received: list[p.FromServer] = []
        first = await room.remote.make(
            p.NewTable(name="Ada", word="abra", options=made(seats=3, bots=["random"], **SHORT))
        )
        second = await room.remote.join(first.code, p.Join(name="Bo", word="kad"))
        # Both players send their words openly, as old clients do.
        ada = room.player(first, on_message=received.append)
        async with all_in([ada, room.player(second)]) as (_, bo):
            assert ada.table is not None
            promised = ada.table.next_commit
            await bo.ask(p.SayWord(word="kadabra"))
            await ready_and_start([ada, bo])
            await asyncio.gather(played(ada), played(bo))
            proof = ada.table.fair
            assert proof is not None
            assert proof.commit == promised
            assert proof.words == ("abra", "kadabra", "")
            assert hashlib.sha256(bytes.fromhex(proof.secret or "")).hexdigest() == promised
            record = loads(await room.remote.record(ada.table.game or ""))
            assert record.fair is not None
            assert record.fair.secret == proof.secret
        texts = [p.write(one) for one in received]
        over = next(n for n, text in enumerate(texts) if b'"phase":"over"' in text)
        assert all((proof.secret or "").encode() not in text for text in texts[:over])


@pytest.mark.parametrize("path", list(generated()))
async def test_the_files_generated_from_the_protocol_are_up_to_date(path: str) -> None:
    """If this fails: python -m foretell.server.wire.generate"""
    if not (ROOT / path).parent.exists():
        pytest.skip("not a checkout")
    assert (ROOT / path).read_text(encoding="utf-8") == generated()[path]


async def test_every_message_is_in_the_documentation() -> None:
    text = (ROOT / "docs" / "protocol.md").read_text(encoding="utf-8")
    for kind in (*get_args(p.FromClient), *get_args(p.FromServer)):
        assert f"`{kind.__struct_config__.tag}`" in text


# A server that restarts, or hangs


async def test_after_a_restart_clients_come_back_within_a_second_but_not_at_the_same_moment(
    tmp_path: Path,
) -> None:
    async with open_room(tmp_path / "s.sqlite3") as room:
        (seat,) = await room.table()
        came: list[float] = []
        loop = asyncio.get_running_loop()

        def hear(message: p.FromServer) -> None:
            if isinstance(message, p.Welcome):
                came.append(loop.time())

        players = [room.player(seat, on_message=hear) for _ in range(16)]
        async with all_in(players):
            came.clear()
            sent_away = loop.time()
            room.app.socket.send_away()
            await eventually(lambda: len(came) == len(players))
        waits = [one - sent_away for one in came]
        assert max(waits) - min(waits) > 0.3
        assert sorted(waits)[len(waits) // 2] < 1.05  # half a second, and what a busy machine adds


async def test_a_server_that_hangs_is_left_and_found_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its connections stay open and new ones are accepted, but nothing is answered."""
    monkeypatch.setattr(transports, "_OPEN_WITHIN", 0.5)
    child = Child(tmp_path)
    await child.start()
    try:
        remote = Remote(f"http://127.0.0.1:{child.port}")
        seat = await remote.make(p.NewTable(name="Ada", options=made(seats=3)))
        async with Player(remote, seat.table, seat.token, patience=0.3, most_pause=0.2) as ada:
            assert child.process is not None
            child.process.send_signal(signal.SIGSTOP)
            async with asyncio.timeout(5):
                with pytest.raises(ConnectionLost):
                    await ada.ask(p.Chat(text="is anyone here?"))
                with pytest.raises(ConnectionLost):
                    await remote.connect(seat.table)
            child.process.send_signal(signal.SIGCONT)
            await ada.until(lambda me: me.reconnections > 0)
    finally:
        await child.kill()


async def test_a_slow_answer_is_waited_for(tmp_path: Path) -> None:
    """The line works, and only the table is busy: whoever dropped it would wait even longer."""
    async with open_room(tmp_path / "s.sqlite3") as room:
        (seat,) = await room.table()
        async with room.player(seat, patience=0.05) as ada:
            table = room.app.lobby.tables[seat.table]

            async def slow(_table: object, participant: Participant, ask: p.Chat) -> None:
                await asyncio.sleep(0.5)
                participant.answer(p.Done(id=ask.id))

            table._handlers = {**table._handlers, p.Chat: slow}
            await ada.ask(p.Chat(text="hello"))
            assert ada.reconnections == 0
