"""How the coach tries an action: in worlds drawn by the belief net, played out by the small net.

In plain Python even that one is too slow.  There all deals that fit are equally likely, and `counting` plays on, which
costs a hundredth of the time.
"""

from functools import lru_cache

from foretell.bots.net.candidates import Candidate, Position
from foretell.bots.net.net_search import Worlds
from foretell.bots.net.playing_out import copy_world
from foretell.bots.simple.counting import kernel_words
from foretell.cards import Colour
from foretell.engine import View
from foretell.errors import NotAGame
from foretell.i18n import Term
from foretell.kernel.backend.compiled import IS_COMPILED, Ints, ints
from foretell.kernel.bulk.playouts import play_round
from foretell.kernel.bulk.policies import PLAIN, guess_bids
from foretell.kernel.hidden.hidden_hands import hidden_hands
from foretell.kernel.hidden.redealing import redeal
from foretell.kernel.state import codes
from foretell.kernel.state import state_layout as in_state
from foretell.kernel.state.random_numbers import RNG_WORDS, seed_rng
from foretell.kernel.state.tables import compile_rules
from foretell.kernel.state.turn_loop import step, take_turn
from foretell.rules import Rules

__all__ = ["Playouts", "playouts"]

_STEPS = 2  # in which the belief net draws a world: two draw it nearly as well as the search's four


class Playouts:
    """Worlds of one moment, and rounds played out in them by the small net."""

    of_world = 12.0  # what a world costs, and a card that is played; one evaluation of the small net costs 1
    of_card = 0.75  # a quarter of all cards is forced

    def __init__(self, view: View, position: Position, seed: int) -> None:
        self.position = position
        self.worlds = Worlds(view, position, _STEPS, seed)
        self.is_certain = self.worlds.is_certain

    def next_world(self) -> Ints:
        return self.worlds.next()

    def play_out(self, candidate: Candidate, world: Ints) -> None:
        """Takes this action in this world, and plays the round to its end; `position.room` has the result."""
        self.position.play_out(candidate, world, is_quick=True)


class _PlainPlayouts(Playouts):
    """The same by `counting`."""

    of_world = 2.0
    of_card = 0.03

    def __init__(self, view: View, position: Position, seed: int) -> None:
        self.position = position
        self.hidden = hidden_hands(view, tables=position.tables)
        take_turn(position.lookup, self.hidden.state, position.seat)
        self.is_certain = not self.hidden.knowledge.hidden
        self.words = _counting_words(view.rules, view.seats, view.peoples)
        self.rng, self.policies = ints(RNG_WORDS), ints(codes.SEATS)
        seed_rng(self.rng, seed, 0)
        for seat in range(codes.SEATS):
            self.policies[seat] = PLAIN

    def next_world(self) -> Ints:
        world, lookup = ints(in_state.SIZE), self.position.lookup
        copy_world(self.hidden.state, world)
        if not redeal(lookup, world, self.rng, *self.hidden.arrays):
            raise NotAGame("view_contradicts", why=Term("kernel.no_deal"))
        guess_bids(lookup, world, self.words)
        return world

    def play_out(self, candidate: Candidate, world: Ints) -> None:
        lookup, room = self.position.lookup, self.position.room
        copy_world(world, room)
        for action in candidate.actions:
            step(lookup, room, action)
        play_round(lookup, room, self.rng, self.words, self.policies)


@lru_cache(maxsize=64)
def _counting_words(rules: Rules, players: int, peoples: tuple[Colour, ...] | None) -> Ints:
    """The counting bot for the kernel, made once for each rule set."""
    return kernel_words(compile_rules(rules, players, peoples))


def playouts(view: View, position: Position, seed: int) -> Playouts:
    """The playouts of this moment that the backend is fast enough for."""
    return (Playouts if IS_COMPILED else _PlainPlayouts)(view, position, seed)
