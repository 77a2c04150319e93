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
_NULL, _NONE = b"null", b"[]"
_SEATS = [p.write(seat) for seat in range(6)]


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
        seen = playing.shown
        owns = own(playing.game, seen, [seat for seat in seats if seat is not None])
        gaps = [name for name in _SOMETIMES if getattr(owns[0], name) is not UNSET] if owns else []
        parts = _parted(
            p.write(
                p.Snapshot(
                    game=playing.id,
                    number=playing.number,
                    view=self._with_gaps(playing, gaps),
                    events=events,
                    clocks=clocks,
                )
            )
        )
        found: dict[int | None, bytes] = {}
        for mine in owns:
            parts[1::2] = self._texts(mine, gaps)
            found[mine.seat] = b"".join(parts)
        if None in seats:
            # A spectator has nothing of its own: the gaps are filled with what everyone may know.
            parts[1::2] = [
                _NULL,
                _NULL,
                *[p.write(getattr(seen.now, name)) for name in gaps],
                _NULL,
                _NONE,
            ]
            found[None] = b"".join(parts)
        return found

    def _texts(self, mine: Own, gaps: list[str]) -> list[bytes]:
        """What goes into the gaps; a hand that has not changed is not written again."""
        hand = mine.hand
        return [
            _SEATS[mine.seat],
            _NULL if hand is None else self._raw(mine.seat, hand, hand),
            *[p.write(getattr(mine, name)) for name in gaps],
            _NULL if mine.decision is None else p.write(mine.decision),
            p.write([one.text for one in mine.legal]) if mine.legal else _NONE,
        ]

    def _with_gaps(self, playing: Playing, gaps: list[str]) -> View:
        """The public View with its large parts already written, and gaps where each seat has something of its own."""
        seen, now = playing.shown, playing.shown.now
        assert now is not None  # nothing is told before the first deal
        tricks = self._raw("tricks", playing.game.rounds[-1].tricks, now.tricks)
        return replace(
            seen,
            rules=self._raw("rules", seen.rules, seen.rules),
            seat=_GAP,
            sheet=self._raw("sheet", seen.sheet, seen.sheet),
            now=replace(now, hand=_GAP, tricks=tricks, **dict.fromkeys(gaps, _GAP)),
            decision=_GAP,
            legal=_GAP,
        )

    def _raw(self, name: str | int, key: Any, value: Any) -> Any:
        found = self._written.get(name)
        if found is None or found[0] is not key:
            found = self._written[name] = (key, Raw(p.write(value)))
        return found[1]


def _parted(text: bytes) -> list[bytes]:
    """The text between the gaps, at the even places; the odd ones are for what goes into them."""
    between = text.split(_SIGN)
    parts = [b""] * (2 * len(between) - 1)
    parts[::2] = between
    return parts
