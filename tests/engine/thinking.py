"""Choices of each level, and what cannot be imported; run by this Python, and by the engine in Node."""

import importlib
import json
import sys
from pathlib import Path
from random import Random

import foretell
from foretell import bot, new_game, play_out, preset, seeded
from foretell.bots.levels import LEVELS
from foretell.engine import Action, View
from foretell.kernel import BACKEND

FOLDER = Path(foretell.__file__).parent


class Noted:
    """A bot whose choices are noted."""

    def __init__(self, level: str, choices: list[str]) -> None:
        self.bot, self.choices = bot(level), choices

    def choose(self, view: View, random: Random) -> Action:
        chosen = self.bot.choose(view, random)
        self.choices.append(str(chosen))
        return chosen


def choices() -> dict[str, list[str]]:
    found: dict[str, list[str]] = {level: [] for level in LEVELS}
    for level, noted in found.items():
        game = new_game(preset("es", rounds=(2, 5)), list("abcd"))
        players = [Noted(level, noted), *(bot("counting") for _ in range(3))]
        play_out(game, players, seeded(11), Random(level))
    return found


def missing() -> dict[str, str]:
    """The modules that cannot be imported, and why."""
    found = {}
    for path in sorted(FOLDER.rglob("*.py")):
        name = ".".join(("foretell", *path.relative_to(FOLDER).with_suffix("").parts))
        try:
            importlib.import_module(name.removesuffix(".__init__"))
        except ImportError as error:
            found[name] = str(error)
    return found


if __name__ == "__main__":
    is_engine = sys.platform == "emscripten"
    said = [sys.version, BACKEND, choices(), missing() if is_engine else {}]
    print(json.dumps(said))
