"""`foretell odds --chart`: shares of tricks that add up, the same from tables, printed in every language."""

import re
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import polars
import pytest
from click.testing import CliRunner

from foretell.cli import main
from foretell.commands.bid_chart import (
    JESTER,
    ROWS,
    WIZARD,
    Chart,
    chart_from_tables,
    measured_chart,
)
from foretell.i18n import languages
from foretell.rules.scoring import points


def ran(*options: str, language: str = "en") -> Any:
    return CliRunner().invoke(main, ["--lang", language, *options])


@pytest.mark.parametrize("players", [3, 6])
def test_every_trick_is_taken_by_one_card(players: int) -> None:
    chart = measured_chart(players, 20, 3)
    assert chart.sizes == list(range(1, 60 // players + 1))
    for size in chart.sizes:
        tricks = 20 * size
        assert sum(chart.taken[size, row] for row in ROWS) == tricks
        assert sum(chart.played[size, row] for row in ROWS) == tricks * players


def test_high_cards_are_worth_more() -> None:
    chart = measured_chart(4, 400, 1)
    five = [chart.share(5, row) for row in ROWS]
    wizard, trumps, others, jester = five[0], five[1:14], five[14:27], five[27]
    assert wizard is not None
    assert wizard > 0.95
    assert jester == pytest.approx(0, abs=0.02)
    assert None not in (*trumps, *others)
    assert trumps[0] > others[0] > others[6] > others[12]  # type: ignore[operator]


def hands_of_tables(folder: Path) -> Iterator[tuple[int, list[tuple[str, bool]], int]]:
    """Of every hand: its number of cards, their rows of the chart, and the tricks that it has taken."""
    plays = polars.read_parquet(folder / "plays" / "*.parquet")
    by_hand = plays.group_by("game", "round", "seat").agg("card", "is_trump", "takes")
    for cards, trumps, takes in by_hand.select("card", "is_trump", "takes").iter_rows():
        held = [
            (card, False) if card in (WIZARD, JESTER) else (card[1:], is_trump)
            for card, is_trump in zip(cards, trumps, strict=True)
        ]
        yield len(held), held, sum(takes)


def test_a_hand_takes_as_many_tricks_as_its_cards_are_worth(tmp_path: Path) -> None:
    """In other games than those that the chart is made from: by the sum, in steps of a half."""
    chart, tables = measured_chart(4, 500, 1), tmp_path / "tables"
    asked = ["--games", "150", "--bot", "counting", "--seed", "99", "--format", "parquet"]
    assert ran("simulate", *asked, "--out", str(tables)).exit_code == 0
    by_sum: dict[int, list[tuple[float, int]]] = {}
    for size, held, taken in hands_of_tables(tables):
        worth = sum(chart.share(size, row) or 0.0 for row in held)
        by_sum.setdefault(round(2 * worth), []).append((worth, taken))
    means = []
    for of_sum in by_sum.values():
        if len(of_sum) >= 200:
            worths, tricks = (sum(column) / len(of_sum) for column in zip(*of_sum, strict=True))
            assert tricks == pytest.approx(worths, abs=0.3)
            means.append(tricks)
    assert len(means) >= 8
    assert max(means) > 4


def test_hands_take_what_the_chart_says_of_their_sum(tmp_path: Path) -> None:
    """In other games: the mean of their tricks; and the best bids score about as many points as any could.

    They score far more than sums whose halves are rounded up.
    """
    chart, tables = measured_chart(4, 500, 1), tmp_path / "tables"
    asked = ["--games", "150", "--bot", "counting", "--seed", "99", "--format", "parquet"]
    assert ran("simulate", *asked, "--out", str(tables)).exit_code == 0
    by_sum: dict[tuple[int, int], list[int]] = {}
    for size, held, taken in hands_of_tables(tables):
        added = sum(round(100 * (chart.share(size, row) or 0.0)) for row in held)
        by_sum.setdefault((size, (added + 25) // 50), []).append(taken)
    worths = chart.worths()
    by_chart, by_hindsight, by_rounding_up, bids = 0, 0, 0, set()
    for (size, halves), tricks in by_sum.items():
        if len(tricks) < 60:
            continue
        mean, best = worths[size, halves]
        assert sum(tricks) / len(tricks) == pytest.approx(mean, abs=0.4)
        scored = [sum(points(bid, n) for n in tricks) for bid in range(size + 1)]
        by_chart += scored[best]
        by_hindsight += max(scored)
        by_rounding_up += scored[min(size, (halves + 1) // 2)]
        bids.add(best)
    assert by_chart > 0.93 * by_hindsight
    assert by_chart > 1.3 * by_rounding_up
    assert bids >= {0, 1, 2, 3, 4}


def test_every_hand_is_counted_with_its_tricks() -> None:
    chart = measured_chart(6, 20, 3)
    for size in chart.sizes:
        hands = {at: n for at, n in chart.hands.items() if at[0] == size}
        assert sum(hands.values()) == 20 * 6
        assert sum(tricks * n for (_, _, tricks), n in hands.items()) == 20 * size
    # In the mean the sums are the tricks: all cards of a game together have taken all tricks.
    halves = sum(halves * n for (_, halves, _), n in chart.hands.items())
    assert halves / 2 == pytest.approx(20 * sum(chart.sizes), rel=0.05)


def test_the_best_bid_is_the_one_that_scores_most() -> None:
    """80 hands of one trick and 60 of none: 80 * 30 - 60 * 10 for a bid of 1, 60 * 20 - 80 * 10 for a bid of 0."""
    chart = Chart(4, 1, "counting", Counter(), Counter(), Counter())
    chart.hands[3, 2, 1], chart.hands[3, 2, 0] = 80, 60
    assert chart.worths() == {(3, 2): (80 / 140, 1)}
    chart.hands[3, 2, 0] = 140  # 80 * 30 - 140 * 10 against 140 * 20 - 80 * 10
    assert chart.worths() == {(3, 2): (80 / 220, 0)}
    chart.hands[3, 5, 2] = 99
    assert (3, 5) not in chart.worths()  # too few to tell


def test_tables_give_the_same_chart(tmp_path: Path) -> None:
    tables = tmp_path / "tables"
    asked = ["--games", "30", "--players", "3", "--bot", "counting", "--seed", "7"]
    made = ran("simulate", *asked, "--format", "parquet", "--out", str(tables))
    assert made.exit_code == 0
    found, measured = chart_from_tables(tables), measured_chart(3, 30, 7)
    assert (found.players, found.games, found.bot) == (3, 30, "counting")
    assert dict(+found.played) == dict(+measured.played)
    assert dict(+found.taken) == dict(+measured.taken)
    assert found.hands == measured.hands


def cells_of(page: str) -> list[list[list[str]]]:
    """The fields of the page's tables, by table and line, without empty ones."""
    page = re.sub("</?b>", "", page)
    return [
        [[cell for cell in re.findall(r"<td[^>]*>([^<]*)</td>", line) if cell] for line in lines]
        for lines in (table.split("<tr")[2:] for table in page.split("<table")[1:])
    ]


@pytest.mark.parametrize("language", languages())
def test_the_chart_is_text_and_a_page_in_every_language(language: str, tmp_path: Path) -> None:
    asked = ["odds", "--chart", "--players", "6,5", "--games", "100"]
    text = ran(*asked, language=language)
    assert text.exit_code == 0
    out = tmp_path / "chart.html"
    assert ran(*asked, "--out", str(out), language=language).exit_code == 0
    page = out.read_text(encoding="utf-8")
    assert f'<html lang="{language}">' in page
    assert page.count("<section>") == 2
    cards, hands, cards_of_five, hands_of_five = cells_of(page)
    assert len(cards) == len(cards_of_five) == len(ROWS)
    assert max(map(len, cards)) == 10
    assert max(map(len, cards_of_five)) == 12
    lines = text.output.splitlines()
    told = [re.findall(r"\d[.,]\d\d(?!\d)", line) for line in lines]
    assert [line for line in told if line] == [line for line in cards + cards_of_five if line]
    told = [re.findall(r"\d+[.,]\d→\d+", line) for line in lines]
    assert [line for line in told if line] == hands + hands_of_five
    assert len(hands) > 3


@pytest.mark.parametrize(("players", "says"), [("7", "D1"), ("3,x", "not: 3,x")])
def test_a_number_of_players_without_a_game_is_refused(players: str, says: str) -> None:
    refused = ran("odds", "--chart", "--players", players)
    assert refused.exit_code in (1, 2)
    assert says in refused.output


def test_without_tables_it_says_so(tmp_path: Path) -> None:
    refused = ran("odds", "--chart", "--from", str(tmp_path))
    assert refused.exit_code == 1
    assert "no tables" in refused.output


def test_a_wizard_has_no_colour() -> None:
    assert (WIZARD, True) not in ROWS
