"""A player that asks the net alone, without any search."""

from pathlib import Path
from random import Random

from foretell.bots.net import layout as in_view
from foretell.bots.net.encoding import kernel_action, observe
from foretell.bots.net.from_view import seen_state, traits_of
from foretell.bots.net.weights import Weights, log_chances
from foretell.engine import Action, View
from foretell.kernel.backend.compiled import Ints, ints
from foretell.kernel.state import codes, turn_loop
from foretell.kernel.state import state_layout as in_state
from foretell.kernel.state.actions import kernel_actions
from foretell.kernel.state.tables import Tables, compile_rules

__all__ = ["NetPlayer"]


class NetPlayer:
    """Takes the action that the net likes best."""

    def __init__(self, file: Path) -> None:
        self._weights = Weights.read(file)
        self._words, self._scratch = ints(in_view.WORDS), ints(in_view.SCRATCH_WORDS)

    def choose(self, view: View, random: Random) -> Action:
        tables = compile_rules(view.rules, view.seats, view.peoples)
        state = seen_state(tables, view)
        chosen: tuple[int, ...] = (self._best(tables, state),)
        if state[in_state.PHASE] == codes.PLAYING:
            turn_loop.step(tables.words, state, chosen[0])
            if state[in_state.PHASE] == codes.DECLARING:
                chosen += (self._best(tables, state),)
        # Several cards of one kind, such as two Wizards, are the same to the net: it plays the first of them.
        return next(action for action in view.legal if kernel_actions(action) == chosen)

    def _best(self, tables: Tables, state: Ints) -> int:
        """The kernel's number of the best action in this state."""
        observe(tables.words, state, traits_of(tables), self._scratch, self._words)
        chances = log_chances(
            self._weights.answers(self._words), self._words, int(state[in_state.PHASE])
        )
        answer = max(chances, key=lambda action: chances[action])
        return int(kernel_action(state, self._scratch, answer))
