"""The snapshots of a move, one for each seat, written with as little work as possible.

Most of a snapshot is the same for all seats, and the same as a move ago.  So its text is kept with gaps, as a page, and
a move fills in only the fields that it has changed.  The declared fields of a View (`engine.view_fields`) say which
those are and what each seat may know of them; this module knows no field by its name.  The bytes are those that
`protocol.write` makes of a Snapshot with `view(game, seat)`; a test compares them.
"""

from collections.abc import Callable, Collection
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
    TRICK,
    Change,
    Field,
    Moment,
    change_between,
)
from foretell.server.game.live_game import LiveGame
from foretell.server.wire import protocol as p

__all__ = ["SnapshotWriter"]

_FIELDS = (*GAME_FIELDS, *ROUND_FIELDS)
_FRAME = ("game", "number", "events", "clocks")  # what a Snapshot holds besides its View
_SIGN = b"\0"  # JSON always escapes this character, so here it can only be the border of a gap
_UNKNOWN = object()  # in place of the value that a text was written from


def _gap(key: object) -> Any:
    return Raw(b"%b%b%b" % (_SIGN, str(key).encode(), _SIGN))


def _template() -> list[bytes]:
    """A snapshot in which every value is a gap: the text between gaps, and their keys, in turn.

    The key of a field is its number in `_FIELDS`: a View and a RoundView may have fields of the same name.
    """
    gaps = [_gap(key) for key in range(len(_FIELDS))]
    in_view = dict(zip((one.name for one in GAME_FIELDS), gaps, strict=False))
    in_round = dict(zip((one.name for one in ROUND_FIELDS), gaps[len(GAME_FIELDS) :], strict=True))
    view = View(now=RoundView(**in_round), **in_view)
    frame = {name: _gap(name) for name in _FRAME}
    return p.write(p.Snapshot(view=view, **frame)).split(_SIGN)


_TEMPLATE = _template()


class _Own:
    """Fields that change together and that the same seats may know, by their places between the segments."""

    def __init__(self, owners: Callable[[Moment], Collection[int]], number: int) -> None:
        self.owners, self.number = owners, number
        self.public: list[tuple[int, Any]] = []
        self.own: list[tuple[int, Any]] = []
        self.hidden: list[tuple[int, bytes]] = []  # the text of a seat that may not know it


class _Layout:
    """Where everything belongs in a snapshot in which the fields of these numbers differ between seats.

    The template is cut into segments wherever a value differs.  A segment has runs of text at even places, and gaps
    that are alike for all seats at odd ones.  What stays for the round is part of a run: texts of the template and keys
    of fixed gaps, in turn.
    """

    def __init__(self, differing: frozenset[int]) -> None:
        self.segments: list[list[list[bytes]]] = [[[_TEMPLATE[0]]]]
        self.fixed: list[tuple[bytes, Field]] = []
        # By Change, as a list: an enum is slow as the key of a dict.
        self.alike: list[list[tuple[int, int, Any]]] = [[] for _ in range(len(Change) + 1)]
        self.growing: list[tuple[int, int, Any]] = []
        self.own: list[list[_Own]] = [[] for _ in range(len(Change) + 1)]
        self.groups = 0  # how many there are in `own`
        self.hidden: list[bytes] = []  # what a row has in it before anyone is shown anything
        # Who would know more of a field that is alike for all now.
        self.dormant: set[Callable[[Moment], Collection[int]]] = set()
        self.frame: dict[bytes, int] = {}  # places in the first segment, or in the last
        for key, text in zip(_TEMPLATE[1::2], _TEMPLATE[2::2], strict=True):
            if not key.isdigit():
                self._put_frame(key, text)
            elif int(key) in differing:
                self._put_own(_FIELDS[int(key)], text)
            else:
                self._put_alike(key, _FIELDS[int(key)], text)

    def _put_frame(self, key: bytes, text: bytes) -> None:
        if key == b"game":
            self.segments[-1][-1] += (key, text)
        else:
            self.frame[key] = self._gap(text)

    def _put_alike(self, key: bytes, field: Field, text: bytes) -> None:
        if field.own is not None and field.changes_with is TRICK:
            self.dormant.add(field.owners)
        if field.public is None or field.changes_with is ROUND:
            self.fixed.append((key, field))
            self.segments[-1][-1] += (key, text)
        elif field.added is not None and field.changes_with is TRICK:
            self.growing.append((len(self.segments) - 1, self._gap(text), field.added))
        else:
            gap = len(self.segments) - 1, self._gap(text), field.public
            self.alike[field.changes_with].append(gap)

    def _put_own(self, field: Field, text: bytes) -> None:
        groups = self.own[field.changes_with]
        group = next((one for one in groups if one.owners is field.owners), None)
        if group is None:
            group = _Own(field.owners, self.groups)
            self.groups += 1
            groups.append(group)
        place = len(self.hidden)
        group.own.append((place, field.own))
        if field.public is not None:
            group.public.append((place, field.public))
        self.hidden.append(p.write(field.hidden))
        group.hidden.append((place, self.hidden[place]))
        self.segments.append([[text]])

    def _gap(self, text: bytes) -> int:
        """Its place in the last segment."""
        self.segments[-1] += ([], [text])
        return len(self.segments[-1]) - 2


_layout = cache(_Layout)

_ALWAYS_DIFFER = frozenset(
    number for number, one in enumerate(_FIELDS) if one.own is not None and one.changes_with is CARD
)
_MAY_DIFFER = [
    (number, one.owners)
    for number, one in enumerate(_FIELDS)
    if one.own is not None and one.changes_with is not CARD
]


