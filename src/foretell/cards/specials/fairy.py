"""X4, all of it: the Fairy is the weakest card, but takes the trick in which the Dragon is."""

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
