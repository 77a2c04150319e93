"""The kernel's plain policy is the counting bot: it makes the same choice in every position of every rule set."""

from random import Random

import pytest

from foretell.bots.conformance import rule_sets
from foretell.bots.simple.counting import Counting, kernel_words
from foretell.deals import seeded
from foretell.engine import Action, Game, act, awaited_seats, deal, legal_actions, new_game, view
from foretell.kernel.backend.compiled import Ints
from foretell.kernel.bulk.policies import plain_action
from foretell.kernel.state import turn_loop
from foretell.kernel.state.actions import kernel_actions
from foretell.kernel.state.from_engine import state_of_game, state_of_view
from foretell.kernel.state.tables import Tables, compile_rules
from foretell.rules import Rules
from tables import PROVING, dealt, told


def same_choice(tables: Tables, w: Ints, game: Game, seat: int) -> Action:
    """The bot's choice; the policy makes the same one in the whole state and in what this seat sees of it."""
    t, seen = tables.words, view(game, seat)
    wanted = Counting().choose(seen, Random(0))
    for s in (state_of_game(tables, game), state_of_view(tables, seen)):
        turn_loop.take_turn(t, s, seat)
        for part in kernel_actions(wanted):
            assert plain_action(t, s, w) == part, (str(wanted), seen)
            turn_loop.step(t, s, part)
    return wanted


@pytest.mark.prove
@pytest.mark.parametrize(("rules", "players"), list(rule_sets()), ids=lambda one: str(one)[:80])
def test_the_plain_policy_chooses_as_the_counting_bot_does(rules: Rules, players: int) -> None:
    tables = compile_rules(rules, players)
    w, random, asked, seed = kernel_words(tables), Random(players), 0, 0
    while asked < (20_000 if PROVING else 2_000):
        game, dealing, seed = new_game(rules, ["x"] * players), seeded(seed), seed + 1
        while not game.is_over:
            if game.awaits_deal:
                game = deal(game, dealing(game))[0]
                continue
            seat = awaited_seats(game)[0]
            wanted = same_choice(tables, w, game, seat)
            asked += 1
            # Now and then something else happens, so that all kinds of positions come up.
            action = random.choice(legal_actions(game, seat)) if random.random() < 0.4 else wanted
            game = act(game, seat, action)[0]


@pytest.mark.parametrize(
    ("hand", "bid", "chosen"),
    [
        pytest.param("DRAGON G2", 0, "play DRAGON", id="X4 the Dragon cannot win, so it is safe"),
        pytest.param("DRAGON G2", 1, "play G2", id="X4 the Dragon does not take this trick"),
        pytest.param("ZB G2", 0, "play G2", id="a Wizard takes it"),
    ],
)
def test_the_dragon_loses_to_the_fairy_that_was_led(hand: str, bid: int, chosen: str) -> None:
    game = dealt("FAIRY R2", hand, "Y5 Y6", turned_up="B7")
    game = told(game, "bid 0", f"bid {bid}", "bid 0", "play FAIRY")
    tables = compile_rules(game.rules, 3)
    assert str(same_choice(tables, kernel_words(tables), game, 1)) == chosen
