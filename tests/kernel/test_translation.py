"""The compiled functions translated to C play the same games and deal the same hidden hands."""

import ctypes
import shutil
import subprocess
from array import array
from collections.abc import Callable, MutableSequence
from pathlib import Path
from random import Random
from typing import Any

import pytest

from foretell.deals import seeded
from foretell.engine import act, awaited_seats, deal, legal_actions, new_game, view
from foretell.kernel.backend.c_source import c_source
from foretell.kernel.backend.compiled import ints
from foretell.kernel.bulk import playouts, policies
from foretell.kernel.bulk.playouts import ROOM_FOR_DECK, random_games, redealt_playouts
from foretell.kernel.hidden import redealing
from foretell.kernel.hidden.hidden_hands import hidden_hands
from foretell.kernel.state import codes, random_numbers, trick_outcome, turn_loop
from foretell.kernel.state import state_layout as in_state
from foretell.kernel.state.random_numbers import RNG_WORDS, seed_rng
from foretell.kernel.state.tables import compile_rules
from foretell.rules import Rules

SPECIALS = ("DRAGON", "FAIRY", "BOMB", "WEREWOLF", "JUGGLER", "CLOUD", "SHAPESHIFTER")
NAMES = {
    random_numbers: "below mixed seed_rng shuffle shuffle_top",
    turn_loop: """new_game copy_state left_of give take deal begin_round open_trick legal step step_rarely bid play_face
             show_effects end_trick pass_card finish_round take_turn""",
    trick_outcome: "strength_in_trick would_take",
    policies: """random_action plain_worth guess_bids plain_bid plain_trump plain_play plain_pass
                 plain_action chosen""",
    redealing: """fraction count_ways stride_of cards_lacking weight put_on_pile draw redeal deal_case
                  draw_first has_free_hands give_restricted fill_up gather_free_cards split_among_hands deal_to empty_hands meets_needs
                  give_certain_cards deal_by_trial""",
    playouts: "random_round play_round begin_game random_games random_playouts redealt_playouts",
}
ENTRIES = """
i64 c_games(i64* lookup, i64* state, i64* rng, i64* deck, i64 seed, i64 first, i64 count)
{ return random_games(lookup, state, rng, deck, seed, first, count); }
i64 c_redealt(i64* lookup, i64* start, i64* state, i64* rng, i64* plan, double* ways, i64* scratch, i64 count,
              i64* sums)
{ return redealt_playouts(lookup, start, state, rng, plan, ways, scratch, count, sums); }
"""


def functions() -> list[Callable[..., Any]]:
    return [getattr(module, name) for module, names in NAMES.items() for name in names.split()]


@pytest.fixture(scope="module")
def library(tmp_path_factory: pytest.TempPathFactory) -> ctypes.CDLL:
    compiler = shutil.which("cc") or shutil.which("gcc")
    if compiler is None:
        pytest.skip("no C compiler here")
    folder: Path = tmp_path_factory.mktemp("c")
    (folder / "kernel.c").write_text(c_source(functions()) + ENTRIES, encoding="utf-8")
    made = folder / "kernel.so"
    subprocess.run(
        [compiler, "-O1", "-shared", "-fPIC", "-w", "-o", str(made), str(folder / "kernel.c")],
        check=True,
    )
    found = ctypes.CDLL(str(made))
    found.c_games.restype = found.c_redealt.restype = ctypes.c_longlong
    return found


def words(values: MutableSequence[Any], kind: str = "q") -> Any:
    """The same numbers in C's hands."""
    convert = float if kind == "d" else int
    held = array(kind, [convert(value) for value in values])
    which = ctypes.c_double if kind == "d" else ctypes.c_longlong
    return (which * len(held)).from_buffer(held)


@pytest.mark.parametrize(
    "rules", [Rules(), Rules(unicolor=True), Rules(specials=SPECIALS)], ids=["base", "V6", "X1-X9"]
)
def test_games_in_c_are_the_same_games(library: ctypes.CDLL, rules: Rules) -> None:
    tables = compile_rules(rules, 4)
    for number in range(20):
        state, rng, deck = ints(in_state.SIZE), ints(RNG_WORDS), ints(ROOM_FOR_DECK)
        c_state, c_rng, c_deck = words(state), words(rng), words(deck)
        done = library.c_games(
            words(tables.words), c_state, c_rng, c_deck, ctypes.c_longlong(3),
            ctypes.c_longlong(number), ctypes.c_longlong(1),
        )  # fmt: skip
        assert done == random_games(tables.words, state, rng, deck, 3, number, 1)
        assert list(c_state) == list(state)
        assert list(c_rng) == list(rng)


@pytest.mark.parametrize("rules", [Rules(), Rules(specials=SPECIALS)], ids=["base", "X1-X9"])
def test_hidden_hands_in_c_are_the_same_hands(library: ctypes.CDLL, rules: Rules) -> None:
    random = Random(4)
    for _ in range(6):
        game = new_game(rules, ["x"] * 5)
        while not game.rounds or len(game.rounds) < 8 or game.awaits_deal:
            if game.awaits_deal:
                game = deal(game, seeded(random.random().hex())(game))[0]
                continue
            seat = awaited_seats(game)[0]
            game = act(game, seat, random.choice(legal_actions(game, seat)))[0]
        for _ in range(random.randrange(40)):
            seat = awaited_seats(game)[0]
            game = act(game, seat, random.choice(legal_actions(game, seat)))[0]
        hidden = hidden_hands(view(game, awaited_seats(game)[0]))
        state, rng, sums = ints(in_state.SIZE), ints(RNG_WORDS), ints(codes.SEATS)
        seed_rng(rng, 9, 0)
        c_state, c_rng, c_sums = words(state), words(rng), words(sums)
        lookup, (plan, ways, scratch) = hidden.tables.words, hidden.arrays
        done = library.c_redealt(
            words(lookup), words(hidden.state), c_state, c_rng, words(plan), words(ways, "d"),
            words(scratch), ctypes.c_longlong(50), c_sums,
        )  # fmt: skip
        assert done == redealt_playouts(
            lookup, hidden.state, state, rng, plan, ways, scratch, 50, sums
        )
        assert list(c_sums) == list(sums)
        assert list(c_rng) == list(rng)
