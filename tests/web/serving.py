"""A real server in its own process and on its own port.  A test may choose the cards.

Importing the server takes most of its start, and nearly every test of the page starts one.  So the first server of a
test run starts a process that imports everything, once, and every server is a fork of that process.  Otherwise it is
like a server started by itself: it has its own memory, its own port and its own database file.
"""

import asyncio
import json
import os
import random
import threading
import time
import urllib.request
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from multiprocessing import forkserver, get_context, parent_process
from multiprocessing.process import BaseProcess
from pathlib import Path
from typing import Any

from chance import keys_by_chance
from foretell.cards import Card, cards
from foretell.deals import Dealing
from foretell.engine import Game
from foretell.rules import Deal
from foretell.server.coach import reviews
from foretell.server.coach.advice import OddsCoach
from foretell.server.network.app import App
from foretell.server.network.inner import Inner
from foretell.server.network.limits import Limits
from foretell.server.network.serve import listening_socket, uvicorn_server
from foretell.server.store import interface as store
from foretell.server.store.postgresql import PostgresqlStore
from foretell.server.store.processes import Process
from foretell.server.store.sqlite import SqliteStore
from foretell.server.table.services import Services, Timeouts
from ports import lasting_port

__all__ = ["Served", "Stack", "stacked"]

_TESTS = Path(__file__).parents[1]

_FORKS = get_context("forkserver")
# Alembic is imported when a database is new, and in these tests each one is.
forkserver.set_forkserver_preload(
    ["web.serving", "alembic.util", "foretell.server.store.migrations"]
)

_GENEROUS = Limits(per_address=1000)


@dataclass(frozen=True)
class Stack:
    """The cards that a test wants in a deal: for the first seat, for the others, and turned up."""

    own: str = ""
    others: str = ""
    turned_up: str | None = None


def stacked(stack: Stack, seed: int = 1) -> Callable[[store.Setup], Dealing]:
    """Deals the wanted cards in every round; the others are random, but the same in every run."""

    def dealing(_setup: store.Setup) -> Dealing:
        def deal(game: Game) -> Deal:
            return _dealt(game, stack, random.Random(f"{seed}/{game.next_number}"))

        return deal

    return dealing


def _dealt(game: Game, stack: Stack, chance: random.Random) -> Deal:
    rest: list[Card] = []

    def shuffle(deck: Sequence[Card], _seat: int | None) -> Sequence[Card]:
        rest[:] = deck
        chance.shuffle(rest)
        return rest

    plain = game.rules.deck.deal(
        shuffle, game.seats, game.peoples, game.next_number, game.next_dealer
    )
    if plain.turned_up is None:
        return plain
    size = len(plain.hands[0])
    own, others = cards(stack.own)[:size], cards(stack.others)[: size * (game.seats - 1)]
    turned_up = cards(stack.turned_up)[0] if stack.turned_up else None
    wanted = {*own, *others, turned_up}
    left = [card for card in rest if card not in wanted]
    hands: list[tuple[Card, ...]] = []
    for seat in range(game.seats):
        # the cards wanted for the others go round, one to each seat
        hand = list(own if seat == 0 else others[seat - 1 :: game.seats - 1])
        hands.append(tuple(hand + [left.pop() for _ in range(size - len(hand))]))
    return Deal(tuple(hands), turned_up or left.pop())


def _forking() -> None:
    """Starts the process that servers are forked from, if it is not running.  It gets its path from the environment."""
    before = os.environ.get("PYTHONPATH")
    os.environ["PYTHONPATH"] = os.pathsep.join(filter(None, [str(_TESTS), before]))
    try:
        forkserver.ensure_running()
    finally:
        del os.environ["PYTHONPATH"]
        if before is not None:
            os.environ["PYTHONPATH"] = before


@dataclass
class Served:
    """A server that can be stopped and started again with the same port and the same games."""

    data: Path
    stack: Stack | None = None
    has_coach: bool = False
    patience: float = 120  # seconds until a bot may play for someone
    worlds: int = 0  # that a review samples for each choice; 0 for the coach's own number
    database: str | None = None  # the address of a PostgreSQL, in place of a file
    port: int = 0
    _process: BaseProcess | None = None

    @property
    def address(self) -> str:
        return f"http://127.0.0.1:{self.port}/"

    def start(self) -> None:
        if self.port == 0:
            self.port = lasting_port()
        worlds = self.worlds if self.has_coach else None
        _forking()
        self._process = _FORKS.Process(
            target=_serve,
            args=(dict(os.environ), self.port, self.data, self.stack, worlds),
            kwargs={"patience": self.patience, "database": self.database},
            daemon=True,
        )
        self._process.start()
        for _ in range(3000):
            try:
                urllib.request.urlopen(f"{self.address}api/health").close()
            except OSError:
                if not self._process.is_alive():
                    break
                time.sleep(0.01)
            else:
                return
        raise TimeoutError("the server does not start")

    def stop(self) -> None:
        if self._process is not None:
            self._process.terminate()
            self._process.join(15)
            self._process.close()  # raises if it is still running
            self._process = None

    def table(self, options: Mapping[str, Any], name: str = "Ada") -> dict[str, Any]:
        """Makes a table.  The answer holds the key to the first seat."""
        made: dict[str, Any] = self.post(
            "/api/tables", {"name": name, "options": options, "word": "w"}
        )
        return made

    def post(self, path: str, body: Mapping[str, Any]) -> Any:
        request = urllib.request.Request(
            self.address.rstrip("/") + path,
            json.dumps(body).encode(),
            {"Content-Type": "application/json"},
        )
        with urllib.request.urlopen(request) as answer:
            return json.load(answer)


def _end_with_the_tests() -> None:
    """Ends the server when the tests are killed, which leaves them no time to stop it."""
    tests = parent_process()
    assert tests is not None
    tests.join()
    os._exit(1)


def _serve(
    environment: Mapping[str, str],
    port: int,
    data: Path,
    stack: Stack | None,
    worlds: int | None,
    *,
    patience: float,
    database: str | None,
) -> None:
    """Serves, with a coach if a number of worlds is given; 0 is the coach's own number."""
    os.environ.update(environment)  # chance.py needs the name of the running test
    threading.Thread(target=_end_with_the_tests, daemon=True).start()
    with (
        listening_socket("127.0.0.1", port, is_fixed=True) as listening,
        listening_socket("127.0.0.1", 0, is_fixed=True) as within,
    ):
        sockets, inner = [listening], None
        if database is None:
            games: store.Store = SqliteStore(data / "games.sqlite3")
        else:
            inner = Inner(within.getsockname()[1], "a key of its own")
            process = Process(f"at {port}", f"127.0.0.1:{inner.port}", inner.key, 30.0)
            games = PostgresqlStore(database, process)
            sockets.append(within)
        services = Services(
            store=games,
            keys=keys_by_chance(),
            timeouts=Timeouts(patience=patience),
        )
        if stack is not None:
            services.dealing = stacked(stack)
        if worlds is not None:
            services.coach = OddsCoach()
            reviews.WORLDS = worlds or reviews.WORLDS
        server = uvicorn_server(App(services, limits=_GENEROUS, inner=inner))
        asyncio.run(server.serve(sockets))
