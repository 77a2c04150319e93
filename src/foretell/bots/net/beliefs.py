"""Worlds that are likely, given all that a seat has seen: hidden hands drawn by the belief net."""

from foretell.bots.net import belief_layout as in_belief
from foretell.bots.net import layout as in_view
from foretell.bots.net.belief_drawing import deal_by_belief, first_chances, put_card
from foretell.bots.net.colours import in_order
from foretell.bots.net.encoding import observe
from foretell.bots.net.from_view import traits_of
from foretell.bots.net.weights import shipped_belief
from foretell.cards import Card
from foretell.kernel.backend.compiled import Ints, ints
from foretell.kernel.hidden.hidden_hands import Hidden
from foretell.kernel.hidden.knowledge import Case
from foretell.kernel.state import state_layout as in_state
from foretell.kernel.state.card_numbers import kind_of
from foretell.kernel.state.turn_loop import give

__all__ = ["Beliefs", "can_believe"]


def can_believe(hidden: Hidden) -> bool:
    """Whether the belief net can draw these hands.

    After a pass (X7) there may be several cases of how the hands came about.  With foresight (V4, V5) a seat sees the
    hands of the others, and not its own hand while it bids.  The net knows neither.
    """
    one = hidden.cases[0]
    seats = [slot.seat for slot in one.slots]
    return (
        len(seats) == hidden.tables.players - 1
        and len(hidden.cases) == 1
        and not one.needs
        and len(set(seats)) == len(seats)
        and hidden.state[in_state.TURN] not in seats
    )


def _number(bit: int) -> int:
    """The number of a single bit; the kernel's `lowest` cannot be called from Python under Numba."""
    return int(bit).bit_length() - 1


class Beliefs:
    """The hidden hands of one moment, ready to be drawn again and again."""

    def __init__(self, hidden: Hidden, seen: Ints, steps: int) -> None:
        """`seen` is the state that the seat sees (`seen_state`); a deal is drawn in `steps` evaluations of the net."""
        self.lookup, self.players = hidden.tables.words, hidden.tables.players
        self.hidden = hidden
        self.words = ints(in_belief.BELIEF_WORDS)
        self.plan = ints(in_belief.PLAN_WORDS)
        weights = shipped_belief()
        self.weights = weights.wide, weights.narrow, weights.desk()
        scratch = ints(in_view.SCRATCH_WORDS)
        observe(self.lookup, seen, traits_of(hidden.tables), scratch, self.words)
        self.plan[in_belief.STEPS] = steps
        self._plan_cards(scratch, hidden.cases[0])
        first_chances(self.words, *self.weights, self.plan)

    def _plan_cards(self, scratch: Ints, case: Case) -> None:
        """Fills in the cards to be drawn, the places where each may be, and the room that there is."""
        plan, me = self.plan, int(self.hidden.state[in_state.TURN])
        place_of = {seat: (seat - me) % self.players for seat in range(self.players)}
        for place in range(in_belief.PLACES):
            plan[in_belief.PLACE_SEAT + place] = -1
        for seat, place in place_of.items():
            plan[in_belief.PLACE_SEAT + place] = seat if place != in_belief.STOCK else -1
        certain = {card: seat for seat, card in case.held}
        drawn = [card for card in self.hidden.knowledge.unseen if card not in certain]
        room = {place_of[slot.seat]: slot.size for slot in case.slots}
        barred = {place_of[slot.seat]: slot.barred for slot in case.slots}
        room[in_belief.STOCK] = len(drawn) - sum(room.values())
        barred[in_belief.STOCK] = 0
        plan[in_belief.CARDS] = len(drawn)
        for place, size in room.items():
            plan[in_belief.FIRST_ROOM + place] = size
        for number, card in enumerate(drawn):
            kind = kind_of(card)
            plan[in_belief.KIND + number] = kind
            plan[in_belief.ASKED + number] = _number(in_order(scratch, 1 << kind))
            plan[in_belief.ALLOWED + number] = sum(
                1 << place for place in room if not barred[place] >> kind & 1
            )
        for places in range(in_belief.SETS):
            inside = sum(size for place, size in room.items() if places >> place & 1)
            bound = sum(
                not plan[in_belief.ALLOWED + number] & ~places for number in range(len(drawn))
            )
            plan[in_belief.FIRST_SLACK + places] = inside - bound
        self._note_certain_cards(scratch, {card: place_of[seat] for card, seat in certain.items()})

    def _note_certain_cards(self, scratch: Ints, certain: dict[Card, int]) -> None:
        """Shows the net the cards whose place is certain (X6, X7)."""
        plan, spare = self.plan, in_belief.MOST_CARDS - 1
        for card, place in certain.items():
            plan[in_belief.ASKED + spare] = _number(in_order(scratch, 1 << kind_of(card)))
            put_card(self.lookup, self.words, plan, spare, place)
        for place in range(in_belief.PLACES + 1):
            plan[in_belief.FIRST_DRAWN + place] = self.words[in_belief.DRAWN + place]
        for place in range(in_belief.PLACES):
            plan[in_belief.FIRST_COPIES + place] = plan[in_belief.COPIES + place]

    def deal(self, world: Ints, rng: Ints) -> None:
        """Deals the hidden hands into `world`, a copy of `Hidden.state`."""
        deal_by_belief(self.lookup, world, self.words, *self.weights, self.plan, rng)
        for seat, card in self.hidden.cases[0].held:
            give(self.lookup, world, seat, kind_of(card))
