"""Hands dealt anew are played through the round's public history: the seat must see exactly what it saw."""

import os
from random import Random

import pytest

from foretell.engine import view
from foretell.errors import RulesClash
from foretell.kernel.hidden.hidden_hands import hidden_hands
from foretell.rules import Rules
from samplers.histories import fits, stops

PROVE = bool(os.environ.get("FORETELL_PROVE"))
SPECIALS = ("DRAGON", "FAIRY", "BOMB", "WEREWOLF", "JUGGLER", "CLOUD", "SHAPESHIFTER")

VARIANTS = {
    "base": Rules(),
    "V1": Rules(plus_minus_one=True),
    "V2": Rules(bids="hidden"),
    "V3": Rules(bids="secret"),
    "V4": Rules(foresight="first_round"),
    "V5": Rules(foresight="every_round"),
    "V6": Rules(unicolor=True),
    "F1": Rules(wizards_on_trump="barred"),
    "V5 F1": Rules(foresight="every_round", wizards_on_trump="barred"),
    "V3 F1": Rules(bids="secret", wizards_on_trump="barred"),
    "X1-X9": Rules(specials=SPECIALS),
    "X6 X7": Rules(specials=("WEREWOLF", "JUGGLER")),
    "X7": Rules(specials=("JUGGLER",)),
    "V3 X1-X9": Rules(bids="secret", specials=SPECIALS),
}


@pytest.mark.prove
@pytest.mark.parametrize("players", [3, 4, 5, 6])
@pytest.mark.parametrize("name", VARIANTS)
def test_every_deal_fits_all_that_was_seen(name: str, players: int) -> None:
    rules = VARIANTS[name]
    try:
        numbers = rules.round_numbers(players)
    except RulesClash:
        pytest.skip("unicolor is for 3 or 4")
    random = Random(f"{name}/{players}")
    rounds = [random.choice(numbers) for _ in range(60 if PROVE else 2)] + [numbers[-1]]
    looked = 0
    late = random.choice([0, 3]) if rules.specials else 0
    for played in stops(rules, players, random, numbers=rounds, share=0.12, late=late):
        seat = random.choice([*range(players), None])
        seen = view(played.game, seat)
        hidden = hidden_hands(seen)
        for number in range(4):
            hands = hidden.deal(seed=looked, number=number)
            assert fits(played, seen, hands), (seat, hands)
        looked += 1
    assert looked > 2
