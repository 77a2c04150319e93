"""The native library, plain Python and Numba make the same choices and play the same games, to the last bit."""

import json
import os
import subprocess
import sys
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest

import foretell
from foretell.kernel import BACKEND, compile_rules, play_games
from foretell.kernel.state.codes import DEALING
from foretell.rules import Rules

NOWHERE = "/dev/null/nowhere"
NO_HOME = dict.fromkeys(("HOME", "XDG_CACHE_HOME", "TMPDIR", "TEMP", "TMP"), NOWHERE)

# Whole games by policy, hidden hands dealt again, choices of the levels, and a search.  Every random number is used in the
# same order, so one difference anywhere changes everything that comes after it.
PLAY = """
import json, sys
from random import Random
{before}
from foretell.bots import LEVELS
from foretell.bots.net.evaluation import favourite
from foretell.bots.net.from_view import seen_state
from foretell.bots.net.net_layout import ANSWERS
from foretell.bots.net.net_player import net_arrays
from foretell.bots.net.net_search import NetSearch
from foretell.bots.net.weights import shipped, shipped_small
from foretell.deals import seeded
from foretell.engine import act, awaited_seats, deal, new_game, view
from foretell.kernel import BACKEND, compile_rules, hidden_hands, play_games
from foretell.rules import Rules

SPECIALS = ("DRAGON", "FAIRY", "BOMB", "WEREWOLF", "JUGGLER", "CLOUD", "SHAPESHIFTER")
found = []
for rules, players in ((Rules(), 4), (Rules(specials=SPECIALS), 5), (Rules(unicolor=True), 3)):
    played = play_games(compile_rules(rules, players), 3, seed=7)
    found.append([played.decisions, [played.score(game) for game in range(3)]])

levels = [made() for name, made in LEVELS.items() if name != "champion"]
search = NetSearch(evaluations=0, seconds=999.0, most_candidates=2, least_chance=0.0, is_searching=True)

def answers(seen, net):
    tables = compile_rules(seen.rules, seen.seats, seen.peoples)
    arrays = net_arrays(net(), tables)
    favourite(tables.words, seen_state(tables, seen), *arrays)
    return [int(word) for word in arrays.desk[ANSWERS:]]

tables = [
    (Rules(rounds=(1, 5)), 4), (Rules(rounds=(3,), specials=SPECIALS), 5), (Rules(rounds=(3,), unicolor=True), 3),
    (Rules(rounds=(3,), bids="secret"), 4), (Rules(rounds=(2,), foresight="every_round"), 6),
]
for number, (rules, players) in enumerate(tables):
    game = new_game(rules, [f"P{{seat}}" for seat in range(players)])
    dealing, chance, turn = seeded(number), Random(number), 0
    while not game.is_over:
        if game.awaits_deal:
            game, _ = deal(game, dealing(game))
            continue
        seat, turn = awaited_seats(game)[0], turn + 1
        seen = view(game, seat)
        if turn % 8 == 0 and len(seen.legal) > 1:
            found.append([str(player.choose(seen, Random(turn))) for player in levels])
            found.append([answers(seen, shipped), answers(seen, shipped_small)])
            hands = hidden_hands(seen)
            found.append([[card.code for card in hand] for n in range(3) for hand in hands.deal(11, n)])
            if len(seen.hand) <= 2:
                found.append(search.think(seen, turn).values)
        game, _ = act(game, seat, chance.choice(seen.legal))
heavy = [name for name in ("numba", "numpy") if sys.modules.get(name) is not None]
print(json.dumps([BACKEND, heavy, found]))
"""


def run(code: str, **environment: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-c", code],
        env=os.environ | environment,
        capture_output=True,
        text=True,
        check=True,
    )


@cache
def played(before: str = "", **environment: str) -> list[Any]:
    answer: list[Any] = json.loads(run(PLAY.format(before=before), **environment).stdout)
    return answer


needs_numba = pytest.mark.skipif(find_spec("numba") is None, reason="Numba is not installed")
needs_library = pytest.mark.skipif(BACKEND != "native", reason="there is no native library")


def test_the_tests_run_the_native_library() -> None:
    """Where CI is set, there is a C compiler: all other tests of the kernel are tests of the library."""
    if "FORETELL_KERNEL" not in os.environ and (BACKEND == "native" or "CI" in os.environ):
        assert BACKEND == "native"
    else:
        pytest.skip(
            f"THE NATIVE LIBRARY IS NOT TESTED: the kernel runs as {BACKEND}; `make test` builds it"
        )


