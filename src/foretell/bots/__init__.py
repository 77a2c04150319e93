"""Players that are programs.  A bot sees a View and nothing else, and remembers nothing between two choices."""

from collections.abc import Callable, Sequence
from random import Random
from typing import Protocol

from foretell.bots.levels import CLOCKED, LEVELS, clocked
from foretell.bots.simple.counting import Counting
from foretell.bots.simple.randomly import Randomly
from foretell.deals import Dealing
from foretell.engine import Action, Game, View, act, awaited_seats, deal, view
from foretell.errors import Unreadable

__all__ = ["BOTS", "LEVELS", "Bot", "Counting", "Randomly", "bot", "play_out"]


class Bot(Protocol):
    """Chooses one of `view.legal`.  All its randomness comes from `random`, so that a game can be repeated."""

    def choose(self, view: View, random: Random) -> Action: ...


BOTS: dict[str, Callable[[], Bot]] = {
    "random": Randomly,
    "counting": Counting,
    **LEVELS,
}
"""Every bot by its name."""


def bot(name: str) -> Bot:
    """The bot with this name; `champion@0.3` is the strongest bot with a limit of 0.3 seconds for each choice."""
    if name.startswith(CLOCKED):
        return clocked(name)
    if name not in BOTS:
        raise Unreadable("not_a_bot", name=name, allowed=", ".join(BOTS))
    return BOTS[name]()


def play_out(game: Game, bots: Sequence[Bot], dealing: Dealing, random: Random) -> Game:
    """The game played to its end by these bots, one for each seat."""
    while not game.is_over:
        if game.awaits_deal:
            game, _ = deal(game, dealing(game))
            continue
        seat = awaited_seats(game)[0]
        game, _ = act(game, seat, bots[seat].choose(view(game, seat), random))
    return game
