"""A player that asks the net alone, without any search."""

from collections.abc import Callable
from dataclasses import dataclass
from random import Random
from typing import NamedTuple

from foretell.bots.net import layout as in_view
from foretell.bots.net import net_layout as in_net
from foretell.bots.net.evaluation import favourite
from foretell.bots.net.fallback import substitute
from foretell.bots.net.from_view import seen_state, traits_of
from foretell.bots.net.weights import Weights, shipped
from foretell.engine import Action, View
from foretell.kernel.backend.compiled import Ints, Ints8, Ints16, Ints32, ints
from foretell.kernel.state import codes, turn_loop
from foretell.kernel.state import state_layout as in_state
from foretell.kernel.state.actions import kernel_actions
from foretell.kernel.state.tables import Tables, compile_rules

__all__ = ["NetArrays", "NetPlayer", "net_arrays"]


class NetArrays(NamedTuple):
    """What `favourite` takes beside the tables and the state, in its order."""

    scratch: Ints  # notes on the plays of the round (`plays`)
    words: Ints  # the observation
    wide: Ints16  # the weights, shared by all threads
    narrow: Ints8
    desk: Ints32  # where the net is evaluated (`net_layout`)


def net_arrays(weights: Weights, tables: Tables) -> NetArrays:
    """New arrays to work in, and the weights."""
    desk = weights.desk()
    desk[in_net.TRAITS] = traits_of(tables)
    scratch, words = ints(in_view.SCRATCH_WORDS), ints(weights.shape.words)
    return NetArrays(scratch, words, weights.wide, weights.narrow, desk)


@dataclass(frozen=True, slots=True)
class NetPlayer:
    """Takes the action that its net likes best.  The net is read at the first choice."""

    net: Callable[[], Weights] = shipped

    def choose(self, view: View, random: Random) -> Action:
        if len(view.legal) == 1:
            return view.legal[0]
        instead = substitute(view)
        if instead is not None:
            return instead.choose(view, random)
        chosen = _favourite(self.net(), view)
        # Several cards of one kind, such as two Wizards, are the same to the net: it plays the first of them.
        return next(action for action in view.legal if kernel_actions(action) == chosen)


def _favourite(weights: Weights, view: View) -> tuple[int, ...]:
    """The kernel's actions for the net's choice: a card may need a declaration as well."""
    tables = compile_rules(view.rules, view.seats, view.peoples)
    state, arrays = seen_state(tables, view), net_arrays(weights, tables)
    chosen: tuple[int, ...] = (favourite(tables.words, state, *arrays),)
    if state[in_state.PHASE] == codes.PLAYING:
        turn_loop.step(tables.words, state, chosen[0])
        if state[in_state.PHASE] == codes.DECLARING:
            chosen += (favourite(tables.words, state, *arrays),)
    return chosen
