"""The simulator's source: the kernel's functions as C, the constants that `entries.c` names, and `entries.c`."""

import ast
import inspect
from collections.abc import Callable
from pathlib import Path
from types import ModuleType
from typing import Any

from foretell.bots.net import colours, encoding, plays
from foretell.bots.net import layout as in_view
from foretell.kernel.backend.c_source import c_source
from foretell.kernel.bulk import policies
from foretell.kernel.bulk.playouts import ROOM_FOR_DECK
from foretell.kernel.state import codes, random_numbers, trick_outcome, turn_loop
from foretell.kernel.state import state_layout as in_state
from foretell.kernel.state.random_numbers import RNG_WORDS
from training.simulator import opponents, table_loop
from training.simulator import table_layout as in_table

MODULES = (
    random_numbers, turn_loop, trick_outcome, policies, colours, plays, encoding, opponents, table_loop,
)  # fmt: skip

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
    "SEATS": codes.SEATS,
    "RULES_AT": in_table.RULES,
    "SEAT_KIND_AT": in_table.SEAT_KIND,
    "IS_TRAINING_AT": in_table.IS_TRAINING,
    "PHASE_AT": in_state.PHASE,
    "TURN_AT": in_state.TURN,
    "DEALING_PHASE": codes.DEALING,
}


def compiled_functions(module: ModuleType) -> list[Callable[..., Any]]:
    """The functions of a module that are compiled, in the order of the file."""
    return [
        getattr(module, node.name)
        for node in ast.parse(inspect.getsource(module)).body
        if isinstance(node, ast.FunctionDef)
        and any(
            isinstance(one, ast.Name) and one.id in ("jit", "inlined")
            for one in node.decorator_list
        )
    ]


def simulator_source() -> str:
    """The whole source, for a C compiler or for nvcc."""
    functions = [one for module in MODULES for one in compiled_functions(module)]
    constants = "".join(f"#define {name} {value}\n" for name, value in CONSTANTS.items())
    entries = (Path(__file__).parent / "entries.c").read_text(encoding="utf-8")
    return c_source(functions) + constants + entries


def layout() -> dict[str, dict[str, int]]:
    """Every number that the learner needs, by module and name."""
    modules = {"view": in_view, "table": in_table, "state": in_state, "codes": codes}
    return {
        short: {
            name: value
            for name, value in vars(module).items()
            if name.isupper() and isinstance(value, int)
        }
        for short, module in modules.items()
    } | {"simulator": CONSTANTS}
