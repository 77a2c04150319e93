"""The snapshots of a move, one for each seat, written with as little work as possible.

Most of a snapshot is the same for all seats, and the same as a move ago.  So its text is kept as a page with gaps, and
a move fills only the gaps that it may have changed.  The declared fields of a View (`engine.view_fields`) say which
those are and what each seat may know of them; this module knows no field by its name.  The bytes are those that
`protocol.write` makes of a Snapshot with `view(game, seat)`; a test compares them.
"""

from collections.abc import Callable, Collection, Iterator
from functools import cache
from typing import Any

from msgspec import Raw

from foretell.engine import Event
from foretell.engine.codec import with_texts
from foretell.engine.view import RoundView, View
from foretell.engine.view_fields import (
    CARD,
    GAME_FIELDS,
    ROUND,
    ROUND_FIELDS,
    SCORE,
    TRICK,
    Change,
    Field,
    Moment,
    change_between,
)
from foretell.server.game.live_game import LiveGame
from foretell.server.wire import protocol as p

__all__ = ["SnapshotWriter"]

# JSON always escapes this character, so in a snapshot it can only be a gap.  `split` finds a long sign faster.
_SIGN = b"\0" * 16
_GAP: Any = Raw(_SIGN)
_MOST_SEATS = 6
_UNKNOWN = object()  # in place of the value that a text was written from

Owners = Callable[[Moment], Collection[int]]


def _fields_in_order() -> Iterator[tuple[Field, bool]]:
    """All fields in the order in which they are written, and whether each is one of a RoundView."""
    in_view = {one.name: one for one in GAME_FIELDS}
    in_round = {one.name: one for one in ROUND_FIELDS}
    for name in View.__struct_fields__:
        if name == "now":
            yield from [(in_round[name], True) for name in RoundView.__struct_fields__]
        else:
            yield in_view[name], False


_FIELDS = tuple(_fields_in_order())
_SOME_OWNERS = tuple({one.owners: None for one, _ in _FIELDS if one.own is not None})
"""Who may know more than everyone, of some field, at some time."""


class _Layout:
    """Which fields of a snapshot have a gap, while these owners know more than everyone.

    A gap that is filled differently for each seat ends a segment.  A segment has text at even places, and gaps that are
    filled alike for all seats at odd ones.  What is listed here by Change is a list: an enum is slow as the key of a
    dict.
    """

    def __init__(self, knowing: Collection[Owners]) -> None:
        # Fields without a gap, and whether each is one of a RoundView.
        self.lasting: list[tuple[Field, bool]] = []
        # Gaps that are alike for all seats: the segment, the place in it, and the field.
        self.alike: list[list[tuple[int, int, Field]]] = [[] for _ in range(ROUND + 1)]
        # Fields that differ, by their owners, with their places in a row of such texts.
        self.own: list[dict[Owners, list[tuple[int, Field]]]] = [{} for _ in range(ROUND + 1)]
        self.hidden: list[bytes] = []  # the row of a seat that may know nothing besides
        self.gaps = [1]  # in each segment; the number of the snapshot is in the first,
        # Who would know more of a field that is alike for all now.
        self.dormant: set[Owners] = set()
        for field, is_of_round in _FIELDS:
            # What changes with a card is asked of one seat after the other, so it always has a gap.
            if field.own is not None and (field.changes_with is CARD or field.owners in knowing):
                self._put_own(field)
                continue
            if field.own is not None and field.changes_with is not ROUND:
                self.dormant.add(field.owners)
            if field.changes_with in (CARD, TRICK):
                self._put_alike(field)
            else:
                self.lasting.append((field, is_of_round))
        self.gaps[-1] += 2  # and its events and clocks are in the last

    def _put_alike(self, field: Field) -> None:
        gap = len(self.gaps) - 1, 2 * self.gaps[-1] + 1, field
        self.alike[field.changes_with].append(gap)
        self.gaps[-1] += 1

    def _put_own(self, field: Field) -> None:
        group = self.own[field.changes_with].setdefault(field.owners, [])
        group.append((len(self.hidden), field))
        self.hidden.append(p.write(field.hidden))
        self.gaps.append(0)


@cache
def _layout_with(are_knowing: tuple[bool, ...]) -> _Layout:
    return _Layout([one for one, is_one in zip(_SOME_OWNERS, are_knowing, strict=True) if is_one])


def _layout(moment: Moment) -> _Layout:
    return _layout_with(tuple([bool(owners(moment)) for owners in _SOME_OWNERS]))


class SnapshotWriter:
    """Writes the snapshots of one table."""

    def __init__(self) -> None:
        self._page: _Page | None = None

    def snapshots(
        self,
        live: LiveGame,
        seats: Collection[int | None],
        events: tuple[Event, ...],
        clocks: tuple[p.Clock, ...],
    ) -> dict[int | None, bytes]:
        """One message for each of these seats; None is a spectator's."""
        if not seats:
            return {}
        page, self._page = self._page, None  # after an error, the next page is a new one
        change = ROUND if page is None else page.change_to(live, seats)
        if page is None or change is ROUND:
            layout = _layout(live.moment)
            if page is None or page.layout is not layout or page.seats != seats:
                page = _Page(layout, seats)
        found = page.written(live, change, events, clocks)
        self._page = page
        return found


