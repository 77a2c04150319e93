"""A move is told to everyone at once, and most of it is the same for all, and the same as a move ago.

A snapshot is written once with gaps, as a page; as long as the round is played on, the page stays and only its gaps
are filled anew: some alike for everyone, some for each seat.  The bytes are those that `protocol.write` would make of
each snapshot; a test holds them to that.
"""

from collections.abc import Collection
from functools import cache
from typing import Any, NamedTuple

from msgspec import Raw
from msgspec.structs import replace

from foretell.engine import Event, Game, Round
from foretell.engine.round import open_to
from foretell.engine.view import (
    BY_CARD,
    BY_TRICK,
    by_card,
    by_trick,
    hands,
    is_played_on,
    own,
    phase_of,
    public,
)
from foretell.server.game.live_game import LiveGame
from foretell.server.wire import protocol as p

__all__ = ["SnapshotWriter"]

_SIGN = b"\0"  # JSON writes this one otherwise: it stands around a gap's name and nowhere else


def _gaps(*names: str) -> dict[str, Any]:
    return {name: Raw(b"%b%b%b" % (_SIGN, name.encode(), _SIGN)) for name in names}


_IN_SNAPSHOT = _gaps("number", "events", "clocks")
_IN_VIEW = _gaps("seat", "phase", "awaited", "decision", "legal")
_IN_ROUND = _gaps("hand", *BY_CARD, *BY_TRICK)
_NULL, _NONE = b"null", b"[]"
_SEATS: dict[int | None, bytes] = {seat: p.write(seat) for seat in (None, *range(6))}


class SnapshotWriter:
    """Remembers the page, and what it wrote of the rules and the sheet for as long as they are the same objects."""

    def __init__(self) -> None:
        self._page: _Page | None = None
        self._written: dict[str, tuple[Any, Raw]] = {}

    def snapshots(
        self,
        playing: LiveGame,
        seats: Collection[int | None],
        events: tuple[Event, ...],
        clocks: tuple[p.Clock, ...],
    ) -> dict[int | None, bytes]:
        """One message for each of these seats."""
        if not seats:
            return {}
        page = self._page
        if page is None or not page.holds_for(playing, seats):
            page = self._page = self._begun(playing, seats)
        return page.filled(playing, events, clocks)

    def _begun(self, playing: LiveGame, seats: Collection[int | None]) -> "_Page":
        seen = public(playing.game)
        now = seen.now
        assert now is not None  # nothing is told before the first deal
        owns = {seat: {} if seat is None else own(playing.game, seen, seat) for seat in seats}
        names = max(map(tuple, owns.values()), key=len)  # a spectator has nothing of its own
        gaps = _IN_ROUND if not names else {**_IN_ROUND, **_gaps(*names)}
        view = replace(
            seen,
            rules=self._raw("rules", seen.rules),
            sheet=self._raw("sheet", seen.sheet),
            now=replace(now, **gaps),
            **_IN_VIEW,
        )
        text = p.write(p.Snapshot(game=playing.id, view=view, **_IN_SNAPSHOT))
        texts = {
            seat: [p.write(mine.get(name, getattr(now, name))) for name in names]
            for seat, mine in owns.items()
        }
        return _Page(text, playing, seats, names, texts)

    def _raw(self, name: str, value: Any) -> Any:
        found = self._written.get(name)
        if found is None or found[0] is not value:
            found = self._written[name] = (value, Raw(p.write(value)))
        return found[1]


class _Places(NamedTuple):
    """Where the gaps are among the parts of a page."""

    by_card: list[int]
    by_trick: list[int]
    own: list[int]
    seat: int
    hand: int
    decision: int
    legal: int


@cache
def _places(found: tuple[bytes, ...], own_names: tuple[str, ...]) -> _Places:
    """By the names of the gaps in the order of the text; there are few such orders."""
    places = {name.decode(): 2 * number + 1 for number, name in enumerate(found)}
    return _Places(
        [places[name] for name in ("number", *BY_CARD, "awaited", "events", "clocks")],
        [places[name] for name in ("phase", *BY_TRICK)],
        [places[name] for name in own_names],
        places["seat"],
        places["hand"],
        places["decision"],
        places["legal"],
    )


