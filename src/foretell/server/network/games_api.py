"""The HTTP API for games: summaries, records, replays and reviews; also of a record that a client sends."""

import contextlib
import gzip
import re
from collections.abc import Awaitable, Callable
from typing import Any
from urllib.parse import quote

from litestar import MediaType, Response, get, post
from litestar.datastructures import State
from litestar.params import FromPath, FromQuery

from foretell.server.network.http_request import Asked, account_of, door_of, json_answer
from foretell.server.network.passing_on import maker_of_review, passed_on
from foretell.server.store.interface import OwnershipLost
from foretell.server.table.game_requests import GameRequests

__all__ = ["GAME_HANDLERS"]


@get("/api/games/{game:str}")
async def one_game(request: Asked, state: State, game: FromPath[str]) -> Response[bytes]:
    _pay_replay(request, state)
    sender = account_of(request).key
    return json_answer(await _games(state).summary(game, sender=sender))


@get("/api/games/{game:str}/record")
async def record(state: State, game: FromPath[str]) -> Response[bytes]:
    found = await _games(state).finished(game)
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
    sender = account_of(request).key
    answer = await _games(state).replay(game, number, seat, sender=sender)
    return await _compressed(request, state, answer)


@post("/api/replay")
async def posted_replay(
    request: Asked,
    state: State,
    number: FromQuery[int | None] = None,
    seat: FromQuery[int | None] = None,
) -> Response[bytes]:
    _pay_replay(request, state)
    body, sender = await request.body(), account_of(request).key
    answer = await _games(state).posted_replay(body, number, seat, sender=sender)
    return await _compressed(request, state, answer)


@post("/api/games/{game:str}/review")
async def review(request: Asked, state: State, game: FromPath[str]) -> Response[bytes]:
    """A POST, because a review is work for the server: pages of other sites must not be able to ask for one."""
    account = account_of(request)
    door_of(state).pay_review(account, game[:32])

    async def here() -> Response[bytes]:
        return json_answer(await _games(state).review(game, sender=account.key))

    return await _reviewed(request, state, game[:32], here)


@post("/api/review")
async def posted_review(request: Asked, state: State) -> Response[bytes]:
    """The review of the record in the body, or how far it is."""
    account, body = account_of(request), await request.body()
    name = GameRequests.name_of(body)
    door_of(state).pay_review(account, name)

    async def here() -> Response[bytes]:
        return json_answer(await _games(state).posted_review(body, sender=account.key))

    return await _reviewed(request, state, name, here)


async def _reviewed(
    request: Asked, state: State, name: str, here: Callable[[], Awaitable[Response[bytes]]]
) -> Response[bytes]:
    """The review, or how far it is: from the process that makes it, if that is another and can be reached."""
    maker = None
    if not _games(state).reviews.is_ready(name):
        maker = await maker_of_review(request, state.lobby.services.store, name)
    if maker is not None:
        with contextlib.suppress(OwnershipLost):
            return await passed_on(request, maker, quote(request.scope["path"]))
    return await here()


async def _compressed(request: Asked, state: State, body: bytes) -> Response[bytes]:
    """A large answer: its views repeat each other, so that it is a twentieth of the size with gzip."""
    headers = {"vary": "accept-encoding"}
    answer = Response(body, status_code=200, media_type=MediaType.JSON, headers=headers)
    if "gzip" in re.findall(r"\w+", request.headers.get("accept-encoding", "")):
        compress = state.lobby.services.wakeups.in_thread
        answer.content = await compress(lambda: gzip.compress(body, compresslevel=4))
        answer.headers["content-encoding"] = "gzip"
    return answer


def _games(state: State) -> GameRequests:
    found: GameRequests = state.games
    return found


def _pay_replay(request: Asked, state: State) -> None:
    door_of(state).pay(account_of(request), door_of(state).budgets.replays)


GAME_HANDLERS: tuple[Any, ...] = (
    one_game,
    record,
    one_replay,
    posted_replay,
    review,
    posted_review,
)
