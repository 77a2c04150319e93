"""What a face would do in the trick on the table, asked before it is played.

`turn_loop.play_face` puts a face down and settles the trick as it goes.  A player who is still choosing asks here.
Both read the same table of strengths and know the same two exceptions: the Bomb (X5) and the face that upsets another
(X4).
"""

from foretell.kernel.backend.compiled import Ints, inlined
from foretell.kernel.state import layout as at

__all__ = ["strength_in_trick", "would_take"]


@inlined
def strength_in_trick(t: Ints, s: Ints, face: int) -> int:
    """The face's word of STRENGTH if it were played now: its strength, and its effects from EFFECT_SHIFT on."""
    demand = s[at.DEMAND]
    decided = t[at.DEMANDED_BY + face]
    demand = decided if demand == at.UNDECIDED else demand
    return t[at.STRENGTH + (demand * at.TRUMPS + s[at.TRUMP]) * at.FACES + face]


@inlined
def would_take(t: Ints, s: Ints, face: int) -> bool:
    """Whether this face would take the trick as it lies; nobody takes a trick with the Bomb.

    Cards that are played later can still change it: a Dragon that is led takes the trick until the Fairy comes.
    """
    word = strength_in_trick(t, s, face)
    own = word >> at.EFFECT_SHIFT
    effects = own | s[at.EFFECTS]
    takes = word & at.UNBEATABLE > s[at.BEST]
    both = at.UPSETS | at.IS_UPSET
    if effects & both == both:
        takes = own & at.UPSETS != 0
    return takes and effects & at.BOMBS == 0
