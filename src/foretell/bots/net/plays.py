"""What the plays of a round show: who played what, and what a seat that played it cannot hold.

It is noted in words of `scratch`: play by play (`note_shown`), or for a whole round that is gone through again
(`replay`).
"""

from foretell.bots.net import layout as in_view
from foretell.kernel.backend.compiled import ONE, Ints, inlined, jit
from foretell.kernel.state import codes
from foretell.kernel.state import lookup_layout as in_lookup
from foretell.kernel.state import state_layout as in_state
from foretell.kernel.state.turn_loop import left_of

__all__ = ["clear_notes", "forget_voids", "note_shown", "replay"]


@inlined
def clear_notes(scratch: Ints) -> None:
    """Nothing is played yet in this round."""
    for place in range(in_view.SCRATCH_WORDS):
        scratch[place] = 0


@inlined
def note_shown(
    lookup: Ints, scratch: Ints, seat: int, kind: int, demand: int, trump: int, acted: int
) -> None:  # fmt: skip
    """Notes that a seat plays a card of this kind.

    `demand` is what is demanded before it lies on the table, `acted` how many cards lie there before it.
    """
    row = (demand * codes.TRUMPS + trump) * codes.KINDS
    scratch[in_view.SCRATCH_PLAYED + seat] |= ONE << kind
    scratch[in_view.SCRATCH_SINCE_PASS + seat] |= ONE << kind
    scratch[in_view.SCRATCH_COPIES + seat] += lookup[in_lookup.COPIES_OF_KIND + kind]
    scratch[in_view.SCRATCH_VOID + seat] |= lookup[in_lookup.RULED_OUT + row + kind]
    is_later = ONE * (acted > 0)
    scratch[in_view.SCRATCH_TRICK] = scratch[in_view.SCRATCH_TRICK] * is_later | (ONE << kind)
    scratch[in_view.SCRATCH_TRICK_COPIES] = (
        scratch[in_view.SCRATCH_TRICK_COPIES] * is_later + lookup[in_lookup.COPIES_OF_KIND + kind]
    )


@jit
def replay(lookup: Ints, state: Ints, scratch: Ints) -> None:
    """Goes through the plays of the round: who played what, and what each play shows that the seat does not hold.

    The order of turns is found again as in `turn_loop.play_face`, since a state keeps the faces alone.
    """
    players = lookup[in_lookup.PLAYERS]
    trump = state[in_state.TRUMP]
    clear_notes(scratch)
    seat = left_of(state[in_state.DEALER], players)
    demand = codes.UNDECIDED
    best = 0
    winner = seat
    upsetter = seat
    effects = 0
    acted = 0
    tricks = 0
    for place in range(state[in_state.FACES_PLAYED]):
        face = state[in_state.HISTORY + place]
        kind = lookup[in_lookup.KIND_OF_FACE + face]
        note_shown(lookup, scratch, seat, kind, demand, trump, acted)
        if demand == codes.UNDECIDED:
            demand = lookup[in_lookup.DEMAND_OF_FACE + face]
        word = lookup[in_lookup.STRENGTH + (demand * codes.TRUMPS + trump) * codes.FACES + face]
        if word & codes.STRENGTH_MASK > best:
            best = word & codes.STRENGTH_MASK
            winner = seat
        effects |= word >> codes.EFFECT_SHIFT
        if (word >> codes.EFFECT_SHIFT) & codes.UPSETS:
            upsetter = seat
        if effects & codes.UPSETS and effects & codes.IS_UPSET:
            best = codes.UNBEATABLE
            winner = upsetter
        acted += 1
        seat = left_of(seat, players)
        if acted == players:
            tricks += 1
            is_passed = (
                place + 1 < state[in_state.FACES_PLAYED] or state[in_state.PHASE] == codes.PLAYING
            )
            if effects & codes.JUGGLES and tricks < state[in_state.HAND_SIZE] and is_passed:
                forget_voids(scratch, players)
            seat = winner
            demand = codes.UNDECIDED
            best = 0
            effects = 0
            acted = 0


@jit
def forget_voids(scratch: Ints, players: int) -> None:
    """X7: after a pass, a void that was shown before it may be broken by the card received."""
    for seat in range(players):
        scratch[in_view.SCRATCH_VOID_BEFORE + seat] = scratch[in_view.SCRATCH_VOID + seat]
        scratch[in_view.SCRATCH_VOID + seat] = 0
        scratch[in_view.SCRATCH_SINCE_PASS + seat] = 0
