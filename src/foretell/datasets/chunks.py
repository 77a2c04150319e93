"""Plays games in chunks and writes each chunk as one file for each table.

A chunk depends on the seed and on the numbers of its games, and on nothing else.  So chunks can be written in any
order, by any number of workers, and a chunk that was lost can be written again: the files are the same.  A file gets
its name only when it is complete.
"""

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from random import Random
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

from foretell.bots import bot, play_out
from foretell.bots.simple.counting import kernel_words
from foretell.datasets.columns import TABLES
from foretell.datasets.engine_tables import tables_of_games
from foretell.datasets.kernel_tables import tables_of_noted
from foretell.deals import seeded
from foretell.engine import Game, new_game
from foretell.kernel.bulk.noted_games import note_games
from foretell.kernel.bulk.playouts import cores
from foretell.kernel.bulk.policies import PLAIN, RANDOM
from foretell.kernel.state.tables import compile_rules
from foretell.rules import Rules

__all__ = ["Chunk", "chunks_of", "is_written", "write_chunk", "written"]

FORMAT = "foretell-games/1"
_POLICIES = {"random": RANDOM, "counting": PLAIN}
_GAMES = 5_000  # of a chunk that the kernel plays: some 60 MB while it is written
_SLOW_GAMES = 50  # of a chunk whose bots play on the engine


@dataclass(frozen=True, slots=True)
class Chunk:
    """Games that are played and written together.  All that a worker needs is in here."""

    rules: Rules
    players: int
    bot: str
    seed: int
    first: int  # the number of the first game
    count: int

    @property
    def file(self) -> str:
        """The name of its files."""
        return f"{self.first:09d}.parquet"


def chunks_of(rules: Rules, players: int, name: str, seed: int, games: int) -> Iterator[Chunk]:
    """The chunks that so many games are divided into: always the same, whoever writes them."""
    size = _GAMES if name in _POLICIES else _SLOW_GAMES
    for first in range(0, games, size):
        yield Chunk(rules, players, name, seed, first, min(size, games - first))


def write_chunk(chunk: Chunk, folder: Path) -> Chunk:
    """Plays a chunk and writes its files, one in the folder of each table."""
    for name, table in _tables(chunk).items():
        place = folder / name
        place.mkdir(parents=True, exist_ok=True)
        unfinished = place / f".{chunk.file}.part"
        described = table.replace_schema_metadata(_described(chunk))
        pq.write_table(
            described, unfinished, compression="zstd", use_dictionary=_dictionaries(table)
        )
        unfinished.replace(place / chunk.file)
    return chunk


def is_written(chunk: Chunk, folder: Path) -> bool:
    """Whether the folder has all files of this chunk, and of no other one by the same name."""
    files = [folder / name / chunk.file for name in TABLES]
    if not all(file.exists() for file in files):
        return False
    expected = {key.encode(): text.encode() for key, text in _described(chunk).items()}
    return all(pq.read_schema(file).metadata == expected for file in files)


def written(chunks: Iterator[Chunk], folder: Path) -> Iterator[Chunk]:
    """Writes chunks on all cores; yields each when it is on disk."""
    with ThreadPoolExecutor(cores()) as pool:
        yield from pool.map(lambda chunk: write_chunk(chunk, folder), chunks)


def _tables(chunk: Chunk) -> dict[str, Any]:
    policy = _POLICIES.get(chunk.bot)
    if policy is None:
        numbers = range(chunk.first, chunk.first + chunk.count)
        return tables_of_games([(number, _game(chunk, number)) for number in numbers], chunk.bot)
    tables = compile_rules(chunk.rules, chunk.players)
    noted = note_games(
        tables,
        chunk.first,
        chunk.count,
        seed=chunk.seed % 2**62,  # the kernel takes no negative seeds
        policies=[policy] * chunk.players,
        words=kernel_words(tables),
    )
    return tables_of_noted(noted, chunk.bot)


def _game(chunk: Chunk, number: int) -> Game:
    """The game that `foretell simulate` plays under this number."""
    names = [f"P{seat}" for seat in range(chunk.players)]
    game = new_game(chunk.rules, names, first_dealer=number % chunk.players)
    dealing, chance = seeded(f"{chunk.seed}/{number}"), Random(f"{chunk.seed}/{number}")
    return play_out(game, [bot(chunk.bot)] * chunk.players, dealing, chance)


def _dictionaries(table: Any) -> list[str]:
    """Columns whose values are written as places in a list; for small numbers that is the shortest form."""
    return [field.name for field in table.schema if not pa.types.is_nested(field.type)]


def _described(chunk: Chunk) -> dict[str, str]:
    """What stands in each file besides the columns."""
    return {
        "format": FORMAT,
        "rules": repr(chunk.rules),
        "players": str(chunk.players),
        "bot": chunk.bot,
        "seed": str(chunk.seed),
        "games": f"{chunk.first} to {chunk.first + chunk.count - 1}",
    }
