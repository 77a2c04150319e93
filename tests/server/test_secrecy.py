"""Secrecy over the wire: the bytes a socket receives do not depend on cards its seat may not see.

Each example is played twice on a real server, with given deals, scripted actions, fixed ids and a fixed clock.  In the
second game, the cards and bids that one socket may not know are different.  The test computes what the socket may know
from the rules, not from the View, so it also finds a leak in the View.
"""

import os
from dataclasses import replace
from pathlib import Path
from random import Random

import pytest
from websockets.asyncio.client import ClientConnection, connect

from foretell.deals import given
from foretell.engine import Game, legal_actions, view
from foretell.rules import Rules
from foretell.server.game.live_game import LiveGame, at
from foretell.server.store.interface import Setup
from foretell.server.table.snapshots import SnapshotWriter
from foretell.server.wire import protocol as p
from server.courses import SECRET, Course, FixedKeys, course, otherwise
from server.rooms import Pair, Room, open_room
from tables import NAMES, UNIVERSE, every_rules, setup_by_lot

pytestmark = [pytest.mark.anyio, pytest.mark.prove]

PROVING = bool(os.environ.get("FORETELL_PROVE"))
EXAMPLES = 4 * len(every_rules()) if PROVING else 32  # every rule set, four times


async def received(
    room: Room, keys: FixedKeys, played: Course, seat: int | None, probes: Random
) -> list[bytes]:
    """Every message that the socket of this seat, or of a spectator, receives during the game."""
    keys.reset()
    room.services.dealing = lambda _setup: given(played.deals)
    options = p.TableOptions(rules=played.rules, seats=played.players)
    seats = [await room.remote.make(p.NewTable(name=NAMES[0], options=options))]
    for name in NAMES[1 : played.players]:
        seats.append(await room.remote.join(seats[0].code, p.Join(name=name)))
    sockets: list[ClientConnection] = []
    messages: list[bytes] = []
    address = f"ws://127.0.0.1:{room.port}/ws"

    async def ask(place: int, message: p.FromClient) -> p.FromServer:
        """Sends a message and waits for its answer.  It records the messages to the tested socket."""
        message.id = 7
        await sockets[place].send(p.write(message), text=True)
        while True:
            text = await sockets[place].recv(decode=False)
            if place == (len(seats) if seat is None else seat):
                messages.append(bytes(text))
            found = p.read_server(text)
            if getattr(found, "id", None) == 7:
                return found

    for place in range(len(seats) + 1):
        token = seats[place].token if place < len(seats) else None
        sockets.append(await connect(address, compression=None))
        await ask(place, p.Hello(version=1, table=seats[0].code, token=token))
    for place in range(1, len(seats)):
        await ask(place, p.Ready())
    await ask(0, p.Start())
    for game, (actor, chosen) in zip(played.games(), played.script, strict=False):
        if seat is not None:
            await _probe(ask, game, seat, probes)
        decision = view(game, actor).decision or ""
        answer = await ask(actor, p.Act(decision=decision, action=str(chosen)))
        assert isinstance(answer, p.Done), answer
    for place in range(len(sockets)):
        await ask(place, p.Ping())
    for socket in sockets:
        await socket.close()
    await _forget(room)
    return messages


async def _probe(ask, game: Game, seat: int, random: Random) -> None:  # type: ignore[no-untyped-def]
    """Tries something that is not allowed: the refusal, too, may depend only on what the seat may know."""
    legal = legal_actions(game, seat)
    tried = random.choice([one for one in UNIVERSE if one not in legal])
    decision = view(game, seat).decision or "1:play:0"
    answer = await ask(seat, p.Act(decision=decision, action=str(tried)))
    assert isinstance(answer, p.Refusal), answer


async def _forget(room: Room) -> None:
    for table in tuple(room.app.lobby.tables.values()):
        await table.stop()
        room.app.lobby._on_sleep(table)
    store = room.services.store
    for name in ("tables", "tokens", "games", "actions", "ownership"):
        await store._write(lambda connection, name=name: connection.execute(f"DELETE FROM {name}"))  # type: ignore[attr-defined]


