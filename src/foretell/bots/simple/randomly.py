"""The simplest player there is."""

from random import Random

from foretell.engine import Action, View

__all__ = ["Randomly"]


class Randomly:
    """Any legal action, each as likely as the other."""

    def choose(self, view: View, random: Random) -> Action:
        return random.choice(view.legal)
