"""How far one action is ahead of another: what the trials say, and what has to be expected after them.

The largest of several leads is partly luck.  So before anything is tried, leads are taken to be a normal variable
around 0, and the larger the error of what was seen, the less it counts.

What decides are whole numbers, products and square roots: the same on every machine.
"""

from collections.abc import Sequence
from math import sqrt

from foretell.kernel.state import codes

__all__ = ["DEVIATIONS", "PRIOR", "expected", "mean", "part_of_round"]

PRIOR = 3.0
"""The standard deviation of true leads over the net's favourite, in points, among actions that the net finds likely."""

DEVIATIONS = (2.5, 2.0, 6.0, 12.0)
"""The same at a table of four, by part of the round (`part_of_round`)."""


def part_of_round(phase: int, size: int, left: int) -> int:
    """0 before the first trick, then 1 with over two thirds of the tricks left, 2 with over a third, 3 with fewer."""
    if phase < codes.PLAYING:
        return 0
    return 1 if 3 * left > 2 * size else 2 if 3 * left >= size else 3


def mean(values: Sequence[int]) -> tuple[float, float]:
    """The mean of whole numbers, and its standard error."""
    count, total = len(values), sum(values)
    spread = count * (count * sum(each * each for each in values) - total * total)
    return total / count, sqrt(spread / max(1, count - 1)) / (count * sqrt(count))


def expected(
    lead: float, error: float, prior: float = PRIOR, around: float = 0.0
) -> tuple[float, float]:
    """The lead that has to be expected where this one was seen, with this standard error; and its deviation.

    Before that, the lead was expected to be `around`, with the deviation `prior`.
    """
    variance = prior * prior
    trust = variance / (variance + error * error)
    return around + trust * (lead - around), prior * sqrt(1.0 - trust)
