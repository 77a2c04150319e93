"""What is kept, and what a store must promise.  The log of actions is the only truth about a game.

A method that writes returns once the write would survive a power cut.  `append` gives an action its number; where that
number is taken already (another process was faster), nothing is written and the answer is False.
"""

from collections.abc import Callable, Collection
from typing import Literal, Protocol

import msgspec

from foretell.cards import Colour
from foretell.rules import Rules
from foretell.server.wire.protocol import TableOptions

__all__ = ["GameRow", "LoggedAction", "Place", "Setup", "Store", "TableState"]


class Place(msgspec.Struct, frozen=True, kw_only=True):
    """A seat at a table as it is kept: who has it, and the hash of the key to it."""

    kind: Literal["open", "person", "bot"] = "open"
    name: str | None = None
    level: str | None = None
    token: str | None = None  # SHA-256, in hex
    is_ready: bool = False
    is_away: bool = False
    has_left: bool = False  # gave the seat up during a game; may come back until it is taken
    has_come: bool = True  # not yet, where the seat was taken by HTTP and no hello was said
    is_muted: bool = False
    word: str = ""


class TableState(msgspec.Struct, frozen=True, kw_only=True):
    """A table and its people.  `next_secret` is what the next game's deals will follow from."""

    id: str
    code: str
    options: TableOptions
    places: tuple[Place, ...]
    host: int | None
    next_secret: str
    phase: Literal["gathering", "playing", "over"] = "gathering"
    game: str | None = None
    games_played: int = 0
    rematch: tuple[int, ...] = ()
    are_spectators_muted: bool = False
    created: float
    changed: float


class Setup(msgspec.Struct, frozen=True, kw_only=True):
    """What a game starts from; its deals follow from `secret` and `words`."""

    rules: Rules
    names: tuple[str, ...]
    bots: tuple[str | None, ...]
    first_dealer: int
    peoples: tuple[Colour, ...] | None
    secret: str
    words: tuple[str, ...]


class LoggedAction(msgspec.Struct, frozen=True):
    """An accepted action, in a game's log."""

    number: int
    seat: int
    action: str
    by_bot: bool
    at: float


class GameRow(msgspec.Struct, frozen=True, kw_only=True):
    id: str
    table: str
    setup: Setup
    started: float
    finished: float | None = None
    record: str | None = None


class Store(Protocol):
    """Tables, games and their logs."""

    async def table(self, key: str) -> TableState | None:
        """By id or by code."""

    async def save(
        self,
        state: TableState,
        *,
        begun: GameRow | None = None,
        renamed: tuple[str, Setup] | None = None,
    ) -> None:
        """The table as it is now; with the game that begins with it, or the one that others sit at now."""

    async def append(
        self,
        game: str,
        action: LoggedAction,
        *,
        state: TableState | None = None,
        record: str | None = None,
        meanwhile: Callable[[], None] | None = None,
    ) -> bool:
        """One more action; with the table, where it changes with it, and the record, where it is the last one.

        While a disk is waited for, a store may call `meanwhile`, before it answers: it does then what would otherwise
        be done after.
        """

    async def game(self, game: str) -> GameRow | None: ...

    async def log(self, game: str) -> list[LoggedAction]:
        """The actions of a game, in order."""

    async def seats_of(self, tokens: list[str]) -> dict[str, tuple[TableState, int, float]]:
        """Which seat each of these hashes opens, and when its table last changed."""

    async def prune(self, now: float, awake: Collection[str] = ()) -> int:
        """Removes what is older than the rule of this store says; how many tables and games went.

        Tables that are awake stay, however long nobody has acted at them.
        """

    async def is_well(self) -> bool:
        """Whether a write would succeed."""

    async def close(self) -> None: ...
