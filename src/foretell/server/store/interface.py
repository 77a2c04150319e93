"""What the server stores, and what every store promises.  Everything about a game follows from the log of its actions.

A write is acknowledged only when it would survive a power cut.
"""

import asyncio
from collections.abc import Collection, Iterator
from typing import Literal, NamedTuple, Protocol, runtime_checkable

import msgspec

from foretell.cards import Colour
from foretell.rules import Rules
from foretell.server.store.bus import Bus
from foretell.server.wire.protocol import TableOptions

__all__ = [
    "Elsewhere",
    "GameRow",
    "Lease",
    "LoggedAction",
    "NewerTable",
    "OwnershipLost",
    "Peer",
    "PendingAppend",
    "Place",
    "RemovedPerson",
    "Renewal",
    "Setup",
    "SharedStore",
    "Store",
    "TableState",
    "Taken",
    "WordList",
]


class Place(msgspec.Struct, frozen=True, kw_only=True):
    """A seat at a table as it is stored: who has it, and the hash of its token."""

    kind: Literal["open", "person", "bot"] = "open"
    name: str | None = None
    level: str | None = None
    token: str | None = None  # SHA-256, in hex
    is_ready: bool = False
    is_away: bool = False
    has_left: bool = False  # left during a game; may return until someone else takes the seat
    has_come: bool = True  # False after taking the seat by HTTP, until the first hello
    is_muted: bool = False
    word: str = ""  # sent openly, for the deals of the next game
    word_hash: str | None = None  # of a word that is revealed when the next game starts
    key: str | None = None  # a hash of the player's browser key
    address: str | None = None  # a hash of the player's network address
    successor: "Place | None" = None  # the person who gets the seat with the next deal


class RemovedPerson(msgspec.Struct, frozen=True, kw_only=True):
    """Someone whom the host has removed, and hashes by which the table knows them again."""

    name: str
    key: str | None = None
    address: str | None = None


class WordList(msgspec.Struct, frozen=True, kw_only=True):
    """The words of a game that is about to begin.  They are fixed before the first of them is revealed (docs/fair.md).

    Both lists have an entry for each seat.  A word is None until it is revealed; a seat without a hash has its open
    word, or none (the empty text).
    """

    hashes: tuple[str | None, ...]
    words: tuple[str | None, ...]

    @property
    def missing(self) -> tuple[int, ...]:
        """The seats whose words are not revealed yet."""
        return tuple(seat for seat, word in enumerate(self.words) if word is None)

    @property
    def final_words(self) -> tuple[str, ...]:
        """The words from which the deals follow.  A hash takes the place of a word that was not revealed."""
        pairs = zip(self.words, self.hashes, strict=True)
        return tuple((hash_ or "") if word is None else word for word, hash_ in pairs)


class TableState(msgspec.Struct, frozen=True, kw_only=True):
    """A table and its people.  The deals of the next game will follow from `next_secret`.

    While players reveal their words for a game that has been started, `draw` has those words.  The phase is "playing"
    already, but there is no game yet.  `format` is that of everything stored about the table (`store/formats.py`).
    """

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
    draw: WordList | None = None
    removed: tuple[RemovedPerson, ...] = ()
    format: int = 1
    created: float
    changed: float

    def tokens(self) -> Iterator[tuple[str, int]]:
        """The hash of every valid token, and its seat: those of players, and of people who get a seat soon."""
        for seat, place in enumerate(self.places):
            for person in (place, place.successor):
                if person is not None and person.token is not None:
                    yield person.token, seat


class Setup(msgspec.Struct, frozen=True, kw_only=True):
    """What a game starts from; its deals follow from `secret` and `words`.

    `hashes` are those of the draw: None for a seat without one, and none at all if no seat had one.
    """

    rules: Rules
    names: tuple[str, ...]
    bots: tuple[str | None, ...]
    first_dealer: int
    peoples: tuple[Colour, ...] | None
    secret: str
    words: tuple[str, ...]
    rules_version: int = (
        1  # of the rulings (`foretell.rules.version`); games from before it was stored have 1
    )
    hashes: tuple[str | None, ...] = ()


class LoggedAction(msgspec.Struct, frozen=True):
    """An accepted action in the log of its game.  `at` is the time, in seconds since 1970."""

    number: int
    seat: int
    action: str
    by_bot: bool
    at: float


class GameRow(msgspec.Struct, frozen=True, kw_only=True):
    """A game without its actions.  A finished game has a time and a record."""

    id: str
    table: str
    setup: Setup
    started: float
    finished: float | None = None
    record: str | None = None


class Lease(msgspec.Struct):
    """The right of this process to write a table.  A store refuses a write with another epoch or another version.

    The epoch rises when a process takes the table, the version with every save.  A store that only one process uses
    ignores both.
    """

    table: str
    epoch: int = 0
    version: int = 0


class Taken(msgspec.Struct, frozen=True):
    """A table that now belongs to this process."""

    state: TableState
    lease: Lease


class Peer(NamedTuple):
    """Another process, and how to reach it."""

    id: str
    address: str
    key: str