class _Page:
    """A snapshot with gaps for all that changes with a card, and all that differs between seats.

    `_view` has the values of everything else, from which the text between the gaps is written.  `_rows` has for each
    seat the texts that belong between the segments.
    """

    def __init__(self, layout: _Layout, seats: Collection[int | None]) -> None:
        self.layout, self.seats = layout, seats
        self._live: LiveGame | None = None  # as it was written last
        now: dict[str, Any] = dict.fromkeys(RoundView.__struct_fields__, _GAP)
        self._view: Any = dict.fromkeys(View.__struct_fields__, _GAP) | {"now": now}
        self._lasting = [
            (now if is_of_round else self._view, one) for one, is_of_round in layout.lasting
        ]
        self._written_from = [_UNKNOWN] * len(self._lasting)
        self._segments = [[b""] * (2 * gaps + 1) for gaps in layout.gaps]
        self._alike: list[list[tuple[list[bytes], int, Any]]] = [
            [(self._segments[at], place, one.public) for at, place, one in gaps if not one.added]
            for gaps in layout.alike
        ]
        self._growing: list[tuple[list[bytes], int, Any, list[bytes]]] = [
            (self._segments[at], place, one.added, [])
            for at, place, one in layout.alike[TRICK]
            if one.added
        ]
        self._rows = {seat: list(layout.hidden) for seat in seats}
        self._own = [[_OwnFields(*group) for group in groups.items()] for groups in layout.own]
        self._pieces = [b""] * (2 * len(layout.hidden) + 1)

    def change_to(self, live: LiveGame, seats: Collection[int | None]) -> Change:
        """What has changed since the page was written."""
        was = self._live
        if was is None or self.seats is not seats or was.id != live.id:
            return ROUND
        change = change_between(was.game, live.game)
        if change is TRICK or change is SCORE:
            for owners in self.layout.dormant:
                if owners(live.moment):
                    return ROUND  # a field differs now that was alike for all
        return change

    def written(
        self,
        live: LiveGame,
        change: Change,
        events: tuple[Event, ...],
        clocks: tuple[p.Clock, ...],
    ) -> dict[int | None, bytes]:
        """The page for each seat.  Only what `change` may have changed is written again."""
        moment, segments, pieces, write = live.moment, self._segments, self._pieces, p.write
        self._live = live
        if change is not CARD:
            if change is not TRICK:
                self._write_text(live, change)
            self._fill(TRICK, moment)
            self._fill_growing(moment)
        self._fill(CARD, moment)
        segments[0][1] = write(live.number)
        segments[-1][-4] = write(events)
        segments[-1][-2] = write(clocks)
        pieces[::2] = map(b"".join, segments)
        found: dict[int | None, bytes] = {}
        for seat, row in self._rows.items():
            pieces[1::2] = row
            found[seat] = b"".join(pieces)
        return found

    def _fill(self, change: Change, moment: Moment) -> None:
        """Fills the gaps of the fields that change with this."""
        write = p.write
        for segment, place, public in self._alike[change]:
            segment[place] = write(public(moment))
        for group in self._own[change]:
            group.fill(self._rows, moment)

    def _fill_growing(self, moment: Moment) -> None:
        for segment, place, added, items in self._growing:
            items.extend(map(p.write, added(moment, len(items))))
            segment[place] = b"[%b]" % b",".join(items)

    def _write_text(self, live: LiveGame, change: Change) -> None:
        """Writes the text between the gaps, and fills those gaps that a trick leaves as they are."""
        moment = live.moment
        for number, (values, field) in enumerate(self._lasting):
            if field.changes_with > change:
                continue
            value = field.hidden if field.public is None else field.public(moment)
            # A value that is the same object as before is not written again.
            if value is not self._written_from[number]:
                self._written_from[number] = value
                values[field.name] = Raw(p.write(value))
        self._fill(SCORE, moment)
        if change is ROUND:
            self._fill(ROUND, moment)
            for *_, items in self._growing:
                items.clear()
        texts = p.write(p.Snapshot(live.id, _GAP, self._view, _GAP, _GAP)).split(_SIGN)
        start = 0
        for segment in self._segments:
            end = start + (len(segment) + 1) // 2
            segment[::2] = texts[start:end]
            start = end


class _OwnFields:
    """Fields that change together and of which the same seats may know more than everyone."""

    def __init__(self, owners: Owners, fields: list[tuple[int, Field]]) -> None:
        self._owners_of = owners
        self._owners: Collection[int] = ()  # at the last move
        # Places in a row, with what everyone may know.
        self._public = [(place, field.public) for place, field in fields if field.public]
        # The same for owners, with the text of whoever is none, and the value that each owner's was written from.
        self._own: list[tuple[int, Any, bytes, list[Any]]] = [
            (place, field.own, p.write(field.hidden), [_UNKNOWN] * _MOST_SEATS)
            for place, field in fields
        ]

    def fill(self, rows: dict[int | None, list[bytes]], moment: Moment) -> None:
        """Fills the rows of the owners, and hides the fields from former owners."""
        was, owners = self._owners, self._owners_of(moment)
        if owners is not was:
            self._owners = owners
            for seat in was:
                if seat not in owners:
                    self._hide_from(seat, rows)
        for place, own, _, written_from in self._own:
            for seat in owners:
                value = own(moment, seat)
                if value is not written_from[seat]:
                    written_from[seat] = value
                    if seat in rows:  # somebody is connected there
                        rows[seat][place] = p.write(with_texts(value))
        for place, public in self._public:
            text = p.write(public(moment))
            for other, row in rows.items():
                if other not in owners:
                    row[place] = text

    def _hide_from(self, seat: int, rows: dict[int | None, list[bytes]]) -> None:
        for place, _, hidden, written_from in self._own:
            written_from[seat] = _UNKNOWN
            if seat in rows:
                rows[seat][place] = hidden
