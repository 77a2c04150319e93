"""What happens around a game, in plain lines: who comes and goes, and what a player can do about it.

The sentences are those of the page.  People type a command and a name, in their language or in
English: `yes Zoe`, `no Zoe`, `bot Anna`, `remove Eve`, `start`.
"""

import time
from collections import deque

from foretell.bots.levels import STRONGEST
from foretell.i18n import Catalogue, plainly_typed, typed_words
from foretell.server.wire import protocol as p

__all__ = ["TableTalk"]

_WORDS = ("yes", "no", "bot", "remove", "start")


class TableTalk:
    """Hears every message from the table, and keeps sentences about it in `news` until they are shown."""

    def __init__(self, texts: Catalogue) -> None:
        self._texts = texts
        self.news: deque[str] = deque()
        self.is_removed = False
        self._table: p.Table | None = None
        self._seat: int | None = None
        self._next_seat: int | None = None
        self._snapshot: p.Snapshot | None = None
        self._since = 0.0  # when the snapshot came
        self._told_late: tuple[int, int] | None = None
        self._table_since = 0.0  # when the table came
        self._told_idle: set[int] = set()

    # Hearing

    def hear(self, message: p.FromServer) -> None:
        match message:
            case p.Welcome():
                self._meet(message.table, message.seat, message.next_seat)
                if message.snapshot is not None:
                    self._see(message.snapshot)
            case p.TableChanged():
                self._meet(message.table, message.seat, message.next_seat)
            case p.Snapshot():
                self._see(message)
            case p.Requested():
                host = None if self._table is None else self._table.host
                self._say("web.seats.asked", name=self._name(host))
            case p.Declined():
                self._say("web.seats.declined")
            case p.Removed():
                self.is_removed = True
                self._say("web.table.removed")

    def _say(self, key: str, **values: str) -> None:
        self.news.append(self._texts.say(key, **values))

    def _name(self, seat: int | None) -> str:
        seats = () if self._table is None else self._table.seats
        return next((one.name or "" for one in seats if one.seat == seat), "")

    def _see(self, snapshot: p.Snapshot) -> None:
        self._snapshot, self._since = snapshot, time.monotonic()

    def _meet(self, table: p.Table, seat: int | None, next_seat: int | None) -> None:
        """Notes what has changed since the last message."""
        before = self._table
        known = set() if before is None else {one.request for one in before.requests}
        awaited = set() if before is None else {one.seat for one in before.seats if one.next_name}
        was_host = before is None or before.host == seat
        was_next, self._table = self._next_seat, table
        self._seat, self._next_seat = seat, next_seat
        self._table_since = time.monotonic()
        self._told_idle &= {one.seat for one in table.seats if one.patience_ms is not None}
        if seat is not None and seat == table.host and not was_host and table.phase != "playing":
            self._say("talk.host")
        if next_seat is not None and was_next is None:
            key = "web.seats.after_game" if self._is_last_round else "web.seats.next_deal"
            self._say(key, seat=self._name(next_seat))
        elif was_next is not None and seat == was_next:
            self._say("web.seats.yours")
        for one in table.seats:
            if one.next_name and one.seat not in awaited and one.seat != next_seat:
                self._say("web.seats.next", name=one.next_name, seat=one.name or "")
        for request in table.requests if seat is not None and seat == table.host else ():
            if request.request not in known:
                self._say("talk.asks", name=request.name)

    @property
    def _is_last_round(self) -> bool:
        view = None if self._snapshot is None else self._snapshot.view
        return view is not None and view.now is not None and view.now.number == view.numbers[-1]

    def notice_late(self) -> None:
        """Says once when somebody has kept the table waiting for so long that the others may go on."""
        snapshot, table = self._snapshot, self._table
        if table is None or self._seat is None:
            return
        if table.phase != "playing":
            self._notice_idle(table)
            return
        if snapshot is None:
            return
        waited = (time.monotonic() - self._since) * 1000
        for clock in snapshot.clocks:
            who, told = table.seats[clock.seat], (snapshot.number, clock.seat)
            is_late = clock.patience_ms is not None and clock.patience_ms <= waited
            if is_late and not who.is_played_by_bot and clock.seat != self._seat:
                if self._told_late != told:
                    self._say("talk.late", name=who.name or "")
                self._told_late = told

    def _notice_idle(self, table: p.Table) -> None:
        """The same between games.  A host can go on without anyone at any time."""
        waited = (time.monotonic() - self._table_since) * 1000
        for one in table.seats if self._seat != table.host else ():
            is_late = one.patience_ms is not None and one.patience_ms <= waited
            if is_late and one.is_connected and one.seat not in {self._seat, *self._told_idle}:
                key = "talk.host_late" if one.seat == table.host else "talk.late"
                self._say(key, name=one.name or "")
                self._told_idle.add(one.seat)

    # Commands

    def command(self, typed: str) -> p.FromClient | None:
        """The message that a typed line asks for; None if it is no command."""
        word, _, name = typed.strip().partition(" ")
        table = self._table
        if table is None:
            return None
        words = typed_words(lambda one: self._texts.say(f"talk.word.{one}"), _WORDS)
        word = plainly_typed(word)
        word = words.get(word, word)
        if word == "start" and not name and self._seat == table.host and table.phase != "playing":
            return p.Start(level=STRONGEST)
        if not name:
            return None
        name = name.strip().casefold()
        seat = next((s.seat for s in table.seats if (s.name or "").casefold() == name), None)
        coming = (s.seat for s in table.seats if (s.next_name or "").casefold() == name)
        request = next((r.request for r in table.requests if r.name.casefold() == name), None)
        match word:
            case "yes" if request is not None:
                return p.AnswerRequest(request=request, is_admitted=True)
            case "no" if request is not None:
                return p.AnswerRequest(request=request, is_admitted=False)
            case "bot" if seat is not None:
                return p.Away(seat=seat)
            case "remove":
                found = next(coming, seat)
                return None if found is None else p.Remove(seat=found)
        return None
