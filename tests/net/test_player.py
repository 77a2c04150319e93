"""The net at play: its answer with NumPy, and legal actions in every rule set, whatever its weights are."""

from pathlib import Path
from random import Random
from typing import Any

import numpy as np
import pytest

from foretell.bots.net import layout as in_view
from foretell.bots.net.net_player import NetPlayer
from foretell.bots.net.weights import Weights, log_chances
from foretell.engine import act, awaited_seats, deal, view
from foretell.kernel.state import codes
from tables import PROVING, every_rules, rich, setup_by_lot

WIDTH = 16
INPUTS = in_view.WORDS * in_view.WORD_BITS


@pytest.fixture(scope="module")
def weights_file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A small net with random weights."""
    random = np.random.default_rng(0)
    shapes = {
        "layers.0.weight": (WIDTH, INPUTS),
        "layers.0.bias": (WIDTH,),
        "layers.1.weight": (WIDTH, WIDTH),
        "layers.1.bias": (WIDTH,),
        "head.weight": (in_view.ACTIONS, WIDTH),
        "head.bias": (in_view.ACTIONS,),
    }
    arrays = {name: random.normal(size=shape).astype("f2") for name, shape in shapes.items()}
    file: Path = tmp_path_factory.mktemp("net") / "weights.npz"
    np.savez(file, **arrays)  # type: ignore[arg-type]
    return file


def test_the_answer_is_that_of_the_layers(weights_file: Path) -> None:
    """The rows of the set bits added up are the product of the first layer with all inputs."""
    words: Any = np.random.default_rng(1).integers(0, 1 << 62, in_view.WORDS)
    bits = (words[:, None] >> np.arange(64) & 1).reshape(-1).astype("f4")
    with np.load(weights_file) as stored:
        given = {name: stored[name].astype("f4") for name in stored.files}
    x = np.maximum(given["layers.0.weight"] @ bits + given["layers.0.bias"], 0)
    x = x + np.maximum(given["layers.1.weight"] @ x + given["layers.1.bias"], 0)
    expected: Any = given["head.weight"] @ x + given["head.bias"]
    found: Any = Weights.read(weights_file).answers(words)
    np.testing.assert_allclose(found, expected, rtol=1e-3)


def test_chances_are_of_legal_actions_and_add_up() -> None:
    words = [0] * in_view.WORDS
    words[in_view.LEGAL] = 0b1011
    answers = np.arange(in_view.ACTIONS, dtype=np.float32)
    chances = log_chances(answers, words, codes.BIDDING)
    assert list(chances) == [0, 1, 3]
    assert sum(map(np.exp, chances.values())) == pytest.approx(1.0)
    assert chances[3] > chances[1] > chances[0]


def test_weights_of_another_layout_are_refused(tmp_path: Path, weights_file: Path) -> None:
    with np.load(weights_file) as stored:
        arrays = {name: stored[name] for name in stored.files}
    arrays["layers.0.weight"] = arrays["layers.0.weight"][:, :-64]
    np.savez(tmp_path / "other.npz", **arrays)
    with pytest.raises(ValueError, match="another layout"):
        Weights.read(tmp_path / "other.npz")


@pytest.mark.prove
def test_the_player_finishes_rounds_in_all_kinds_of_rule_sets(weights_file: Path) -> None:
    player, random = NetPlayer(weights_file), Random(0)
    for number, rules in enumerate(every_rules()[:: 1 if PROVING else 9]):
        setup = setup_by_lot(number, rules, most_cards=6)
        game = setup.start()
        while not game.is_over:
            if game.awaits_deal:
                game, _ = deal(game, rich(number)(game))
                continue
            seat = awaited_seats(game)[0]
            game, _ = act(game, seat, player.choose(view(game, seat), random))
