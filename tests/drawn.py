"""Games that Hypothesis draws.  `tables` itself does not need Hypothesis, which not every Python has."""

from hypothesis import strategies as st

from tables import Setup, setup_by_lot

__all__ = ["setups"]


def setups(*, most_cards: int = 20) -> st.SearchStrategy[Setup]:
    """Setups from one random number each: choosing step by step, Hypothesis would mostly try the simplest games."""
    return st.integers(0, 2**32).map(lambda number: setup_by_lot(number, most_cards=most_cards))
