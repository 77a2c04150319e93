"""The game for OpenSpiel: `import foretell.openspiel`, then `pyspiel.load_game("foretell_wizard(players=3,rounds=1)")`.

Needs OpenSpiel (`pip install 'foretell[openspiel]'`).  docs/openspiel.md describes the game and its parameters.
"""

from foretell.openspiel.numbered_actions import ACTIONS, number_of
from foretell.openspiel.wizard_game import WizardGame, WizardState

__all__ = ["ACTIONS", "WizardGame", "WizardState", "number_of"]
