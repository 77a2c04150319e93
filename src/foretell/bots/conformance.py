"""A test that anyone can run on their own bot:

    from foretell.bots.conformance import check
    check(MyBot())

It plays by every rulebook, with every variant, every special card and three to six players, and checks each choice.
A choice must be legal, and depend only on the view and on the `random` passed in.  It must leave the view and Python's
global `random` as they were, and be made in time.  The first choice that breaks a condition raises `Unfit`, which names
the rules and the view.
"""

import random as chance
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from random import Random
from typing import Any

import msgspec

from foretell.bots import Bot, Randomly
from foretell.cards import SPECIALS
from foretell.cards.specials import BY_KIND
from foretell.deals import seeded
from foretell.engine import View, act, awaited_seats, deal, from_json, new_game, to_json, view
from foretell.rules import DECISIONS, Rules
from foretell.rules.presets import PRESETS, preset

__all__ = ["Report", "Unfit", "check", "rule_sets"]


class Unfit(AssertionError):
    """The bot broke a condition; the message says which, and with which rules and view."""

    def __init__(self, what: str, seen: View) -> None:
        super().__init__(f"{what}\nrules: {seen.rules}\nview: {to_json(seen).decode()}")
        self.what = what
        self.view = seen


@dataclass(frozen=True, slots=True)
class Report:
    """What was checked."""

    games: int
    choices: int
    slowest: float  # seconds


def rule_sets() -> Iterator[tuple[Rules, int]]:
    """Each rulebook, each choice of each decision, the special cards one by one and all together, 3 to 6 players."""
    seen: set[tuple[Rules, int]] = set()
    for rules, counts in _all_rule_sets():
        for players in counts:
            if (rules, players) not in seen:
                seen.add((rules, players))
                yield rules, players


def _all_rule_sets() -> Iterator[tuple[Rules, Sequence[int]]]:
    for name in PRESETS:
        yield preset(name), (3, 4, 5, 6)
    for one in DECISIONS:
        for choice in one.choices:
            if one.form in ("one", "switch"):
                changes: dict[str, Any] = {one.key: choice.value}
                rules = Rules(**changes)
                yield rules, [players for players in (3, 4, 6) if rules.has_game_for(players)]
    for kind, special in BY_KIND.items():
        yield preset("pt-BR", specials=(kind.value, *special.companions)), (4,)
    everything = tuple(special.value for special in SPECIALS)
    yield preset("pt-BR", specials=everything), (3, 4, 5, 6)
    yield preset("pt-BR", specials=everything, bids="secret"), (4,)
    yield preset("pt-BR", specials=everything, plus_minus_one=True), (5,)
    yield preset("fr", foresight="every_round", bids="secret"), (4,)
    yield preset("hu", unicolor=True, bids="secret"), (4,)


def check(
    bot: Bot,
    *,
    games: int = 1,
    seed: int = 0,
    seconds: float | None = None,
    rounds: Sequence[int] | None = None,
) -> Report:
    """Plays `games` games of every rule set against random players.

    `rounds` says which rounds a game has (D6); without it, these are the first, a middle one and the last.  `seconds`
    is the time limit for a choice.
    """
    played = choices = 0
    slowest = 0.0
    for rules, players in rule_sets():
        numbers = rules.round_numbers(players)
        short = rounds or sorted({numbers[0], numbers[len(numbers) // 2], numbers[-1]})
        table = msgspec.structs.replace(rules, rounds=tuple(n for n in short if n in numbers))
        for number in range(games):
            for took in _game(bot, table, players, f"{seed}/{number}", seconds):
                choices += 1
                slowest = max(slowest, took)
            played += 1
    return Report(played, choices, slowest)


def _game(
    bot: Bot, rules: Rules, players: int, seed: str, seconds: float | None
) -> Iterator[float]:
    game = new_game(rules, [f"P{seat}" for seat in range(players)])
    dealing, others, mine = seeded(seed), Random(seed), len(seed) % players
    while not game.is_over:
        if game.awaits_deal:
            game, _ = deal(game, dealing(game))
            continue
        seat = awaited_seats(game)[0]
        seen = view(game, seat)
        if seat != mine:
            game, _ = act(game, seat, Randomly().choose(seen, others))
            continue
        written, before = to_json(seen), chance.getstate()
        started = time.perf_counter()
        chosen = bot.choose(seen, Random(seed))
        took = time.perf_counter() - started
        again = bot.choose(from_json(written), Random(seed))
        if chosen not in seen.legal:
            raise Unfit(f"{chosen} is not legal", seen)
        if chosen != again:
            raise Unfit(f"{chosen}, then {again}, for the same view and seed", seen)
        if to_json(seen) != written:
            raise Unfit("the view was changed", seen)
        if chance.getstate() != before:
            raise Unfit(
                "the choice used Python's global `random` instead of the one passed in", seen
            )
        if seconds is not None and took > seconds:
            raise Unfit(f"{took:.2f} s for a choice", seen)
        yield took
        game, _ = act(game, seat, chosen)
