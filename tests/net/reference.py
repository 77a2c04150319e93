"""One table of the simulator, played by the kernel's functions as Python runs them."""

from typing import Any

from training.simulator import table_layout as in_table
from training.simulator.batch import GAME_OVER
from training.simulator.rule_sets import RuleSet
from training.simulator.table_loop import begin_table, draw_rules, go_on, take_action

from foretell.bots.net import layout as in_view
from foretell.bots.net.encoding import observe_all
from foretell.bots.net.from_view import traits_of
from foretell.bots.simple.counting import kernel_words
from foretell.kernel.backend.compiled import Ints, ints
from foretell.kernel.bulk.playouts import ROOM_FOR_DECK
from foretell.kernel.state import codes
from foretell.kernel.state import state_layout as in_state
from foretell.kernel.state.random_numbers import RNG_WORDS
from foretell.kernel.state.tables import compile_rules


class ReferenceTable:
    """What `play_on` in entries.c does for one table, written again in Python."""

    def __init__(self, rule_sets: list[RuleSet], table: Any, settings: Any, draws: Any) -> None:
        self.rule_sets = rule_sets
        self.table, self.settings, self.draws = (
            ints(len(table)),
            ints(len(settings)),
            ints(len(draws)),
        )
        for mine, given in ((self.table, table), (self.settings, settings), (self.draws, draws)):
            for place, word in enumerate(given):
                mine[place] = int(word)
        self.state, self.rng, self.deck = ints(in_state.SIZE), ints(RNG_WORDS), ints(ROOM_FOR_DECK)
        self.scratch, self.words = ints(in_view.SCRATCH_WORDS), ints(in_view.CRITIC_WORDS)
        self.outcome = ints(in_table.OUTCOME_WORDS)
        self.waits = False

    def draw(self) -> None:
        draw_rules(self.settings, self.draws, self.rng, self.table)

    def begin(self) -> None:
        self._load_rules()
        begin_table(self.lookup, self.state, self.rng, self.deck, self.settings, self.table)
        self._go_on()

    def step(self, answer: int) -> None:
        for place in range(in_table.OUTCOME_WORDS):
            self.outcome[place] = 0
        if self.state[in_state.PHASE] < codes.DEALING:
            take_action(self.lookup, self.state, self.scratch, self.table, self.outcome, answer)
        self._go_on()

    @property
    def player(self) -> int:
        kinds = in_table.SEAT_KIND
        return int(self.table[kinds + self.state[in_state.TURN]]) if self.waits else GAME_OVER

    @property
    def room(self) -> list[int]:
        """All words in the order in which the simulator keeps them."""
        parts: tuple[Ints, ...] = (self.table, self.state, self.rng, self.deck, self.scratch)
        return [int(word) for part in parts for word in part]

    def _load_rules(self) -> None:
        one = self.rule_sets[int(self.table[in_table.RULES])]
        tables = compile_rules(one.rules, one.players)
        self.lookup, self.traits = tables.words, traits_of(tables)
        self.policy = kernel_words(tables)

    def _go_on(self) -> None:
        self._play()
        while not self.waits and self.settings[in_table.IS_TRAINING]:
            self.draw()
            self._load_rules()
            begin_table(self.lookup, self.state, self.rng, self.deck, self.settings, self.table)
            self._play()
        if self.waits:
            observe_all(self.lookup, self.state, self.traits, self.scratch, self.words)

    def _play(self) -> None:
        self.waits = bool(
            go_on(
                self.lookup, self.state, self.rng, self.deck, self.policy,
                self.settings, self.table, self.scratch, self.outcome,
            )
        )  # fmt: skip
