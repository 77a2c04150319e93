"""The store in a browser: all of it in memory, and in the browser's own storage before anyone is told."""

import asyncio
import json
from bisect import bisect_left
from collections.abc import Iterable, Iterator
from typing import Any, TypeVar

import msgspec
from msgspec.structs import replace

from foretell.browser.host import Host
from foretell.engine.codec import decoded, encoded
from foretell.server.game.live_game import fair_dealing, resumed
from foretell.server.store.interface import (
    GameRow,
    Lease,
    LoggedAction,
    PendingAppend,
    Setup,
    TableState,
)
from foretell.server.store.memory import MemoryStore

__all__ = ["BrowserStore"]

_STATE: msgspec.json.Decoder[TableState] = msgspec.json.Decoder(TableState, dec_hook=decoded)
_GAME: msgspec.json.Decoder[GameRow] = msgspec.json.Decoder(GameRow, dec_hook=decoded)
_ACTION: msgspec.json.Decoder[LoggedAction] = msgspec.json.Decoder(LoggedAction)
_encoder = msgspec.json.Encoder(enc_hook=encoded)

Write = tuple[str, str, str | None]
"""A kind of row, its key, and its value; None removes it."""

T = TypeVar("T")


class BrowserStore(MemoryStore):
    """A Store.  The log of a game is one row for each action, with keys in the order of their numbers.

    What is stored may be damaged, or of a newer version of the package.  A row that cannot be read is left where it is,
    and everything else can be played.  A log ends before its first action that is missing, damaged or against the
    rules: there the game goes on.
    """

    def __init__(self, host: Host) -> None:
        super().__init__()
        self._host = host
        self._is_whole = True
        self._cut: dict[str, list[str]] = {}  # by game: the keys of actions that cannot be used
        self._checked: set[str] = set()

    @classmethod
    async def opened(cls, host: Host) -> "BrowserStore":
        """The store with all that was stored before."""
        store = cls(host)
        stored: dict[str, list[tuple[Any, Any]]] = json.loads(await host.load())
        store._games = dict(store._readable(_GAME, stored.get("games", ())))
        store._tables = {
            key: state
            for key, state in store._readable(_STATE, stored.get("tables", ()))
            if state.game is None or state.game in store._games
        }
        store._logs = {game: [] for game in store._games}
        actions = stored.get("actions", ())
        readable = dict(store._readable(_ACTION, actions))
        for key, _ in actions:
            game = str(key).partition("/")[0]
            log = store._logs.get(game, [])
            if key in readable and readable[key].number == len(log) and game not in store._cut:
                log.append(readable[key])
            else:
                store._cut.setdefault(game, []).append(str(key))
        if not store._is_whole or store._cut:
            host.report_unreadable()
        return store

    def _readable(
        self, decoder: msgspec.json.Decoder[T], rows: Iterable[tuple[Any, Any]]
    ) -> Iterator[tuple[str, T]]:
        for key, value in rows:
            try:
                yield str(key), decoder.decode(value)
            except (
                Exception
            ):  # it may be anything: another type, half a text, rules that do not exist
                self._is_whole = False

    async def log(self, game: str) -> list[LoggedAction]:
        log = await super().log(game)
        row = self._games.get(game)
        if row is not None and row.record is None and game not in self._checked:
            playable = _playable(row, log)
            self._checked.add(game)
            if playable < len(log):
                self._cut.setdefault(game, [])[:0] = [
                    _key(game, n) for n in range(playable, len(log))
                ]
                del self._logs[game][playable:]
                self._host.report_unreadable()
        return await super().log(game)

    async def add(self, state: TableState) -> Lease | None:
        if await self.table(state.code) is not None:
            return None
        await self._put([_write("tables", state.id, state)])
        return await super().add(state)

    async def save(
        self,
        state: TableState,
        *,
        lease: Lease | None = None,
        begun: GameRow | None = None,
        renamed: tuple[str, Setup] | None = None,
    ) -> None:
        writes = [_write("tables", state.id, state)]
        if begun is not None:
            writes.append(_write("games", begun.id, begun))
        if renamed is not None:
            game, setup = renamed
            writes.append(_write("games", game, replace(self._games[game], setup=setup)))
        await self._put(writes)
        await super().save(state, begun=begun, renamed=renamed)

    def append(
        self,
        game: str,
        action: LoggedAction,
        *,
        lease: Lease | None = None,
        state: TableState | None = None,
        record: str | None = None,
        renamed: Setup | None = None,
    ) -> PendingAppend:
        async def stored() -> bool:
            if action.number != len(self._logs[game]):
                return False
            writes: list[Write] = [("actions", key, None) for key in self._cut.pop(game, ())]
            writes.append(_write("actions", _key(game, action.number), action))
            row = self._games[game]
            if record is not None:
                row = replace(row, finished=action.at, record=record)
            if renamed is not None:
                row = replace(row, setup=renamed)
            if row is not self._games[game]:
                writes.append(_write("games", game, row))
            if state is not None:
                writes.append(_write("tables", state.id, state))
            await self._put(writes)
            kept = super(BrowserStore, self).append(
                game, action, state=state, record=record, renamed=renamed
            )
            return kept.stored.result()

        handed_over = asyncio.get_running_loop().create_future()
        handed_over.set_result(None)
        return PendingAppend(handed_over, asyncio.ensure_future(stored()))

    async def _put(self, writes: list[Write]) -> None:
        await self._host.put(json.dumps(writes))


def _key(game: str, number: int) -> str:
    return f"{game}/{number:06}"


def _playable(row: GameRow, log: list[LoggedAction]) -> int:
    """How many actions of this log can be played.  It raises if the game cannot even begin: then nothing is cut."""
    resumed(row, (), fair_dealing)

    def is_too_long(length: int) -> bool:
        try:
            resumed(row, log[:length], fair_dealing)
        except Exception:  # what is stored may be anything
            return True
        return False

    if not is_too_long(len(log)):
        return len(log)
    return bisect_left(range(1, len(log) + 1), True, key=is_too_long)


def _write(kind: str, key: str, value: Any) -> Write:
    return kind, key, _encoder.encode(value).decode()
