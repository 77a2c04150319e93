"""The snapshots of a move, one for each seat, written with as little work as possible.

Most of a snapshot is the same for all seats, and the same as a move ago.  So its text is kept with gaps, as a page, and
a move fills in only the fields that it has changed.  Which those are, and what may stand in them, is said by the
declared fields of a View (`engine.view_fields`); this module knows no field by its name.  The bytes are those that
`protocol.write` makes of a Snapshot with `view(game, seat)`; a test compares them.
"""

from collections.abc import Callable, Collection, Sequence
from typing import Any

from msgspec import Raw

from foretell.engine import Event
from foretell.engine.codec import with_texts
from foretell.engine.view import RoundView, View
from foretell.engine.view_fields import (
    GAME_FIELDS,
    ROUND_FIELDS,
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


def _gap(key: object) -> Any:
    return Raw(b"%b%b%b" % (_SIGN, str(key).encode(), _SIGN))


def _template() -> list[bytes]:
    """A snapshot in which every value is a gap: the text between gaps, and their keys, in turn.

    The key of a field is its place in `_FIELDS`, since a View and a RoundView could have fields of the same name.
    """
    gaps = [_gap(key) for key in range(len(_FIELDS))]
    in_view = dict(zip((one.name for one in GAME_FIELDS), gaps, strict=False))
    in_round = dict(zip((one.name for one in ROUND_FIELDS), gaps[len(GAME_FIELDS) :], strict=True))
    view = View(now=RoundView(**in_round), **in_view)
    frame = {name: _gap(name) for name in _FRAME}
    return p.write(p.Snapshot(view=view, **frame)).split(_SIGN)


_TEMPLATE = _template()


class _Text:
    """A value, and how it is written.  A value that is the same object as before is not written again."""

    __slots__ = ("text", "value")

    def __init__(self, text: bytes = b"null") -> None:
        self.value: Any = None
        self.text = text

    def of(self, value: Any) -> bytes:
        if value is not self.value:
            self.value, self.text = value, p.write(value)
        return self.text


def _alike(change: Change) -> list[tuple[bytes, Callable[[Moment], Any]]]:
    """The fields that this changes and that have the same value for all seats: their keys, and how to find them."""
    return [
        (b"%d" % key, one.public)
        for key, one in enumerate(_FIELDS)
        if one.changes_with is change
        and one.public is not None
        and one.own is None
        and one.added is None
    ]


_STAYING, _BY_TRICK, _BY_CARD = map(_alike, (Change.ROUND, Change.TRICK, Change.CARD))
_GROWING = [(b"%d" % key, one.added) for key, one in enumerate(_FIELDS) if one.added is not None]
_OWN_KEYS = [key for key in _TEMPLATE[1::2] if key.isdigit() and _FIELDS[int(key)].own is not None]


class _Own:
    """Fields that change together and whose values differ for the same seats.

    A field's place is its place among all fields that differ between seats.
    """

    def __init__(self, fields: Sequence[Field]) -> None:
        self.owners = fields[0].owners
        self.public: list[tuple[int, Callable[[Moment], Any]]] = []
        self.own: list[tuple[int, Callable[[Moment, int], Any]]] = []
        for one in fields:
            place = _OWN_KEYS.index(b"%d" % _FIELDS.index(one))
            if one.public is not None:
                self.public.append((place, one.public))
            if one.own is not None:
                self.own.append((place, one.own))


def _own(change: Change) -> list[_Own]:
    by_owners: dict[Any, list[Field]] = {}
    for one in _FIELDS:
        if one.own is not None and one.changes_with is change:
            by_owners.setdefault(one.owners, []).append(one)
    return list(map(_Own, by_owners.values()))


_OWN_STAYING, _OWN_BY_TRICK, _OWN_BY_CARD = map(_own, (Change.ROUND, Change.TRICK, Change.CARD))
_OWN_GROUPS = (*_OWN_STAYING, *_OWN_BY_TRICK, *_OWN_BY_CARD)
_HIDDEN = [p.write(_FIELDS[int(key)].hidden) for key in _OWN_KEYS]
_UNKNOWN = object()  # in place of a value that a row was not written from


class SnapshotWriter:
    """Writes the snapshots of one table.  It keeps the page of the last move, and the texts of what rarely changes."""

    def __init__(self) -> None:
        self._page: _Page | None = None
        self._kept = {key: _Text() for key, _ in _STAYING}

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
        change = Change.ROUND if page is None else page.change_to(live, seats)
        if page is None or change is Change.ROUND:
            page = self._page = _Page(live, seats, self._kept)
        return page.filled(live, change, events, clocks)


_Place = tuple[list[bytes], int]
"""A gap: the segment that it is in, and where in there."""


class _Page:
    """A snapshot with gaps for what changes more often than `Change.ROUND`, and for what differs between seats.

    `_segments` are the text between the values of one seat, each in parts with the gaps that all seats share.  `_rows`
    has for each seat what belongs between the segments, with the values that this was written from.
    """

    def __init__(
        self, live: LiveGame, seats: Collection[int | None], kept: dict[bytes, _Text]
    ) -> None:
        self._id, self._game, self._seats = live.id, live.game, seats
        moment = live.moment
        fixed = {key: kept[key].of(public(moment)) for key, public in _STAYING}
        fixed[b"game"] = p.write(live.id)
        self._segments, places = _cut(fixed)
        self._frame = [places[key] for key in (b"number", b"events", b"clocks")]
        self._by_card = [(*places[key], public, _Text()) for key, public in _BY_CARD]
        self._by_trick = [(*places[key], public, _Text()) for key, public in _BY_TRICK]
        self._growing = [(*places[key], added, list[bytes]()) for key, added in _GROWING]
        self._shown = [_Text(text) for text in _HIDDEN]
        self._rows = {seat: (list(_HIDDEN), [_UNKNOWN] * len(_HIDDEN)) for seat in seats}
        self._owners: dict[_Own, Collection[int]] = dict.fromkeys(_OWN_GROUPS, ())
        self._pieces = [b""] * (2 * len(_OWN_KEYS) + 1)
        self._fill_own(_OWN_STAYING, moment)

    def change_to(self, live: LiveGame, seats: Collection[int | None]) -> Change:
        """What has changed since the page was filled; with `Change.ROUND` it is of no more use."""
        if self._seats != seats or self._id != live.id:
            return Change.ROUND
        return change_between(self._game, live.moment.game)

    def filled(
        self,
        live: LiveGame,
        change: Change,
        events: tuple[Event, ...],
        clocks: tuple[p.Clock, ...],
    ) -> dict[int | None, bytes]:
        """The page for each seat; only what this may have changed is written anew."""
        moment, pieces = live.moment, self._pieces
        self._game = moment.game
        if change is not Change.CARD:
            self._fill(self._by_trick, moment)
            self._fill_growing(moment)
            self._fill_own(_OWN_BY_TRICK, moment)
        self._fill(self._by_card, moment)
        self._fill_own(_OWN_BY_CARD, moment)
        (head, number), (tail, events_place), (_, clocks_place) = self._frame
        head[number] = b"%d" % live.number
        tail[events_place] = p.write(events)
        tail[clocks_place] = p.write(clocks)
        pieces[::2] = map(b"".join, self._segments)
        found: dict[int | None, bytes] = {}
        for seat, (row, _) in self._rows.items():
            pieces[1::2] = row
            found[seat] = b"".join(pieces)
        return found

    def _fill(self, gaps: list[Any], moment: Moment) -> None:
        for segment, place, public, kept in gaps:
            value = public(moment)
            if value is not kept.value:
                kept.value = value
                segment[place] = p.write(value)

    def _fill_growing(self, moment: Moment) -> None:
        for segment, place, added, items in self._growing:
            items.extend(map(p.write, added(moment, len(items))))
            segment[place] = b"[%b]" % b",".join(items)

    def _fill_own(self, groups: list[_Own], moment: Moment) -> None:
        rows, shown = self._rows, self._shown
        for group in groups:
            owners, was = group.owners(moment), self._owners[group]
            if owners != was:
                self._owners[group] = owners
                for seat in was:
                    if seat not in owners and seat in rows:
                        row, values = rows[seat]
                        for place, _ in group.own:
                            row[place], values[place] = shown[place].text, _UNKNOWN
            for place, public in group.public:
                value = public(moment)
                if value is not shown[place].value:
                    text = shown[place].of(value)
                    for other, (row, _) in rows.items():
                        if other not in owners:
                            row[place] = text
            for seat in owners:
                if seat in rows:
                    row, values = rows[seat]
                    for place, own in group.own:
                        value = own(moment, seat)
                        if value is not values[place]:
                            values[place] = value
                            row[place] = p.write(
                                with_texts(value) if type(value) is tuple else value
                            )


def _cut(fixed: dict[bytes, bytes]) -> tuple[list[list[bytes]], dict[bytes, _Place]]:
    """The template in segments, with these gaps filled, and the places of the others."""
    segment = [_TEMPLATE[0]]
    segments, places = [segment], dict[bytes, _Place]()
    for key, text in zip(_TEMPLATE[1::2], _TEMPLATE[2::2], strict=True):
        if key in fixed:
            segment[-1] += fixed[key] + text
        elif key in _OWN_KEYS:
            segment = [text]
            segments.append(segment)
        else:
            places[key] = segment, len(segment)
            segment += (b"null", text)
    return segments, places
