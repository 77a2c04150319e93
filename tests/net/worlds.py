"""Worlds of the search: drawn, and checked against all that a seat knows."""

from foretell.bots.net.beliefs import Beliefs, can_believe
from foretell.bots.net.from_view import seen_state
from foretell.cards import Card
from foretell.engine import View
from foretell.kernel.backend.compiled import Ints, ints
from foretell.kernel.hidden.hidden_hands import Hidden, hidden_hands
from foretell.kernel.hidden.redealing import redeal
from foretell.kernel.state import codes
from foretell.kernel.state import state_layout as in_state
from foretell.kernel.state.card_numbers import kind_of
from foretell.kernel.state.random_numbers import RNG_WORDS, seed_rng
from foretell.kernel.state.tables import compile_rules
from foretell.kernel.state.turn_loop import take_turn


def beliefs_of(seen: View, steps: int = 3) -> tuple[Hidden, Beliefs | None]:
    tables = compile_rules(seen.rules, seen.seats, seen.peoples)
    hidden = hidden_hands(seen, tables=tables)
    assert seen.seat is not None
    take_turn(tables.words, hidden.state, seen.seat)
    if not can_believe(hidden):
        return hidden, None
    return hidden, Beliefs(hidden, seen_state(tables, seen), steps)


def drawn(hidden: Hidden, beliefs: Beliefs | None, seed: int) -> Ints:
    """A world; without beliefs, all that fit are equally likely."""
    rng, world = ints(RNG_WORDS), ints(in_state.SIZE)
    seed_rng(rng, seed, 0)
    for place in range(in_state.SIZE):
        world[place] = hidden.state[place]
    if beliefs is not None:
        beliefs.deal(world, rng)
    else:
        assert redeal(hidden.tables.words, world, rng, *hidden.arrays)
    return world


def count(world: Ints, seat: int, kind: int) -> int:
    """How many cards of a kind a seat holds."""
    copies = int(world[in_state.COPIES + seat])
    if kind == codes.WIZARD:
        return copies & codes.WIZARD_COUNT_MASK
    if kind == codes.JESTER:
        return copies // codes.ONE_JESTER
    return int(world[in_state.HAND + seat]) >> kind & 1


def check_world(hidden: Hidden, world: Ints) -> None:
    """Hands have their sizes, hold nothing that was ruled out, and together no card more often than it is unseen."""
    case = hidden.cases[0]
    certain: dict[int, list[Card]] = {}
    for seat, card in case.held:
        certain.setdefault(seat, []).append(card)
    left = [0] * codes.KINDS
    for card in hidden.knowledge.unseen:
        left[kind_of(card)] += 1
    for slot in case.slots:
        held = [count(world, slot.seat, kind) for kind in range(codes.KINDS)]
        assert sum(held) == slot.size + len(certain.get(slot.seat, []))
        for card in certain.get(slot.seat, []):
            assert held[kind_of(card)] > 0
            held[kind_of(card)] -= 1
            left[kind_of(card)] -= 1
        assert not any(number and slot.barred >> kind & 1 for kind, number in enumerate(held))
        left = [before - number for before, number in zip(left, held, strict=True)]
    assert min(left) >= 0
