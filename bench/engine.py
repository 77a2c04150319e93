"""How many random actions a second the readable engine plays on one core, with several rule sets.

    python bench/engine.py [SECONDS]

Seconds are CPU time, so other programs on the machine matter little.  It plays whole games with seeded deals, and
chooses each action at random from the legal ones.  The time includes deals, legal actions, steps and scores, but no
views; `--views` adds one view for each action, as a bot needs it.
"""

import sys
from random import Random
from time import process_time

from foretell.cards import SPECIALS
from foretell.deals import seeded
from foretell.engine import act, awaited_seats, deal, legal_actions, new_game, view
from foretell.rules import Rules
from foretell.rules.presets import preset

NAMES = ("Ada", "Bo", "Cy", "Di", "Ed", "Flo")
TABLES: tuple[tuple[str, Rules, int], ...] = (
    ("pt-PT, 4 players", preset("pt-PT"), 4),
    ("es, plus/minus one, 3 players", preset("es", plus_minus_one=True), 3),
    ("hu, unicolor, secret bids, 4 players", preset("hu", unicolor=True, bids="secret"), 4),
    ("fr, foresight, 5 players", preset("fr", foresight="every_round"), 5),
    ("pt-BR, all special cards, 6 players", preset("pt-BR", specials=tuple(SPECIALS)), 6),
)


def actions_in_a_game(rules: Rules, players: int, seed: int, *, views: bool) -> int:
    """Plays one game to its end; returns how many actions it took."""
    random, dealing = Random(seed), seeded(seed)
    game = new_game(rules, NAMES[:players])
    actions = 0
    while not game.is_over:
        if game.awaits_deal:
            game, _ = deal(game, dealing(game))
        seat = awaited_seats(game)[0]
        if views:
            view(game, seat)
        game, _ = act(game, seat, random.choice(legal_actions(game, seat)))
        actions += 1
    return actions


def rate(rules: Rules, players: int, seconds: float, *, views: bool = False) -> float:
    """Actions a second, over whole games that together take at least this many seconds."""
    actions = seed = 0
    start = process_time()
    while (elapsed := process_time() - start) < seconds:
        actions += actions_in_a_game(rules, players, seed, views=views)
        seed += 1
    return actions / elapsed


def main(arguments: list[str]) -> None:
    views = "--views" in arguments
    numbers = [float(one) for one in arguments if not one.startswith("--")]
    seconds = numbers[0] if numbers else 2.0
    for name, rules, players in TABLES:
        print(f"{rate(rules, players, seconds, views=views):>10,.0f} actions/s  {name}")


if __name__ == "__main__":
    main(sys.argv[1:])
