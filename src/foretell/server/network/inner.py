"""How processes on one database reach each other: a listening socket of their own, and a key that each request shows.

A process reads the address and the key of another from the database, so whoever has them can read everything anyway.
"""

import asyncio
import hmac
from collections.abc import Mapping

import h11
from msgspec import Struct

from foretell.errors import NotAllowed
from foretell.server.network.asgi import Scope
from foretell.server.store.interface import Peer

__all__ = ["IS_INNER", "Inner", "forwarded", "inner_headers"]

IS_INNER = "foretell.is_inner"
"""In the scope: another process has sent this request, for a client of its own."""

_KEY, _CLIENT = "x-foretell-key", "x-foretell-client"
_MOST_TO_READ = 2.0  # seconds; the client waits too, and so does the balancer in front of us
_MOST_TO_CHANGE = 5.0  # whoever gives up here does not know whether it has happened


def inner_headers(there: Peer, client: str | None) -> dict[str, str]:
    """The headers of a request to another process: the key of that process, and the address of our client."""
    return {_KEY: there.key, _CLIENT: client or ""}


class Inner(Struct, frozen=True):
    """The port on which this process listens for the others, and the key that they must show."""

    port: int
    key: str

    def is_for(self, scope: Scope) -> bool:
        """Whether a request came in at the inner port."""
        return bool((scope.get("server") or (None, None))[1] == self.port)

    def admit(self, scope: Scope) -> None:
        """Lets a request of another process in, as if its client had sent it here; refuses one without the key."""
        headers = {name: value.decode("latin-1") for name, value in scope["headers"]}
        if not hmac.compare_digest(headers.get(_KEY.encode(), "").encode(), self.key.encode()):
            raise NotAllowed("not_found")
        client = headers.get(_CLIENT.encode(), "")
        scope["client"] = (client, 0) if client else None
        scope[IS_INNER] = True


async def forwarded(
    there: Peer, client: str | None, *, method: str, path: str, body: bytes, language: str
) -> tuple[int, bytes, Mapping[str, str]]:
    """Asks another process over HTTP; status, body and headers of its answer.  Raises an OSError if none comes.

    It asks in the event loop, so that any number of requests to a process that sleeps keep nobody else waiting, and it
    goes straight to the other process, since the key must not reach a proxy.
    """
    headers = {
        "host": there.address,
        "content-type": "application/json",
        "content-length": str(len(body)),
        "accept-language": language,
        "connection": "close",
        **inner_headers(there, client),
    }
    request = h11.Request(method=method, target=path, headers=list(headers.items()))
    most = _MOST_TO_READ if method == "GET" else _MOST_TO_CHANGE
    try:
        async with asyncio.timeout(most):
            host, _, port = there.address.rpartition(":")
            reader, writer = await asyncio.open_connection(host.strip("[]"), int(port))
            try:
                return await _answer(reader, writer, request, body)
            finally:
                writer.close()
    except h11.RemoteProtocolError as error:
        raise ConnectionError from error


async def _answer(
    reader: asyncio.StreamReader, writer: asyncio.StreamWriter, request: h11.Request, body: bytes
) -> tuple[int, bytes, Mapping[str, str]]:
    connection = h11.Connection(h11.CLIENT)
    parts = (request, h11.Data(data=body), h11.EndOfMessage())
    writer.write(b"".join(connection.send(part) or b"" for part in parts))
    status, headers, pieces = 0, dict[str, str](), list[bytes]()
    while True:
        event = connection.next_event()
        if event is h11.NEED_DATA:
            connection.receive_data(await reader.read(65536))
        elif isinstance(event, h11.Response):
            status = event.status_code
            headers = {name.decode(): value.decode("latin-1") for name, value in event.headers}
        elif isinstance(event, h11.Data):
            pieces.append(bytes(event.data))
        elif isinstance(event, h11.EndOfMessage):
            return status, b"".join(pieces), headers