@pytest.mark.parametrize("part", range(4))
async def test_no_byte_depends_on_a_hidden_card(place: Path | Pair, part: int) -> None:
    random = Random(f"secrecy {part}")
    everything = list(every_rules())
    random.shuffle(everything)
    keys = FixedKeys()
    examples, seen = 0, set[Rules]()
    async with open_room(place, keys=keys.keys, now=lambda: 1.0e9, seconds=600) as room:
        wanted = EXAMPLES // 4 if PROVING or isinstance(place, Path) else 2
        while examples < wanted:
            played = course(random, everything[examples % len(everything)])
            seat = random.choice((None, *range(played.players)))
            other = otherwise(played, seat, random)
            if other is None:  # nothing is hidden any more, or there is only one way to deal it
                continue
            seen.add(everything[examples % len(everything)])
            examples += 1
            seed = random.random()
            first = await received(room, keys, played, seat, Random(seed))
            second = await received(room, keys, other, seat, Random(seed))
            assert first == second, (played, other, seat)
    assert len(seen) == min(wanted, len(everything))
    print(f"{examples} examples of {len(seen)} variants, each the same in both games")


async def test_a_leak_would_be_noticed(tmp_path: Path) -> None:
    """The test above can fail: another seat receives different bytes."""
    random = Random(3)
    keys = FixedKeys()
    differ = 0
    async with open_room(tmp_path / "t.sqlite3", keys=keys.keys, now=lambda: 1.0e9) as room:
        for _ in range(20):
            played = course(random, Rules())
            other = otherwise(played, 0, random)
            if other is not None and other.deals != played.deals:
                runs = [await received(room, keys, one, 1, Random(1)) for one in (played, other)]
                differ += runs[0] != runs[1]
    assert differ > 0


def kept_setup(rules: Rules, players: int) -> Setup:
    return Setup(
        rules=rules,
        names=NAMES[:players],
        bots=(None,) * players,
        first_dealer=0,
        peoples=None,
        secret=SECRET,
        words=("",) * players,
    )


def plain(live: LiveGame, seat: int | None, clocks: tuple[p.Clock, ...]) -> bytes:
    """The snapshot of one seat, encoded on its own."""
    seen = view(live.game, seat)
    return p.write(p.Snapshot(game=live.id, number=live.number, view=seen, clocks=clocks))


@pytest.mark.parametrize("number", range(80))
def test_shared_parts_of_a_snapshot_do_not_change_its_bytes(number: int) -> None:
    """Parts of a snapshot are encoded once and reused.  The bytes are the same as if each were encoded on its own.

    Meanwhile people come and go, and a move is sent twice, or undone because it could not be stored.
    """
    random = Random(number)
    written = SnapshotWriter()
    played = course(random, random.choice(every_rules()))
    setup = kept_setup(played.rules, played.players)
    games = played.games()
    sent: list[int] = []
    for place in range(len(games)):
        sent += [place, *random.sample(range(max(0, place - 6), place + 1), random.choice((0, 1)))]
    for turn, place in enumerate(sent):
        if turn % 7 == 0:
            places = (None, *range(played.players))
            seats = frozenset(random.sample(places, random.randint(1, len(places))))
        live = at("id", setup, given(()), games[place], place)
        clocks = (p.Clock(0, turn),)
        found = written.snapshots(live, seats, (), clocks)
        assert found.keys() == seats
        for seat, text in found.items():
            assert text == plain(live, seat, clocks)


@pytest.mark.parametrize("part", range(8))
def test_every_snapshot_in_every_rule_set_is_as_if_encoded_on_its_own(part: int) -> None:
    """After every action and every deal, including scored rounds, for every seat and for a spectator."""
    for number, rules in enumerate(every_rules()[part::8]):
        story = replace(setup_by_lot(8 * number + part, rules, most_cards=6), stop=9999)
        setup = kept_setup(story.rules, story.players)
        seats = frozenset((None, *range(story.players)))
        written = SnapshotWriter()
        for place, game in enumerate(story.course()):
            if game.rounds:
                live = at("id", setup, given(()), game, place)
                found = written.snapshots(live, seats, (), ())
                assert found == {seat: plain(live, seat, ()) for seat in seats}
