"""The search's heuristic as a bot of its own.  It plays nothing out: it only estimates what its cards are worth."""

from dataclasses import dataclass
from random import Random

from foretell.bots.search.card_chances import expected_tricks
from foretell.bots.search.fallback import substitute
from foretell.bots.search.heuristic import (
    declaration,
    nearest,
    pick_bid,
    pick_change,
    pick_pass,
    pick_play,
)
from foretell.bots.search.heuristic_tables import masks, worth_tables
from foretell.engine import Action, View
from foretell.engine.round import Phase
from foretell.errors import NotAGame
from foretell.kernel.backend.compiled import Ints, floats
from foretell.kernel.state import codes
from foretell.kernel.state import state_layout as in_state
from foretell.kernel.state.actions import kernel_actions
from foretell.kernel.state.card_numbers import COLOURS, kind_of
from foretell.kernel.state.from_engine import state_of_view
from foretell.kernel.state.tables import Tables, compile_rules
from foretell.kernel.state.turn_loop import legal, step, take_turn

__all__ = ["HeuristicBot"]


@dataclass(frozen=True, slots=True)
class HeuristicBot:
    """Follows the heuristic; a share of its actions, `error_rate`, is chosen at random from the legal ones."""

    error_rate: float = 0.0

    def choose(self, view: View, random: Random) -> Action:
        drawn, any_action = random.random(), random.choice(view.legal)
        if drawn < self.error_rate or len(view.legal) == 1:
            return any_action
        instead = substitute(view)
        return _picked(view) if instead is None else instead.choose(view, random)


def _picked(seen: View) -> Action:
    now, me = seen.now, seen.seat
    if now is None or me is None:
        raise NotAGame("nothing_asked")
    tables = compile_rules(seen.rules, seen.seats, seen.peoples)
    lookup, m, f = tables.words, masks(tables), worth_tables()
    state = state_of_view(tables, seen, now.foreseen)
    take_turn(lookup, state, me)
    out, lying = _cards_left(seen, tables)
    if seen.phase == Phase.TRUMP:
        return _named(seen, tables, state, out, lying)
    if seen.phase == Phase.BID and now.hand is None:
        return _unseen_bid(seen, tables, state, out, lying)
    mask = legal(lookup, state)
    if seen.phase == Phase.BID:
        wanted: tuple[int, ...] = (pick_bid(lookup, m, f, state, out, lying, mask),)
    elif seen.phase == Phase.PASS:
        wanted = (pick_pass(lookup, m, f, state, out, lying),)
    elif seen.phase == Phase.CHANGE:
        wanted = (pick_change(lookup, state, mask),)
    else:
        kind = pick_play(lookup, m, f, state, out, lying, mask, floats(64))
        step(lookup, state, kind)
        is_declared = state[in_state.PHASE] == codes.DECLARING
        wanted = (kind, declaration(lookup, state)) if is_declared else (kind,)
    return next(one for one in seen.legal if kernel_actions(one) == wanted)


def _cards_left(seen: View, tables: Tables) -> tuple[int, int]:
    """The kinds that are neither played nor turned up, and how many cards these are."""
    now = seen.now
    assert now is not None
    gone = [face.card for trick in now.tricks for face in trick.faces]
    gone += [face.card for face in (now.trick.faces if now.trick else ())]
    lying = len(tables.deck) - len(gone) - (now.turned_up is not None)
    if now.turned_up is not None and now.werewolf is None:
        gone.append(now.turned_up)
    out = 0
    for card in tables.deck:
        out |= 1 << kind_of(card)
    for card in gone:
        if kind_of(card) < codes.WIZARD:
            out &= ~(1 << kind_of(card))
    return out, lying


def _named(seen: View, tables: Tables, state: Ints, out: int, lying: int) -> Action:
    """The trump with which the seat can expect most tricks; in foresight, with which the others can expect fewest."""
    lookup, m, f = tables.words, masks(tables), worth_tables()

    def tricks(action: Action, seat: int) -> float:
        (trump,) = kernel_actions(action)
        hand, copies = state[in_state.HAND + seat], state[in_state.COPIES + seat]
        return float(expected_tricks(lookup, m, f, hand, copies, trump, out, lying))

    assert seen.now is not None
    if seen.now.hand is None:
        others = [seat for seat in range(seen.seats) if seat != seen.seat]
        return min(seen.legal, key=lambda one: sum(tricks(one, seat) for seat in others))
    return max(seen.legal, key=lambda one: tricks(one, seen.seat or 0))


def _unseen_bid(seen: View, tables: Tables, state: Ints, out: int, lying: int) -> Action:
    """V4, V5: the mean of an equal share and of the tricks that the hands of the others leave."""
    lookup, m, f = tables.words, masks(tables), worth_tables()
    assert seen.now is not None
    trump = COLOURS.index(seen.now.trump)
    others = sum(
        float(
            expected_tricks(
                lookup,
                m,
                f,
                state[in_state.HAND + seat],
                state[in_state.COPIES + seat],
                trump,
                out,
                lying,
            )
        )
        for seat in range(seen.seats)
        if seat != seen.seat
    )
    share = (seen.now.hand_size - others + seen.now.hand_size / seen.seats) / 2
    open_bids = sum(1 << kernel_actions(one)[0] for one in seen.legal)
    bid = nearest(open_bids, max(0.0, share))
    return next(one for one in seen.legal if kernel_actions(one) == (bid,))
