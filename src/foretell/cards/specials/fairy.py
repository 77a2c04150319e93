"""The whole of X4: the Fairy is the weakest card, but it takes a trick that has the Dragon in it."""

from foretell.cards.kinds import Kind
from foretell.cards.specials.special import JESTER_STRENGTH, Special

__all__ = ["FAIRY"]

FAIRY = Special(
    kind=Kind.FAIRY,
    rule="X4",
    companions=(Kind.DRAGON,),
    has_no_trump=True,
    counts_as=Kind.JESTER,
    strength=JESTER_STRENGTH - 2,  # below a card of a colour that was not demanded
    upsets=frozenset({Kind.DRAGON}),
    height=-1,
)
