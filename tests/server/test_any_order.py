"""People at a table send any message in any order.  Each message is answered once, and everyone sees the current table.

The test uses no sockets, so that many messages wait in the inbox at once.  Half of the tables use a store that
sometimes fails.
"""

import asyncio
import os
import sqlite3
from collections import Counter
from itertools import count
from pathlib import Path
from random import Random
from typing import Any

import pytest
from msgspec.structs import replace

from chance import keys_by_chance
from foretell.deals import word_hash
from foretell.engine import view
from foretell.rules import Rules
from foretell.server.store.interface import PendingAppend
from foretell.server.store.sqlite import SqliteStore
from foretell.server.table.internal_messages import Disconnected
from foretell.server.table.lobby import Lobby
from foretell.server.table.participants import SocketParticipant
from foretell.server.table.services import Services, Timeouts
from foretell.server.table.table import Table
from foretell.server.wire import protocol as p
from server.rooms import eventually, made
from tables import every_rules, head_counts, with_rounds

pytestmark = [pytest.mark.anyio, pytest.mark.prove]

TABLES = 400 if os.environ.get("FORETELL_PROVE") else 16
HURRIED = Timeouts(grace=0.02, host=0.03, sleep=60, reveal=0.02)
_ids = count(1)


class Client:
    """A connection to the table, and the last messages that it received."""

    def __init__(self, table: Table, number: int) -> None:
        self._table = table
        # Some share an address, and some have a browser with a key.
        self._address = f"198.51.100.{number % 3}"
        self._browser = f"the-key-of-browser-{number}" if number % 2 else None
        self.participant: SocketParticipant | None = None
        self.hello: int | None = None  # the id of the last hello
        self.is_here = False
        self.seat: int | None = None
        self.next_seat: int | None = None
        self.table: p.Table | None = None
        self.snapshot: p.Snapshot | None = None
        self.token: str | None = None
        self.asked: list[int] = []
        self.answered: Counter[int | None] = Counter()

    def send(self, message: Any) -> None:
        message.id = next(_ids)
        self.asked.append(message.id)
        assert self.participant is not None
        self._table.post(self.participant, message)

    def connect(self, token: str | None) -> None:
        self.disconnect()
        self.participant = SocketParticipant(self._receive, self._answer, address=self._address)
        hello = p.Hello(
            version=p.VERSION, table=self._table.state.id, token=token, key=self._browser
        )
        self.send(hello)
        self.hello = hello.id

    def disconnect(self) -> None:
        if self.participant is not None:
            self.participant.disconnect()
            self._table.post(self.participant, Disconnected())
        self.participant, self.hello, self.is_here = None, None, False

    def _answer(self, message: p.FromServer) -> None:
        self.answered[message.id] += 1  # type: ignore[union-attr]
        self._receive(p.write(message))

    def _receive(self, text: bytes) -> None:
        match p.read_server(text):
            case p.Welcome() as welcome if welcome.id == self.hello:
                self.seat, self.table, self.is_here = welcome.seat, welcome.table, True
                self.next_seat = welcome.next_seat
                self.snapshot = welcome.snapshot
            case p.TableChanged() as changed:
                self.seat, self.table = changed.seat, changed.table
                self.next_seat = changed.next_seat
            case p.Snapshot() as snapshot:
                self.snapshot = snapshot
            case p.Seated() as seated:
                self.token = seated.token


def anything(random: Random, rules: Rules, commit: str, requests: list[int]) -> p.ClientMessage:
    """A random message other than an Act.

    The words of most players fit their hashes.  `requests` are those that the host may answer.
    """
    word = random.choice(("w", "w", "w", "x"))
    seat, name = random.randrange(4), random.choice(("Ada", "Bo", "Cy"))
    options = made(
        rules=rules, seats=random.choice(head_counts(rules)), approval=random.random() < 0.5
    )
    choices: list[p.ClientMessage] = [
        *[p.TakeSeat(name=name), p.Ready(), p.Start(level="random")] * 3,
        *[p.Rematch(), p.TakeSeat(name=name, seat=seat)] * 2,
        *[p.SealWord(commit=commit, hash=word_hash(commit, "w")), p.RevealWord(word=word)] * 2,
        p.SayWord(word=word),
        p.Away(),
        p.Back(),
        p.Leave(),
        p.Sit(seat=seat),
        p.Fill(seat=seat, level="random"),
        p.Empty(seat=seat),
        p.Remove(seat=seat),
        *[p.AnswerRequest(request=one, is_admitted=random.random() < 0.7) for one in requests],
        p.AllowBack(name=name),
        p.PassHost(seat=seat),
        p.ChangeOptions(options=options),
    ]
    return random.choice(choices)


