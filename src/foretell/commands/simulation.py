"""The games of `foretell simulate`, in pieces: any process can play any of them."""

from functools import lru_cache
from random import Random
from typing import TYPE_CHECKING

import msgspec

from foretell.bots import bot, play_out
from foretell.deals import seeded
from foretell.engine import Game, new_game
from foretell.record import Record, dumps
from foretell.rules import Rules

if TYPE_CHECKING:
    from foretell.kernel.bulk.totals import Sums, Tallying

__all__ = ["Part", "Simulation", "SomeGames", "play_piece"]

_LARGEST_BATCH = 2_000  # games that are only counted
_LARGEST_PART = 100  # games whose records are written


class Simulation(msgspec.Struct, frozen=True):
    """Games of one bot against itself.  Each depends only on the seed and its number, so any can be repeated."""

    rules: Rules
    players: int
    bot: str
    seed: int

    def pieces(
        self, games: int, *, first: int = 0, is_written: bool, is_counted: bool, threads: int | None
    ) -> list["SomeGames"]:
        """Games `first` to `games`; about fifty pieces, or more if those would be large."""
        largest = _LARGEST_PART if is_written or not _Player.of(self).is_fast else _LARGEST_BATCH
        size = max(1, min(largest, games // 50))
        return [
            SomeGames(self, at, min(size, games - at), is_written, is_counted, threads)
            for at in range(first, games, size)
        ]

    def line(self, number: int) -> bytes:
        """The record of one game, as it is written."""
        return _Player.of(self).line(_Player.of(self).game(number))


class SomeGames(msgspec.Struct, frozen=True):
    """Some games in a row, and what is wanted of them."""

    simulation: Simulation
    first: int
    count: int
    is_written: bool
    is_counted: bool
    threads: int | None  # for games that are only counted


class Part(msgspec.Struct, frozen=True):
    """The records of a piece's games, and their sums."""

    count: int
    lines: bytes
    sums: "Sums | None"


def play_piece(piece: SomeGames) -> Part:
    """Plays the games of a piece."""
    from foretell.kernel.bulk.totals import Tallying  # noqa: PLC0415 - `--help` answers without it

    player = _Player.of(piece.simulation)
    counting = Tallying(player.tables)
    lines = []
    if player.is_fast and not piece.is_written:
        player.count(piece, counting)
    else:
        for number in range(piece.first, piece.first + piece.count):
            game = player.game(number)
            if piece.is_written:
                lines.append(player.line(game))
            if piece.is_counted:
                counting.add_game(game)
    sums = counting.sums if piece.is_counted else None
    return Part(piece.count, b"".join(lines), sums)


class _Player:
    """Plays the games of a simulation in one process.

    The kernel plays the bots that it knows (`random`, `counting`); the others play on the engine, from Views.
    """

    def __init__(self, simulation: Simulation) -> None:
        from foretell.bots.simple.counting import kernel_words  # noqa: PLC0415 - `--help` answers without it
        from foretell.kernel.bulk.policies import PLAIN, RANDOM  # noqa: PLC0415
        from foretell.kernel.state.tables import compile_rules  # noqa: PLC0415

        self.simulation = simulation
        self.tables = compile_rules(simulation.rules, simulation.players)
        self.words = kernel_words(self.tables)
        policy = {"random": RANDOM, "counting": PLAIN}.get(simulation.bot)
        self.policies = [] if policy is None else [policy] * simulation.players
        self.seed = simulation.seed % 2**62  # the kernel takes no negative ones

    @staticmethod
    @lru_cache(maxsize=1)
    def of(simulation: Simulation) -> "_Player":
        """The player of this simulation, made once for each process."""
        return _Player(simulation)

    @property
    def is_fast(self) -> bool:
        return bool(self.policies)

    def game(self, number: int) -> Game:
        one = self.simulation
        if self.is_fast:
            from foretell.kernel.bulk.recorded_games import played_game  # noqa: PLC0415

            return played_game(
                self.tables, number, seed=self.seed, policies=self.policies, words=self.words
            )
        names = [f"P{seat}" for seat in range(one.players)]
        game = new_game(one.rules, names, first_dealer=number % one.players)
        dealing, chance = seeded(f"{one.seed}/{number}"), Random(f"{one.seed}/{number}")
        return play_out(game, [bot(one.bot)] * one.players, dealing, chance)

    def line(self, game: Game) -> bytes:
        names = (self.simulation.bot,) * self.simulation.players
        return f"{dumps(Record(game, names))}\n".encode()

    def count(self, piece: SomeGames, counting: "Tallying") -> None:
        """Plays and adds up without making games of it."""
        from foretell.kernel.bulk.playouts import play_games  # noqa: PLC0415

        counting.add(
            play_games(
                self.tables,
                piece.count,
                seed=self.seed,
                first=piece.first,
                policies=self.policies,
                words=self.words,
                threads=piece.threads,
            )
        )
