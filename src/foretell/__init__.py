"""Foretell: an open implementation of the card game Wizard.

>>> from foretell import bot, new_game, play_out, preset, seeded
>>> from random import Random
>>> game = new_game(preset("pt-BR", specials=("SHAPESHIFTER",)), ["Ana", "Rui", "Eva"])
>>> game = play_out(game, [bot("counting")] * 3, seeded(7), Random(7))
>>> game.is_over
True
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from foretell.bots import bot, play_out
    from foretell.cards import card, face, faces
    from foretell.deals import fair, given, seeded
    from foretell.engine import act, action, awaited_seats, deal, legal_actions, new_game, view
    from foretell.record import dumps, loads
    from foretell.rules import Rules
    from foretell.rules.presets import preset

__all__ = [
    "Rules",
    "act",
    "action",
    "awaited_seats",
    "bot",
    "card",
    "deal",
    "dumps",
    "face",
    "faces",
    "fair",
    "given",
    "legal_actions",
    "loads",
    "new_game",
    "play_out",
    "preset",
    "seeded",
    "view",
]

__version__ = "0.1.0"

_HOMES = {
    "foretell.bots": ("bot", "play_out"),
    "foretell.cards": ("card", "face", "faces"),
    "foretell.deals": ("fair", "given", "seeded"),
    "foretell.engine": (
        "act",
        "action",
        "awaited_seats",
        "deal",
        "legal_actions",
        "new_game",
        "view",
    ),
    "foretell.record": ("dumps", "loads"),
    "foretell.rules": ("Rules",),
    "foretell.rules.presets": ("preset",),
}


def __getattr__(name: str) -> Any:
    """The public names are fetched when first asked for, so that `foretell --help` answers in a blink."""
    for home, names in _HOMES.items():
        if name in names:
            return getattr(import_module(home), name)
    raise AttributeError(f"module 'foretell' has no attribute {name!r}")
