"""The whole of X3: the Dragon wins any trick, over Wizards too, unless the Fairy is in it."""

from foretell.cards.kinds import Kind
from foretell.cards.specials.special import WIZARD_STRENGTH, Special

__all__ = ["DRAGON"]

DRAGON = Special(
    kind=Kind.DRAGON,
    rule="X3",
    companions=(Kind.FAIRY,),
    counts_as=Kind.WIZARD,
    strength=WIZARD_STRENGTH + 10,
    height=15,
)
