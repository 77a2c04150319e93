"""The net at play: its integers give the answers of the trained floats, and its choices are legal in every rule set."""

from functools import cache
from pathlib import Path
from random import Random

import numpy as np
import pytest
from training.export import export

from foretell.bots.net import layout as in_view
from foretell.bots.net import net_layout as in_net
from foretell.bots.net.net_player import NetPlayer
from foretell.bots.net.weights import Weights, shipped
from foretell.deals import seeded
from foretell.engine import act, awaited_seats, deal, new_game, view
from foretell.kernel.state import state_layout as in_state
from foretell.kernel.state.from_engine import state_of_game
from foretell.kernel.state.tables import compile_rules
from foretell.rules import Rules
from net.float_net import float_answers, preferred, whole_answers
from net.observations import observed_from_view
from tables import PROVING, every_rules, rich, setup_by_lot

RUN = Path(__file__).parents[2] / "training/runs/second"
SHIPPED = Path(__file__).parents[2] / "src/foretell/bots/net/weights.bin"
ALL_SPECIALS = ("DRAGON", "FAIRY", "BOMB", "WEREWOLF", "JUGGLER", "CLOUD", "SHAPESHIFTER")


needs_run = pytest.mark.skipif(
    not (RUN / "weights.npz").exists(), reason=f"THE EXPORT IS NOT TESTED: {RUN} has no weights"
)


@cache
def positions() -> list[tuple[int, list[int]]]:
    """Phases and observations from games in which the net plays every seat and every fifth action is random."""
    found, random, player = [], Random(3), NetPlayer()
    for rules, players in (
        (Rules(), 4),
        (Rules(specials=ALL_SPECIALS), 5),
        (Rules(bids="secret", rounds=(3, 9, 14)), 3),
        (Rules(foresight="every_round", rounds=(2, 7)), 6),
    ):
        game, dealing = new_game(rules, [str(seat) for seat in range(players)]), seeded(11)
        while not game.is_over:
            if game.awaits_deal:
                game, _ = deal(game, dealing(game))
                continue
            seat = awaited_seats(game)[0]
            seen = view(game, seat)
            if len(seen.legal) > 1 and random.random() < 0.5:
                state = state_of_game(compile_rules(rules, players), game)
                found.append((int(state[in_state.PHASE]), observed_from_view(seen)))
            action = player.choose(seen, random)
            game, _ = act(
                game, seat, action if random.random() < 0.8 else random.choice(seen.legal)
            )
    return found


@needs_run
def test_the_integers_choose_as_the_floats_do() -> None:
    given = positions()
    floats = float_answers(RUN, [words for _, words in given])
    same = 0
    errors = []
    for (phase, words), expected in zip(given, floats, strict=True):
        found = whole_answers(shipped(), words)
        same += preferred(found, words, phase) == preferred(expected, words, phase)
        errors.append(np.array(found) / in_net.ANSWER_UNIT - expected)
    assert len(given) > 400
    assert same / len(given) >= 0.995
    assert np.sqrt(np.square(errors).mean()) < 0.15


@needs_run
def test_the_shipped_net_is_the_export_of_its_run(tmp_path: Path) -> None:
    export(RUN, tmp_path / "weights.bin")
    assert (tmp_path / "weights.bin").read_bytes() == SHIPPED.read_bytes()
    assert SHIPPED.stat().st_size <= 8_000_000


def test_every_input_at_once_leaves_no_sum_above_32_bits() -> None:
    """The answers to all 2,048 bits are those of sums without any limit."""
    words = [-1] * in_view.WORDS
    weights = shipped()
    terms = weights.desk()
    values = [0] * in_net.WIDTH
    inputs = [1] * in_net.INPUTS
    for layer in range(in_net.LAYERS):
        rows = np.array(weights.narrow, dtype=np.int64).reshape(-1, in_net.WIDTH)
        rows = rows[(layer - 1) * in_net.WIDTH : layer * in_net.WIDTH] if layer else _first(weights)
        sums = np.array(inputs) @ rows
        for column in range(in_net.WIDTH):
            at = layer * in_net.WIDTH + column
            total = max(0, int(sums[column]) + terms[in_net.BIAS + at])
            steps = total * terms[in_net.MULTIPLIER + at] / (1 << in_net.SHIFT)
            values[column] = min(in_net.MOST_VALUE, values[column] + int(steps + 0.5))
        inputs = values
    head = np.array(weights.wide[in_net.HEAD_AT :], dtype=np.int64).reshape(in_net.WIDTH, -1)
    expected = np.array(values) @ head + np.array(
        terms[in_net.HEAD_BIAS : in_net.HEAD_BIAS + in_view.ACTIONS]
    )
    assert whole_answers(weights, words) == expected.tolist()


def _first(weights: Weights) -> "np.ndarray[tuple[int, int], np.dtype[np.int64]]":
    return np.array(weights.wide[: in_net.HEAD_AT], dtype=np.int64).reshape(in_net.INPUTS, -1)


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
    with pytest.raises(ValueError, match="is no net of layout"):
        Weights.read(tmp_path / "other.bin")


@pytest.mark.prove
def test_the_player_finishes_rounds_in_all_kinds_of_rule_sets() -> None:
    player, random = NetPlayer(), Random(0)
    for number, rules in enumerate(every_rules()[:: 1 if PROVING else 9]):
        setup = setup_by_lot(number, rules, most_cards=6)
        game = setup.start()
        while not game.is_over:
            if game.awaits_deal:
                game, _ = deal(game, rich(number)(game))
                continue
            seat = awaited_seats(game)[0]
            game, _ = act(game, seat, player.choose(view(game, seat), random))
