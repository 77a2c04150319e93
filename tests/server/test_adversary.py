"""At no time does all that an attacker receives tell more about a round than one seat may know of it.

The attacker has many connections and uses everything that the protocol allows, at random, in every variant.
docs/protocol.md says what an attacker can do, and what stops them.
"""

import os
from itertools import count
from pathlib import Path
from random import Random

import pytest

from foretell.rules import Rules
from foretell.rules.presets import PRESETS
from server.courses import course, otherwise, played_at_random
from server.worlds import Streams, World
from tables import every_rules, with_rounds

pytestmark = [pytest.mark.anyio, pytest.mark.prove]

PROVING = bool(os.environ.get("FORETELL_PROVE"))
VARIANTS = (*every_rules(), *(one.rules for one in PRESETS.values()))
PARTS = 4
EXAMPLES = 2 * len(VARIANTS) if PROVING else 16


# Two worlds


async def in_both_worlds(
    folder: Path, random: Random, rules: Rules, name: str
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
    first = World(folder / f"{name}.1.sqlite3", played, earlier, seed)
    streams = await first.run()
    held = first.held[-1]
    assert len(held) <= 1, "the attacker has two seats"
    other = otherwise(played, next(iter(held), None), random)
    if other is None:
        return None
    return streams, await World(folder / f"{name}.2.sqlite3", other, earlier, seed).run()


@pytest.mark.parametrize("part", range(PARTS))
async def test_nothing_that_an_attacker_receives_depends_on_a_hidden_card(
    tmp_path: Path, part: int
) -> None:
    random = Random(f"adversary {part}")
    variants = list(VARIANTS)
    random.shuffle(variants)
    done = 0
    for tried in count():
        rules = variants[done % len(variants)]
        found = await in_both_worlds(tmp_path, random, rules, f"{tried}")
        if found is not None:
            done += 1
            assert found[0] == found[1], rules
        if done == EXAMPLES // PARTS:
            break
