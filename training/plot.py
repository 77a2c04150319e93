"""Draws how the released net learned, from the logs of its runs.

    python -m training.plot docs/training.svg

Two panels, each with a line for 3, 4, 5 and 6 players and its 95 % intervals: points a game over `counting`, whose
share in training decides that figure, and over the first run's last net, which is the harder judge.
"""

import json
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import matplotlib as mpl

mpl.use("Agg")
from matplotlib import pyplot as plt  # after the choice of what it draws with

RUNS = Path(__file__).parent / "runs"
COLOURS = {3: "#c0562f", 4: "#2f6db0", 5: "#3c8a5a", 6: "#7a5aa6"}


def margins(run: str, opponent: str, players: int) -> list[tuple[float, float, float]]:
    """Minute of the run, margin and error, for each time it was measured."""
    found = []
    for line in (RUNS / run / "log.jsonl").read_text(encoding="utf-8").splitlines():
        row = json.loads(line)
        if "margins" in row:
            margin, error, _bids_met = row["margins"][f"{opponent} {players}"]
            found.append((row["t"] / 60, margin, error))
    return found


def main() -> None:
    mpl.rcParams.update({"svg.hashsalt": "foretell", "font.size": 9, "axes.spines.top": False})
    mpl.rcParams.update({"axes.spines.right": False, "svg.fonttype": "none"})
    figure, (left, right) = plt.subplots(1, 2, figsize=(9, 3.4), layout="constrained")
    for players, colour in COLOURS.items():
        first = margins("first", "counting", players)
        rows, ends = list(first), [first[-1][0]]
        for run in ("second", "third"):
            found = margins(run, "counting", players)
            rows += [(ends[-1] + minute, margin, error) for minute, margin, error in found]
            ends.append(rows[-1][0])
        draw(left, rows, colour, f"{players} players")
        draw(right, margins("second", "rival", players), colour, f"{players} players")
    for end, names in zip(ends[:-1], ("first | second", "second | third"), strict=True):
        left.axvline(end, color="#999999", linewidth=0.8, linestyle=":")
        left.text(end + 0.4, 500, names, color="#777777", ha="center", fontsize=8)
    left.set(title="over a table of counting", xlabel="minutes of training", ylim=(0, 1000))
    left.set_ylabel("points a game")
    right.axhline(0, color="#999999", linewidth=0.8)
    right.set(title="second over a table of first", xlabel="minutes of the second run")
    right.legend(frameon=False)
    figure.savefig(sys.argv[1], metadata={"Date": None})


def draw(axes: Any, rows: Sequence[tuple[float, ...]], colour: str, label: str) -> None:
    minutes, points, errors = zip(*rows, strict=True)
    axes.errorbar(minutes, points, errors, color=colour, label=label, marker="o", markersize=3,
                  linewidth=1.3, elinewidth=0.8, capsize=2)  # fmt: skip


if __name__ == "__main__":
    main()
