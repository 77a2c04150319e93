"""Measures how strong the levels are and how long they think: every figure of docs/bots.md.

    python bench/bots.py [PART ...] [--games N] [--seed N] [--players N ...] [--level NAME] [--folder FOLDER]
        [--processes N]

Parts: time, counting, flat, variants, field.  Without a part, it runs `time`, which takes a minute.  Results are
stored in the folder, one deal set after another; an interrupted run continues from there.
"""

import argparse
import math
import time
from pathlib import Path
from random import Random
from statistics import fmean

from foretell.arena import Match, run_match, standings
from foretell.arena.run import Interval, bootstrap
from foretell.bots import LEVELS, Counting, bot
from foretell.bots.levels import STRONGEST
from foretell.cards import SPECIALS
from foretell.deals import seeded
from foretell.engine import View, act, awaited_seats, deal, new_game, view
from foretell.rules import Rules
from foretell.rules.presets import preset

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
FIELDS = {
    "unusual-bidders": ("overbidder", "underbidder", "random-bidder"),
    "earlier-levels": ("beginner", "casual", "counting"),
}


def measured(
    args: argparse.Namespace, name: str, rules: Rules, entrants: tuple[str, ...]
) -> tuple[str, list[float]]:
    """Plays a match, stored under this name; returns a line to print, and the first entrant's margin by deal set."""
    sets = math.ceil(args.games / len(entrants))
    match = Match(rules=rules, entrants=entrants, sets=sets, seed=args.seed)
    args.folder.mkdir(parents=True, exist_ok=True)
    file = args.folder / f"{name}.jsonl"
    results = run_match(match, processes=args.processes, file=file)
    one = standings(match, results)[0]
    line = (
        f"{name:<40} margin {with_error(one.margin)}  points {one.points.mean:6.0f}  "
        f"wins {100 * one.wins.mean:5.1f} %  bids met {100 * one.met.mean:4.1f} %  "
        f"{one.milliseconds:6.1f} ms a move  {one.games} games"
    )
    by_set = [
        fmean(game.margin(0) for game in results if game.number == number) for number in range(sets)
    ]
    return line, by_set


def with_error(interval: Interval) -> str:
    """A mean with half the width of its interval."""
    return f"{interval.mean:+7.1f} ± {(interval.high - interval.low) / 2:5.1f}"


def over(args: argparse.Namespace, name: str, field: str) -> None:
    """One player of this name against players named `field`, for each number of players."""
    for players in args.players:
        entrants = (name, *[field] * (players - 1))
        line, _ = measured(args, f"{name}-over-{field}-{players}", Rules(), entrants)
        print(line, flush=True)


def variants(args: argparse.Namespace) -> None:
    level = args.level or "master"
    for name, (rules, players) in VARIANTS.items():
        entrants = (level, *["counting"] * (players - 1))
        label = name.replace(" ", "-").replace("/", "-").replace(",", "")
        line, _ = measured(args, f"{level}-over-counting-{label}", rules, entrants)
        print(line, flush=True)


def field(args: argparse.Namespace) -> None:
    """Each level among players that the rollouts do not model, on the same deals: their order must stay the same.

    With `--level`, only that level and the one before it.
    """
    names = list(LEVELS)
    if args.level:
        names = names[max(0, names.index(args.level) - 1) : names.index(args.level) + 1]
    for kind, others in FIELDS.items():
        before: list[float] = []
        for name in names:
            line, by_set = measured(args, f"{name}-among-{kind}", Rules(), (name, *others))
            gains = [mine - theirs for mine, theirs in zip(by_set, before, strict=False)]
            print(
                line,
                f" above the level before {with_error(bootstrap(gains))}" if gains else "",
                flush=True,
            )
            before = by_set


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
        for name in LEVELS:
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
                f"{players} players  {name:<10} mean {mean:7.2f}  p50 {p50:7.2f}  p99 {p99:7.2f} ms",
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
        elif part == "flat":
            over(args, args.level or STRONGEST, "flat")
        elif part == "variants":
            variants(args)
        elif part == "field":
            field(args)
        else:
            parser.error(f"no part {part}")


if __name__ == "__main__":
    main()
