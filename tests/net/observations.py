"""Positions to observe: random ones of every rule set, as a state and as the View of the seat on turn."""

from random import Random

from foretell.bots.net import layout as in_view
from foretell.bots.net.encoding import observe, observe_all
from foretell.bots.net.from_view import seen_state, traits_of
from foretell.engine import Game, View, awaited_seats, view
from foretell.kernel.backend.compiled import Ints, ints
from foretell.kernel.state.from_engine import state_of_game
from foretell.kernel.state.tables import Tables, compile_rules
from foretell.kernel.state.turn_loop import take_turn


def observed(tables: Tables, state: Ints) -> list[int]:
    """The observation of the seat on turn."""
    words, scratch = ints(in_view.WORDS), ints(in_view.SCRATCH_WORDS)
    observe(tables.words, state, traits_of(tables), scratch, words)
    return [int(word) for word in words]


def observed_with_all_hands(game: Game, seat: int) -> list[int]:
    """What the value net is shown."""
    tables = compile_rules(game.rules, game.seats, game.peoples)
    state = state_of_game(tables, game)
    take_turn(tables.words, state, seat)
    words, scratch = ints(in_view.CRITIC_WORDS), ints(in_view.SCRATCH_WORDS)
    observe_all(tables.words, state, traits_of(tables), scratch, words)
    return [int(word) for word in words]


def observed_by_all_knowing(game: Game, seat: int) -> list[int]:
    """The observation made from the whole state, as in training."""
    tables = compile_rules(game.rules, game.seats, game.peoples)
    state = state_of_game(tables, game)
    take_turn(tables.words, state, seat)
    return observed(tables, state)


def observed_from_view(seen: View) -> list[int]:
    """The observation made from a View, as at play."""
    tables = compile_rules(seen.rules, seen.seats, seen.peoples)
    return observed(tables, seen_state(tables, seen))


def awaited_view(game: Game, random: Random) -> View | None:
    """The View of one of the awaited seats, or None where nobody is awaited."""
    seats = awaited_seats(game)
    return view(game, random.choice(seats)) if seats else None
