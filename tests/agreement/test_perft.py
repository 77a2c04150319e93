"""The kernel's counts of the perft files: the same as the engine's and the counter's."""

from pathlib import Path

import pytest

from foretell.kernel.state.from_engine import state_of_game
from foretell.kernel.state.perft import perft
from foretell.kernel.state.tables import compile_rules
from perft.counter import read
from perft.test_perft import FILES, started


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_the_kernel_counts_the_same(path: Path) -> None:
    position = read(path)
    game = started(position)
    tables = compile_rules(game.rules, game.seats, game.peoples)
    is_whole = position.rounds is not None
    expected = position.counts["kinds"]
    found, ended = perft(tables, state_of_game(tables, game), 0 if is_whole else len(expected))
    assert found == expected
    if is_whole and position.counts["cards"] == expected:
        assert ended == position.rounds