class Elsewhere(msgspec.Struct, frozen=True):
    """A table that belongs to another process, or that only a newer process can read.

    `state` is None if this process cannot read it.
    """

    table: str
    peer: Peer
    state: TableState | None = None


class Renewal(NamedTuple):
    """After a renewal: the ids of the processes that live.

    If the lease of this process had run out, `still_ours` are the tables that it still has, with their epochs.
    """

    living: frozenset[str]
    still_ours: frozenset[tuple[str, int]] | None


class NewerTable(Exception):
    """A table was saved by a newer version of this program.  What we do not know of it would be lost if we saved it."""

    def __init__(self, table: str, format_: int) -> None:
        super().__init__(table)
        self.table, self.format = table, format_


class OwnershipLost(Exception):
    """A write was refused since the table no longer belongs to this process, or nobody knows whether it was stored.

    What this process has in memory of the table may be wrong: it must forget the table.
    """


class PendingAppend(msgspec.Struct, frozen=True):
    """An action on its way to the disk.  It can be awaited twice.

    `handed_over` is done when the store begins to write.  The disk is busy from then on, so this is a good moment to
    prepare the messages about the action.  It says nothing about success.

    `stored` is True once the action is on disk.  It is False if the table no longer belongs to this process, or if it
    is not known whether the action was stored.  It raises if nothing was written.
    """

    handed_over: asyncio.Future[None]
    stored: asyncio.Future[bool]


class Store(Protocol):
    """Tables, games and their logs."""

    async def table(self, key: str) -> TableState | None:
        """A table by its id or its code.  Raises NewerTable if this version cannot read it."""

    # Ownership

    async def add(self, state: TableState) -> Lease | None:
        """Stores a new table, which belongs to this process; None if its code is in use."""

    async def take(self, state: TableState) -> Taken | Elsewhere | None:
        """Makes a sleeping table this process's own, unless a living process has it; None if there is no such table."""

    async def release(self, leases: Collection[Lease]) -> None:
        """Gives tables back, so that any process can take them."""

    # Writing.  A write raises OwnershipLost if it is refused, or if its outcome is unknown.

    async def save(
        self,
        state: TableState,
        *,
        lease: Lease,
        begun: GameRow | None = None,
        renamed: tuple[str, Setup] | None = None,
    ) -> None:
        """Stores a table, and with it a game that begins, or the new setup of a game whose players have changed."""

    def append(
        self,
        game: str,
        action: LoggedAction,
        *,
        lease: Lease,
        state: TableState | None = None,
        record: str | None = None,
        renamed: Setup | None = None,
    ) -> PendingAppend:
        """Adds an action to the log of its game.

        `state` is the table, if the action changes it.  `record` is the record of the game, if the action is the last.
        `renamed` is the new setup of the game, if people take over seats with the deal that follows.
        """

    # Reading

    async def game(self, game: str) -> GameRow | None: ...

    async def log(self, game: str) -> list[LoggedAction]:
        """The actions of a game, in order."""

    async def seats_of(self, tokens: list[str]) -> dict[str, tuple[TableState, int, float]]:
        """For each known hash of a token: its table, its seat, and when the table last changed."""

    async def review(self, game: str) -> bytes | None:
        """The stored review of a finished game."""

    async def save_review(self, game: str, review: bytes, made: float) -> None:
        """Stores a review.  Only so many are kept: the oldest are dropped."""

    # Pruning

    async def prunes(self) -> bool:
        """Whether this process deletes old data: one of those that live."""

    async def old_tables(self, now: float, most: int) -> list[tuple[str, str]]:
        """The ids and codes of tables that have not changed for too long, but at most so many."""

    async def delete_old_tables(self, now: float, tables: Collection[str]) -> int:
        """Deletes those of these tables that are still too old, with their unfinished games; returns how many."""

    async def delete_old_games(self, now: float, most: int) -> int:
        """Deletes finished games that are too old, but at most so many; returns how many."""

    async def pruning_time(self) -> float | None:
        """The time by which old data was last deleted; before the first time, that of the newest change."""

    async def set_pruning_time(self, time: float) -> None: ...

    async def is_well(self) -> bool:
        """Whether a write would succeed."""

    async def close(self) -> None: ...


@runtime_checkable
class SharedStore(Protocol):
    """What a store has besides, if several processes share it."""

    @property
    def lease(self) -> float:
        """For how many seconds a process keeps its tables without renewing."""

    @property
    def name(self) -> str:
        """The id of this process."""

    @property
    def bus(self) -> Bus:
        """Carries small news between the processes."""

    async def renew(self) -> Renewal:
        """Renews the lease of this process.  It waits for nothing else, and fails long before the lease runs out."""

    async def peers(self) -> list[Peer]:
        """All living processes, this one too."""

    async def reader_of(self, newer: NewerTable) -> Peer | None:
        """A living process that can read such a table: its owner, if it has one."""

    async def publish(self, listed: bytes) -> None:
        """Stores which public tables this process has."""

    async def listings(self) -> list[bytes]:
        """What the other living processes have published."""
