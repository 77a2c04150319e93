"""What a database has to offer, so that its writes can be committed in groups and its SQL can be shared."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, Protocol, TypeVar

__all__ = ["Database", "DatabaseConnection", "Work"]


class Cursor(Protocol):
    """The rows that a statement has found, or how many it has changed."""

    @property
    def rowcount(self) -> int: ...

    def fetchone(self) -> Any: ...

    def fetchall(self) -> list[Any]: ...

    def __iter__(self) -> Iterator[Any]: ...


class DatabaseConnection(Protocol):
    """A connection.  Statements name their values: `WHERE id = :id`."""

    def execute(self, statement: str, values: Mapping[str, Any] = ..., /) -> Cursor: ...


C = TypeVar("C")

Work = tuple[Any, ...] | Callable[[C], Any]
"""A write: a row of the table `actions`, in the form that its database wants, or a function of the connection."""


class Database(Protocol[C]):
    """Where a group of writes goes.  All functions are called in the writing thread."""

    def connect(self) -> C: ...

    def commit(self, connection: C, writes: Sequence[Work[C]]) -> list[Any]:
        """Makes all the writes in one transaction, and returns the answer to each once they are on disk."""

    def roll_back(self, connection: C) -> bool:
        """Ends a transaction that has failed; whether the connection can be used again."""

    def close(self, connection: C) -> None: ...

    def is_outcome_unknown(self, error: BaseException) -> bool:
        """Whether writes that ended with this error may have been stored all the same."""

    def is_timeout(self, error: BaseException) -> bool:
        """Whether the database has not answered in time.  Then it would probably not answer the next write either."""
