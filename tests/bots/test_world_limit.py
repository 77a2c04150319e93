"""Without the native library, a level that would take more than a second takes fewer worlds, and says so once."""

import os
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import replace

import pytest

from foretell.bots import LEVELS, bot
from foretell.bots.search import world_limit as limits
from foretell.bots.search.search import Search
from foretell.bots.search.situation import situation
from foretell.deals import seeded
from foretell.engine import View, awaited_seats, deal, new_game, view
from foretell.kernel import IS_COMPILED
from foretell.rules import Rules

SPECIALS = ("DRAGON", "FAIRY", "BOMB", "WEREWOLF", "JUGGLER", "CLOUD", "SHAPESHIFTER")
LARGEST = [(Rules(rounds=(20,)), 3), (Rules(rounds=(15,)), 4), (Rules(rounds=(10,)), 6)]


def first_view(rules: Rules, players: int, seed: int = 1) -> View:
    game = new_game(rules, ["x"] * players)
    game, _ = deal(game, seeded(seed)(game))
    return view(game, awaited_seats(game)[0])


def limit(seen: View, worlds: int, seconds: float | None = None) -> int:
    return limits.world_limit(seen, situation(seen), worlds, seconds)


def searches() -> Iterator[tuple[str, Search]]:
    for name in LEVELS:
        player = bot(name)
        if isinstance(player, Search):
            yield name, player


@pytest.mark.parametrize(("rules", "players"), LARGEST)
def test_the_largest_rounds_are_limited_and_small_ones_are_not(rules: Rules, players: int) -> None:
    seen = first_view(rules, players)
    assert 15 <= limit(seen, 1200) < 56
    assert limit(first_view(Rules(rounds=(2,)), players), 100) == 100


@pytest.mark.parametrize(("rules", "players"), [*LARGEST[1:], (Rules(rounds=(16,)), 3)])
def test_skilled_is_limited_only_in_the_largest_rounds(rules: Rules, players: int) -> None:
    worlds = dict(searches())["skilled"].worlds
    assert limit(first_view(rules, players), worlds) == worlds


def test_the_limit_does_not_depend_on_a_clock() -> None:
    seen = first_view(*LARGEST[0])
    assert len({limit(seen, 1200) for _ in range(5)}) == 1


def test_more_time_gives_more_worlds() -> None:
    seen = first_view(*LARGEST[0])
    assert limit(seen, 20_000, seconds=5.0) > 5 * limit(seen, 20_000)


def test_a_limited_search_plays_out_fewer_worlds_and_says_so_once(
    caplog: pytest.LogCaptureFixture,
) -> None:
    limits._tell.cache_clear()
    seen = first_view(Rules(rounds=(8,)), 4)
    limited = Search(worlds=400, is_limited=True)
    for seed in range(2):
        thought = limited.think(seen, seed, keep_all=True)
        assert thought.worlds == limit(seen, 400) < 400
    assert [one.message.count("no native library") for one in caplog.records] == [1]
    limits._tell.cache_clear()


def test_compiled_levels_are_not_limited() -> None:
    for name, player in searches():
        assert player.is_limited == (not IS_COMPILED), name
        assert replace(player, is_limited=True) != replace(player, is_limited=False)


CHOOSE = """
import sys, time
from random import Random
from foretell.bots import bot
from foretell.engine import from_json
seen = from_json(sys.stdin.buffer.read())
began = time.process_time()
print(bot(sys.argv[1]).choose(seen, Random(3)))
print(time.process_time() - began)
"""


@pytest.mark.parametrize("backend", ["", "python"])
@pytest.mark.parametrize("name", LEVELS)
def test_the_first_choice_in_a_new_process_is_in_time(name: str, backend: str) -> None:
    """The largest round of all, from the import of the kernel on.  CPU time: this machine may be busy."""
    from foretell.engine import to_json

    done = subprocess.run(
        [sys.executable, "-c", CHOOSE, name],
        input=to_json(first_view(*LARGEST[0])),
        env=os.environ | {"FORETELL_KERNEL": backend},
        capture_output=True,
        check=True,
    )
    chosen, seconds = done.stdout.decode().split("\n")[:2]
    assert chosen.startswith("bid")
    assert float(seconds) < (1.4 if backend == "python" else 0.7)