class _Page:
    """A snapshot with gaps: `parts` are the text between them at even places, and what goes into them at odd ones."""

    def __init__(
        self,
        text: bytes,
        playing: LiveGame,
        seats: Collection[int | None],
        own_names: tuple[str, ...],
        own_texts: dict[int | None, list[bytes]],
    ) -> None:
        self._parts = text.split(_SIGN)
        self._places = _places(tuple(self._parts[1::2]), own_names)
        self._own = own_texts
        self._game, self._names, self._seats = playing.id, playing.setup.names, seats
        self._now: Round | None = None  # as it was told last
        self._tricks: list[bytes] = []
        self._hands: list[Any] = [None] * 6
        self._hand_texts = [_NULL] * 6

    def holds_for(self, playing: LiveGame, seats: Collection[int | None]) -> bool:
        """Whether its text is still true."""
        return (
            self._now is not None
            and is_played_on(playing.game.rounds[-1], self._now)
            and self._seats == seats
            and self._names is playing.setup.names
            and self._game == playing.id
        )

    def filled(
        self, playing: LiveGame, events: tuple[Event, ...], clocks: tuple[p.Clock, ...]
    ) -> dict[int | None, bytes]:
        """The page for each seat."""
        now, was, awaited = playing.game.rounds[-1], self._now, playing.awaited
        self._now = now
        if was is None or now.tricks is not was.tricks or now.bids is not was.bids:
            self._fill_by_trick(playing.game, now)
        self._fill_by_card(playing, now, events, clocks)
        parts, texts = self._parts, self._hand_texts
        _, _, own_places, seat_place, hand, decision, legal = self._places
        for owner, held in enumerate(hands(now)):
            # A hand that has not changed is not written again.
            if held is not self._hands[owner]:
                self._hands[owner] = held
                texts[owner] = _NULL if held is None else p.write([card.code for card in held])
        found: dict[int | None, bytes] = {}
        for seat, own_texts in self._own.items():
            parts[seat_place] = _SEATS[seat]
            parts[hand] = _NULL if seat is None else texts[seat]
            for place, text in zip(own_places, own_texts, strict=True) if own_places else ():
                parts[place] = text
            if seat in awaited and seat is not None:
                parts[decision] = p.write(playing.decision)
                parts[legal] = p.write([one.text for one in open_to(now, seat)])
            else:
                parts[decision], parts[legal] = _NULL, _NONE
            found[seat] = b"".join(parts)
        return found

    def _fill_by_trick(self, game: Game, now: Round) -> None:
        """What is alike for everyone, and stays while a trick is played."""
        # Tricks are only ever added to, as long as a page holds.
        bids, has_bid, won, needs, standing, more = by_trick(now, known=len(self._tricks))
        self._tricks += map(p.write, more)
        parts, places = self._parts, self._places.by_trick
        parts[places[0]] = p.write(phase_of(game))
        parts[places[1]] = p.write(bids)
        parts[places[2]] = p.write(has_bid)
        parts[places[3]] = p.write(won)
        parts[places[4]] = p.write(needs)
        parts[places[5]] = p.write(standing)
        parts[places[6]] = b"[%b]" % b",".join(self._tricks)

    def _fill_by_card(
        self, playing: LiveGame, now: Round, events: tuple[Event, ...], clocks: tuple[p.Clock, ...]
    ) -> None:
        """What is alike for everyone, and another after each card."""
        sizes, trick, winning, demanded = by_card(now)
        parts, places = self._parts, self._places.by_card
        parts[places[0]] = b"%d" % playing.number
        parts[places[1]] = p.write(sizes)
        parts[places[2]] = p.write(trick)
        parts[places[3]] = _SEATS[winning]
        parts[places[4]] = p.write(demanded)
        parts[places[5]] = p.write(playing.awaited)
        parts[places[6]] = p.write(events)
        parts[places[7]] = p.write(clocks)
