"""The simplest player there is."""

from random import Random

from foretell.engine import Action, View

__all__ = ["Randomly"]


class Randomly:
    """Chooses any legal action, all equally likely."""

    def choose(self, view: View, random: Random) -> Action:
        return random.choice(view.legal)
