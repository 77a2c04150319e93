"""The HTTP API: creating and joining tables, finished games, health.  Bodies are structs of the protocol."""

from functools import cache, partial
from typing import Any

from litestar import Litestar, MediaType, Request, Response, get, post
from litestar.datastructures import State
from litestar.exceptions import HTTPException
from litestar.params import FromPath, FromQuery, JSONBody

from foretell.errors import ForetellError, NotAllowed
from foretell.i18n import accepted_language
from foretell.server.coach.reviews import Reviews
from foretell.server.game.finished import FinishedGame, finished_game, stored_row
from foretell.server.game.replay import replay, summary
from foretell.server.logs import log
from foretell.server.network.addresses import is_this_machine
from foretell.server.network.budgets import Account
from foretell.server.network.door import Door
from foretell.server.table.lobby import Lobby
from foretell.server.table.new_table_form import table_form
from foretell.server.table.table import Table
from foretell.server.wire import protocol as p
from foretell.server.wire.error_messages import error_message
from foretell.server.wire.openapi import openapi

__all__ = ["ACCOUNT", "http_app", "refused"]

ACCOUNT = "foretell.account"
"""In the scope of a request: the account of the client's address."""

Asked = Request[Any, Any, Any]

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
    "other_origin": 403,
    "unknown_host": 403,
    "server_failed": 500,
    "server_full": 503,
    "reviews_busy": 503,
}


def _json(body: Any, status: int = 200) -> Response[bytes]:
    return Response(p.write(body), status_code=status, media_type=MediaType.JSON)


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


def _lobby(state: State) -> Lobby:
    found: Lobby = state.lobby
    return found


def _door(state: State) -> Door:
    found: Door = state.door
    return found


def _account(request: Asked) -> Account:
    found: Account = request.scope[ACCOUNT]  # type: ignore[literal-required]
    return found


@get("/api/form")
async def form(state: State) -> Response[bytes]:
    return _json(table_form(has_coach=_lobby(state).services.coach is not None))


@get("/api/tables")
async def tables(state: State) -> Response[bytes]:
    return Response(_lobby(state).public.as_body(), media_type=MediaType.JSON)


@post("/api/tables")
async def new_table(request: Asked, state: State, data: JSONBody[p.NewTable]) -> Response[bytes]:
    account = _account(request)
    _door(state).pay(account, _door(state).budgets.tables)
    return _json(await _lobby(state).make(data, account.address), 201)


@get("/api/tables/{table:str}")
async def one_table(request: Asked, state: State, table: FromPath[str]) -> Response[bytes]:
    return _json((await _found(request, state, table)).info())


@post("/api/tables/{table:str}/seats")
async def join(
    request: Asked, state: State, table: FromPath[str], data: JSONBody[p.Join]
) -> Response[bytes]:
    account = _account(request)
    _door(state).pay(account, _door(state).budgets.joins)
    found = await _found(request, state, table)
    return _json(await _lobby(state).join(found.state.id, data, account.address), 201)


@post("/api/mine")
async def mine(request: Asked, state: State, data: JSONBody[p.Mine]) -> Response[bytes]:
    # Each token may make us read a game.
    _door(state).pay(_account(request), _door(state).budgets.requests, len(data.tokens) / 5)
    return _json(await _lobby(state).mine(data))


@get("/api/games/{game:str}")
async def one_game(request: Asked, state: State, game: FromPath[str]) -> Response[bytes]:
    _pay_replay(request, state)
    row, actions = await stored_row(_lobby(state).services.store, game)
    services = _lobby(state).services
    work = partial(summary, row, actions, services.dealing)
    return _json(await services.wakeups.look_up(row.id, work))


@get("/api/games/{game:str}/record")
async def record(state: State, game: FromPath[str]) -> Response[bytes]:
    found = await _finished(state, game)
    name = f"wizard-{found.id}.json"
    return Response(
        found.record.encode(),
        media_type=MediaType.JSON,
        headers={"content-disposition": f'attachment; filename="{name}"'},
    )


