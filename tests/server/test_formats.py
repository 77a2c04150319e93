"""While a new version is deployed, the old one never takes, and so never overwrites, what it does not understand."""

import asyncio
import hashlib
import json
import sqlite3
import time
from contextlib import closing
from pathlib import Path
from typing import Any

import msgspec
import psycopg
import pytest

from foretell.client import ConnectionLost, Player, RefusedByTable, Remote
from foretell.rules.version import RULES_VERSION
from foretell.server.store import formats
from foretell.server.store.interface import LoggedAction, Setup, TableState
from foretell.server.wire import protocol as p
from server.child import Child
from server.postgresql import Postgresql
from server.rooms import fetched, made, open_room, played

pytestmark = pytest.mark.anyio

FINGERPRINTS = {1: "13dd6070ed46d37f"}
"""Of everything that is stored in each format."""


def without_descriptions(schema: Any) -> Any:
    if isinstance(schema, list | tuple):
        return [without_descriptions(one) for one in schema]
    if isinstance(schema, dict):
        kept = {name: one for name, one in schema.items() if name != "description"}
        return {name: without_descriptions(one) for name, one in kept.items()}
    return schema


def test_whoever_changes_what_is_stored_raises_the_format() -> None:
    """If this fails, an older process would lose what is new: raise FORMAT, and add its fingerprint."""

    def as_text(kind: Any) -> dict[str, Any]:
        return {"type": "string", "of": kind.__name__}

    kinds = [TableState, Setup, LoggedAction]
    found = without_descriptions(msgspec.json.schema_components(kinds, schema_hook=as_text))
    text = msgspec.json.encode([found, RULES_VERSION], order="sorted")
    assert hashlib.sha256(text).hexdigest()[:16] == FINGERPRINTS[formats.FORMAT]


async def test_a_table_of_a_newer_version_is_refused_and_stays_as_it_is(tmp_path: Path) -> None:
    path = tmp_path / "t.sqlite3"
    async with open_room(path) as room:
        (seat,) = await room.table()
    with closing(sqlite3.connect(path, isolation_level=None)) as connection:
        ((text,),) = connection.execute("SELECT state FROM tables").fetchall()
        state = json.loads(text)
        newer = json.dumps({**state, "format": formats.FORMAT + 1, "future": "bright"}).encode()
        connection.execute("UPDATE tables SET state = ?", (newer,))
    async with open_room(path) as room:
        with pytest.raises(RefusedByTable, match="newer version"):
            async with room.player(seat):
                pass
        status, body, _ = await fetched(f"{room.address}/api/tables/{seat.code}")
        assert (status, body["error"]["code"]) == (409, "newer_table")
        mine = await room.remote.mine((seat.token,))
        assert [one.table for one in mine.games] == [seat.table]
    with closing(sqlite3.connect(path)) as connection:
        assert connection.execute("SELECT state FROM tables").fetchall() == [(newer,)]


async def test_an_older_process_leads_players_to_a_newer_one(
    database_server: Postgresql, tmp_path: Path
) -> None:
    """The table sleeps, so any process may take it; the older one does not."""
    url = database_server.new_database()
    child = Child(tmp_path, database=url, is_newer=True)
    await child.start()
    newer = Remote(f"http://127.0.0.1:{child.port}")
    try:
        async with open_room(url) as older:
            options = made(seats=3, bots=["random", "random"], rules={"rounds": [1, 2]})
            seat = await newer.make(p.NewTable(name="Ada", options=options))
            async with Player(newer, seat.table, seat.token) as ada:
                await ada.start()
                await ada.turn()
            await asyncio.to_thread(_until_it_sleeps, url)
            shown = await older.remote.ask("GET", f"/api/tables/{seat.code}", None, p.Table)
            assert shown.code == seat.code
            async with Player(older.remote, seat.table, seat.token) as ada:
                await played(ada)
            assert not older.app.lobby.tables
            # No newer process is left: rather nobody plays than one that would lose something.
            await child.kill()
            async with asyncio.timeout(20):
                while True:
                    with pytest.raises((RefusedByTable, ConnectionLost)) as refused:
                        async with Player(older.remote, seat.table, seat.token):
                            pass
                    if refused.type is RefusedByTable:
                        break
            assert "newer version" in str(refused.value)
    finally:
        await child.kill()


def _until_it_sleeps(url: str) -> None:
    with psycopg.connect(url, autocommit=True) as connection:
        for _ in range(500):
            if connection.execute("SELECT owner FROM ownership").fetchall() == [(None,)]:
                return
            time.sleep(0.02)
    raise TimeoutError
