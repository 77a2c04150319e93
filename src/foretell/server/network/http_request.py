"""What every handler of the HTTP API needs: what a request brings with it, and how an answer is written."""

from typing import Any

from litestar import MediaType, Request, Response
from litestar.datastructures import State

from foretell.server.network.budgets import Account
from foretell.server.network.door import Door
from foretell.server.table.lobby import Lobby
from foretell.server.wire import protocol as p

__all__ = ["ACCOUNT", "Asked", "account_of", "door_of", "json_answer", "lobby_of"]

ACCOUNT = "foretell.account"
"""In the scope of a request: the account of the client's address."""

Asked = Request[Any, Any, Any]


def json_answer(body: Any, status: int = 200) -> Response[bytes]:
    return Response(p.write(body), status_code=status, media_type=MediaType.JSON)


def lobby_of(state: State) -> Lobby:
    found: Lobby = state.lobby
    return found


def door_of(state: State) -> Door:
    found: Door = state.door
    return found


def account_of(request: Asked) -> Account:
    found: Account = request.scope[ACCOUNT]  # type: ignore[literal-required]
    return found
