"""A move is told to everyone at once, and most of it is the same for all: that part is written once.

The public View is written with gaps where a seat has something of its own; for each seat the gaps are filled.  The
bytes are those that `protocol.write` would make of each snapshot; a test holds them to that.
"""

from collections.abc import Collection
from typing import Any

from msgspec import UNSET, Raw
from msgspec.structs import replace

from foretell.engine import Event, View
from foretell.engine.view import Own, own
from foretell.server import protocol as p
from foretell.server.playing import Playing

__all__ = ["Writing"]

_SIGN = b"\0"  # JSON writes this one otherwise: it is nowhere but in a gap
_GAP: Any = Raw(_SIGN)
_SOMETIMES = (
    "foreseen",
    "bids",
    "needs",
    "passes",
    "standing",
)  # fields of `Own` that may be UNSET


class Writing:
    """Remembers what it wrote of the rules, the sheet and the tricks for as long as they are the same objects."""

    def __init__(self) -> None:
        self._written: dict[str | int, tuple[Any, Raw]] = {}

    def snapshots(
        self,
        playing: Playing,
        seats: Collection[int | None],
        events: tuple[Event, ...],
        clocks: tuple[p.Clock, ...],
    ) -> dict[int | None, bytes]:
        """One message for each of these seats."""
        shown = self._with_shared(playing)
        found: dict[int | None, bytes] = {}
        if None in seats:
            found[None] = _written(playing, shown, events, clocks)
        owns = own(playing.game, playing.shown, [seat for seat in seats if seat is not None])
        if owns:
            gaps = [name for name in _SOMETIMES if getattr(owns[0], name) is not UNSET]
            parts = _parted(_written(playing, _with_gaps(shown, gaps), events, clocks))
            for mine in owns:
                parts[1::2] = self._texts(mine, gaps)
                found[mine.seat] = b"".join(parts)
        return found

    def _texts(self, mine: Own, gaps: list[str]) -> list[bytes]:
        """What goes into the gaps; a hand that has not changed is not written again."""
        return [
            p.write(mine.seat),
            bytes(self._raw(mine.seat, mine.hand, mine.hand)),
            *[p.write(getattr(mine, name)) for name in gaps],
            p.write(mine.decision),
            p.write(mine.legal),
        ]

    def _with_shared(self, playing: Playing) -> View:
        """The public View with its large parts already written."""
        seen, now = playing.shown, playing.shown.now
        if now is not None:
            tricks = playing.game.rounds[-1].tricks
            now = replace(now, tricks=self._raw("tricks", tricks, now.tricks))
        return replace(
            seen,
            rules=self._raw("rules", seen.rules, seen.rules),
            sheet=self._raw("sheet", seen.sheet, seen.sheet),
            now=now,
        )

    def _raw(self, name: str | int, key: Any, value: Any) -> Any:
        found = self._written.get(name)
        if found is None or found[0] is not key:
            found = self._written[name] = (key, Raw(p.write(value)))
        return found[1]


def _with_gaps(seen: View, gaps: list[str]) -> View:
    """The View with gaps where each seat has something of its own."""
    assert seen.now is not None
    now = replace(seen.now, hand=_GAP, **dict.fromkeys(gaps, _GAP))
    return replace(seen, seat=_GAP, now=now, decision=_GAP, legal=_GAP)


def _written(
    playing: Playing, seen: View, events: tuple[Event, ...], clocks: tuple[p.Clock, ...]
) -> bytes:
    return p.write(
        p.Snapshot(game=playing.id, number=playing.number, view=seen, events=events, clocks=clocks)
    )


def _parted(text: bytes) -> list[bytes]:
    """The text between the gaps, at the even places; the odd ones are for what goes into them."""
    between = text.split(_SIGN)
    parts = [b""] * (2 * len(between) - 1)
    parts[::2] = between
    return parts
