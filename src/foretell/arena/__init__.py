"""Measures how strong bots are: the same deals are played in every seating (docs/bots.md)."""

from foretell.arena.match import GameResult, Match, play_set
from foretell.arena.players import Fault, Guarded, Outside, player
from foretell.arena.run import Standing, run_match, standings

__all__ = [
    "Fault",
    "GameResult",
    "Guarded",
    "Match",
    "Outside",
    "Standing",
    "play_set",
    "player",
    "run_match",
    "standings",
]
