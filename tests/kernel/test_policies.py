"""The kernel's plain policy is the counting bot: the same choice in every position."""

from random import Random

import pytest

from foretell.bots.simple.counting import Counting, kernel_words
from foretell.deals import seeded
from foretell.engine import act, awaited_seats, deal, legal_actions, new_game, view
from foretell.kernel.bulk.policies import plain_action
from foretell.kernel.state import state_layout as in_state
from foretell.kernel.state import turn_loop
from foretell.kernel.state.actions import kernel_actions
from foretell.kernel.state.from_engine import state_of_game
from foretell.kernel.state.tables import compile_rules
from foretell.rules import Rules

SPECIALS = ("DRAGON", "FAIRY", "BOMB", "WEREWOLF", "JUGGLER", "CLOUD", "SHAPESHIFTER")


RULES = {
    "base": Rules(),
    "V1": Rules(plus_minus_one=True),
    "F1": Rules(wizards_on_trump="barred"),
    "V2 V5": Rules(foresight="every_round", bids="hidden"),
    "V6": Rules(unicolor=True),
    "X1-X9": Rules(specials=SPECIALS),
}


@pytest.mark.parametrize(
    ("rules", "players"),
    [
        pytest.param(rules, players, id=f"{name}, {players} players")
        for name, rules in RULES.items()
        for players in (3, 4, 6)
        if rules.has_game_for(players)
    ],
)
def test_the_plain_policy_chooses_as_the_counting_bot_does(rules: Rules, players: int) -> None:
    tables = compile_rules(rules, players)
    w = kernel_words(tables)
    random = Random(players)
    game = new_game(rules, ["x"] * players)
    dealing = seeded(players)
    while not game.is_over:
        if game.awaits_deal:
            game = deal(game, dealing(game))[0]
            continue
        seat = awaited_seats(game)[0]
        state = state_of_game(tables, game)
        turn_loop.take_turn(tables.words, state, seat)
        wanted = Counting().choose(view(game, seat), random)
        for part in kernel_actions(wanted):
            assert plain_action(tables.words, state, w) == part, (str(wanted), view(game, seat))
            turn_loop.step(tables.words, state, part)
        # Now and then something else happens, so that all kinds of positions come up.
        action = random.choice(legal_actions(game, seat)) if random.random() < 0.4 else wanted
        game = act(game, seat, action)[0]
    assert in_state.SIZE
