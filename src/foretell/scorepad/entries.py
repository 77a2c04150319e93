"""What is written onto a pad, a value for each entry: a pad is the list of them, and the last can be undone."""

import msgspec

__all__ = ["Bid", "Cloud", "Correction", "Entry", "Tricks"]


class _Entry(
    msgspec.Struct, frozen=True, tag_field="entry", tag=str.lower, forbid_unknown_fields=True
):
    pass


class Bid(_Entry, frozen=True):
    """B1: the tricks that a seat foretells, in the round being played."""

    seat: int
    tricks: int


class Tricks(_Entry, frozen=True):
    """K5: the tricks that a seat has won, in the round being played."""

    seat: int
    tricks: int


class Cloud(_Entry, frozen=True, omit_defaults=True):
    """X8: who won the trick with the Cloud and how its bid changed; nobody: no seat, no change."""

    seat: int | None = None
    change: int = 0


class Correction(_Entry, frozen=True, omit_defaults=True):
    """A round as it should have been written, an earlier one or the one being played."""

    round: int  # its number
    bids: tuple[int | None, ...]  # as made: the Cloud's change is apart
    won: tuple[int | None, ...]
    cloud: Cloud | None = None


Entry = Bid | Tricks | Cloud | Correction
