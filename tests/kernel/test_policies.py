"""The kernel's plain policy is the counting bot: the same choice in every position."""

from random import Random

import pytest

from foretell.bots.counting import Counting, kernel_words
from foretell.deals import seeded
from foretell.engine import act, awaited_seats, deal, legal_actions, new_game, view
from foretell.kernel import core
from foretell.kernel import layout as at
from foretell.kernel.convert import kernel_actions, state_of_game
from foretell.kernel.policies import plain_action
from foretell.kernel.tables import compile_rules
from foretell.rules import Rules

SPECIALS = ("DRAGON", "FAIRY", "BOMB", "WEREWOLF", "JUGGLER", "CLOUD", "SHAPESHIFTER")


@pytest.mark.parametrize(
    "rules",
    [
        Rules(),
        Rules(plus_minus_one=True),
        Rules(wizards_on_trump="barred"),
        Rules(foresight="every_round", bids="hidden"),
        Rules(unicolor=True),
        Rules(specials=SPECIALS),
    ],
    ids=["base", "V1", "F1", "V2 V5", "V6", "X1-X9"],
)
@pytest.mark.parametrize("players", [3, 4, 6])
def test_the_plain_policy_chooses_as_the_counting_bot_does(rules: Rules, players: int) -> None:
    if rules.unicolor and players > 4:
        pytest.skip("unicolor is for 3 or 4")
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
        s = state_of_game(tables, game)
        core.take_turn(tables.words, s, seat)
        wanted = Counting().choose(view(game, seat), random)
        for part in kernel_actions(wanted):
            assert plain_action(tables.words, s, w) == part, (str(wanted), view(game, seat))
            core.step(tables.words, s, part)
        # Now and then something else happens, so that all kinds of positions come up.
        action = random.choice(legal_actions(game, seat)) if random.random() < 0.4 else wanted
        game = act(game, seat, action)[0]
    assert at.STATE
