"""The client: the same over a socket and in-process; what is generated from the protocol; fair deals."""

import asyncio
import hashlib
from pathlib import Path
from typing import get_args

import pytest

from foretell.client import Local, Player, Refused
from foretell.errors import NotAllowed
from foretell.record import loads
from foretell.server import protocol as p
from foretell.server.generate import generated
from server.rooms import SHORT, all_in, made, open_room, played, ready_and_start

pytestmark = pytest.mark.anyio
ROOT = Path(__file__).parents[2]


async def test_a_game_with_no_server_at_all() -> None:
    door = Local()
    seat = await door.make(
        p.NewTable(name="Ada", options=made(seats=3, bots=["counting", "random"], **SHORT))
    )
    async with Player(door, seat.table, seat.token) as ada:
        await ada.start()
        with pytest.raises(Refused, match="no longer asked"):
            await ada.act("bid 0", "9:bid:9")
        await played(ada)
        assert ada.table is not None
        record = loads(await door.record(ada.table.game or ""))
    assert record.game.is_over
    options = made(seats=3, bots=["genius"])
    with pytest.raises(NotAllowed, match="no bot called 'genius'"):
        await door.make(p.NewTable(name="Ada", options=options))
    await door.close()


async def test_in_process_and_over_a_socket_a_player_is_told_the_same(tmp_path: Path) -> None:
    async with open_room(tmp_path / "t.sqlite3") as room:
        local = Local(room.house)
        local.lobby = room.app.lobby
        (seat,) = await room.table(seats=3, bots=["random", "random"], **SHORT)
        over = Player(room.door, seat.table, seat.token)
        inside = Player(local, seat.table, seat.token)
        async with all_in([over, inside]):
            await over.start()
            while (seen := await over.turn()) is not None:
                await inside.until(lambda me, seen=seen: me.view == seen)  # type: ignore[misc]
                await inside.act(seen.legal[0])
                await over.until(lambda me, seen=seen: me.view != seen)  # type: ignore[misc]


async def test_a_wrong_key_is_no_way_in(tmp_path: Path) -> None:
    async with open_room(tmp_path / "t.sqlite3") as room:
        (seat,) = await room.table()
        with pytest.raises(Refused, match="opens no seat"):
            async with Player(room.door, seat.table, "wrong-key-wrong-key"):
                pass
        with pytest.raises(Refused, match="there is no table"):
            async with Player(room.door, "NOWHERE"):
                pass


async def test_the_commit_comes_first_and_the_secret_last(tmp_path: Path) -> None:
    async with open_room(tmp_path / "t.sqlite3") as room:
        heard: list[p.FromServer] = []
        first = await room.door.make(
            p.NewTable(name="Ada", word="abra", options=made(seats=3, bots=["random"], **SHORT))
        )
        second = await room.door.join(first.code, p.Join(name="Bo", word="kad"))
        ada = Player(room.door, first.table, first.token, heard=heard.append)
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
            record = loads(await room.door.record(ada.table.game or ""))
            assert record.fair is not None
            assert record.fair.secret == proof.secret
        told = [p.write(one) for one in heard]
        over = next(n for n, text in enumerate(told) if b'"phase":"over"' in text)
        assert all((proof.secret or "").encode() not in text for text in told[:over])


@pytest.mark.parametrize("path", list(generated()))
async def test_what_is_made_from_the_protocol_is_up_to_date(path: str) -> None:
    """If this fails: python -m foretell.server.generate"""
    if not (ROOT / path).parent.exists():
        pytest.skip("not a checkout")
    assert (ROOT / path).read_text(encoding="utf-8") == generated()[path]


async def test_every_message_is_in_the_documentation() -> None:
    text = (ROOT / "docs" / "protocol.md").read_text(encoding="utf-8")
    for kind in (*get_args(p.FromClient), *get_args(p.FromServer)):
        assert f"`{kind.__struct_config__.tag}`" in text
