"""Two worlds that differ only in what an attacker's seat may not know: the attacker is sent the same bytes in both.

In some tests the attacker is connected to another process than the one with the table.
"""

import os
from collections.abc import Callable
from itertools import count
from pathlib import Path
from random import Random
from typing import Any

import msgspec
import pytest

from foretell.rules import Rules
from foretell.server.network.pipe import Pipe
from foretell.server.store.interface import Peer
from foretell.server.wire import protocol as p
from server.courses import VARIANTS, Course, course, otherwise, played_at_random
from server.postgresql import Postgresql
from server.rooms import Pair
from server.worlds import Streams, World
from tables import with_rounds

pytestmark = [pytest.mark.anyio, pytest.mark.prove]

PROVING = bool(os.environ.get("FORETELL_PROVE"))
PARTS = 2
EXAMPLES = 2 * len(VARIANTS) if PROVING else 10
PIPED = EXAMPLES if PROVING else 2  # examples, too


Places = Callable[[str], Path | Pair]
"""For each name a place for the tables of one world."""


Second = Callable[[Course, int | None, Random], Course | None]
"""The game of the second world, which the attacker's seat cannot tell from this one."""


def the_same_again(played: Course, _seat: int | None, _random: Random) -> Course:
    return played


def one_process(folder: Path) -> Places:
    return lambda name: folder / f"{name}.sqlite3"


def two_processes(server: Postgresql) -> Places:
    """All that the attacker is sent comes through a pipe.  The worlds come one after the other: only the last is kept."""
    used: list[str] = []

    def place(_name: str) -> Pair:
        while used:
            server.drop(used.pop())
        used.append(server.new_database())
        return Pair(used[0])

    return place


async def in_both_worlds(
    places: Places, random: Random, rules: Rules, name: str, second: Second = otherwise
) -> tuple[Streams, Streams] | None:
    """What the attacker is sent in two worlds that look the same from the seat that is the attacker's.

    None if there is no second world: nothing is hidden any more, or there is only one way to deal it.
    """
    played = course(random, rules, most_cards=4, lengths=(1, 2, 2, 3))
    if otherwise(played, None, random) is None:
        return None
    earlier = None
    if random.random() < 0.3:
        number = 1 if played.rules.rounds != (1,) else 2
        rules = with_rounds(played.rules, number)
        earlier = played_at_random(random, rules, played.players)
    seed = f"{name} {random.random()}"
    first = World(places(f"{name}.1"), played, earlier, seed)
    streams = await first.run()
    held = first.held[-1]
    assert len(held) <= 1, "the attacker has two seats"
    other = second(played, next(iter(held), None), random)
    if other is None:
        return None
    return streams, await World(places(f"{name}.2"), other, earlier, seed).run()


async def are_the_same(places: Places, random: Random, examples: int) -> None:
    """Plays so many examples, of as many variants as possible, each in two worlds."""
    variants = list(VARIANTS)
    random.shuffle(variants)
    seen = set[Rules]()
    done = 0
    for tried in count():
        rules = variants[done % len(variants)]
        found = await in_both_worlds(places, random, rules, f"{tried}")
        if found is not None:
            done += 1
            seen.add(rules)
            assert found[0] == found[1], rules
        if done == examples:
            break
    assert len(seen) == min(examples, len(set(VARIANTS)))
    print(f"{examples} examples of {len(seen)} variants, each the same in both worlds")


async def differs(places: Places, seed: int, second: Second = otherwise) -> bool:
    """Whether the example with this seed shows a difference."""
    found = await in_both_worlds(places, Random(seed), Rules(), f"{seed}", second)
    return found is not None and found[0] != found[1]


async def first_difference(places: Places) -> int:
    """The seed of the first example that shows one."""
    for seed in range(20):
        if await differs(places, seed):
            return seed
    pytest.fail("nobody noticed")


@pytest.mark.parametrize("part", range(PARTS))
async def test_nothing_that_an_attacker_receives_depends_on_a_hidden_card(
    tmp_path: Path, part: int
) -> None:
    await are_the_same(one_process(tmp_path), Random(f"adversary {part}"), EXAMPLES // PARTS)


@pytest.mark.parametrize("part", range(PARTS))
async def test_nothing_that_comes_through_a_pipe_depends_on_a_hidden_card(
    database_server: Postgresql, part: int
) -> None:
    places = two_processes(database_server)
    await are_the_same(places, Random(f"pipe {part}"), PIPED // PARTS)


@pytest.mark.usefixtures("shows_spectators_a_hand")
async def test_a_leak_would_be_noticed_in_another_world(tmp_path: Path) -> None:
    """The test above can fail."""
    await first_difference(one_process(tmp_path))


@pytest.fixture
def mixes_up_pipes(monkeypatch: pytest.MonkeyPatch) -> None:
    """A mistake in the pipe: a spectator is welcomed with what it has last carried to the host."""
    carried: dict[str, p.Snapshot] = {}  # by the process with the table
    init = Pipe.__init__

    def mixed_up(pipe: Pipe, peer: Peer, socket: Any, deliver: Any, *more: Any) -> None:
        def passed_on(body: bytes) -> None:
            message = p.read_server(body)
            shown = message.snapshot if isinstance(message, p.Welcome) else message
            if isinstance(shown, p.Snapshot) and shown.view.seat == 0:
                carried[peer.id] = shown
            elif isinstance(message, p.Welcome) and shown is not None and peer.id in carried:
                body = p.write(msgspec.structs.replace(message, snapshot=carried[peer.id]))
            deliver(body)

        init(pipe, peer, socket, passed_on, *more)

    monkeypatch.setattr(Pipe, "__init__", mixed_up)


@pytest.mark.usefixtures("mixes_up_pipes")
async def test_a_leak_in_the_pipe_would_be_noticed(database_server: Postgresql) -> None:
    """The test of the pipe can fail, and only because of the cards: the same world is the same a second time."""
    places = two_processes(database_server)
    seed = await first_difference(places)
    assert not await differs(places, seed, the_same_again)
