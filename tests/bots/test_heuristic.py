"""The heuristic knows which card takes a trick, also with special cards, and the rollouts' counting player counts."""

from random import Random

import msgspec
import pytest

from foretell.bots import Counting
from foretell.bots.conformance import rule_sets
from foretell.bots.search import arrays
from foretell.bots.search.heuristic import can_take
from foretell.bots.search.heuristic_bot import HeuristicBot
from foretell.bots.search.rollout import play_on
from foretell.bots.search.search import Model
from foretell.bots.search.situation import situation
from foretell.cards import card
from foretell.deals import seeded
from foretell.engine import act, awaited_seats, deal, new_game, view
from foretell.kernel.backend.compiled import floats, ints
from foretell.kernel.state import state_layout as in_state
from foretell.kernel.state.card_numbers import kind_of
from foretell.kernel.state.from_engine import state_of_game
from foretell.kernel.state.random_numbers import RNG_WORDS
from foretell.rules import Rules
from tables import dealt, told


@pytest.mark.parametrize(
    ("hand", "bid", "led", "chosen"),
    [
        pytest.param("DRAGON G2", 1, "FAIRY", "G2", id="X4 it keeps the Dragon for a later trick"),
        pytest.param("DRAGON G2", 0, "FAIRY", "DRAGON", id="X4 it gets rid of the Dragon"),
        pytest.param("FAIRY G13", 1, "DRAGON", "FAIRY", id="X4 the Fairy takes the Dragon's trick"),
        pytest.param("FAIRY G13", 0, "DRAGON", "G13", id="X4 it avoids the Dragon's trick"),
        pytest.param("ZB NB", 0, "BOMB", "ZB", id="X5 it gets rid of a Wizard"),
        pytest.param("ZB NB", 1, "BOMB", "NB", id="X5 it keeps the Wizard for a later trick"),
    ],
)
def test_it_plays_what_takes_the_trick_or_does_not(
    hand: str, bid: int, led: str, chosen: str
) -> None:
    game = dealt(f"{led} R2", hand, "Y5 Y6", turned_up="B7")
    game = told(game, "bid 0", f"bid {bid}", "bid 0", f"play {led}")
    assert str(HeuristicBot().choose(view(game, 1), Random(0))) == f"play {chosen}"


@pytest.mark.parametrize(
    ("held", "led", "can"),
    [
        ("JUGGLER", "R5", True),
        ("JUGGLER", "R8", False),
        ("CLOUD", "R8", True),
        ("CLOUD", "ZB", False),
        ("SHAPESHIFTER", "R13", True),
        ("SHAPESHIFTER", "ZB", False),
        ("SHAPESHIFTER", "BOMB", False),
    ],
)
def test_a_card_that_is_declared_can_take_a_trick_or_cannot(held: str, led: str, can: bool) -> None:
    game = dealt(f"{led} G2", f"{held} G3", "Y5 Y6", turned_up="NB")
    now = situation(view(told(game, *["bid 0"] * 3, f"play {led}"), 1))
    assert can_take(now.t, now.state, kind_of(card(held))) == can


@pytest.mark.parametrize(("rules", "players"), list(rule_sets()), ids=lambda one: str(one)[:80])
def test_counting_players_play_a_rollout_as_counting_bots_play_the_round(
    rules: Rules, players: int
) -> None:
    last = rules.round_numbers(players)[-3:]
    for number in last:
        game = new_game(msgspec.structs.replace(rules, rounds=(number,)), ["x"] * players)
        game, _ = deal(game, seeded(number)(game))
        now = situation(view(game, awaited_seats(game)[0]))
        state, kinds = state_of_game(now.tables, game), ints(6)
        for seat in range(6):
            kinds[seat] = arrays.COUNTER
        play_on(
            now.t, now.m, now.f, now.counting, Model().array(), floats(arrays.AIM), state, now.out,
            now.lying, kinds, 0, now.scratch[2], ints(RNG_WORDS), -1,
        )  # fmt: skip
        while not game.is_over:
            seat = awaited_seats(game)[0]
            game, _ = act(game, seat, Counting().choose(view(game, seat), Random(0)))
        assert (
            tuple(int(state[in_state.BID + seat]) for seat in range(players)) == game.rounds[0].bids
        )
        assert (
            tuple(int(state[in_state.TRICKS_WON + seat]) for seat in range(players))
            == game.rounds[0].won
        )
        assert tuple(int(state[in_state.SCORE + seat]) for seat in range(players)) == game.score
