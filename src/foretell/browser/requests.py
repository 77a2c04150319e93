"""The requests of the HTTP API, without HTTP: the same paths and bodies as on a server (docs/openapi.json)."""

import re
from collections.abc import Awaitable, Callable, Iterable
from typing import Any, TypeVar
from urllib.parse import parse_qs, unquote, urlsplit

import msgspec

from foretell.engine.codec import decoded
from foretell.errors import ForetellError, NotAllowed
from foretell.server.logs import log
from foretell.server.table.game_requests import GameRequests
from foretell.server.table.lobby import Lobby
from foretell.server.table.new_table_form import table_form
from foretell.server.table.table import Table
from foretell.server.wire import protocol as p
from foretell.server.wire.error_messages import error_message

__all__ = ["DeviceRequests"]

T = TypeVar("T")

_SENDER = "this device"


class DeviceRequests:
    """Answers requests.  Nobody else asks, so nothing is limited."""

    def __init__(self, lobby: Lobby, prepare: Callable[[Iterable[str]], None]) -> None:
        self._lobby, self._prepare = lobby, prepare
        self._games = GameRequests(lobby.services)
        self._routes: list[tuple[re.Pattern[str], Callable[..., Awaitable[bytes]]]] = [
            (re.compile(pattern), handler)
            for pattern, handler in (
                (r"GET /api/form", self._form),
                (r"GET /api/tables", self._tables),
                (r"POST /api/tables", self._new_table),
                (r"GET /api/tables/([^/]+)", self._table),
                (r"POST /api/tables/([^/]+)/seats", self._join),
                (r"POST /api/mine", self._mine),
                (r"GET /api/games/([^/]+)", self._game),
                (r"GET /api/games/([^/]+)/record", self._record),
                (r"GET /api/games/([^/]+)/replay/(\d+)", self._replay),
                (r"POST /api/games/([^/]+)/review", self._review),
                (r"POST /api/replay", self._posted_replay),
                (r"POST /api/review", self._posted_review),
            )
        ]

    async def answer(self, method: str, address: str, body: bytes) -> tuple[bool, bytes]:
        """Whether the request is accepted, and the body of the answer: what was asked for, or a Failure."""
        try:
            return True, await self._answer(method, urlsplit(address), body)
        except ForetellError as error:
            refusal = error
        except msgspec.DecodeError as error:
            refusal = NotAllowed("unreadable_message", reason=str(error)[:200])
        except Exception as error:
            log.error("request failed", error=type(error).__name__)
            refusal = NotAllowed("server_failed")
        return False, p.write(p.Failure(error=error_message(refusal)))

    async def _answer(self, method: str, address: Any, body: bytes) -> bytes:
        query = {name: int(values[0]) for name, values in parse_qs(address.query).items()}
        for pattern, handler in self._routes:
            found = pattern.fullmatch(f"{method} {address.path}")
            if found is not None:
                return await handler(*map(unquote, found.groups()), body=body, **query)
        raise NotAllowed("not_found")

    # Tables

    async def _form(self, *, body: bytes) -> bytes:
        return p.write(table_form(has_coach=self._lobby.services.coach is not None))

    async def _tables(self, *, body: bytes) -> bytes:
        return self._lobby.public.as_body()

    async def _new_table(self, *, body: bytes) -> bytes:
        asked = _read(body, p.NewTable)
        made = await self._lobby.make(asked)
        self._prepare(asked.options.bots)  # what these levels need can come before their turn
        return p.write(made)

    async def _table(self, table: str, *, body: bytes) -> bytes:
        found = await self._lobby.table(table)
        assert isinstance(found, Table)  # no other process has tables of this device
        return p.write(found.info())

    async def _join(self, table: str, *, body: bytes) -> bytes:
        return p.write(await self._lobby.join(table, _read(body, p.Join)))

    async def _mine(self, *, body: bytes) -> bytes:
        return p.write(await self._lobby.mine(_read(body, p.Mine)))

    # Games

    async def _game(self, game: str, *, body: bytes) -> bytes:
        return p.write(await self._games.summary(game, sender=_SENDER))

    async def _record(self, game: str, *, body: bytes) -> bytes:
        return (await self._games.finished(game)).record.encode()

    async def _replay(
        self, game: str, number: str, *, body: bytes, seat: int | None = None
    ) -> bytes:
        return await self._games.replay(game, int(number), seat, sender=_SENDER)

    async def _posted_replay(
        self, *, body: bytes, number: int | None = None, seat: int | None = None
    ) -> bytes:
        return await self._games.posted_replay(body, number, seat, sender=_SENDER)

    async def _review(self, game: str, *, body: bytes) -> bytes:
        return p.write(await self._games.review(game, sender=_SENDER))

    async def _posted_review(self, *, body: bytes) -> bytes:
        return p.write(await self._games.posted_review(body, sender=_SENDER))


def _read(body: bytes, kind: type[T]) -> T:
    return msgspec.json.decode(body, type=kind, dec_hook=decoded)
