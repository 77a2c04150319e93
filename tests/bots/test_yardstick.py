"""The counting bot on integers does what the counting bot does."""

from random import Random

import pytest

from foretell.bots import Counting
from foretell.bots.search.yardstick import count_bid, count_pass, count_play
from foretell.cards import SPECIALS
from foretell.deals import seeded
from foretell.engine import act, awaited_seats, deal, new_game, view
from foretell.kernel.state import state_layout as in_state
from foretell.kernel.state.actions import kernel_actions
from foretell.kernel.state.from_engine import state_of_view
from foretell.kernel.state.tables import compile_rules
from foretell.kernel.state.turn_loop import legal, take_turn
from foretell.rules import Rules
from foretell.rules.presets import preset


@pytest.mark.parametrize(
    ("rules", "players"),
    [
        (Rules(), 3),
        (Rules(plus_minus_one=True), 4),
        (preset("fr"), 5),
        (Rules(), 6),
        (preset("pt-BR", specials=tuple(SPECIALS)), 4),
    ],
    ids=["3 players", "plus/minus one", "French rule", "6 players", "all special cards"],
)
def test_it_chooses_what_the_counting_bot_chooses(rules: Rules, players: int) -> None:
    tables = compile_rules(rules, players)
    lookup = tables.words
    same = asked = 0
    for seed in range(2):
        game = new_game(rules, [f"P{n}" for n in range(players)])
        dealing, random = seeded(seed), Random(seed)
        while not game.is_over:
            if game.awaits_deal:
                game, _ = deal(game, dealing(game))
                continue
            seat = awaited_seats(game)[0]
            seen = view(game, seat)
            chosen = Counting().choose(seen, random)
            state = state_of_view(tables, seen)
            take_turn(lookup, state, seat)
            found = None
            if seen.phase == "bid":
                hand, copies = state[in_state.HAND + seat], state[in_state.COPIES + seat]
                found = count_bid(
                    lookup,
                    hand,
                    copies,
                    state[in_state.TRUMP],
                    state[in_state.HAND_SIZE],
                    legal(lookup, state),
                )
            elif seen.phase == "play":
                found = count_play(lookup, state, legal(lookup, state))
            elif seen.phase == "pass":
                found = count_pass(state)
            if found is not None:
                asked += 1
                same += kernel_actions(chosen)[0] == found
            game, _ = act(game, seat, chosen)
    # Declarations are a second step here, and so a card with one may stand elsewhere in the order.
    assert same >= asked * (0.99 if rules.specials else 1)
