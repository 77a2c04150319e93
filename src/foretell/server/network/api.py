"""The HTTP API: creating and joining tables, health.  Bodies are structs of the protocol.  Games are in `games_api`."""

import asyncio
from functools import cache
from typing import Any

from litestar import Litestar, MediaType, Response, get, post
from litestar.datastructures import State
from litestar.exceptions import HTTPException
from litestar.params import FromPath, JSONBody

from foretell.errors import ForetellError, NotAllowed
from foretell.i18n import accepted_language
from foretell.server.logs import log
from foretell.server.network.addresses import is_in, is_this_machine
from foretell.server.network.door import Door
from foretell.server.network.games_api import GAME_HANDLERS
from foretell.server.network.http_request import Asked, account_of, door_of, json_answer, lobby_of
from foretell.server.network.passing_on import passed_on
from foretell.server.store.interface import Elsewhere, OwnershipLost, Store
from foretell.server.table.game_requests import GameRequests
from foretell.server.table.lobby import Lobby
from foretell.server.table.new_table_form import table_form
from foretell.server.table.table import Table
from foretell.server.wire import protocol as p
from foretell.server.wire.error_messages import error_message
from foretell.server.wire.openapi import openapi

__all__ = ["http_app", "refused"]

_STATUS = {
    "no_table": 404,
    "no_such_game": 404,
    "no_round": 404,
    "not_found": 404,
    "method_not_allowed": 405,
    "table_full": 409,
    "seat_taken": 409,
    "still_secret": 409,
    "no_coach": 409,
    "approval_needed": 409,
    "removed_by_host": 403,
    "too_many_seats": 429,
    "too_large": 413,
    "review_waiting": 429,
    "rules_version": 409,
    "newer_table": 409,
    "other_origin": 403,
    "unknown_host": 403,
    "server_failed": 500,
    "server_full": 503,
    "reviews_busy": 503,
    "table_moving": 503,
}


def refused(
    error: ForetellError, language: str = "en"
) -> tuple[int, bytes, list[tuple[bytes, bytes]]]:
    """Status, body and headers of the response that refuses a request."""
    status, headers = _STATUS.get(error.code, 400), []
    seconds = error.values.get("seconds")
    if seconds is not None:  # the address has done too much
        status = 429
        headers.append((b"retry-after", str(seconds).encode()))
    if error.code == "too_many_requests":
        # The next connection costs the client more than the next request.
        headers.append((b"connection", b"close"))
    return status, p.write(p.Failure(error=error_message(error, language))), headers


def _failure(error: ForetellError, language: str = "en") -> Response[bytes]:
    status, body, headers = refused(error, language)
    named = {name.decode(): value.decode() for name, value in headers}
    return Response(body, status_code=status, media_type=MediaType.JSON, headers=named)