@needs_library
def test_plain_python_makes_the_same_choices() -> None:
    native, plain = played(FORETELL_KERNEL="native"), played(FORETELL_KERNEL="python")
    assert (native[0], plain[0]) == ("native", "python")
    assert plain[2] == native[2]


@needs_numba
def test_numba_makes_the_same_choices() -> None:
    numba, here = played(FORETELL_KERNEL="numba"), played()
    assert numba[0] == "numba"
    assert numba[2] == here[2]


@needs_library
def test_the_functions_for_any_cpu_make_the_same_choices() -> None:
    assert played(FORETELL_CPU="base") == played(FORETELL_KERNEL="native")


@needs_library
def test_neither_numba_nor_numpy_is_needed() -> None:
    missing = "sys.modules['numba'] = sys.modules['numpy'] = None"
    assert played(missing)[:2] == [BACKEND, []]
    assert played(missing, FORETELL_KERNEL="python")[:2] == ["python", []]


@needs_numba
def test_numba_is_used_only_if_asked_for() -> None:
    assert played()[:2] == [BACKEND, []]


def test_a_backend_with_another_name_is_refused() -> None:
    with pytest.raises(subprocess.CalledProcessError) as failed:
        run("import foretell.kernel", FORETELL_KERNEL="fortran")
    assert "choose native, python or numba" in failed.value.stderr


BEGIN = """
from foretell.kernel import BACKEND, compile_rules, new_game, new_state
from foretell.kernel.state.state_layout import PHASE
from foretell.rules import Rules
state = new_state()
new_game(compile_rules(Rules(), 4).words, state, 0)
print(BACKEND, state[PHASE])
"""


@pytest.mark.parametrize("backend", ["native", "python", pytest.param("numba", marks=needs_numba)])
def test_where_nothing_can_be_written_it_plays_all_the_same(backend: str) -> None:
    if backend == "native" and BACKEND != "native":
        pytest.skip("there is no native library")
    found = run(BEGIN, **NO_HOME, FORETELL_KERNEL=backend)
    assert found.stdout.split() == [backend, str(DEALING)]


@needs_library
def test_the_library_writes_nothing(tmp_path: Path) -> None:
    places = dict.fromkeys(NO_HOME, str(tmp_path)) | {"PYTHONDONTWRITEBYTECODE": "1"}
    assert run(BEGIN, **places).stdout.split()[0] == "native"
    assert not list(tmp_path.rglob("*"))


@needs_numba
def test_numba_keeps_its_code_in_the_cache_and_not_beside_the_sources(tmp_path: Path) -> None:
    package = Path(foretell.__file__).parent
    before = set(package.rglob("*.nb*"))
    run(BEGIN, XDG_CACHE_HOME=str(tmp_path), NUMBA_CACHE_DIR="", FORETELL_KERNEL="numba")
    assert set(package.rglob("*.nb*")) == before == set()
    kept = list(tmp_path.rglob("*.nbi"))
    assert kept
    assert all("kernel" in path.parts for path in kept)


@needs_numba
def test_numba_plays_the_same_games_for_a_cpu_without_the_instruction_for_the_kth_bit() -> None:
    """A CPU named to Numba is taken to have nothing special; the loop takes the place of PDEP."""
    code = """
from foretell.kernel import compile_rules, ints, new_state, random_games
from foretell.rules import Rules
state, lookup = new_state(), compile_rules(Rules(), 4).words
print(random_games(lookup, state, ints(2), ints(72), 5, 0, 3), [int(word) for word in state])
"""
    plain = {"FORETELL_KERNEL": "numba", "NUMBA_CPU_NAME": "generic", "NUMBA_CPU_FEATURES": ""}
    assert run(code, **plain).stdout == run(code).stdout


def test_a_batch_does_not_depend_on_its_threads() -> None:
    tables = compile_rules(Rules(), 4)
    one, two = (play_games(tables, 200, seed=3, threads=threads) for threads in (1, 2))
    assert list(one.lines) == list(two.lines)
    assert one.decisions == two.decisions
    late = play_games(tables, 50, seed=3, first=100)
    assert [late.score(game) for game in range(50)] == [one.score(game) for game in range(100, 150)]
