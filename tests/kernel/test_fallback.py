"""Without Numba the same functions run as plain Python, and play the same games; the cache needs no writable install."""

import json
import os
import subprocess
import sys
from pathlib import Path

import foretell
from foretell.kernel import compile_rules, play_games
from foretell.kernel.backend.compiled import IS_COMPILED, cache_folder
from foretell.kernel.state.codes import DEALING
from foretell.rules import Rules

PLAY = """
import sys
{before}
from foretell.kernel import IS_COMPILED, compile_rules, play_games
from foretell.rules import Rules
specials = ("DRAGON", "FAIRY", "BOMB", "WEREWOLF", "JUGGLER", "CLOUD", "SHAPESHIFTER")
found = []
for rules, players in ((Rules(), 4), (Rules(specials=specials), 5), (Rules(unicolor=True), 3)):
    played = play_games(compile_rules(rules, players), 3, seed=7)
    found.append([played.decisions, [played.score(game) for game in range(3)]])
import json
print(json.dumps([IS_COMPILED, "numba" in sys.modules and sys.modules["numba"] is not None, found]))
"""


BEGIN = """
import sys
from foretell.kernel import IS_COMPILED, compile_rules, new_game, new_state
from foretell.kernel.state.state_layout import PHASE
from foretell.rules import Rules
state = new_state()
new_game(compile_rules(Rules(), 4).words, state, 0)
print(IS_COMPILED, state[PHASE])
"""


def begun(**environment: str) -> str:
    """A game begun: little to compile."""
    return subprocess.run(
        [sys.executable, "-c", BEGIN],
        env=os.environ | environment,
        capture_output=True,
        text=True,
        check=True,
    ).stdout


def played(before: str = "", **environment: str) -> list[object]:
    done = subprocess.run(
        [sys.executable, "-c", PLAY.format(before=before)],
        env=os.environ | environment,
        capture_output=True,
        text=True,
        check=True,
    )
    answer: list[object] = json.loads(done.stdout)
    return answer


def test_plain_python_plays_the_same_games() -> None:
    here = played()
    plain = played(FORETELL_KERNEL="python")
    assert plain[0] is False
    assert plain[1] is False
    assert plain[2] == here[2]


def test_neither_numba_nor_numpy_is_needed() -> None:
    missing = "sys.modules['numba'] = sys.modules['numpy'] = None"
    assert played(missing)[:2] == [False, False]


def test_the_hidden_hands_are_dealt_alike_in_plain_python() -> None:
    """Every word of chance is used in the same order, so the same seed gives the same deal."""
    code = """
from foretell.deals import seeded
from foretell.engine import act, awaited_seats, deal, legal_actions, new_game, view
from foretell.kernel.hidden.hidden_hands import hidden_hands
from foretell.rules import Rules
from random import Random
random = Random(3)
rules = Rules(rounds=(9,))
game = new_game(rules, ["x"] * 5)
game = deal(game, seeded(2)(game))[0]
while game.now.phase != "play" or len(game.now.tricks) < 5:
    seat = awaited_seats(game)[0]
    game = act(game, seat, random.choice(legal_actions(game, seat)))[0]
hidden = hidden_hands(view(game, 0))
print([[card.code for card in hand] for n in range(20) for hand in hidden.deal(11, n)])
"""
    answers = {
        subprocess.run(
            [sys.executable, "-c", code],
            env=os.environ | {"FORETELL_KERNEL": how},
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        for how in ("", "python")
    }
    assert len(answers) == 1


def test_nothing_compiled_is_written_beside_the_sources(tmp_path: Path) -> None:
    if not IS_COMPILED:
        return
    before = set(Path(foretell.__file__).parent.rglob("*.nb*"))
    begun(XDG_CACHE_HOME=str(tmp_path), NUMBA_CACHE_DIR="")
    assert set(Path(foretell.__file__).parent.rglob("*.nb*")) == before == set()
    assert list(tmp_path.rglob("*.nbi"))


def test_where_no_cache_can_be_written_it_plays_all_the_same() -> None:
    nowhere = "/dev/null/nowhere"
    found = begun(XDG_CACHE_HOME=nowhere, TMPDIR=nowhere, TEMP=nowhere, TMP=nowhere, HOME=nowhere)
    assert found.split() == [str(IS_COMPILED), str(DEALING)]


def test_the_folder_of_the_cache_is_named_by_the_sources() -> None:
    folder = cache_folder()
    assert folder is None or folder.parent.name == "kernel"


def test_a_batch_does_not_depend_on_its_threads() -> None:
    tables = compile_rules(Rules(), 4)
    one, two = (play_games(tables, 200, seed=3, threads=threads) for threads in (1, 2))
    assert list(one.lines) == list(two.lines)
    assert one.decisions == two.decisions
    late = play_games(tables, 50, seed=3, first=100)
    assert [late.score(game) for game in range(50)] == [one.score(game) for game in range(100, 150)]


def test_a_cpu_without_the_instruction_for_the_kth_bit_plays_the_same_games() -> None:
    """A CPU named to Numba is taken to have nothing special; the loop takes the place of PDEP."""
    code = """
from foretell.kernel import compile_rules, ints, new_state, random_games
from foretell.rules import Rules
state, lookup = new_state(), compile_rules(Rules(), 4).words
print(random_games(lookup, state, ints(2), ints(72), 5, 0, 3), list(state))
"""
    answers = {
        subprocess.run(
            [sys.executable, "-c", code],
            env=os.environ | environment,
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        for environment in ({}, {"NUMBA_CPU_NAME": "generic", "NUMBA_CPU_FEATURES": ""})
    }
    assert len(answers) == 1
