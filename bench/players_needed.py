"""How many processes and cores a number of players at once needs, worked out from measured costs.

    python bench/players_needed.py [costs.json] [--seconds-a-move 4] [--peak 2] [--used 0.5] [--piped 0.05]

Without a file it takes `bench/costs.json`: the last line that `bench/processes.py` printed on the machine of
docs/figures.md.  docs/players.md says what is assumed, and why.
"""

import argparse
import json
import math
from pathlib import Path
from typing import NamedTuple

SEATS = 4
PLAYERS = (10_000, 100_000, 1_000_000)
DIRECT, PIPED = "3 on PostgreSQL, direct", "3 on PostgreSQL, piped"


class Costs(NamedTuple):
    """What was measured, for a move at a table of four."""

    server: float  # microseconds of CPU time in the servers
    piped: float  # the same if every socket takes a pipe
    database: float  # in the database
    view: float  # bytes of a message that a player gets
    log: float  # bytes in the database's log of writes


class Assumed(NamedTuple):
    """What was not measured."""

    seconds: float  # between two moves at a table
    peak: float  # the busiest minute beside the average one
    used: float  # the share of a core that may be used, so that waiting times stay short
    piped: float  # the share of sockets that take a pipe, behind a balancer that hashes
    sockets: int = 5000  # that a process takes: the default of `--limit sockets`


class Needed(NamedTuple):
    """What some players need at the peak."""

    tables: float
    moves: float  # a second
    by_moves: int  # processes, if only moves count
    by_sockets: int  # processes, if only sockets count
    database_cores: float
    traffic: float  # megabits a second to the players
    log: float  # megabytes a second in the database's log of writes


def needed(players: int, costs: Costs, assumed: Assumed) -> Needed:
    tables = players / SEATS
    moves = tables / assumed.seconds * assumed.peak
    move = costs.server + assumed.piped * (costs.piped - costs.server)
    by_moves = math.ceil(moves * move / 1e6 / assumed.used)
    by_sockets = math.ceil(players / assumed.sockets)
    return Needed(
        tables,
        moves,
        by_moves + 1,  # one of them may be missing
        by_sockets + 1,
        moves * costs.database / 1e6 / assumed.used,
        moves * SEATS * costs.view * 8 / 1e6,
        moves * costs.log / 1e6,
    )


def read_costs(text: str) -> Costs:
    found = json.loads(text.strip().splitlines()[-1])
    direct, piped = found[DIRECT], found[PIPED]
    return Costs(
        direct["server_us"],
        piped["server_us"],
        direct["database_us"],
        direct["view_bytes"],
        direct["log_bytes"],
    )


def table(costs: Costs, assumed: Assumed) -> list[str]:
    """The lines of a table in Markdown."""
    lines = [
        "| players | tables | moves/s | processes for moves | for sockets | database cores | Mbit/s | MB/s of log |",
        "| --- | --- | --- | --- | --- | --- | --- | --- |",
    ]
    for players in PLAYERS:
        found = needed(players, costs, assumed)
        lines.append(
            f"| {players:,} | {found.tables:,.0f} | {found.moves:,.0f} | {found.by_moves:,} |"
            f" {found.by_sockets:,} | {found.database_cores:.1f} | {found.traffic:,.0f} | {found.log:.1f} |"
        )
    return lines


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("costs", type=Path, nargs="?", default=Path(__file__).parent / "costs.json")
    parser.add_argument("--seconds-a-move", type=float, default=4)
    parser.add_argument("--peak", type=float, default=2)
    parser.add_argument("--used", type=float, default=0.5)
    parser.add_argument("--piped", type=float, default=0.05)
    asked = parser.parse_args()
    costs = read_costs(asked.costs.read_text())
    assumed = Assumed(asked.seconds_a_move, asked.peak, asked.used, asked.piped)
    print(f"{costs}\n{assumed}\n")
    print("\n".join(table(costs, assumed)))


if __name__ == "__main__":
    main()
