"""The score sheet as text."""

from random import Random

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from foretell.engine import view
from foretell.engine.view import ScoredRound
from foretell.rules import Rules
from foretell.scorepad import Bid, PadLine, enter, new_pad, sheet
from foretell.scorepad.sheet import ASCII
from foretell.scorepad.width import fit, width
from scorepad.tables import padded, played, short_games

LINES = (
    ScoredRound(1, 0, (0, 1, 1), (0, 0, 1), (20, -10, 30), (20, -10, 30)),
    ScoredRound(2, 1, (2, 0, 0), (1, 0, 1), (-10, 20, -10), (10, 10, 20)),
    ScoredRound(3, 2, (2, 2, 0), (2, 1, 0), (40, -10, 20), (50, 0, 40)),
)

PAPER = """\
    Ana       Bruno     Carla
────────────────────────────────
 1   20 ✓0 *  −10 ✗1     30 ✓1
 2   10 ✗2     10 ✓0 *   20 ✗0
 3   50 ✓2      0 ✗2     40 ✓0 *

✓ bid met   ✗ bid missed   * dealer"""


def test_S3_the_books_own_example_as_on_paper() -> None:
    assert sheet(("Ana", "Bruno", "Carla"), LINES) == PAPER


def test_a_printer_without_our_signs_gets_plain_ones() -> None:
    plain = sheet(("Ana", "Bruno", "Carla"), LINES, signs=ASCII)
    assert plain.isascii()
    assert " 1   20 =0 *  -10 x1     30 =1" in plain


def test_what_is_not_known_yet_is_blank() -> None:
    pad = enter(enter(new_pad(("Ana", "Bruno", "Carla")), Bid(1, 1)), Bid(2, 0))
    rows = sheet(pad.names, pad.lines).splitlines()
    assert rows[2] == " 1         *       1         0"


def test_a_blank_pad_has_a_head_alone() -> None:
    pad = new_pad(("Ana", "Bruno", "Carla"))
    assert sheet(pad.names, pad.lines).splitlines()[0] == "    Ana       Bruno     Carla"


def test_wide_names_are_cut_and_columns_stay_under_each_other() -> None:
    names = (
        "山田太郎さんは六文字",
        "Bartholomäus der Weise",
        "🇩🇪🇫🇷🇧🇷🇭🇺🇪🇸🇵🇹",
        "Zoë",
        "É",
        "👨‍👩‍👧‍👦 family",
    )
    worst = ScoredRound(10, 5, (10,) * 6, (0,) * 6, (-100,) * 6, (-1000,) * 6)
    rows = sheet(names, [worst]).splitlines()
    assert rows[0].startswith("    山田太郎さ…  Bartholomä…  🇩🇪🇫🇷🇧🇷🇭🇺🇪🇸…")
    assert max(map(width, rows)) <= 80
    assert rows[2].split() == ["10", *["−1000", "✗10"] * 5, "−1000", "✗10*"]


NAME = st.text(st.characters(exclude_categories=["Cc", "Cs", "Cn", "Co"]), min_size=1, max_size=40)


@pytest.mark.prove
@given(st.lists(NAME, min_size=3, max_size=6), st.integers(-2500, 2500), st.integers(0, 20))
@example(["W" * 40] * 6, -2100, 20)
@example(["👩🏽‍🚀" * 8] * 6, -2100, 20)
def test_any_six_names_fit_into_80_columns(names: list[str], total: int, bid: int) -> None:
    row = (bid,) * len(names)
    line = PadLine(20, 0, row, row, (0,) * len(names), (total,) * len(names))
    text = sheet(names, [line])
    assert all(width(one) <= 80 for one in text.split("\n"))
    assert len(text.split("\n")) == 5
    head, _, figures, *_ = text.split("\n")
    marks = [place for place, sign in enumerate(figures) if sign == "✓"]
    assert len(marks) == len(names)
    for name, mark in zip(names, marks, strict=True):
        start = mark - max(3, len(str(total))) - 1
        assert fit(name, 40).startswith(_from_cell(head.ljust(80), start)[:1])


def _from_cell(text: str, cell: int) -> str:
    """The part of a text that begins at this cell of the terminal."""
    return next(text[place:] for place in range(len(text) + 1) if width(text[:place]) == cell)


@pytest.mark.prove
@given(short_games(), st.integers(0, 2**32))
def test_the_engines_game_and_the_pad_have_the_same_sheet(
    table: tuple[Rules, int], seed: int
) -> None:
    game = played(*table, seed)
    pad = padded(game, Random(seed))
    assert sheet(pad.names, pad.lines) == sheet(game.names, view(game, None).sheet)


@pytest.mark.parametrize(
    ("text", "cells"),
    [
        ("", 0),
        ("Ana", 3),
        ("Zoë", 3),
        ("Zoe\u0308", 3),
        ("山田", 4),
        ("ﾔﾏﾀﾞ", 4),
        ("한국", 4),
        ("\u1112\u1161\u11ab", 2),
        ("\u1113\u1161", 2),  # an old syllable, which Unicode has no single sign for
        ("🎲", 2),
        ("👨‍👩‍👧‍👦", 2),
        ("👍🏽", 2),
        ("❤️", 2),
        ("🇭🇺", 2),
        ("नमस्ते", 4),
        ("שלום", 4),
    ],
)
def test_how_wide_a_text_stands(text: str, cells: int) -> None:
    assert width(text) == cells


@pytest.mark.parametrize(
    ("text", "cells", "shown"),
    [
        ("Ana", 5, "Ana  "),
        ("Bruno", 5, "Bruno"),
        ("Brunhilde", 5, "Brun…"),
        ("Ana Maria", 5, "Ana… "),
        ("山田太郎", 5, "山田…"),
        ("山田太郎", 4, "山… "),
        ("👨‍👩‍👧‍👦👨‍👩‍👧‍👦", 3, "👨‍👩‍👧‍👦…"),
        ("\x1b[31mA", 6, "�[31mA"),
        ("A\nB", 3, "A�B"),
    ],
)
def test_a_text_is_cut_to_its_cells(text: str, cells: int, shown: str) -> None:
    assert fit(text, cells) == shown