class SnapshotWriter:
    """Writes the snapshots of one table.  It keeps the page of the last move, and the texts of what rarely changes."""

    def __init__(self) -> None:
        self._page: _Page | None = None
        self._fixed: dict[bytes, tuple[Any, bytes]] = {}

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
        page = self._page
        change = ROUND if page is None else page.change_to(live, seats)
        if page is None or change is ROUND:
            page = self._page = self._new_page(live, seats)
        return page.filled(live, change, events, clocks)

    def _new_page(self, live: LiveGame, seats: Collection[int | None]) -> "_Page":
        moment, kept = live.moment, self._fixed
        layout = _layout(
            _ALWAYS_DIFFER.union([number for number, owners in _MAY_DIFFER if owners(moment)])
        )
        fixed = {b"game": p.write(live.id)}
        for key, field in layout.fixed:
            value = field.hidden if field.public is None else field.public(moment)
            # A value that is the same object as in the last round is not written again.
            if key not in kept or kept[key][0] is not value:
                kept[key] = value, p.write(value)
            fixed[key] = kept[key][1]
        return _Page(live, seats, layout, fixed)


class _Page:
    """A snapshot whose text stays for the round, with gaps for all that does not.

    `_segments` is the text, with the gaps that are alike for all seats.  `_rows` has for each seat the texts that
    belong between the segments, and the values that they were written from.
    """

    def __init__(
        self,
        live: LiveGame,
        seats: Collection[int | None],
        layout: _Layout,
        fixed: dict[bytes, bytes],
    ) -> None:
        self._id, self._game, self._seats, self._layout = live.id, live.game, seats, layout
        self._segments = [
            [b"".join([fixed.get(one, one) for one in run]) for run in segment]
            for segment in layout.segments
        ]
        self._items: list[list[bytes]] = [[] for _ in layout.growing]
        count = len(layout.hidden)
        self._rows = {seat: (list(layout.hidden), [_UNKNOWN] * count) for seat in seats}
        self._owners: list[Collection[int]] = [()] * layout.groups
        self._pieces = [b""] * (2 * count + 1)
        self._fill_own(layout.own[ROUND], live.moment)

    def change_to(self, live: LiveGame, seats: Collection[int | None]) -> Change:
        """What has changed since the page was filled; after `ROUND` it is of no use."""
        if self._seats != seats or self._id != live.id:
            return ROUND
        change = change_between(self._game, live.game)
        if change is TRICK:
            for owners in self._layout.dormant:
                if owners(live.moment):
                    return ROUND  # a field differs now that was alike for all
        return change

    def filled(
        self,
        live: LiveGame,
        change: Change,
        events: tuple[Event, ...],
        clocks: tuple[p.Clock, ...],
    ) -> dict[int | None, bytes]:
        """The page for each seat.  Only what `change` may have changed is written again."""
        moment, layout, segments, pieces = live.moment, self._layout, self._segments, self._pieces
        self._game = live.game
        if change is not CARD:
            self._fill(layout.alike[TRICK], moment)
            self._fill_growing(moment)
            self._fill_own(layout.own[TRICK], moment)
        self._fill(layout.alike[CARD], moment)
        self._fill_own(layout.own[CARD], moment)
        segments[0][layout.frame[b"number"]] = b"%d" % live.number
        segments[-1][layout.frame[b"events"]] = p.write(events)
        segments[-1][layout.frame[b"clocks"]] = p.write(clocks)
        pieces[::2] = map(b"".join, segments)
        found: dict[int | None, bytes] = {}
        for seat, (row, _) in self._rows.items():
            pieces[1::2] = row
            found[seat] = b"".join(pieces)
        return found

    def _fill(self, gaps: list[tuple[int, int, Any]], moment: Moment) -> None:
        """Fills gaps that are alike for all seats."""
        segments, write = self._segments, p.write
        for segment, place, public in gaps:
            segments[segment][place] = write(public(moment))

    def _fill_growing(self, moment: Moment) -> None:
        for (segment, place, added), items in zip(self._layout.growing, self._items, strict=True):
            items.extend(map(p.write, added(moment, len(items))))
            self._segments[segment][place] = b"[%b]" % b",".join(items)

    def _fill_own(self, groups: list[_Own], moment: Moment) -> None:
        """Fills the rows of the seats that may know more than everyone, and of those that no longer do."""
        rows, shown, write = self._rows, self._owners, p.write
        for group in groups:
            owners, was = group.owners(moment), shown[group.number]
            if group.public:
                self._show(group, owners, moment)
            elif owners is not was:
                for seat in was:
                    if seat not in owners and seat in rows:
                        row, values = rows[seat]
                        for place, hidden in group.hidden:
                            row[place], values[place] = hidden, _UNKNOWN
            shown[group.number] = owners
            for seat in owners:
                if seat in rows:  # somebody is connected there
                    row, values = rows[seat]
                    for place, own in group.own:
                        value = own(moment, seat)
                        if value is not values[place]:
                            values[place] = value
                            row[place] = write(with_texts(value))

    def _show(self, group: _Own, owners: Collection[int], moment: Moment) -> None:
        """Fills the rows of all others, and of spectators, with what everyone may know."""
        for place, public in group.public:
            text = p.write(public(moment))
            for seat, (row, values) in self._rows.items():
                if seat not in owners:
                    row[place], values[place] = text, _UNKNOWN
