"""Deals the hands that a seat does not see: all deals that fit what it knows are equally likely, or weighted.

    hidden = hidden_hands(view)                      counts the possible deals once
    hidden.deal(seed)                                one deal, as cards of the engine
    redeal(lookup, state, rng, *hidden.arrays)       in a compiled loop, on a copy of `hidden.state`

A holding says which hidden hand each unseen card is in; the rest is the stock.  The four Wizards are different cards
here.  With `odds[seat][kind]`, the chance of a holding is proportional to the product of the odds of its cards.
"""

from dataclasses import dataclass

from foretell.cards import Card
from foretell.engine.view import View
from foretell.kernel.backend.compiled import Floats, Ints, ints
from foretell.kernel.hidden import scratch_layout as in_scratch
from foretell.kernel.hidden.case_plan import CasePlan, Odds
from foretell.kernel.hidden.knowledge import Case, Knowledge, contradiction, known_of
from foretell.kernel.hidden.plan_arrays import plan_arrays
from foretell.kernel.hidden.redealing import redeal
from foretell.kernel.state import state_layout as in_state
from foretell.kernel.state.from_engine import state_of_view
from foretell.kernel.state.random_numbers import RNG_WORDS, seed_rng
from foretell.kernel.state.tables import Tables, compile_rules

__all__ = ["Hidden", "hidden_hands"]


@dataclass(frozen=True, slots=True)
class Hidden:
    """The hands that a seat does not see, ready to be dealt again and again."""

    tables: Tables
    knowledge: Knowledge
    cases: tuple[Case, ...]  # only those that are possible
    state: Ints  # what the seat sees; hidden hands are empty
    plan: Ints
    ways: Floats
    scratch: Ints

    @property
    def arrays(self) -> tuple[Ints, Floats, Ints]:
        """What `redeal` takes: plan, ways and scratch.  Each thread needs a scratch array of its own."""
        return self.plan, self.ways, self.scratch

    def deal(self, seed: int, number: int = 0) -> tuple[tuple[Card, ...], ...]:
        """The hands of all seats: those that are seen, and a new deal of the hidden ones."""
        state, rng = ints(in_state.SIZE), ints(RNG_WORDS)
        for place in range(in_state.SIZE):
            state[place] = self.state[place]
        seed_rng(rng, seed, number)
        return self.next_deal(state, rng)

    def next_deal(self, state: Ints, rng: Ints) -> tuple[tuple[Card, ...], ...]:
        """The same with the caller's random numbers; also writes the hands into the caller's state."""
        stock = self.tables.players
        for place in range(len(self.knowledge.unseen)):
            self.scratch[in_scratch.OWNER + place] = stock
        if not redeal(self.tables.words, state, rng, *self.arrays):
            raise contradiction("no_deal")
        hands: list[list[Card]] = [[] for _ in range(self.tables.players)]
        for seat, held in self.knowledge.certain.items():
            hands[seat] += held
        for place, card in enumerate(self.knowledge.unseen):
            owner = self.scratch[in_scratch.OWNER + place]
            if owner != stock:
                hands[owner].append(card)
        for seat, card in self.cases[self.scratch[in_scratch.DEALT_CASE]].held:
            hands[seat].append(card)
        return tuple(tuple(sorted(hand, key=lambda card: card.index)) for hand in hands)


def hidden_hands(seen: View, *, tables: Tables | None = None, odds: Odds | None = None) -> Hidden:
    """Counts the holdings that fit all that this seat knows; a view that contradicts itself is refused."""
    tables = tables or compile_rules(seen.rules, seen.seats, seen.peoples)
    knowledge = known_of(tables, seen)
    hands = [knowledge.certain.get(seat) for seat in range(tables.players)]
    state = state_of_view(tables, seen, hands)
    plans = [CasePlan(tables, knowledge, case, odds) for case in knowledge.cases]
    plans = [plan for plan in plans if plan.is_possible]
    arrays = plan_arrays(tables, knowledge, plans)
    if arrays is None:
        raise contradiction("no_deal")
    cases = tuple(plan.case for plan in plans)
    scratch = ints(in_scratch.SCRATCH_WORDS)
    return Hidden(tables, knowledge, cases, state, *arrays, scratch)
