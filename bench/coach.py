"""How long the coach takes, and how many choices a review calls mistakes.

    python bench/coach.py [time] [mistakes] [--games N] [--seed N] [--players N ...] [--levels NAME ...]

Without a part, it runs `time`: odds of every tenth choice and the review of a whole game, in CPU time on one core.
`mistakes` lets the levels play at tables of their own kind, and reviews the games.
"""

import argparse
import time
from math import sqrt
from random import Random

from foretell.bots import Counting, bot, play_out
from foretell.coach import odds
from foretell.coach.review import choices_of, review
from foretell.deals import seeded
from foretell.engine import new_game, view
from foretell.kernel import BACKEND
from foretell.rules import Rules


def times(args: argparse.Namespace) -> None:
    for players in args.players:
        game = new_game(Rules(), [f"P{seat}" for seat in range(players)])
        game = play_out(game, [Counting()] * players, seeded(5), Random(5))
        took = []
        for before, seat, _ in list(choices_of(game))[1::10]:
            seen, began = view(before, seat), time.process_time()
            if len(seen.legal) > 1:
                odds(seen)
                took.append(1000 * (time.process_time() - began))
        took.sort()
        print(f"{BACKEND}, {players} players: odds p50 {took[len(took) // 2]:.0f} ms,", end=" ")
        print(f"p90 {took[9 * len(took) // 10]:.0f} ms", flush=True)
        if BACKEND != "python":
            began = time.process_time()
            choices = len(review(game).choices)
            print(f"review of {choices} choices: {time.process_time() - began:.1f} s", flush=True)


def mistakes(args: argparse.Namespace) -> None:
    for players in args.players:
        for level in args.levels:
            shares, costs, choices = [], [], 0
            for number in range(args.games):
                seed = f"{args.seed}/{number}"
                game = new_game(Rules(), [f"P{seat}" for seat in range(players)])
                game = play_out(game, [bot(level)] * players, seeded(seed), Random(seed))
                told = review(game)
                costly = [one for one in told.choices if one.cost]
                choices += len(told.choices)
                shares.append(100 * len(costly) / len(told.choices))
                costs.append(sum(one.cost for one in costly) / players)
            print(
                f"{players} players  {level:<9} {choices} choices in {args.games} games: mistakes "
                f"{with_error(shares)} %, {with_error(costs)} points a player and game",
                flush=True,
            )


def with_error(numbers: list[float]) -> str:
    """The mean over games, and half the width of its 95 % interval."""
    count, mean = len(numbers), sum(numbers) / len(numbers)
    spread = sum((number - mean) * (number - mean) for number in numbers)
    return f"{mean:.1f} ± {1.96 * sqrt(spread / max(1, count - 1) / count):.1f}"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("parts", nargs="*", default=["time"])
    parser.add_argument("--games", type=int, default=4)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--players", type=int, nargs="+", default=[3, 4, 6])
    parser.add_argument("--levels", nargs="+", default=["master", "casual"])
    args = parser.parse_args()
    for part in args.parts:
        (times if part == "time" else mistakes)(args)


if __name__ == "__main__":
    main()