@get("/api/games/{game:str}/replay/{number:int}")
async def one_replay(
    request: Asked,
    state: State,
    game: FromPath[str],
    number: FromPath[int],
    seat: FromQuery[int | None] = None,
) -> Response[bytes]:
    _pay_replay(request, state)
    found, services = await _finished(state, game), _lobby(state).services
    work = partial(replay, found, services.dealing, number, seat)
    return _json(await services.wakeups.look_up(found.id, work))


@post("/api/games/{game:str}/review")
async def review(request: Asked, state: State, game: FromPath[str]) -> Response[bytes]:
    """A POST, because a review is work for the server: pages of other sites must not be able to ask for one."""
    account = _account(request)
    _door(state).pay_review(account, game[:32])
    reviews: Reviews = state.reviews
    return _json(await reviews.ask(game[:32], lambda: _finished(state, game), account.key))


@get("/api/health")
async def health(state: State) -> Response[bytes]:
    return _json(p.Health(status="ok", version=state.version))


@get("/api/ready")
async def ready(state: State) -> Response[bytes]:
    """Whether a move would be stored."""
    is_well = await _lobby(state).services.store.is_well()
    status = "ok" if is_well and not state.is_stopping else "stopping" if is_well else "failing"
    body = p.Health(status=status, version=state.version)  # type: ignore[arg-type]
    return _json(body, 200 if status == "ok" else 503)


@get("/api/schema")
async def schema() -> Response[bytes]:
    return Response(_schema(), media_type=MediaType.JSON)


@cache
def _schema() -> bytes:
    return p.write(openapi())  # cached: it never changes, and is slow to generate


@get("/metrics")
async def metrics(request: Asked, state: State) -> Response[bytes]:
    """Only for programs on this machine: nobody else needs to know how busy the server is."""
    if not is_this_machine(request.scope.get("client")):
        raise NotAllowed("not_found")
    text = _lobby(state).services.metrics.text()
    return Response(text, media_type="text/plain; version=0.0.4; charset=utf-8")


def _key(text: str) -> str:
    if not 4 <= len(text) <= 32:
        raise NotAllowed("no_table", table=text[:32])
    return text


async def _found(request: Asked, state: State, key: str) -> Table:
    """A table by its id or its code."""
    return await _door(state).table(_lobby(state), _account(request), _key(key), None)


def _pay_replay(request: Asked, state: State) -> None:
    _door(state).pay(_account(request), _door(state).budgets.replays)


async def _finished(state: State, game: str) -> FinishedGame:
    return await finished_game(_lobby(state).services.store, game)


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


def _on_failure(request: Asked, error: Exception) -> Response[bytes]:
    """Handles a bug in the server.  The log names the line of code, but no values: they could be tokens or cards."""
    trace = error.__traceback__
    while trace is not None and trace.tb_next is not None:
        trace = trace.tb_next
    if trace is not None and trace.tb_frame.f_code.co_name == "decode_json":
        # Not our bug: the body is not text, or is nested too deeply.  Litestar does not handle either.
        return _failure(NotAllowed("unreadable_message", reason="JSON"), _language(request))
    where = f"{trace.tb_frame.f_code.co_name}:{trace.tb_lineno}" if trace else ""
    _lobby(request.app.state).services.metrics.failures.inc()
    # Log the template of the path, because the path itself may contain a table's code.
    path = request.scope.get("path_template", "")
    log.error("request failed", path=path, error=type(error).__name__, where=where)
    return _failure(NotAllowed("server_failed"), _language(request))


def http_app(lobby: Lobby, reviews: Reviews, door: Door, version: str) -> Litestar:
    """An application with the routes above."""
    handlers: Any = [
        form,
        tables,
        new_table,
        one_table,
        join,
        mine,
        one_game,
        record,
        one_replay,
        review,
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
                "reviews": reviews,
                "door": door,
                "version": version,
                "is_stopping": False,
            }
        ),
        request_max_body_size=door.limits.body,
        exception_handlers={
            ForetellError: _on_refusal,
            HTTPException: _on_http_error,
            Exception: _on_failure,
        },
        logging_config=None,
    )
