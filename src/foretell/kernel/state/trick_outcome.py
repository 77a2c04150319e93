"""Whether a face would take the trick on the table, before it is played.

`turn_loop.play_face` plays a face and notes the winning seat.  A policy that has not chosen yet asks here instead.
Both read the same table of strengths and know the same two exceptions: the Bomb (X5) and the face that upsets another
(X4).
"""

from foretell.kernel.backend.compiled import Ints, inlined
from foretell.kernel.state import codes
from foretell.kernel.state import lookup_layout as in_lookup
from foretell.kernel.state import state_layout as in_state

__all__ = ["strength_in_trick", "would_take"]


@inlined
def strength_in_trick(lookup: Ints, state: Ints, face: int) -> int:
    """The face's word of STRENGTH if it were played now: its strength, and its effects from EFFECT_SHIFT on."""
    demand = state[in_state.DEMAND]
    decided = lookup[in_lookup.DEMAND_OF_FACE + face]
    demand = decided if demand == codes.UNDECIDED else demand
    return lookup[
        in_lookup.STRENGTH + (demand * codes.TRUMPS + state[in_state.TRUMP]) * codes.FACES + face
    ]


@inlined
def would_take(lookup: Ints, state: Ints, face: int) -> bool:
    """Whether this face would be winning the trick after it is played; nobody takes a trick with the Bomb.

    Later cards can still change that: a Dragon that is led wins until the Fairy is played.
    """
    word = strength_in_trick(lookup, state, face)
    own = word >> codes.EFFECT_SHIFT
    effects = own | state[in_state.EFFECTS]
    takes = word & codes.STRENGTH_MASK > state[in_state.BEST_STRENGTH]
    both = codes.UPSETS | codes.IS_UPSET
    if effects & both == both:
        takes = own & codes.UPSETS != 0
    return takes and effects & codes.BOMBS == 0
