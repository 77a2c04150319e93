"""How much the search on top of the net gains over the net alone, at a table of nets: `python bench/net_search.py`.

Games are played by the net in every seat.  Each round is played a second time with the same cards, with the search in
one seat.  What counts is how much better that seat's margin is (its points less the mean of the others').  The figure
is a sum over the rounds of a game, with a 95 % interval over games.
"""

import argparse
import json
import time
from collections.abc import Iterator
from dataclasses import replace
from math import sqrt
from pathlib import Path
from random import Random
from typing import Any

from foretell.bots.net.net_player import NetPlayer
from foretell.bots.net.net_search import NetSearch
from foretell.deals import seeded
from foretell.engine import Game, act, awaited_seats, deal, new_game, view
from foretell.rules import Rules


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--players", type=int, default=4)
    parser.add_argument("--games", type=int, default=2)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--rules", type=json.loads, default={}, help='such as {"bids": "secret"}')
    parser.add_argument("--search", type=json.loads, default={}, help="settings of NetSearch")
    parser.add_argument("--out", type=Path, help="where each game is written as it ends")
    asked = parser.parse_args()
    search = replace(NetSearch(), **asked.search)
    gains = []
    for number in range(asked.games):
        started = time.process_time()
        rounds = list(gains_of_rounds(asked.players, asked.rules, search, f"{asked.seed}/{number}"))
        gains.append(sum(rounds))
        line = {"gain": gains[-1], "rounds": rounds, "cpu": time.process_time() - started}
        print(json.dumps(line), flush=True)
        if asked.out:
            with asked.out.open("a") as file:
                file.write(json.dumps({"players": asked.players, **line}) + "\n")
    mean = sum(gains) / len(gains)
    spread = sum((gain - mean) ** 2 for gain in gains)
    error = 1.96 * sqrt(spread / max(1, len(gains) - 1) / len(gains))
    print(f"{asked.players} players, {len(gains)} games: {mean:+.1f} ± {error:.1f} a game")


def gains_of_rounds(
    players: int, rules: dict[str, Any], search: NetSearch, seed: str
) -> Iterator[float]:
    """What the search gains in each round of one game."""
    game = new_game(Rules(**rules), [str(seat) for seat in range(players)])
    dealing, seat = seeded(seed), Random(seed).randrange(players)
    while not game.is_over:
        game, _ = deal(game, dealing(game))
        by_search = played(game, seat, search, Random(seed))
        game = played(game, seat, NetPlayer(), Random(seed))
        yield margin(by_search, seat) - margin(game, seat)


def played(game: Game, of_search: int, player: NetPlayer | NetSearch, random: Random) -> Game:
    """The game after this round, with this player in one seat and the net in the others."""
    net = NetPlayer()
    while not game.awaits_deal and not game.is_over:
        seat = awaited_seats(game)[0]
        chosen = (player if seat == of_search else net).choose(view(game, seat), random)
        game, _ = act(game, seat, chosen)
    return game


def margin(game: Game, seat: int) -> float:
    """The score of a seat less the mean of the others'."""
    score = game.score
    return score[seat] - (sum(score) - score[seat]) / (len(score) - 1)


if __name__ == "__main__":
    main()
