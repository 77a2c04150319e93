"""Writes the bundle: all that a machine with a GPU needs besides PyTorch and nvcc, so that Foretell need not be there.

python -m training.simulator.bundle build/train

simulator.cu   the simulator's source; the same file is C (`source`)
rules.npz      the lookup tables, the counting bot's words and the traits of every rule set
bundle.json    the layout by name, and the name, family and players of every rule set
"""

import json
import sys
from pathlib import Path

import numpy as np

from foretell.bots.net.from_view import traits_of
from foretell.bots.simple.counting import kernel_words
from foretell.kernel.state.tables import compile_rules
from training.simulator.rule_sets import RuleSet, every_rule_set
from training.simulator.source import layout, simulator_source


def write_bundle(folder: Path, rule_sets: list[RuleSet] | None = None) -> None:
    """Writes the three files; without a list, for every rule set."""
    sets = every_rule_set() if rule_sets is None else rule_sets
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "simulator.cu").write_text(simulator_source(), encoding="utf-8")
    parts: list[np.ndarray] = []
    rules: list[tuple[int, int, int]] = []
    size = 0
    for one in sets:
        tables = compile_rules(one.rules, one.players)
        lookup = np.array(tables.words, dtype=np.int64)
        policy = np.array(kernel_words(tables), dtype=np.int64)
        rules.append((size, size + len(lookup), traits_of(tables)))
        parts += [lookup, policy]
        size += len(lookup) + len(policy)
    np.savez_compressed(
        folder / "rules.npz", blob=np.concatenate(parts), rules=np.array(rules, dtype=np.int64)
    )
    described = [{"name": one.name, "family": one.family, "players": one.players} for one in sets]
    text = json.dumps({"layout": layout(), "rule_sets": described})
    (folder / "bundle.json").write_text(text, encoding="utf-8")


if __name__ == "__main__":
    write_bundle(Path(sys.argv[1]))
