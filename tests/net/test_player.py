"""The net at play: its integers give the answers of the trained floats, and its choices are legal in every rule set."""

import gzip
from collections.abc import Callable
from functools import cache
from pathlib import Path
from random import Random

import numpy as np
import pytest
from training.export import export

from foretell.bots.net import layout as in_view
from foretell.bots.net import net_layout as in_net
from foretell.bots.net import value_layout as in_value
from foretell.bots.net.net_player import NetPlayer
from foretell.bots.net.weights import (
    BELIEF,
    SMALL,
    VALUE,
    Weights,
    shipped,
    shipped_belief,
    shipped_small,
    shipped_value,
)
from foretell.deals import seeded
from foretell.engine import Action, Game, View, act, awaited_seats, deal, new_game, view
from foretell.kernel.state import codes
from foretell.kernel.state import state_layout as in_state
from foretell.kernel.state.from_engine import state_of_game
from foretell.kernel.state.tables import compile_rules
from foretell.rules import Rules
from net.float_net import float_answers, preferred, whole_answers
from net.observations import observed_from_view, observed_with_all_hands
from tables import PROVING, choices, every_rules, rich, setup_by_lot

RUN = Path(__file__).parents[2] / "training/runs/third"
SMALL_RUN, BELIEF_RUN = RUN.with_name("small"), RUN.with_name("belief")
VALUE_RUN = RUN.with_name("value")
SHIPPED = Path(__file__).parents[2] / "src/foretell/bots/net/weights.bin"
ALL_SPECIALS = ("DRAGON", "FAIRY", "BOMB", "WEREWOLF", "JUGGLER", "CLOUD", "SHAPESHIFTER")

MOST_OFF = 0.03  # of a usual reward


needs_run = pytest.mark.skipif(
    not (RUN / "weights.npz").exists(), reason=f"THE EXPORT IS NOT TESTED: {RUN} has no weights"
)


@cache
def moments() -> list[tuple[View, Game]]:
    """Choices from games in which the net plays every seat and every fifth action is random."""
    found, random, player = [], Random(3), NetPlayer()

    def choose(seen: View) -> Action:
        likeliest = player.choose(seen, random)
        return likeliest if random.random() < 0.8 else random.choice(seen.legal)

    for rules, players in (
        (Rules(), 4),
        (Rules(specials=ALL_SPECIALS), 5),
        (Rules(bids="secret", rounds=(3, 9, 14)), 3),
        (Rules(foresight="every_round", rounds=(2, 7)), 6),
    ):
        start = new_game(rules, [str(seat) for seat in range(players)])
        for game, seen in choices(start, seeded(11), choose):
            if len(seen.legal) > 1 and random.random() < 0.5:
                found.append((seen, game))
    return found


@cache
def positions() -> list[tuple[int, list[int]]]:
    """Their phases, and what the seat sees."""
    found = []
    for seen, game in moments():
        state = state_of_game(compile_rules(game.rules, game.seats), game)
        found.append((int(state[in_state.PHASE]), observed_from_view(seen)))
    return found


@needs_run
@pytest.mark.parametrize(
    ("weights", "run", "least"),
    [(shipped(), RUN, 0.995), (shipped_small(), SMALL_RUN, 0.98)],
    ids=["net", "small"],
)
def test_the_integers_choose_as_the_floats_do(weights: Weights, run: Path, least: float) -> None:
    given = positions()
    floats = float_answers(run / "weights.npz", [words for _, words in given])
    same = 0
    errors = []
    for (phase, words), expected in zip(given, floats, strict=True):
        found = whole_answers(weights, words)
        same += preferred(found, words, phase) == preferred(expected, words, phase)
        errors.append(np.array(found) / in_net.ANSWER_UNIT - expected)
    assert len(given) > 400
    assert same / len(given) >= least
    assert np.sqrt(np.square(errors).mean()) < 0.15


@needs_run
def test_the_value_net_answers_in_integers_as_in_floats() -> None:
    given = [observed_with_all_hands(game, seen.seat or 0) for seen, game in moments()]
    assert len(given) > 400
    floats = float_answers(VALUE_RUN / "value_512.npz", given)[:, : in_value.VALUE_ANSWERS]
    found = np.array([whole_answers(shipped_value(), words) for words in given])
    difference = (found / in_net.ANSWER_UNIT - floats)[:, in_value.REWARD :][:, : codes.SEATS]
    assert np.sqrt(np.square(difference).mean()) < MOST_OFF


