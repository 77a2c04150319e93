"""The list of public tables, and those who watch it.

Each table is encoded once after it has changed, and the list once for everyone.  Changes that come shortly after one
another make one update.
"""

import asyncio
from collections.abc import Callable, Iterable, Mapping

import msgspec

from foretell.server.table.table import Table
from foretell.server.wire import protocol as p

__all__ = ["PublicTables"]

_DELAY = 0.25  # seconds: changes within this time are one update
_BYTES_A_SECOND = 20_000_000  # for all updates together: with many watchers they come less often
_AT_ONCE = 50  # watchers, before players get their turn
_MOST_LISTED = 200

Deliver = Callable[[bytes], None]

_Listed = tuple[bool, float, msgspec.Raw]
"""Whether the game has begun, when the table was made, and the table as it is listed."""

_LISTED: msgspec.json.Decoder[list[_Listed]] = msgspec.json.Decoder(list[_Listed])


class PublicTables:
    """The list of the public tables among `tables`, which belong to the lobby."""

    def __init__(self, tables: Mapping[str, Table]) -> None:
        self._tables = tables
        self._public: set[str] = set()
        self._entries: dict[
            str, bytes
        ] = {}  # encoded, by the id of the table; not those that changed
        self._text: bytes | None = None  # the whole list; None if it has changed
        self._watchers: dict[Deliver, None] = {}  # in the order in which they came
        self._timer: asyncio.TimerHandle | None = None
        self._elsewhere: tuple[_Listed, ...] = ()  # of other processes
        self.on_change: Callable[[], None] = lambda: None  # the tables of this process have changed
        self._last_update: bytes | None = b""

    @property
    def watchers(self) -> int:
        return len(self._watchers)

    # The list

    def change(self, table: Table) -> None:
        """A table was added, has changed, or sleeps."""
        id_ = table.state.id
        was_public = id_ in self._public
        is_public = table.state.options.is_public and id_ in self._tables
        if not (was_public or is_public):
            return
        (self._public.add if is_public else self._public.discard)(id_)
        self._entries.pop(id_, None)
        self._on_change()
        self.on_change()

    def _on_change(self) -> None:
        self._text = None
        if self._watchers and self._timer is None:
            self._start_timer(_DELAY)

    def as_body(self) -> bytes:
        """The answer to `GET /api/tables`."""
        return b'{"tables":%b}' % self._encoded()

    def as_answer(self, id_: int | None) -> bytes:
        """The answer to `watch_lobby`; without an id, an update of the list."""
        named = b"null" if id_ is None else b"%d" % id_
        return b'{"type":"lobby","tables":%b,"id":%b}' % (self._encoded(), named)

    def _encoded(self) -> bytes:
        if self._text is None:
            listed = sorted((*self._own(), *self._elsewhere), key=lambda one: one[:2])
            self._text = b"[" + b",".join(bytes(one[2]) for one in listed[:_MOST_LISTED]) + b"]"
        return self._text

    def _own(self) -> Iterable[_Listed]:
        """Tables that have not begun come first, then the oldest first."""
        public = [self._tables[id_] for id_ in self._public]
        public = [one for one in public if one.state.phase != "over"]
        public.sort(key=lambda one: (one.state.phase != "gathering", one.state.created))
        return [
            (one.state.phase != "gathering", one.state.created, msgspec.Raw(self._entry(one)))
            for one in public[:_MOST_LISTED]
        ]

    # Tables of other processes

    def shared(self) -> bytes:
        """The public tables of this process, for the others."""
        return msgspec.json.encode(self._own())

    def set_elsewhere(self, shared: Iterable[bytes]) -> None:
        """Lists the public tables of other processes too, as each has shared them."""
        found = tuple(listed for one in shared for listed in _LISTED.decode(one))
        if found != self._elsewhere:
            self._elsewhere = found
            self._on_change()

    def _entry(self, table: Table) -> bytes:
        found = self._entries.get(table.state.id)
        if found is None:
            found = self._entries[table.state.id] = p.write(table.listed())
        return found

    # Those who watch it

    def watch(self, deliver: Deliver) -> Callable[[], None]:
        """Subscribes to the list; the answer is a function that ends the subscription."""
        self._watchers[deliver] = None
        # The new watcher has the list as it is now, which may be newer than the last update: send the next one even if
        # it equals the last.
        self._last_update = None
        return lambda: self._watchers.pop(deliver, None)

    def _start_timer(self, delay: float) -> None:
        self._timer = asyncio.get_running_loop().call_later(delay, self._send_update)

    def _send_update(self) -> None:
        self._timer = None
        text = self.as_answer(None)
        if text != self._last_update:
            self._last_update = text
            self._send(text, list(self._watchers))

    def _send(self, text: bytes, watchers: list[Deliver]) -> None:
        """Sends an update to some watchers, and to the others a moment later."""
        for deliver in watchers[:_AT_ONCE]:
            if deliver in self._watchers:
                deliver(text)
        left = watchers[_AT_ONCE:]
        loop = asyncio.get_running_loop()
        if not left:
            return
        pause = _AT_ONCE * len(text) / _BYTES_A_SECOND
        # Until everyone has this update, there is no other.
        self._timer = loop.call_later(max(pause, 0.002), self._send_rest, text, left)

    def _send_rest(self, text: bytes, watchers: list[Deliver]) -> None:
        self._timer = None
        self._send(text, watchers)
        if self._timer is None and self._text is None:  # it has changed in the meantime
            self._start_timer(_DELAY)

    def close(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
