"""docs/players.md says what `bench/players_needed.py` works out."""

import re
from pathlib import Path

from bench.players_needed import Assumed, Costs, needed, read_costs, table

ROOT = Path(__file__).parents[2]
COSTS = Costs(server=400, piped=1000, database=100, view=1000, log=500)
ASSUMED = Assumed(seconds=4, peak=2, used=0.5, piped=0.0)


def test_ten_times_the_players_need_ten_times_the_processes() -> None:
    few, many = (needed(players, COSTS, ASSUMED) for players in (10_000, 100_000))
    # 2,500 tables with a move every 2 seconds: 1,250 moves a second, half a second of CPU time, on half-used cores.
    assert (few.moves, few.by_moves, few.by_sockets) == (1250, 2, 3)
    assert many.moves == 10 * few.moves
    assert (many.by_moves, many.by_sockets) == (11, 21)
    assert many.database_cores == 10 * few.database_cores == 2.5


def test_pipes_cost_processes() -> None:
    without, all_piped = (
        needed(1_000_000, COSTS, ASSUMED._replace(piped=share)).by_moves for share in (0.0, 1.0)
    )
    assert all_piped - 1 == 2.5 * (without - 1)


def test_the_page_has_the_table_of_the_program() -> None:
    page = (ROOT / "docs" / "players.md").read_text()
    costs = read_costs((ROOT / "bench" / "costs.json").read_text())
    for line in table(costs, Assumed(4, 2, 0.5, 0.05)):
        assert line in page, line
    for number in costs:
        assert re.search(rf"\| {number:,} ", page), number
