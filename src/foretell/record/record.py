"""A game as it is recorded: what was played, which players were programs, and the proof of its deals."""

from dataclasses import dataclass

from foretell.engine import Game

__all__ = ["Proof", "Record"]


@dataclass(frozen=True, slots=True)
class Proof:
    """Fair deals as a record carries them: `secret` (hex) is None until the game is over.

    `hashes` has the hash by which each seat fixed its word: None for a seat without one, nothing if no seat had one.
    """

    commit: str
    words: tuple[str, ...]
    secret: str | None = None
    hashes: tuple[str | None, ...] = ()


@dataclass(frozen=True, slots=True)
class Record:
    """One game; `bots` has the name of the program for each seat that a program plays."""

    game: Game
    bots: tuple[str | None, ...] = ()
    fair: Proof | None = None