def test_the_small_net_chooses_as_the_large_one_does() -> None:
    """In nearly all positions; the file is small when it is compressed, as for a page."""
    given = positions()
    answers = {
        net: [whole_answers(net(), words) for _, words in given] for net in (shipped, shipped_small)
    }
    same = sum(
        preferred(large, words, phase) == preferred(small, words, phase)
        for large, small, (phase, words) in zip(*answers.values(), given, strict=True)
    )
    assert same / len(given) >= 0.75
    assert len(gzip.compress(SHIPPED.with_name("small.bin").read_bytes())) <= 900_000


@needs_run
def test_the_shipped_nets_are_the_exports_of_their_runs(tmp_path: Path) -> None:
    export(RUN, tmp_path / "weights.bin")
    export(SMALL_RUN, tmp_path / "small.bin", SMALL)
    export(BELIEF_RUN, tmp_path / "belief.bin", BELIEF)
    export(VALUE_RUN, tmp_path / "value.bin", VALUE)
    for name in ("weights.bin", "small.bin", "belief.bin", "value.bin"):
        assert (tmp_path / name).read_bytes() == SHIPPED.with_name(name).read_bytes()
    together = sum(file.stat().st_size for file in SHIPPED.parent.glob("*.bin"))
    assert together <= 16_000_000


@pytest.mark.parametrize(
    "weights",
    [shipped(), shipped_small(), shipped_belief(), shipped_value()],
    ids=["net", "small", "belief", "value"],
)
def test_every_input_at_once_leaves_no_sum_above_32_bits(weights: Weights) -> None:
    """The answers to all 2,048 bits, or 2,496, are those of sums without any limit."""
    words = [-1] * weights.shape.words
    terms, width = weights.desk(), weights.shape.width
    values = [0] * width
    inputs = [1] * weights.shape.inputs
    for layer in range(in_net.LAYERS):
        rows = np.array(weights.narrow, dtype=np.int64).reshape(-1, width)
        rows = rows[(layer - 1) * width : layer * width] if layer else _first(weights)
        sums = np.array(inputs) @ rows
        for column in range(width):
            at = layer * in_net.MOST_WIDTH + column
            total = max(0, int(sums[column]) + terms[in_net.BIAS + at])
            steps = total * terms[in_net.MULTIPLIER + at] / (1 << in_net.SHIFT)
            values[column] = min(in_net.MOST_VALUE, values[column] + int(steps + 0.5))
        inputs = values
    head = np.array(weights.wide[weights.shape.head_at :], dtype=np.int64)
    head = head.reshape(width, -1)
    expected = np.array(values) @ head + np.array(
        terms[in_net.HEAD_BIAS : in_net.HEAD_BIAS + weights.shape.answers]
    )
    assert whole_answers(weights, words) == expected.tolist()


def _first(weights: Weights) -> "np.ndarray[tuple[int, int], np.dtype[np.int64]]":
    first = np.array(weights.wide[: weights.shape.head_at], dtype=np.int64)
    return first.reshape(weights.shape.inputs, -1)


@needs_run
def test_a_net_with_weights_too_large_is_not_exported(tmp_path: Path) -> None:
    with np.load(RUN / "weights.npz") as stored:
        arrays = {name: stored[name] for name in stored.files}
    arrays["head.weight"] = arrays["head.weight"] * 4
    np.savez(tmp_path / "weights.npz", **arrays)
    with pytest.raises(ValueError, match="too large for 32 bits"):
        export(tmp_path, tmp_path / "weights.bin")


@pytest.mark.parametrize("damage", ["header", "length"])
def test_a_file_of_another_net_is_refused(tmp_path: Path, damage: str) -> None:
    stored = SHIPPED.read_bytes()
    version = f'"layout": {in_view.VERSION}'.encode()
    changed = stored.replace(version, b'"layout": 9') if damage == "header" else stored[:-1]
    assert changed != stored
    (tmp_path / "other.bin").write_bytes(changed)
    with pytest.raises(ValueError, match="is no foretell-net of layout"):
        Weights.read(tmp_path / "other.bin")


@pytest.mark.prove
@pytest.mark.parametrize("net", [shipped, shipped_small])
def test_the_player_finishes_rounds_in_all_kinds_of_rule_sets(
    net: Callable[[], Weights],
) -> None:
    player, random = NetPlayer(net), Random(0)
    for number, rules in enumerate(every_rules()[:: 1 if PROVING else 9]):
        setup = setup_by_lot(number, rules, most_cards=6)
        game = setup.start()
        while not game.is_over:
            if game.awaits_deal:
                game, _ = deal(game, rich(number)(game))
                continue
            seat = awaited_seats(game)[0]
            game, _ = act(game, seat, player.choose(view(game, seat), random))
