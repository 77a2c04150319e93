"""Observations made from a View, and the net's answers as actions of the engine."""

from foretell.bots.net import layout as in_view
from foretell.cards import Card
from foretell.engine.view import RoundView, View
from foretell.kernel.backend.compiled import Ints
from foretell.kernel.state import codes
from foretell.kernel.state import lookup_layout as in_lookup
from foretell.kernel.state.from_engine import state_of_view
from foretell.kernel.state.tables import Tables
from foretell.kernel.state.turn_loop import take_turn

__all__ = ["seen_state", "traits_of"]


def traits_of(tables: Tables) -> int:
    """The bits of the word RULES that stay the same for a whole game, read off the tables and the rules' answers."""
    lookup = tables.words
    players, size = tables.players, int(lookup[in_lookup.HAND_SIZES])
    # V1: the last bidder may not bid the whole round after bids of 0.
    last = in_lookup.OPEN_BIDS + (players - 1) * int(lookup[in_lookup.BID_SUMS])
    same = 0  # a colour that is demanded and trump
    barred = in_lookup.IF_OBLIGED + same * codes.TRUMPS + same
    is_secret = not tables.rules.disclosure.are_shown(all_made=True, all_played=False)
    traits = int(not lookup[last] >> size & 1) << in_view.RULES_PLUS_MINUS_ONE
    traits |= int(lookup[in_lookup.BIDS_AT_ONCE]) << in_view.RULES_BIDS_AT_ONCE
    traits |= int(is_secret) << in_view.RULES_SECRET
    traits |= int(lookup[in_lookup.OWN_CARDS] > 0) << in_view.RULES_UNICOLOR
    traits |= int(not lookup[barred] >> codes.WIZARD & 1) << in_view.RULES_BARRED
    for place in range(int(lookup[in_lookup.DECK_SIZE])):
        kind = int(lookup[in_lookup.DECK + place])
        if kind >= in_view.FIRST_SPECIAL:
            traits |= 1 << (in_view.RULES_SPECIALS + kind - in_view.FIRST_SPECIAL)
    return traits


def seen_state(tables: Tables, view: View) -> Ints:
    """What a seat sees, as a state on which `encoding.observe` can run: with the hands that it remembers (V4, V5)."""
    assert view.now is not None
    assert view.seat is not None
    state = state_of_view(tables, view, _foreseen_hands(view.now))
    take_turn(tables.words, state, view.seat)
    return state


def _foreseen_hands(now: RoundView) -> list[tuple[Card, ...] | None] | None:
    """V4, V5: the hands seen before the bids, without the cards played since."""
    if now.foreseen is None:
        return None
    tricks = (*now.tricks, *((now.trick,) if now.trick is not None else ()))
    played = {face.card for trick in tricks for face in trick.faces}
    return [
        None if hand is None else tuple(card for card in hand if card not in played)
        for hand in now.foreseen
    ]
