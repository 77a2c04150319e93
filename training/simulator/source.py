"""The simulator's source: the kernel's functions as C, the constants that `entries.c` names, and `entries.c`."""

from pathlib import Path

import foretell
from foretell.bots.net import belief_layout as in_belief
from foretell.bots.net import layout as in_view
from foretell.bots.net import value_layout as in_value
from foretell.kernel.backend.c_source import c_source
from foretell.kernel.backend.source_files import Compiled, SourceModule, Sources
from foretell.kernel.bulk.playouts import ROOM_FOR_DECK
from foretell.kernel.state import codes
from foretell.kernel.state import state_layout as in_state
from foretell.kernel.state.random_numbers import RNG_WORDS
from training.simulator import table_layout as in_table

ROOT = Path(__file__).parents[2]
MODULES = (
    "foretell.kernel.state.random_numbers",
    "foretell.kernel.state.turn_loop",
    "foretell.kernel.state.trick_outcome",
    "foretell.kernel.bulk.policies",
    "foretell.bots.net.colours",
    "foretell.bots.net.plays",
    "foretell.bots.net.encoding",
    "training.simulator.exchanges",
    "training.simulator.opponents",
    "training.simulator.table_loop",
)


class SimulatorSources(Sources):
    """The compiled functions that the simulator needs: some of the package, and its own."""

    def __init__(self) -> None:
        super().__init__(Path(foretell.__file__).parent)

    def module(self, name: str) -> SourceModule | None:
        path = ROOT.joinpath(*name.split(".")).with_suffix(".py")
        if name.startswith("training.") and path.is_file() and name not in self._modules:
            self._modules[name] = SourceModule(self, name, path)
        return super().module(name)

    def functions(self) -> list[Compiled]:
        modules = [self.module(name) for name in MODULES]
        return [one for module in modules if module is not None for one in module.functions()]


SCRATCH_WORDS = in_view.SCRATCH_WORDS
ROOM_WORDS = in_table.TABLE_WORDS + in_state.SIZE + RNG_WORDS + ROOM_FOR_DECK + SCRATCH_WORDS

CONSTANTS = {
    "ROOM_WORDS": ROOM_WORDS,
    "TABLE_WORDS": in_table.TABLE_WORDS,
    "STATE_WORDS": in_state.SIZE,
    "RNG_WORDS": RNG_WORDS,
    "DECK_WORDS": ROOM_FOR_DECK,
    "OUTCOME_WORDS": in_table.OUTCOME_WORDS,
    "CRITIC_WORDS": in_view.CRITIC_WORDS,
    "HAS_EXCHANGED": in_table.HAS_EXCHANGED,
    "ROUND_ENDED": in_table.ROUND_ENDED,
    "CARDS_EXCHANGED": in_table.CARDS_EXCHANGED,
    "SEATS": codes.SEATS,
    "RULES_AT": in_table.RULES,
    "SEAT_KIND_AT": in_table.SEAT_KIND,
    "IS_TRAINING_AT": in_table.IS_TRAINING,
    "PHASE_AT": in_state.PHASE,
    "TURN_AT": in_state.TURN,
    "DEALING_PHASE": codes.DEALING,
}


def simulator_source() -> str:
    """The whole source, for a C compiler or for nvcc."""
    constants = "".join(f"#define {name} {value}\n" for name, value in CONSTANTS.items())
    entries = (Path(__file__).parent / "entries.c").read_text(encoding="utf-8")
    return c_source(SimulatorSources()) + constants + entries


def layout() -> dict[str, dict[str, int]]:
    """Every number that the learner needs, by module and name."""
    modules = {
        "view": in_view,
        "belief": in_belief,
        "value": in_value,
        "table": in_table,
        "state": in_state,
        "codes": codes,
    }
    return {
        short: {
            name: value
            for name, value in vars(module).items()
            if name.isupper() and isinstance(value, int)
        }
        for short, module in modules.items()
    } | {"simulator": CONSTANTS}
