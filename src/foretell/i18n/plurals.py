"""Which plural form goes with a number, by the rules of Unicode's CLDR for whole numbers.

All languages here need two forms, `one` and `other`.  CLDR's third one of Spanish, Portuguese and French (`many`) is
for round millions, as in "1 millón de bazas"; no number here is that large, and `other` stands for it.
"""

__all__ = ["is_singular"]

# In these languages zero is singular: "0 pli", "0 vaza".  In Portugal it is not: "0 vasas".
_ZERO_IS_SINGULAR = frozenset({"fr", "pt-BR"})


def is_singular(language: str, count: int) -> bool:
    """Whether the number takes the form `one`.  So it is in Hungarian too, but there both forms have the same noun."""
    return count == 1 or (count == 0 and language in _ZERO_IS_SINGULAR)
