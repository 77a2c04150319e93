"""Work in pieces, in this process and in several: every piece once, in any order, and again if it was lost."""

import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from foretell.errors import NotAGame
from foretell.workers import ONE_PROCESS, Workers, in_order, results
from foretell.workers.journal import Journal
from foretell.workers.on_ray import code_here
from workers.pieces_for_tests import killed_once, refused, square


@pytest.mark.parametrize("processes", [1, 2])
def test_every_piece_is_done_once(processes: int) -> None:
    found = dict(results(square, range(20), Workers(processes)))
    assert found == {number: number * number for number in range(20)}


def test_results_are_put_in_order() -> None:
    early = [(2, "c"), (0, "a"), (3, "d"), (1, "b")]
    assert list(in_order(early)) == ["a", "b", "c", "d"]


@pytest.mark.parametrize("processes", [1, 2])
def test_work_that_fails_says_why(processes: int) -> None:
    with pytest.raises(ValueError, match="no 0"):
        list(results(refused, [0] * processes, Workers(processes)))


@pytest.mark.skipif(sys.platform == "win32", reason="nothing is killed this way on Windows")
def test_what_a_killed_process_had_is_done_again(tmp_path: Path) -> None:
    pieces = [(number, str(tmp_path)) for number in range(8)]
    found = dict(results(killed_once, pieces, Workers(2)))
    assert (tmp_path / "killed").exists()
    assert found == {number: number * number for number in range(8)}


def test_a_journal_goes_on_where_it_was_cut_off(tmp_path: Path) -> None:
    file = tmp_path / "journal"
    opened: Callable[[object], Journal[int]] = lambda work: Journal(  # noqa: E731
        file, work, int, refusal="other_work"
    )
    opened({"a": 1}).add(5)
    with file.open("ab") as log:
        log.write(b"[6")
    journal = opened({"a": 1})
    assert journal.results == [5]
    journal.add(7)
    assert opened({"a": 1}).results == [5, 7]
    with pytest.raises(NotAGame, match="other work"):
        opened({"a": 2})


def test_without_work_nobody_is_started() -> None:
    assert list(results(square, [], ONE_PROCESS)) == []


def test_the_word_for_the_code_is_always_the_same() -> None:
    assert len(code_here()) == 32
    assert code_here() == code_here()
