"""The whole of X5: a trick with the Bomb belongs to no one; the player who would have won it leads the next one."""

from foretell.cards.kinds import Kind
from foretell.cards.specials.special import JESTER_STRENGTH, Special

__all__ = ["BOMB"]

BOMB = Special(
    kind=Kind.BOMB,
    rule="X5",
    has_no_trump=True,
    counts_as=Kind.JESTER,
    strength=JESTER_STRENGTH - 3,  # below every other card: it never decides who leads next
    is_nobodys=True,
)
