"""A move is told to everyone at once, and most of it is the same for all: that part is written once.

The bytes are those that `protocol.write` would make of each snapshot; a test holds them to that.
"""

from collections.abc import Iterable
from typing import Any

from msgspec import Raw
from msgspec.structs import replace

from foretell.engine import Event, View
from foretell.engine.view import views
from foretell.server import protocol as p
from foretell.server.playing import Playing

__all__ = ["Writing"]


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
        heard, left = Raw(p.write(events)), Raw(p.write(clocks))
        now = playing.game.now
        tricks = None if now is None else now.tricks
        return {
            seat: p.write(
                p.Snapshot(
                    game=playing.id,
                    number=playing.number,
                    view=self._with_shared(seen, tricks),
                    events=heard,  # type: ignore[arg-type]
                    clocks=left,  # type: ignore[arg-type]
                )
            )
            for seat, seen in views(playing.game, seats).items()
        }

    def _with_shared(self, seen: View, tricks: Any) -> View:
        """The View with its large public parts already written."""
        now = seen.now
        if now is not None:
            now = replace(now, tricks=self._raw("tricks", tricks, now.tricks))
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
