"""A move is told to everyone at once, and most of it is the same for all: that part is written once.

The public View is written with holes where a seat has something of its own; for each seat the holes are filled.  The
bytes are those that `protocol.write` would make of each snapshot; a test holds them to that.
"""

from collections.abc import Iterable
from typing import Any

from msgspec import Raw
from msgspec.structs import replace

from foretell.engine import Event, Game, View
from foretell.engine.view import Own, own, public
from foretell.server import protocol as p
from foretell.server.playing import Playing

__all__ = ["Writing"]

_GAP = b"\0"  # JSON writes this sign otherwise: no text has it but where a hole is
_HOLE: Any = Raw(_GAP)


class Writing:
    """Remembers what it wrote of the rules, the sheet and the tricks for as long as they are the same objects."""

    def __init__(self) -> None:
        self._written: dict[str, tuple[Any, Raw]] = {}

    def snapshots(
        self,
        playing: Playing,
        seats: Iterable[int | None],
        events: tuple[Event, ...],
        clocks: tuple[p.Clock, ...],
    ) -> dict[int | None, bytes]:
        """One message for each of these seats."""
        game, shown = playing.game, public(playing.game)

        def written(seen: View) -> bytes:
            return p.write(
                p.Snapshot(
                    game=playing.id,
                    number=playing.number,
                    view=seen,
                    events=events,
                    clocks=clocks,
                )
            )

        common = self._with_shared(game, shown)
        parts = _parted(written(_with_holes(common)))
        return {
            seat: written(common) if seat is None else self._filled(parts, own(game, seat, shown))
            for seat in seats
        }

    def _filled(self, parts: list[bytes], mine: Own) -> bytes:
        """The holes filled in; written in one go with a gap between any two, and then parted there."""
        fields = (
            mine.seat,
            _HOLE,
            self._raw(f"hand {mine.seat}", mine.hand, mine.hand),
            _HOLE,
            mine.foreseen,
            _HOLE,
            mine.bids,
            _HOLE,
            mine.needs,
            _HOLE,
            mine.passes,
            _HOLE,
            mine.standing,
            _HOLE,
            mine.decision,
            _HOLE,
            mine.legal,
        )
        parts[1::2] = p.write(fields)[1:-1].split(b"," + _GAP + b",")
        return b"".join(parts)

    def _with_shared(self, game: Game, seen: View) -> View:
        """The View with its large public parts already written."""
        now = seen.now
        if now is not None:
            now = replace(now, tricks=self._raw("tricks", game.rounds[-1].tricks, now.tricks))
        return replace(
            seen,
            rules=self._raw("rules", seen.rules, seen.rules),
            sheet=self._raw("sheet", seen.sheet, seen.sheet),
            now=now,
        )

    def _raw(self, name: str, key: Any, value: Any) -> Any:
        found = self._written.get(name)
        if found is None or found[0] is not key:
            found = self._written[name] = (key, Raw(p.write(value)))
        return found[1]


def _with_holes(seen: View) -> View:
    """Where a seat may have something of its own; in the order of the fields of `Own`."""
    now = seen.now
    if now is not None:
        now = replace(
            now,
            hand=_HOLE,
            foreseen=_HOLE,
            bids=_HOLE,
            needs=_HOLE,
            passes=_HOLE,
            standing=_HOLE,
        )
    return replace(seen, seat=_HOLE, now=now, decision=_HOLE, legal=_HOLE)


def _parted(text: bytes) -> list[bytes]:
    """The text between the holes, at the even places; the odd ones are for what goes into them."""
    between = text.split(_GAP)
    parts = [b""] * (2 * len(between) - 1)
    parts[::2] = between
    return parts
