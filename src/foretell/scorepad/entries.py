"""What is written on a pad, one value for each entry.  A pad is the list of its entries; the last can be undone."""

import msgspec

__all__ = ["Bid", "Cloud", "Correction", "Entry", "Tricks"]


class _Entry(
    msgspec.Struct, frozen=True, tag_field="entry", tag=str.lower, forbid_unknown_fields=True
):
    pass


class Bid(_Entry, frozen=True):
    """B1: the tricks that a seat bids in the current round."""

    seat: int
    tricks: int


class Tricks(_Entry, frozen=True):
    """K5: the tricks that a seat has won in the current round."""

    seat: int
    tricks: int


class Cloud(_Entry, frozen=True, omit_defaults=True):
    """X8: the seat that won the trick with the Cloud, and the change of its bid; None and 0 if nobody won it."""

    seat: int | None = None
    change: int = 0


class Correction(_Entry, frozen=True, omit_defaults=True):
    """A whole round as it should have been written: an earlier one or the current one."""

    round: int  # its number
    bids: tuple[int | None, ...]  # as made, before the Cloud's change
    won: tuple[int | None, ...]
    cloud: Cloud | None = None


Entry = Bid | Tricks | Cloud | Correction