class _Wellness:
    """Whether a move would be stored.  To find out costs a write, so all who ask at the same time share one."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._asking: asyncio.Future[bool] | None = None

    async def ask(self) -> bool:
        if self._asking is None or self._asking.done():
            self._asking = asyncio.ensure_future(self._store.is_well())
        return await asyncio.shield(self._asking)


@get("/api/form")
async def form(state: State) -> Response[bytes]:
    return json_answer(table_form(has_coach=lobby_of(state).services.coach is not None))


@get("/api/tables")
async def tables(state: State) -> Response[bytes]:
    return Response(lobby_of(state).public.as_body(), media_type=MediaType.JSON)


@post("/api/tables")
async def new_table(request: Asked, state: State, data: JSONBody[p.NewTable]) -> Response[bytes]:
    account = account_of(request)
    door_of(state).pay(account, door_of(state).budgets.tables)
    return json_answer(await lobby_of(state).make(data, account.address), 201)


@get("/api/tables/{table:str}")
async def one_table(request: Asked, state: State, table: FromPath[str]) -> Response[bytes]:
    found = await _found(request, state, table)
    if isinstance(found, Elsewhere):
        return await _from_owner(request, found)
    return json_answer(found.info())


@post("/api/tables/{table:str}/seats")
async def join(
    request: Asked, state: State, table: FromPath[str], data: JSONBody[p.Join]
) -> Response[bytes]:
    account = account_of(request)
    door_of(state).pay(account, door_of(state).budgets.joins)
    found = await _found(request, state, table)
    if isinstance(found, Elsewhere):
        return await _from_owner(request, found, "/seats")
    return json_answer(await lobby_of(state).join(found.state.id, data, account.address), 201)


@post("/api/mine")
async def mine(request: Asked, state: State, data: JSONBody[p.Mine]) -> Response[bytes]:
    # Each token may make us read a game.
    door_of(state).pay(account_of(request), door_of(state).budgets.requests, len(data.tokens) / 5)
    return json_answer(await lobby_of(state).mine(data, account_of(request).key))


@get("/api/health")
async def health(state: State) -> Response[bytes]:
    return json_answer(p.Health(status="ok", version=state.version, has_engine=state.has_engine))


@get("/api/ready")
async def ready(state: State) -> Response[bytes]:
    """Whether a move would be stored."""
    if state.is_stopping:
        status = "stopping"
    elif lobby_of(state).is_cut_off:  # known already
        status = "failing"
    else:
        status = "ok" if await state.wellness.ask() else "failing"
    body = p.Health(status=status, version=state.version)  # type: ignore[arg-type]
    return json_answer(body, 200 if status == "ok" else 503)


@get("/api/schema")
async def schema() -> Response[bytes]:
    return Response(_schema(), media_type=MediaType.JSON)


@cache
def _schema() -> bytes:
    return p.write(openapi())  # cached: it never changes, and is slow to generate


@get("/metrics")
async def metrics(request: Asked, state: State) -> Response[bytes]:
    """For programs on this machine, and those that the host names: nobody else needs to know how busy the server is."""
    client = request.scope.get("client")
    if not (is_this_machine(client) or is_in(client, state.metrics_for)):
        raise NotAllowed("not_found")
    text = lobby_of(state).services.metrics.text()
    return Response(text, media_type="text/plain; version=0.0.4; charset=utf-8")


def _key(text: str) -> str:
    if not 4 <= len(text) <= 32:
        raise NotAllowed("no_table", table=text[:32])
    return text


async def _found(request: Asked, state: State, key: str) -> Table | Elsewhere:
    """A table by its id or its code."""
    return await door_of(state).table(lobby_of(state), account_of(request), _key(key), None)


async def _from_owner(request: Asked, found: Elsewhere, more: str = "") -> Response[bytes]:
    """The answer of the process that has a table.  Its 503 is our 502: balancers leave out who says 503."""
    try:
        answer = await passed_on(request, found.peer, f"/api/tables/{found.table}{more}")
    except OwnershipLost:
        answer = _failure(NotAllowed("table_moving"), _language(request))
    if answer.status_code == 503:
        answer.status_code = 502
    return answer


def _language(request: Asked) -> str:
    return accepted_language(request.headers.get("accept-language", ""))


def _on_refusal(request: Asked, error: ForetellError) -> Response[bytes]:
    return _failure(error, _language(request))


def _on_http_error(request: Asked, error: HTTPException) -> Response[bytes]:
    """Litestar's own errors, in the form of the protocol."""
    codes = {404: "not_found", 405: "method_not_allowed", 413: "too_large"}
    cause = error.__cause__
    while cause is not None and not isinstance(cause, ForetellError):
        cause = cause.__cause__
    if isinstance(cause, ForetellError):
        return _failure(cause, _language(request))
    code = codes.get(error.status_code, "unreadable_message")
    values = {"reason": _reasons(error)} if code == "unreadable_message" else {}
    answer = _failure(NotAllowed(code, **values), _language(request))
    answer.status_code = error.status_code if error.status_code < 500 else 500
    for name, value in (error.headers or {}).items():
        answer.set_header(name, value)
    return answer


def _reasons(error: HTTPException) -> str:
    found = error.extra if isinstance(error.extra, list) else []
    if any(one.get("message") == repr(one.get("key")) for one in found):
        return (
            "JSON"  # there is no body at all: Litestar's message is only the name of the parameter
        )
    parts = [f"{one.get('key', '')}: {one.get('message', '')}" for one in found]
    return ("; ".join(parts) or error.detail)[:200]


def _on_moved(request: Asked, _error: OwnershipLost) -> Response[bytes]:
    return _failure(NotAllowed("table_moving"), _language(request))


def _on_failure(request: Asked, error: Exception) -> Response[bytes]:
    """Handles a bug in the server.  The log names the line of code, but no values: they could be tokens or cards."""
    trace = error.__traceback__
    while trace is not None and trace.tb_next is not None:
        trace = trace.tb_next
    if trace is not None and trace.tb_frame.f_code.co_name == "decode_json":
        # Not our bug: the body is not text, or is nested too deeply.  Litestar does not handle either.
        return _failure(NotAllowed("unreadable_message", reason="JSON"), _language(request))
    where = f"{trace.tb_frame.f_code.co_name}:{trace.tb_lineno}" if trace else ""
    lobby_of(request.app.state).services.metrics.failures.inc()
    # Log the template of the path, because the path itself may contain a table's code.
    path = request.scope.get("path_template", "")
    log.error("request failed", path=path, error=type(error).__name__, where=where)
    return _failure(NotAllowed("server_failed"), _language(request))


def http_app(
    lobby: Lobby, games: GameRequests, door: Door, version: str, *, has_engine: bool = False
) -> Litestar:
    """An application with the routes above."""
    handlers: Any = [
        form,
        tables,
        new_table,
        one_table,
        join,
        mine,
        *GAME_HANDLERS,
        health,
        ready,
        schema,
        metrics,
    ]
    return Litestar(
        handlers,
        openapi_config=None,
        state=State(
            {
                "lobby": lobby,
                "games": games,
                "door": door,
                "version": version,
                "is_stopping": False,
                "has_engine": has_engine,
                "wellness": _Wellness(lobby.services.store),
                "metrics_for": (),
            }
        ),
        request_max_body_size=door.limits.body,
        exception_handlers={
            ForetellError: _on_refusal,
            HTTPException: _on_http_error,
            OwnershipLost: _on_moved,
            Exception: _on_failure,
        },
        logging_config=None,
    )
