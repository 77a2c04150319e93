"""Duplicate matches: a deal set is the cards of one game, which is played once in every seating.

In game number `turn` of a set, entrant e sits at seat (e + turn) mod n.  Everything follows from the seed, the number
of the set and the turn.  So any game can be played again, in any process and in any order.
"""

import time
from collections.abc import Sequence
from dataclasses import dataclass
from random import Random

import msgspec

from foretell.arena.players import Guarded, player
from foretell.bots import Bot
from foretell.deals import seeded
from foretell.engine import act, awaited_seats, deal, new_game, view
from foretell.errors import NotAGame
from foretell.rules import Rules

__all__ = ["Entrants", "GameResult", "Match", "play_set"]


class Match(msgspec.Struct, frozen=True, kw_only=True):
    """What is played: the rules, the names of the players, and how many deal sets."""

    rules: Rules
    entrants: tuple[str, ...]
    sets: int
    seed: int = 0
    limit: float = 5.0  # seconds for a program's answer

    def __post_init__(self) -> None:
        if self.sets < 1:
            raise NotAGame("no_games")
        self.rules.seats(len(self.entrants))

    @property
    def players(self) -> int:
        return len(self.entrants)


class GameResult(msgspec.Struct, frozen=True):
    """The result of one game, by entrant (not by seat)."""

    number: int  # of the deal set
    turn: int
    points: tuple[int, ...]
    wins: tuple[float, ...]  # 1 for a victory; a part of it if the victory is shared
    met: tuple[int, ...]  # bids met
    rounds: int
    seconds: tuple[float, ...]  # spent choosing
    moves: tuple[int, ...]  # choices with more than one legal action
    faults: tuple[dict[str, int], ...]
    told: tuple[dict[str, str], ...] = ()  # by kind of fault: the message of the first one

    def margin(self, entrant: int) -> float:
        """The points of this entrant minus the mean of the other seats."""
        others = sum(self.points) - self.points[entrant]
        return self.points[entrant] - others / (len(self.points) - 1)


@dataclass(slots=True)
class Entrants:
    """The entrants of a match, made once for each process."""

    bots: tuple[Bot, ...]

    @classmethod
    def of(cls, match: Match) -> "Entrants":
        made = {name: player(name, match.limit) for name in dict.fromkeys(match.entrants)}
        return cls(tuple(made[name] for name in match.entrants))

    def close(self) -> None:
        for one in self.bots:
            Guarded(one).close()


def play_set(match: Match, number: int, entrants: Entrants) -> tuple[GameResult, ...]:
    """The games of the deal set with this number, one for every seating."""
    return tuple(_game(match, number, turn, entrants.bots) for turn in range(match.players))


def _game(match: Match, number: int, turn: int, bots: Sequence[Bot]) -> GameResult:
    n = match.players
    entrant_at = [(seat - turn) % n for seat in range(n)]
    guarded = [Guarded(one) for one in bots]
    chance = [Random(f"{match.seed}/{number}/{turn}/{entrant}") for entrant in range(n)]
    seconds, moves = [0.0] * n, [0] * n
    names = [f"P{seat}" for seat in range(n)]
    game = new_game(match.rules, names, first_dealer=number % n)
    dealing = seeded(f"{match.seed}/{number}")
    while not game.is_over:
        if game.awaits_deal:
            game, _ = deal(game, dealing(game))
            continue
        seat = awaited_seats(game)[0]
        entrant = entrant_at[seat]
        seen = view(game, seat)
        started = time.perf_counter()
        chosen = guarded[entrant].choose(seen, chance[entrant])
        if len(seen.legal) > 1:
            seconds[entrant] += time.perf_counter() - started
            moves[entrant] += 1
        game, _ = act(game, seat, chosen)
    seat_of = [(entrant + turn) % n for entrant in range(n)]
    met = [sum(one.final_bids[seat] == one.won[seat] for one in game.rounds) for seat in seat_of]
    has_faults = any(one.faults for one in guarded)
    return GameResult(
        number=number,
        turn=turn,
        points=tuple(game.score[seat] for seat in seat_of),
        wins=tuple(1 / len(game.winners) if seat in game.winners else 0.0 for seat in seat_of),
        met=tuple(met),
        rounds=len(game.rounds),
        seconds=tuple(round(spent, 4) for spent in seconds),
        moves=tuple(moves),
        faults=tuple(dict(one.faults) for one in guarded),
        told=tuple(one.first_messages for one in guarded) if has_faults else (),
    )
