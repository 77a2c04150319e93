"""Measures how strong the levels are and how long they think: every figure of docs/bots.md.

    python bench/bots.py [PART ...] [--games N] [--seed N] [--players N ...] [--level NAME] [--folder FOLDER]
        [--processes N]

Parts: time, counting, steps, variants.  Without a part, it runs `time`, which takes a minute.  Results are
stored in the folder, one deal set after another; an interrupted run continues from there.
"""

import argparse
import math
import time
from itertools import pairwise
from pathlib import Path
from random import Random

from foretell.arena import Match, run_match, standings
from foretell.arena.run import Interval
from foretell.bots import LEVELS, Counting, bot
from foretell.cards import SPECIALS
from foretell.deals import seeded
from foretell.engine import View, act, awaited_seats, deal, new_game, view
from foretell.rules import Rules
from foretell.rules.presets import preset
from foretell.workers import Workers

ALL_SPECIALS = tuple(SPECIALS)
VARIANTS = {
    "plus/minus one": (preset("es", plus_minus_one=True), 4),
    "hidden bids": (preset("hu", bids="hidden"), 4),
    "secret bids": (preset("hu", bids="secret"), 4),
    "foresight, first round": (preset("pt-BR", foresight="first_round"), 4),
    "foresight, every round": (preset("hu", foresight="every_round"), 4),
    "unicolor": (preset("hu", unicolor=True), 4),
    "French rule": (preset("fr"), 4),
    "all special cards": (preset("pt-BR", specials=ALL_SPECIALS), 4),
    "all special cards, 3": (preset("pt-BR", specials=ALL_SPECIALS), 3),
    "all special cards, 6": (preset("pt-BR", specials=ALL_SPECIALS), 6),
}


def measured(args: argparse.Namespace, name: str, rules: Rules, entrants: tuple[str, ...]) -> None:
    """Plays a match, stored under this name, and prints how well the first entrant did."""
    sets = math.ceil(args.games / len(entrants))
    match = Match(rules=rules, entrants=entrants, sets=sets, seed=args.seed)
    args.folder.mkdir(parents=True, exist_ok=True)
    file = args.folder / f"{name}.jsonl"
    results = run_match(match, workers=Workers(processes=args.processes), file=file)
    one = standings(match, results)[0]
    print(
        f"{name:<40} margin {with_error(one.margin)}  points {one.points.mean:6.0f}  "
        f"wins {100 * one.wins.mean:5.1f} %  bids met {100 * one.met.mean:4.1f} %  "
        f"{one.milliseconds:6.1f} ms a move  {one.games} games",
        flush=True,
    )


def with_error(interval: Interval) -> str:
    """A mean with half the width of its interval."""
    return f"{interval.mean:+7.1f} ± {(interval.high - interval.low) / 2:5.1f}"


def over(args: argparse.Namespace, name: str, field: str) -> None:
    """One player of this name against players named `field`, for each number of players."""
    for players in args.players:
        entrants = (name, *[field] * (players - 1))
        measured(args, f"{name}-over-{field}-{players}", Rules(), entrants)


def variants(args: argparse.Namespace) -> None:
    level = args.level or "master"
    for name, (rules, players) in VARIANTS.items():
        entrants = (level, *["counting"] * (players - 1))
        label = name.replace(" ", "-").replace("/", "-").replace(",", "")
        measured(args, f"{level}-over-counting-{label}", rules, entrants)


def steps(args: argparse.Namespace) -> None:
    """One player of each level at a table of the level below it, for each number of players."""
    names = list(LEVELS)
    for weaker, name in pairwise(names):
        if args.level in (None, name):
            over(args, name, weaker)


def views(players: int, seed: int) -> list[View]:
    """Every choice that one seat has in a game of counting players."""
    game = new_game(Rules(), [f"P{seat}" for seat in range(players)])
    dealing, random, found = seeded(seed), Random(seed), []
    while not game.is_over:
        if game.awaits_deal:
            game, _ = deal(game, dealing(game))
            continue
        seat = awaited_seats(game)[0]
        seen = view(game, seat)
        if seat == 0 and len(seen.legal) > 1:
            found.append(seen)
        game, _ = act(game, seat, Counting().choose(seen, random))
    return found


def times(args: argparse.Namespace) -> None:
    for players in args.players:
        asked = [seen for seed in range(2) for seen in views(players, seed)]
        for name in [args.level] if args.level else LEVELS:
            player, took = bot(name), []
            for seen in asked[:40]:
                player.choose(seen, Random(0))  # compiles everything, or reads it from the cache
            for number, seen in enumerate(asked):
                started = time.perf_counter()
                player.choose(seen, Random(number))
                took.append(1000 * (time.perf_counter() - started))
            took.sort()
            mean = sum(took) / len(took)
            p50, p99 = took[len(took) // 2], took[int(0.99 * len(took))]
            print(
                f"{players} players  {name:<10} mean {mean:7.2f}  p50 {p50:7.2f}  p99 {p99:7.2f}  "
                f"max {took[-1]:7.2f} ms  ({len(took)} choices)",
                flush=True,
            )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("parts", nargs="*", default=["time"])
    parser.add_argument("--games", type=int, default=200)
    parser.add_argument("--seed", type=int, default=2026)
    parser.add_argument("--players", type=int, nargs="*", default=[3, 4, 5, 6])
    parser.add_argument("--folder", type=Path, default=Path("build/bots"))
    parser.add_argument("--processes", type=int, default=None)
    parser.add_argument("--level", default=None)
    args = parser.parse_args()
    for part in args.parts:
        if part == "time":
            times(args)
        elif part == "counting":
            over(args, args.level or "master", "counting")
        elif part == "steps":
            steps(args)
        elif part == "variants":
            variants(args)
        else:
            parser.error(f"no part {part}")


if __name__ == "__main__":
    main()
