"""The whole of X2: the Shapeshifter is played as a Wizard or as a Jester, and is exactly that card from then on."""

from foretell.cards.kinds import Kind
from foretell.cards.specials.special import Declaration, Special

__all__ = ["SHAPESHIFTER"]

SHAPESHIFTER = Special(
    kind=Kind.SHAPESHIFTER,
    rule="X2",
    declarations=(Declaration("Z", becomes=Kind.WIZARD), Declaration("N", becomes=Kind.JESTER)),
    height=14,  # in hand; once played, that of the card it became
)
