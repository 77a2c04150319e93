"""Requests that another process answers: it has the table, or it makes the review."""

from hashlib import sha256

from litestar import MediaType, Response

from foretell.i18n import accepted_language
from foretell.server.network.http_request import Asked, account_of
from foretell.server.network.inner import IS_INNER, forwarded
from foretell.server.store.interface import OwnershipLost, Peer, SharedStore, Store

__all__ = ["maker_of_review", "passed_on"]


async def passed_on(request: Asked, peer: Peer, path: str) -> Response[bytes]:
    """The answer of another process to the same request."""
    try:
        status, body, headers = await forwarded(
            peer,
            account_of(request).address,
            method=request.method,
            path=path,
            body=await request.body(),
            # Not the header itself: a client may write any bytes into it.
            language=accepted_language(request.headers.get("accept-language", "")),
        )
    except OSError:  # it has ended; what it had will soon be another's
        raise OwnershipLost from None
    kept = {name: headers[name] for name in ("retry-after",) if name in headers}
    return Response(body, status_code=status, media_type=MediaType.JSON, headers=kept)


async def maker_of_review(request: Asked, store: Store, game: str) -> Peer | None:
    """The process that makes the review of a game, wherever it is asked for; None if it is this one.

    All processes know each other, so all of them choose the same one, and the games are spread evenly.  If a process
    comes or goes, few games change their place; for those, the review begins again.
    """
    if not isinstance(store, SharedStore) or request.scope.get(IS_INNER):
        return None
    peers = await store.peers()
    if not peers:
        return None
    chosen = max(peers, key=lambda one: sha256(f"{one.id} {game}".encode()).digest())
    return None if chosen.id == store.name else chosen