def failing(store: SqliteStore, random: Random) -> None:
    """Makes the store fail at random, as on a full disk, also after the snapshots are written."""
    append, save = store.append, store.save
    full = sqlite3.OperationalError("disk is full")

    def tried_append(*args: Any, **more: Any) -> PendingAppend:
        if random.random() >= 0.1:
            return append(*args, **more)
        loop = asyncio.get_running_loop()
        pending = PendingAppend(loop.create_future(), loop.create_future())
        pending.handed_over.set_result(None)
        pending.stored.set_exception(full)
        return pending

    async def tried_save(*args: Any, **more: Any) -> None:
        if random.random() < 0.1:
            raise full
        await save(*args, **more)

    store.append, store.save = tried_append, tried_save  # type: ignore[method-assign]


def without_times(told: p.Table | None) -> p.Table | None:
    """What was told about the table, without the times that run down by themselves on every page."""
    if told is None:
        return None
    return replace(told, seats=tuple(replace(seat, patience_ms=None) for seat in told.seats))


def is_up_to_date(table: Table, one: Client) -> bool:
    if one.participant is None or not one.is_here:
        return True
    if one.participant not in table.presence or without_times(one.table) != without_times(
        table.info()
    ):
        return False
    if (one.seat, one.next_seat) != (one.participant.seat, one.participant.next_seat):
        return False
    if table.playing is None:
        return True
    shown, playing = one.snapshot, table.playing
    return (
        shown is not None
        and (shown.game, shown.number) == (playing.id, playing.number)
        and shown.view == view(playing.game, one.seat)
    )


def is_placed_rightly(table: Table, one: Client) -> bool:
    """Whether the participant is at the seat of someone who has one, or waits for one that is not active yet."""
    participant, places = one.participant, table.state.places
    assert participant is not None
    if participant.next_seat is not None:
        return participant.seat is None and places[participant.next_seat].successor is not None
    return participant.seat is None or places[participant.seat].kind == "person"


@pytest.mark.parametrize("number", range(TABLES))
async def test_everyone_always_sees_the_current_table(tmp_path: Path, number: int) -> None:
    random = Random(number)
    store = SqliteStore(tmp_path / "t.sqlite3")
    rules = random.choice(every_rules())
    rules = with_rounds(rules, *sorted(random.sample(range(1, 4), random.choice((1, 2)))))
    lobby = Lobby(Services(store=store, keys=keys_by_chance(), timeouts=HURRIED))
    options = made(rules=rules, seats=random.choice(head_counts(rules)))
    first = await lobby.make(p.NewTable(name="Ada", options=options))
    table = lobby.tables[first.table]
    if number % 2:
        failing(store, random)
    everyone = [Client(table, n) for n in range(random.randint(2, 5))]
    everyone[0].token = first.token
    for _ in range(200):
        one = random.choice(everyone)
        if not one.is_here or random.random() < 0.03:
            tokens = [other.token for other in everyone if other.token]
            one.connect(random.choice([one.token, one.token, None, *tokens]))
        elif random.random() < 0.05:
            one.disconnect()
        elif one.snapshot and one.snapshot.view.legal and random.random() < 0.7:
            seen = one.snapshot.view
            for _ in range(random.choice((1, 1, 2))):
                chosen = str(random.choice(seen.legal))
                one.send(p.Act(decision=seen.decision or "", action=chosen))
        else:
            commit = one.table.next_commit if one.table else None
            requests = [] if one.table is None else [asked.request for asked in one.table.requests]
            one.send(anything(random, rules, commit or "0" * 64, requests * 3 or [1]))
        if random.random() < 0.4:
            await asyncio.sleep(0.002)
            # Bots may act at any moment, so wait until everyone has received everything.
            await eventually(lambda: all(is_up_to_date(table, one) for one in everyone))
    await eventually(lambda: all(len(one.asked) == one.answered.total() for one in everyone))
    await eventually(lambda: all(is_up_to_date(table, one) for one in everyone))
    assert all(set(one.answered.values()) <= {1} for one in everyone)
    assert all(one.participant is None or is_placed_rightly(table, one) for one in everyone)
    await lobby.close()
    await store.close()
